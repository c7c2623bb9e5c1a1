# Sourced by the other scripts: a virtual environment in .venv with everything the project needs, and what it needs of
# the system. Root gets that installed; anybody else gets the one line to run.

cd "$(dirname "${BASH_SOURCE[0]}")/.."

# Run a command as root: directly, or by a sudo that asks nothing where nobody could answer.
as_root=no
[ "$(id -u)" = 0 ] && as_root=env
[ -n "${CI:-}" ] && [ $as_root = no ] && sudo -n true 2>/dev/null && as_root=sudo

# Install Debian packages, or print the one line that does, and end.
install_packages() {
  [ $# -gt 0 ] || return 0
  if [ $as_root = no ] || ! command -v apt-get >/dev/null; then
    echo "Packages are missing. Run: sudo apt-get update && sudo apt-get install -y $*" >&2
    exit 3
  fi
  echo "Installing: $*" >&2
  $as_root apt-get update -q -o Acquire::Retries=3 </dev/null
  $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends \
    -o Acquire::Retries=3 -o DPkg::Lock::Timeout=120 "$@" </dev/null
}

# Print the first Python that is new enough and can make an environment.
find_python() {
  local python
  for python in python3 python3.14 python3.13 python3.12 python3.11; do
    if "$python" -c 'import sys, ensurepip, venv; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
      echo "$python"
      return
    fi
  done
}

# Make .venv, and install the project there with the groups of packages named, where that has not been done for this
# state.
need_environment() {
  local stamp=.venv/.installed-"$(IFS=-; echo "$*")"
  if ! .venv/bin/python -c '' 2>/dev/null; then
    [ -n "$(find_python)" ] || install_packages python3 python3-venv
    if [ -z "$(find_python)" ]; then
      echo "This needs Python 3.11 or newer, with venv; $(python3 --version 2>&1) is too old." >&2
      exit 3
    fi
    "$(find_python)" -m venv --clear .venv
  fi
  if [ ! -e $stamp ] || [ pyproject.toml -nt $stamp ]; then
    .venv/bin/python -m pip install -q --upgrade 'pip>=25.1'
    # One package is built here: its wheel holds a program of 400 MB that no test needs.
    # shellcheck disable=SC2046 # a list of words
    .venv/bin/python -m pip install -q -e . --no-binary claude-agent-sdk $(printf -- '--group %s ' "$@")
    touch $stamp
  fi
}

# Install the libraries that Qt misses here, a font where there is none, and the packages of the commands given as
# command:package.
need_system() {
  local missing pair
  missing=$(.venv/bin/python -c '
from pi_ask_qt.libraries import missing_libraries
print(*sorted({*missing_libraries("xcb").values(), *missing_libraries("wayland").values()}))')
  has_font || missing+=" fonts-dejavu-core"
  for pair in "$@"; do
    command -v "${pair%%:*}" >/dev/null || missing+=" ${pair##*:}"
  done
  # shellcheck disable=SC2086 # a list of words
  install_packages $missing
}

has_font() {
  find /usr/share/fonts /usr/local/share/fonts ~/.fonts ~/.local/share/fonts -name '*.[ot]t[fc]' -print -quit 2>/dev/null |
    grep -q .
}
