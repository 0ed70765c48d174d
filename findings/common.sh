# Shared by all findings: `install` puts pinned packages into a temporary environment, and `run` runs the Python of standard
# input there and compares its output with the lines of the finding that begin with `#>`.
set -euo pipefail

room=$(mktemp -d)
trap 'rm -rf "$room"' EXIT

install() {
  python3 -m venv "$room/venv"
  "$room/venv/bin/pip" install -qq --no-compile --prefer-binary --disable-pip-version-check "$@"
}

run() {
  # A home of its own, so that no settings and caches of the user matter.
  HOME=$room TMPDIR=$room "$room/venv/bin/python" -I -W ignore - | tee "$room/seen"
  diff <(sed -n 's/^#> //p' "$0") "$room/seen"
}
