# Sourced by the other scripts: a virtual environment in .venv with everything the project needs, and the packages of
# the system that it cannot bring along.

cd "$(dirname "${BASH_SOURCE[0]}")/.."

qt_packages="libegl1 libgl1 libxkbcommon0 libxkbcommon-x11-0 libxcb-cursor0 libxcb-icccm4 libxcb-keysyms1 libxcb-image0
  libxcb-render-util0 libxcb-xinerama0 libxcb-randr0 libxcb-shape0 libfontconfig1 libdbus-1-3 libglib2.0-0
  fonts-dejavu-core"
test_packages="xvfb openbox xdotool imagemagick x11-utils"

# Install the Debian packages that are missing, or print the one line that does.
need_packages() {
  local missing=() package
  command -v dpkg-query >/dev/null || return 0
  for package in "$@"; do
    dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=("$package")
  done
  [ ${#missing[@]} -eq 0 ] && return 0
  if [ "$(id -u)" != 0 ]; then
    echo "Packages are missing. Run: sudo apt-get update && sudo apt-get install -y ${missing[*]}" >&2
    exit 3
  fi
  apt-get update -q
  DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "${missing[@]}"
}

# Print the first Python that is new enough and can make an environment.
find_python() {
  local python
  for python in python3 python3.14 python3.13 python3.12 python3.11; do
    "$python" -c 'import sys, ensurepip, venv; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo "$python" && return
  done
  echo "Python 3.11 or newer is missing. Run: sudo apt-get install -y python3 python3-venv" >&2
  return 3
}

# Make .venv, and install the project there with its development tools, where that has not been done for this state.
need_environment() {
  local python stamp=.venv/.installed
  if [ ! -x .venv/bin/python ]; then
    python=$(find_python)
    "$python" -m venv .venv
  fi
  if [ ! -e $stamp ] || [ pyproject.toml -nt $stamp ]; then
    .venv/bin/python -m pip install -q --upgrade 'pip>=25.1'
    .venv/bin/python -m pip install -q -e . --group dev
    touch $stamp
  fi
}
