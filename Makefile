# Every command makes what it needs: system packages, .venv, the extension. See .ci/setup.sh.
#
# The development build is in place: CMake puts the extension into dynjax/ and a .pth file puts this
# folder on .venv's path. So Python changes count at once (new and moved modules included, which the
# redirecting hook of an editable install misses), interpreters start without a hook, and one CMake
# build gives the module and the native tests.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help
.PHONY: help demo test bench lint types format generated native nightly sanitize fuzz wheel clean

JOBS ?= $(shell nproc)
FUZZ_SECONDS ?= 60
TEST_PROCESSES ?= 4

PY := .venv/bin/python
BIN := .venv/bin
BUILD := build/dev
CPP := $(shell find ops -name '*.cc' -o -name '*.h')
CMAKE_FILES := $(shell find ops -name 'CMake*')
# Deleted sources matter too, and have no time: the list of names is part of what is compared.
SOURCES := $(sort $(CPP) $(CMAKE_FILES))
LISTED := build/sources.txt

help:
	@echo "make demo       train on real pictures, from files to accuracy"
	@echo "make test       lint, native tests, all Python tests, notebooks, conformance"
	@echo "make bench      speed, beside the original where DALI_PYTHON names its interpreter"
	@echo "make lint       ruff, pyright, clang-format; make format repairs what it can"
	@echo "make generated  the stub files and docs/reference, from the operators"
	@echo "make wheel      a repaired wheel in dist/, tried in a fresh environment"
	@echo "make sanitize   native tests under address, undefined-behaviour and thread sanitizers"
	@echo "make nightly    more random programs, more processes, sanitizers, fuzzing: hours"
	@echo "make fuzz       each fuzz target for FUZZ_SECONDS (clang)"
	@echo "make clean      removes .venv and all that was built"

# --- set-up -----------------------------------------------------------------------------------

.venv/requirements.txt: pyproject.toml .ci/setup.sh .ci/requirements.py .ci/torch.sh
	@bash .ci/setup.sh
	@$(PY) .ci/requirements.py > .venv/requirements.new
	@echo "setup: installing Python packages (minutes on the first run)"
	@$(PY) -m pip install --disable-pip-version-check -r .venv/requirements.new \
	  | { grep -v "^Requirement already satisfied" || true; }
	@bash .ci/torch.sh
	@$(PY) -c 'import pathlib, sysconfig; \
	  pathlib.Path(sysconfig.get_path("purelib"), "dynjax.pth").write_text("$(CURDIR)\n")'
	@mv .venv/requirements.new $@

$(LISTED): FORCE
	@mkdir -p build
	@echo "$(SOURCES)" | cmp -s - $@ || echo "$(SOURCES)" > $@
.PHONY: FORCE

.venv/built: .venv/requirements.txt $(SOURCES) $(LISTED)
	@echo "setup: building the extension"
	@cd ops && PATH="$(CURDIR)/$(BIN):$$PATH" cmake --preset dev > ../build/configure.log || \
	  { cat ../build/configure.log; exit 1; }
	@$(BIN)/cmake --build $(BUILD) -j $(JOBS)
	@rm -f dynjax/_dynjax_ops*.so
	@$(BIN)/cmake --install $(BUILD) --prefix . > /dev/null
	@touch $@

# --- what people run --------------------------------------------------------------------------

demo: .venv/built
	$(PY) docs/demo.py

# A file's tests stay in one process, which compiles what they share once.
test: lint native
	$(PY) -m pytest -n $(JOBS) --maxprocesses $(TEST_PROCESSES) --dist loadfile

bench: .venv/built
	$(PY) tests/bench/run.py

# --- checks -----------------------------------------------------------------------------------

lint: .venv/requirements.txt types
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/clang-format --dry-run -Werror $(CPP)

# The extension's signatures come with the built module.
types: .venv/built
	$(BIN)/pyright

format: .venv/requirements.txt
	$(BIN)/ruff check --fix-only
	$(BIN)/ruff format
	$(BIN)/clang-format -i $(CPP)

generated: .venv/built
	$(PY) docs/generate

native: .venv/built
	$(BIN)/ctest --test-dir $(BUILD) --output-on-failure -j $(JOBS)

# Tests ask for more memory than there is, which the sanitizers would take for a fault.
sanitize: export ASAN_OPTIONS := allocator_may_return_null=1
sanitize: export TSAN_OPTIONS := allocator_may_return_null=1
sanitize: .venv/requirements.txt
	@for preset in asan tsan; do \
	  (cd ops && PATH="$(CURDIR)/$(BIN):$$PATH" cmake --preset $$preset); \
	  $(BIN)/cmake --build build/$$preset -j $(JOBS); \
	  $(BIN)/ctest --test-dir build/$$preset --output-on-failure; \
	done

# The tests that take their size from the environment, at length.
nightly: .venv/built sanitize fuzz
	DYNJAX_NIGHTLY=1 DYNJAX_RANDOM_PROGRAMS=5000 $(PY) -m pytest \
	  tests/capture/test_random_programs.py tests/readers/test_data_parallel.py

# A target's seeds lie in tests/native/corpus/<target>/; what the fuzzer finds stays in build/.
fuzz: .venv/requirements.txt
	@command -v clang++ > /dev/null || { echo "fuzz: clang++ is missing: apt-get install clang"; exit 1; }
	cd ops && PATH="$(CURDIR)/$(BIN):$$PATH" cmake --preset fuzz
	$(BIN)/cmake --build build/fuzz -j $(JOBS)
	@for target in build/fuzz/*_fuzz; do \
	  [ -x "$$target" ] || { echo "fuzz: no targets"; break; }; \
	  name=$$(basename $$target); mkdir -p build/fuzz/corpus/$$name; \
	  seeds=tests/native/corpus/$$name; [ -d $$seeds ] || seeds=; \
	  echo "fuzz: $$name"; \
	  $$target -max_total_time=$(FUZZ_SECONDS) -print_final_stats=1 -artifact_prefix=build/fuzz/ \
	    build/fuzz/corpus/$$name $$seeds; \
	done

# --- distributions ----------------------------------------------------------------------------

# Built from the sdist, which holds no leftovers of this folder, and apart from .venv, with the
# requirements that pyproject.toml declares and no others. Without libtiff: the distributions' one
# needs JBIG-KIT, which is under the GPL and would be bundled with it.
wheel: .venv/requirements.txt
	rm -rf build/wheel build/wheel-venv dist
	$(PY) -m build --sdist --no-isolation --skip-dependency-check
	$(PY) -m pip wheel --disable-pip-version-check --no-deps -w build/wheel \
	  -C cmake.define.DYNJAX_TIFF=OFF dist/dynjax-*.tar.gz
	PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/auditwheel repair -w dist build/wheel/dynjax-*.whl
	$(PY) -m venv build/wheel-venv
	build/wheel-venv/bin/python -m pip install -q --disable-pip-version-check dist/dynjax-*.whl
	cd build && wheel-venv/bin/python -I ../.ci/check_wheel.py
	@du -h --apparent-size dist/dynjax-*.whl

clean:
	rm -rf .venv build dist dynjax/*.so .pytest_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
