#!/usr/bin/env bash
# Installs what building and testing need: Debian packages by name, and the pinned z3-solver wheel
# into build/venv. Quick when nothing is missing.
#
#   install.sh           try everything
#   install.sh --quick   do not try the wheel again where it could not be had the last time
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

packages=(cmake g++ git make ninja-build python3-venv
          libcli11-dev libfmt-dev libgmock-dev libgtest-dev libz3-dev nlohmann-json3-dev
          zlib1g-dev)
venv=build/venv
given_up=build/venv-unavailable

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

# The pin stands in pyproject.toml and nowhere else.
pinned_solver() { sed -nE 's/^ *solver *= *\["(z3-solver==[0-9.]+)"\]$/\1/p' pyproject.toml; }

has_wheel() {
  compgen -G "$venv/lib/python3*/site-packages/z3_solver-${1#*==}.dist-info" >/dev/null
}

install_wheel() {
  local pin
  pin=$(pinned_solver)
  [[ -n $pin ]] || { say "no pin of z3-solver in pyproject.toml"; exit 1; }
  if has_wheel "$pin"; then return; fi
  if [[ ${1:-} == --quick && -f $given_up && $(<"$given_up") == "$pin" ]]; then return; fi
  mkdir -p build
  say "installing $pin into $venv"
  rm -f "$given_up"
  if { [[ -x $venv/bin/python ]] || python3 -m venv "$venv"; } >build/venv.log 2>&1 &&
     "$venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps \
       --retries 2 --timeout 30 "$pin" >>build/venv.log 2>&1 && has_wheel "$pin"; then
    return
  fi
  printf '%s' "$pin" >"$given_up"
  say "$pin could not be had (see build/venv.log); Debian's Z3 is used. 'make setup' tries again."
}

install_packages
install_wheel "$@"
