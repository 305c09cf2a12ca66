#!/usr/bin/env bash
# Readies a Debian or Ubuntu machine and makes .venv: finds a Python, checks by compiling what the
# build needs, and installs what is missing. Changes nothing that is already there.
#
#   PYTHON=/path/to/python3.x   chooses the interpreter
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

say() { printf 'setup: %s\n' "$*" >&2; }
fail() {
  say "$*"
  exit 1
}

# Run, not only found: a version manager leaves names in PATH that start nothing.
is_recent() { "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; }
has_venv() { "$1" -c 'import ensurepip, venv' >/dev/null 2>&1; }
has_headers() {
  "$1" -c 'import os, sys, sysconfig
sys.exit(not os.path.exists(os.path.join(sysconfig.get_path("include"), "Python.h")))' \
    >/dev/null 2>&1
}

# The newest Python that can be used as it is; failing that, the newest that lacks something.
find_python() {
  local candidates=(python3.13 python3.12 python3.11 python3) python
  [ -z "${PYTHON:-}" ] || candidates=("$PYTHON")
  for python in "${candidates[@]}"; do
    if is_recent "$python" && has_venv "$python" && has_headers "$python"; then
      command -v "$python"
      return
    fi
  done
  for python in "${candidates[@]}"; do
    if is_recent "$python"; then
      command -v "$python"
      return
    fi
  done
  fail "no Python >= 3.11 found (tried ${candidates[*]}); name one with PYTHON=/path/to/python3"
}

compiles() {
  local out status=0
  out=$(mktemp)
  "${CXX:-c++}" -std=c++20 -x c++ - -o "$out" "$@" >/dev/null 2>&1 || status=1
  rm -f "$out"
  return "$status"
}
has_compiler() {
  compiles <<<'#include <span>
int main() { return static_cast<int>(std::span<int>().size()); }'
}
has_jpeg() { # libjpeg-turbo; other libjpegs give other pixels
  compiles -ljpeg <<<'#include <cstdio>
#include <jpeglib.h>
#ifndef LIBJPEG_TURBO_VERSION
#error
#endif
int main() { jpeg_error_mgr e; return jpeg_std_error(&e) == nullptr; }'
}
has_png() {
  compiles -lpng <<<'#include <png.h>
int main() { return png_access_version_number() == 0; }'
}
has_webp() {
  compiles -lwebp <<<'#include <webp/decode.h>
int main() { return WebPGetDecoderVersion() == 0; }'
}
has_tiff() { # 4.3 or newer
  compiles -ltiff <<<'#include <tiffio.h>
static_assert(TIFFLIB_VERSION >= 20210416);
int main() { return TIFFGetVersion() == nullptr; }'
}

# The Debian packages that would supply what $1 (a Python) and the build still lack.
missing_packages() {
  local python=$1 version
  version=$("$python" -c 'import sys; print("python%d.%d" % sys.version_info[:2])')
  has_venv "$python" || echo "$version-venv"
  has_headers "$python" || echo "$version-dev"
  has_compiler || echo g++
  has_jpeg || echo libjpeg-dev
  has_png || echo libpng-dev
  has_webp || echo libwebp-dev
  has_tiff || echo libtiff-dev
}

AS_ROOT=()
# Unanswered questions would hang an unattended run.
apt_get() {
  "${AS_ROOT[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get -q -y -o DPkg::Lock::Timeout=300 "$@" >&2
}

install_packages() {
  command -v apt-get >/dev/null ||
    fail "this is no Debian or Ubuntu; install the equivalents of: $*"
  if [ "$(id -u)" -ne 0 ]; then
    if ! sudo -n true >/dev/null 2>&1; then
      say "system packages are missing. Run this line, then the same command again:"
      echo "    sudo apt-get update && sudo apt-get install -y $*" >&2
      exit 1
    fi
    AS_ROOT=(sudo -n)
  fi
  say "installing $*"
  # A stale or unreachable list matters only when the install below fails.
  apt_get update || say "apt-get update failed; going on with the lists at hand"
  apt_get install --no-install-recommends "$@"
}

main() {
  local python packages
  python=$(find_python)
  mapfile -t packages < <(missing_packages "$python")
  if [ "${#packages[@]}" -gt 0 ]; then
    install_packages "${packages[@]}"
    mapfile -t packages < <(missing_packages "$python")
    [ "${#packages[@]}" -eq 0 ] || fail "$python still lacks what ${packages[*]} should supply"
  fi
  if ! is_recent .venv/bin/python; then
    say "making .venv with $("$python" --version) ($python)"
    "$python" -m venv --clear .venv
    rm -rf build/dev build/asan build/tsan build/fuzz # configured for the Python that is gone
  fi
}

main
