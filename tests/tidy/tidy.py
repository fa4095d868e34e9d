#!/usr/bin/env python3
"""What no compiler checks. Prints every fault it finds; fails if there is one.

tidy.py [ROOT]   includes point one way (layers.toml), folders are namespaces, nothing is too long,
                 links are alive, nothing is unfinished, every test takes part (exceptions.toml),
                 README lists every property and every command
"""

import ast
import functools
import re
import subprocess
import sys
import tomllib
from pathlib import Path, PurePosixPath

import cpp
import layers

LINES_OF_FILE = 500
LINES_OF_FUNCTION = 70
BYTES_OF_FILE = 1024 * 1024

_SOURCE = re.compile(r"\.(hpp|cpp|cuh|cu|h)$")
_CMAKE = re.compile(r"(^|/)CMakeLists\.txt$|\.cmake$")
_SHELL = re.compile(r"\.sh$|^\.ci/run$")
_CODE = re.compile("|".join((_SOURCE.pattern, _CMAKE.pattern, _SHELL.pattern, r"\.py$")))
_TEXT = re.compile(r"\.(hpp|cpp|cuh|cu|h|cmake|txt|sh|py|toml|json|md|yml)$|^Makefile$|^\.ci/")
# The brackets keep this file out.
_UNFINISHED = re.compile(r"\b(TO[D]O|FIX[M]E|XX[X]|HAC[K])\b")
_MACHINE = re.compile(r"/wor[k]/|/hom[e]/[a-z]|/roo[t]/|/tm[p]/[a-z]")
_TOP_FOLDERS = {"spec", "impl", "verify", "gpu", "tests", "docs", ".ci"}
_TOP_FILES = {
    *("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "LICENSE", ".gitignore"),
    *("CMakeLists.txt", "CMakePresets.json", "Makefile"),
    *("pyproject.toml", ".clang-format", ".clang-tidy"),
}


class Tree:
    """The files that git tracks or would; without git, all but what is built."""

    def __init__(self, root):
        self.root = Path(root)
        listed = self._of_git() or self._on_disk()
        self.files = sorted(f for f in listed if (self.root / f).is_file())
        self.known = set(self.files)
        self.read = functools.cache(self._read)
        self.includes = functools.cache(lambda path: list(cpp.includes(self.read(path))))
        self.scopes = functools.cache(lambda path: cpp.scopes(self.read(path)))

    def _of_git(self):
        if not (self.root / ".git").exists():
            return None
        command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
        done = subprocess.run(command, cwd=self.root, capture_output=True, text=True, check=True)
        return set(done.stdout.split("\0")) - {""}

    def _on_disk(self):
        for path in self.root.rglob("*"):
            relative = path.relative_to(self.root)
            if not relative.parts[0].startswith("build") and "__pycache__" not in relative.parts:
                yield relative.as_posix()

    def _read(self, path):
        return (self.root / path).read_text(encoding="utf-8")

    def matching(self, pattern):
        return [f for f in self.files if pattern.search(f)]

    def sources(self):
        return self.matching(_SOURCE)


def places(tree, path, pattern):
    for number, line in enumerate(tree.read(path).splitlines(), 1):
        if pattern.search(line):
            yield f"{path}:{number}", line.strip()


# -- documents and words --


def dead_links(tree):
    for path in tree.matching(re.compile(r"\.md$")):
        text = re.sub(r"^ *```.*?^ *```", "", tree.read(path), flags=re.DOTALL | re.MULTILINE)
        for link in re.findall(r"\]\(([^) ]+)", re.sub(r"`[^`\n]*`", "", text)):
            target = link.partition("#")[0]
            outside = not target or re.match(r"[a-z]+:", target)
            if not outside and not (tree.root / path).parent.joinpath(target).exists():
                yield path, f"dead link to {link}"


def leftovers(tree):
    for path in tree.matching(_TEXT):
        if not path.startswith("tests/data/"):
            for pattern in (_UNFINISHED, _MACHINE):
                yield from places(tree, path, pattern)


# -- folders --


def misplaced(tree):
    for path in tree.files:
        top, _, rest = path.partition("/")
        if top not in (_TOP_FOLDERS if rest else _TOP_FILES):
            yield path, "does not belong at the top level"
        size = (tree.root / path).stat().st_size
        if size > BYTES_OF_FILE:
            yield path, f"{size} bytes; no file above 1 MiB is tracked"


def unregistered_tests(tree):
    """That every C++ file takes part is checked when CMake configures, where names are known."""
    for path in tree.matching(re.compile(r"^tests/.*_test\.(cpp|py)$")):
        file = PurePosixPath(path)
        lists = f"{file.parent}/CMakeLists.txt"
        word = "holdfast_test(" if file.suffix == ".cpp" else file.stem
        if lists not in tree.known or word not in tree.read(lists):
            yield path, f"no {lists} registers it"


def unmirrored_tests(tree, exceptions):
    folders = {str(parent) for f in tree.files for parent in PurePosixPath(f).parents}
    for folder in sorted(folders):
        tested = folder.removeprefix("tests/")
        if tested != folder and tested not in folders and not exceptions.covers("tests", folder):
            yield folder, f"tests {tested}, which does not exist"


def strange_namespaces(tree, exceptions):
    for path in tree.sources():
        folder = str(PurePosixPath(path).parent)
        expected = ["holdfast::" + folder.removeprefix("tests/").replace("/", "::")]
        for place in (path, folder):
            if named := exceptions.value("namespaces", place):
                expected = named["is"]
                break
        said = f"expected namespace {' or '.join(expected) or '(none)'}"
        own = [n for n in tree.scopes(path)[0] if n.outermost and n.name]
        if expected and not own:
            yield path, said
        for namespace in own:
            if not any(layers.inside(namespace.name, name, "::") for name in expected):
                yield f"{path}:{namespace.line}", f"{namespace.name}; {said}"


# -- what README lists --

# Files, what each of them declares by name, and how README says it.
_LISTED = (
    (r"^spec/claims/properties\.hpp$", r'PropertyInfo info\{\s*"([\w-]+)"', "--property {}`"),
    (r"^verify/cli/\w+_command\.cpp$", r'line\.add\(\s*"([\w-]+)"', "[{}](docs/"),
)


def unlisted(tree):
    for files, declared, row in _LISTED:
        for path in tree.matching(re.compile(files)):
            for name in re.findall(declared, tree.read(path)):
                if row.format(name) not in tree.read("README.md"):
                    yield path, f"README.md does not list {name}: no {row.format(name)!r}"


# -- lengths --


def _python_functions(text):
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.name, node.lineno, node.end_lineno - node.lineno + 1


def _delimited(text, opens, closes):
    """Functions whose first and last lines can be told by themselves."""
    name, first = None, 0
    for number, line in enumerate(text.splitlines(), 1):
        if name is None and (match := opens.match(line)):
            name, first = match[1], number
        if name is not None and closes.match(line):
            yield name, first, number - first + 1
            name = None


_CMAKE_FUNCTION = (
    re.compile(r"\s*(?:function|macro)\((\w+)"),
    re.compile(r"\s*end(function|macro)"),
)
_SHELL_FUNCTION = (re.compile(r"([\w-]+)\s*\(\)\s*\{"), re.compile(r"\}|.*;\s*\}\s*$"))


def functions(tree, path):
    """(name, first line, lines) of each."""
    if _SOURCE.search(path):
        return [(f.name, f.first, f.lines) for f in tree.scopes(path)[1]]
    if path.endswith(".py"):
        return _python_functions(tree.read(path))
    if _CMAKE.search(path):
        return _delimited(tree.read(path), *_CMAKE_FUNCTION)
    if _SHELL.search(path):
        return _delimited(tree.read(path), *_SHELL_FUNCTION)
    return ()


def too_long(tree, exceptions):
    for path in tree.matching(_CODE):
        lines = len(tree.read(path).splitlines())
        if lines > LINES_OF_FILE and not exceptions.covers("files", path):
            yield path, f"{lines} lines; no file has more than {LINES_OF_FILE}"
        for name, first, length in functions(tree, path):
            if length > LINES_OF_FUNCTION and not exceptions.covers("functions", f"{path}:{name}"):
                said = f"{name} has {length} lines; no function has more than {LINES_OF_FUNCTION}"
                yield f"{path}:{first}", said


class Exceptions:
    """exceptions.toml; remembers which ones were needed."""

    def __init__(self, tree):
        self.table = tomllib.loads(tree.read("tests/tidy/exceptions.toml"))
        self.needed = set()

    def value(self, kind, name):
        found = self.table.get(kind, {}).get(name)
        if found:
            self.needed.add((kind, name))
        return found

    def covers(self, kind, name):
        return self.value(kind, name) is not None

    def stale(self):
        for kind, entries in self.table.items():
            for name in entries:
                if (kind, name) not in self.needed:
                    yield "exceptions.toml", f"{kind}: {name} needs no exception"


def faults(tree):
    exceptions, arrows = Exceptions(tree), layers.read(tree)
    yield from dead_links(tree)
    yield from leftovers(tree)
    yield from misplaced(tree)
    yield from unregistered_tests(tree)
    yield from unmirrored_tests(tree, exceptions)
    yield from strange_namespaces(tree, exceptions)
    yield from unlisted(tree)
    yield from too_long(tree, exceptions)
    yield from layers.include_faults(tree, arrows)
    yield from layers.circle_faults(tree, arrows)
    yield from layers.stale_faults(tree, arrows)
    yield from exceptions.stale()


def main(arguments):
    tree = Tree(arguments[0] if arguments else Path(__file__).parents[2])
    found = list(faults(tree))
    for place, said in found:
        print(f"tidy: {place}: {said}")
    print(f"tidy: {len(found)} faults" if found else f"tidy: {len(tree.files)} files in order")
    return 1 if found else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
