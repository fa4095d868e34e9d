#!/usr/bin/env bash
# Installs what building and testing need: Debian packages by name, and into build/venv the pinned
# wheels of Z3 and of the tools that check format. Quick when nothing is missing.
#
#   install.sh           try everything
#   install.sh --quick   do not try a wheel again where it could not be had the last time
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

packages=(cmake g++ git make ninja-build python3-venv
          libbenchmark-dev libcli11-dev libfmt-dev libgmock-dev libgtest-dev libz3-dev
          nlohmann-json3-dev robin-map-dev shellcheck zlib1g-dev)
venv=build/venv

say() { printf 'setup: %s\n' "$*" >&2; }

missing_packages() {
  local package
  for package in "${packages[@]}"; do
    [[ $(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null) == installed ]] ||
      printf '%s ' "$package"
  done
}

install_packages() {
  if ! command -v dpkg-query >/dev/null; then
    say "not a Debian system; needed are what Debian calls: ${packages[*]}"
    return
  fi
  local missing as_root=()
  missing=$(missing_packages)
  [[ -n $missing ]] || return 0
  if [[ $EUID -ne 0 ]]; then
    if ! sudo -n true 2>/dev/null; then
      say "packages are missing and this is not root. Please run:"
      printf '  sudo apt-get install %s\n' "$missing" >&2
      exit 1
    fi
    as_root=(sudo -n)
  fi
  say "installing $missing"
  local apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=300)
  "${apt[@]}" update || say "apt-get update failed; going on with the package lists at hand"
  # shellcheck disable=SC2086  # one word a package
  if ! "${apt[@]}" install -y --no-install-recommends $missing; then
    say "apt-get could not install them. Please run:"
    printf '  apt-get install %s\n' "$missing" >&2
    exit 1
  fi
}

# The pins stand in pyproject.toml and nowhere else, a group a line.
pins_of() {
  sed -nE "s/^ *$1 *= *\[(.*)\]$/\1/p" pyproject.toml | grep -oE '[a-z0-9-]+==[0-9.]+' || true
}

has_wheel() { # has_wheel NAME==VERSION
  local name=${1%%==*}
  compgen -G "$venv/lib/python3*/site-packages/${name//-/_}-${1#*==}.dist-info" >/dev/null
}

# install_group GROUP ELSE [--quick]: the wheels that the group pins. Where one cannot be had,
# build/GROUP-unavailable says which; ELSE is what follows from that.
install_group() {
  local pin given_up=build/$1-unavailable missing=()
  for pin in $(pins_of "$1"); do
    has_wheel "$pin" || missing+=("$pin")
  done
  ((${#missing[@]})) || { rm -f "$given_up"; return; }
  if [[ ${3:-} == --quick && -f $given_up && $(<"$given_up") == "${missing[*]}" ]]; then return; fi
  mkdir -p build
  say "installing ${missing[*]} into $venv"
  rm -f "$given_up"
  if { [[ -x $venv/bin/pip ]] || python3 -m venv "$venv"; } >build/venv.log 2>&1 &&
     "$venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps \
       --retries 2 --timeout 30 "${missing[@]}" >>build/venv.log 2>&1; then
    return
  fi
  printf '%s' "${missing[*]}" >"$given_up"
  say "${missing[*]} could not be had (see build/venv.log); $2. 'make setup' tries again."
}

[[ -n $(pins_of solver) && -n $(pins_of lint) ]] || { say "no pins in pyproject.toml"; exit 1; }
install_packages
install_group solver "Debian's Z3 is used" "$@"
install_group lint "format is not checked" "$@"
