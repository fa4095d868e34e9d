#!/usr/bin/env bash
# What no compiler checks: includes point one way, documents' links are alive, nothing unfinished and
# no path of one machine is left behind. Prints every fault it finds; fails if there is one.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"

faults=0
fault() { printf 'tidy: %s\n' "$*"; faults=$((faults + 1)); }

# What git tracks or would; without git, everything but what is built.
if git rev-parse --is-inside-work-tree >/dev/null 2>&1; then
  mapfile -t files < <(git ls-files --cached --others --exclude-standard)
else
  mapfile -t files < <(find . -type f -not -path './build*' -not -path './.git/*' -printf '%P\n')
fi
kept=()
for file in "${files[@]}"; do [[ -f $file ]] && kept+=("$file"); done
files=("${kept[@]}")

# files_in REGEX: the files whose path matches.
files_in() { printf '%s\n' "${files[@]}" | grep -E "$1" || true; }

includes() { # includes FILES-REGEX ALLOWED-REGEX WHAT
  local file place
  while read -r file; do
    [[ -n $file ]] || continue
    while read -r place; do
      fault "$file:$place: $3"
    done < <(grep -nE '^[[:space:]]*#[[:space:]]*include' "$file" |
             grep -vE "^[0-9]+:[[:space:]]*#[[:space:]]*include[[:space:]]*($2)" || true)
  done < <(files_in "$1")
}

sources='\.(hpp|cpp|cuh|cu|h)$'
pure='algorithm|array|bit|compare|concepts|cstddef|cstdint|functional|initializer_list|limits|map'
pure+='|memory|numeric|optional|ranges|set|span|string|string_view|tuple|type_traits|utility|variant|vector'
includes "^spec/.*$sources" "<($pure)>|\"spec/" 'spec includes only spec/ and pure standard headers'
includes "^verify/.*$sources" '<|"(spec|verify)/' 'verify includes only spec/ and verify/'
includes "^impl/.*$sources" '<|"(impl|holdfast)/' 'impl includes neither spec nor verify'
includes "^gpu/.*$sources" '<|"(gpu|impl|holdfast)/' 'gpu includes neither spec nor verify'

# Links in documents.
while read -r document; do
  [[ -n $document ]] || continue
  while read -r link; do
    target=${link%%#*}
    [[ -z $target || $target =~ ^[a-z]+: ]] && continue
    [[ -e $(dirname "$document")/$target ]] || fault "$document: dead link to $link"
  done < <(sed -E '/^ *```/,/^ *```/d; s/`[^`]*`//g' "$document" |
           grep -oE '\]\([^) ]+' | sed 's/^](//' || true)
done < <(files_in '^(README|CHANGELOG)\.md$|^docs/.*\.md$')

# Every folder of tests takes part. That every file in it does is checked when CMake configures, where
# names made in a loop are known.
while read -r test; do
  [[ -n $test ]] || continue
  list=$(dirname "$test")/CMakeLists.txt
  grep -q 'holdfast_test(' "$list" 2>/dev/null || fault "$test: no $list registers it"
done < <(files_in '^tests/.*_test\.cpp$')

# Words that mark unfinished work, and paths of one machine. The brackets keep this file out.
unfinished='\b(TO[D]O|FIX[M]E|XX[X]|HAC[K])\b'
machine='/wor[k]/|/hom[e]/[a-z]|/roo[t]/'
while read -r place; do fault "$place"; done < <(
  files_in '\.(hpp|cpp|cuh|cu|h|cmake|txt|sh|py|toml|json|md|yml)$|^Makefile$|^\.ci/' |
    grep -v '^tests/data/' | xargs -r -d '\n' grep -nHE "$unfinished|$machine" || true)

for file in "${files[@]}"; do
  size=$(stat -c %s "$file")
  ((size <= 1024 * 1024)) || fault "$file: $size bytes; no file above 1 MiB is tracked"
  case ${file%%/*} in
    spec | impl | verify | gpu | tests | docs | .ci) ;;
    CMakeLists.txt | README.md | LICENSE | Makefile | CMakePresets.json | pyproject.toml) ;;
    CHANGELOG.md | .clang-format | .gitignore) ;;
    *) fault "$file: does not belong at the top level" ;;
  esac
done

if ((faults > 0)); then
  echo "tidy: $faults faults"
  exit 1
fi
echo "tidy: ${#files[@]} files in order"
