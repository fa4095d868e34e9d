"""What tidy has to know of a C++ file: its includes, its namespaces, its functions.

No compiler: literals and comments are blanked, then braces are counted.
"""

import dataclasses
import re

_BLANKED = re.compile(
    r"""//[^\n]*(?:\\\n[^\n]*)*          # comments
      | /\*.*?\*/
      | R"(?P<mark>[^()\s\\]*)\(.*?\)(?P=mark)"
      | "(?:[^"\\\n]|\\.)*"
      | (?<![0-9A-Za-z_])'(?:[^'\\\n]|\\.)+'   # not the mark within 1'000
    """,
    re.VERBOSE | re.DOTALL,
)
_DIRECTIVE = re.compile(r"^[ \t]*#(?:[^\n\\]|\\.|\\\n)*", re.MULTILINE)
_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"\n]*)[>"]')
_NAMESPACE = re.compile(r"(?:inline\s+)?namespace\b(?P<name>[\w\s:]*)$")
_CLASS = re.compile(r"\b(?:class|struct|union|enum)\b")
_LABEL = re.compile(r"\b(?:public|private|protected)\s*:(?!:)")
_OPERATOR = re.compile(r"\boperator\s*(?:\(\)|[^\s\w(]+)")
_TEMPLATE = re.compile(r"^\s*template\s*<")


@dataclasses.dataclass(frozen=True)
class Include:
    line: int
    path: str
    quoted: bool


@dataclasses.dataclass(frozen=True)
class Namespace:
    line: int
    name: str  # with those around it, "holdfast::spec::rules"; an anonymous one adds nothing
    outermost: bool


@dataclasses.dataclass(frozen=True)
class Function:
    first: int
    last: int
    head: str

    @property
    def lines(self):
        return self.last - self.first + 1

    @property
    def name(self):
        before = _without_templates(self.head).partition("(")[0].split()
        return before[-1] if before else "?"


def _blank(match):
    return re.sub(r"[^\n]", " ", match[0])


def code_of(text):
    """The text with blanks for comments, literals and directives; every line stays in its place."""
    return _DIRECTIVE.sub(_blank, _BLANKED.sub(_blank, text))


def includes(text):
    for number, line in enumerate(text.splitlines(), 1):
        if match := _INCLUDE.match(line):
            yield Include(number, match[2], match[1] == '"')


def _without_templates(head):
    """The head without template parameters in front, which may hold parentheses."""
    while match := _TEMPLATE.match(head):
        depth, at = 1, match.end()
        while depth and at < len(head):
            depth += {"<": 1, ">": -1}.get(head[at], 0)
            at += 1
        head = head[at:]
    return head


def _outside_parentheses(head):
    depth, kept = 0, []
    for character in head:
        depth -= character == ")"
        if depth == 0:
            kept.append(character)
        depth += character == "("
    return "".join(kept)


def _is_function(head):
    if "(" not in head or head.count("(") != head.count(")"):
        return False  # or a default argument
    outside = _outside_parentheses(_OPERATOR.sub(" operator_", _without_templates(head)))
    return "=" not in outside and not _CLASS.search(outside.partition("(")[0])


def _is_class(head):
    return _CLASS.search(_outside_parentheses(_without_templates(head))) and not _is_function(head)


def _closing(code, opening):
    """Where the brace that opens there is closed."""
    depth = 0
    for match in re.compile(r"[{}]").finditer(code, opening):
        depth += 1 if match[0] == "{" else -1
        if depth == 0:
            return match.start()
    return len(code) - 1


class _Scopes:
    """A walk over namespaces and classes; what is in a function is not entered."""

    def __init__(self, code):
        self.code = code
        self.namespaces = []
        self.functions = []
        self._names = []  # of the scopes that are open, in parts; a class adds none
        self._walk()

    def _line(self, place):
        return self.code.count("\n", 0, place) + 1

    def _walk(self):
        start, at = 0, 0  # of what stands in front of the next brace; where to look
        marks = re.compile(r"[{};]")
        while match := marks.search(self.code, at):
            at = match.end()
            if match[0] == "{":
                at, ended = self._open(start, match.start())
                if not ended:
                    continue
            elif match[0] == "}" and self._names:
                self._names.pop()
            start = at

    def _open(self, start, brace):
        """Where to go on, and whether what stood in front of the brace ends with it."""
        head = _LABEL.sub(_blank, self.code[start:brace])
        first = start + len(head) - len(head.lstrip())
        head = head.strip()
        if match := _NAMESPACE.search(head):
            self._open_namespace(first, match["name"])
            return brace + 1, True
        if _is_class(head):
            self._names.append([])
            return brace + 1, True
        last = _closing(self.code, brace)
        # Before a comma or another brace a member is initialised, or a base.
        if _is_function(head) and self.code[last + 1 :].lstrip()[:1] not in ("{", ","):
            self.functions.append(Function(self._line(first), self._line(last), head))
            return last + 1, True
        return last + 1, False

    def _open_namespace(self, place, name):
        own = [part for part in re.sub(r"\binline\b|\s", "", name).split("::") if part]
        around = [part for scope in self._names for part in scope]
        outermost = not self._names
        self._names.append(own)
        self.namespaces.append(Namespace(self._line(place), "::".join(around + own), outermost))


def scopes(text):
    """The namespaces and the functions of a file."""
    found = _Scopes(code_of(text))
    return found.namespaces, found.functions
