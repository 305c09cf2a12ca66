#!/usr/bin/env bash
# Installs PyTorch into .venv for the tests of `.torch()`, where that takes a CPU build only: the
# CUDA builds bring gigabytes of libraries that no test uses. Says so where it does not, and never
# fails: without PyTorch those tests are skipped.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

readonly python=.venv/bin/python
readonly requirement=torch==2.13.0

skip() {
  echo "torch: skipped ($1); the tests of .torch() will be skipped"
  exit 0
}

"$python" -c 'import torch' 2>/dev/null && exit 0
[ "$(uname -m)" = x86_64 ] || skip "only tried on x86-64"
"$python" -c 'import sys; sys.exit(sys.version_info[:2] != (3, 11))' ||
  skip "only tried on Python 3.11"

report=$(mktemp)
trap 'rm -f "$report"' EXIT
timeout 120 "$python" -m pip install -q --dry-run --report "$report" "$requirement" 2>/dev/null ||
  skip "$requirement was not resolved within 2 minutes"
"$python" - "$report" <<'EOF' || skip "$requirement would bring CUDA libraries"
import json
import sys

names = [item["metadata"]["name"].lower() for item in json.load(open(sys.argv[1]))["install"]]
sys.exit(any(name.startswith(("nvidia", "cuda", "triton")) for name in names))
EOF
timeout 300 "$python" -m pip install -q "$requirement" || skip "$requirement was not installed"
