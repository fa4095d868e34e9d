"""Includes point one way: layers.toml says who may include whom, and nothing goes in a circle."""

import tomllib
from pathlib import PurePosixPath

LAYERED = ("spec", "verify", "impl", "gpu")
_PUBLIC = ("holdfast/", "impl/include/holdfast/")  # as users of the library include it


def inside(path, place, mark="/"):
    return path == place or path.startswith(place + mark)


def circle(graph):
    """The nodes of one circle, the first of them again at its end; None if there is none."""
    done, way = set(), []

    def visit(node):
        if node in way:
            return [*way[way.index(node) :], node]
        if node in done:
            return None
        way.append(node)
        found = next(filter(None, map(visit, sorted(graph.get(node, ())))), None)
        way.pop()
        done.add(node)
        return found

    return next(filter(None, map(visit, sorted(graph))), None)


class Layers:
    def __init__(self, table):
        self.arrows = table["arrows"]
        self.tests = table.get("tests", {})
        self.headers = table.get("headers", {})
        self.pure = set(table.get("pure", []))

    def room(self, path):
        """The most special one that the path is in."""
        return max((r for r in self.arrows if inside(path, r)), key=len, default=None)

    def allows(self, room, other):
        return any(inside(other, to) for to in self.arrows[room])

    def test_allows(self, room, other):
        return (
            other == room
            or self.allows(room, other)
            or any(inside(other, to) for to in self.tests.get(room, ()))
        )

    def graph(self):
        """The table's arrows, room by room."""
        rooms = self.arrows
        return {r: {to for to in rooms if to != r and self.allows(r, to)} for r in rooms}


def read(tree):
    return Layers(tomllib.loads(tree.read("tests/tidy/layers.toml")))


def _resolved(include):
    public, place = _PUBLIC
    if include.path.startswith(public):
        return place + include.path.removeprefix(public)
    return include.path


def _quoted(tree, layers, path, include):
    """What is wrong with the include of one of our own files, if something is."""
    target = _resolved(include)
    if target not in tree.known:
        return f"there is no {target}"
    if inside(target, "tests"):
        return "a file that is no test includes one"
    room, other = layers.room(path), layers.room(target)
    if other is not None and room not in (None, other) and not layers.allows(room, other):
        return f"{room} may not include {other}"
    return None


def _quoted_by_test(tree, layers, path, include):
    target = _resolved(include)
    if target not in tree.known:
        return f"there is no {target}"
    tested = path.removeprefix("tests/")
    room = layers.room(tested)
    other = layers.room(target.removeprefix("tests/"))
    if other is None or room is None or layers.test_allows(room, other):
        return None
    return f"a test of {room} may not include {other}"


def _angled(layers, path, include):
    for header, rooms in layers.headers.items():
        if include.path.startswith(header):
            tested = path.removeprefix("tests/")
            if not any(inside(tested, room) for room in rooms):
                return f"<{include.path}> is only for {', '.join(rooms)}"
    if inside(path, "spec") and include.path not in layers.pure:
        return f"<{include.path}> is no pure standard header"
    return None


def include_faults(tree, layers):
    for path in tree.sources():
        test = inside(path, "tests")
        if not test and layers.room(path) is None and path.split("/")[0] in LAYERED:
            yield path, f"{PurePosixPath(path).parent} is not in layers.toml"
        check = _quoted_by_test if test else _quoted
        for include in tree.includes(path):
            if include.quoted:
                said = check(tree, layers, path, include)
            else:
                said = _angled(layers, path, include)
            if said:
                yield f"{path}:{include.line}", said


def circle_faults(tree, layers):
    for graph, what in ((layers.graph(), "layers.toml"), (_files(tree), "includes")):
        if found := circle(graph):
            yield what, f"a circle: {' -> '.join(found)}"


def _files(tree):
    return {p: {_resolved(i) for i in tree.includes(p) if i.quoted} for p in tree.sources()}


def stale_faults(tree, layers):
    """An arrow that no include needs would let one in that nobody thought of."""
    room, files = layers.room, _files(tree)
    used = {(room(path), room(to)) for path, included in files.items() for to in included}
    for here in sorted({room(path) for path in files} - {None}):
        for to in layers.arrows[here]:
            if not any(a == here and b and inside(b, to) for a, b in used):
                yield "layers.toml", f"{here} includes nothing of {to}"
