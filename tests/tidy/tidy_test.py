#!/usr/bin/env python3
"""Tidy finds every kind of fault, one at a time, and none in a clean tree."""

import tempfile
import textwrap
import unittest
from pathlib import Path

import cpp
import layers
import tidy

LAYERS = """
pure = ["vector"]
[arrows]
"spec/state.hpp" = []
"spec/rules" = ["spec/state.hpp"]
"verify/base" = ["spec"]
"verify/replay" = ["verify/base"]
"impl" = []
[tests]
"spec/rules" = ["verify/base"]
[headers]
"z3++.h" = ["verify/base"]
"""
EXCEPTIONS = """
[namespaces]
"verify/replay/main.cpp" = { is = [], why = "main" }
[tests]
"tests/data" = "recorded"
"tests/tidy" = "itself"
[files]
"verify/base/long.hpp" = "a list"
[functions]
"verify/base/long.hpp:list" = "a list"
"""


def function(name, lines):
    return f"inline void {name}() {{\n" + "  ;\n" * (lines - 2) + "}\n"


def room(namespace, *includes, code=""):
    """A file in that namespace."""
    lines = [f"#include {include}" for include in includes]
    return "\n".join([*lines, f"namespace {namespace} {{", code, "}\n"])


CLEAN = {
    "README.md": "See [the state](spec/state.hpp#top), `[not](a link)`.\n```\n[nor](this)\n```\n",
    "CMakeLists.txt": "function(one)\nendfunction()\n",
    "spec/state.hpp": room("holdfast::spec", "<vector>"),
    "spec/rules/evict.hpp": room("holdfast::spec::inline rules", '"spec/state.hpp"'),
    "verify/base/text.hpp": room("holdfast::verify::inline base", '"spec/state.hpp"', "<z3++.h>"),
    "verify/base/long.hpp": room("holdfast::verify::base", code=function("list", 600)),
    "verify/replay/replay.hpp": room(
        "holdfast::verify::replay::recorded", '"verify/base/text.hpp"'
    ),
    "verify/replay/main.cpp": "namespace {\n}\nint main() {}\n",
    "impl/python/holdfast/cache.py": "def answer():\n    return 42\n",
    "tests/data/trace.json": "{}",
    "tests/spec/rules/CMakeLists.txt": "holdfast_test(NAME evict_test)\n",
    "tests/spec/rules/evict_test.cpp": room(
        "holdfast::spec::rules",
        "<gtest/gtest.h>",
        '"spec/rules/evict.hpp"',
        '"verify/base/text.hpp"',
    ),
    "tests/tidy/layers.toml": LAYERS,
    "tests/tidy/exceptions.toml": EXCEPTIONS,
}

# What is wrong, with which files, and what tidy says of it.
FAULTS = {
    "a header that is not pure": (
        {"spec/state.hpp": room("holdfast::spec", "<iostream>")},
        "spec/state.hpp:1: <iostream> is no pure standard header",
    ),
    "a property without a row": (
        {
            "spec/claims/properties.hpp": room(
                "holdfast::spec::claims", code='static constexpr PropertyInfo info{\n  "no-miss"};'
            )
        },
        "spec/claims/properties.hpp: README.md does not list no-miss",
    ),
    "a command without a page": (
        {
            "verify/cli/undo_command.cpp": room(
                "holdfast::verify::cli", code='void add() { line.add("undo", "Takes it back"); }'
            )
        },
        "verify/cli/undo_command.cpp: README.md does not list undo",
    ),
    "the spec includes what checks it": (
        {"spec/state.hpp": room("holdfast::spec", '"verify/base/text.hpp"')},
        "spec/state.hpp:1: spec/state.hpp may not include verify/base",
    ),
    "an include that runs back up": (
        {"verify/base/up.hpp": room("holdfast::verify::base", '"verify/replay/replay.hpp"')},
        "verify/base/up.hpp:1: verify/base may not include verify/replay",
    ),
    "impl includes the spec": (
        {"impl/cache.cpp": room("holdfast::impl", "<map>", '"spec/state.hpp"')},
        "impl/cache.cpp:2: impl may not include spec/state.hpp",
    ),
    "an include of a test": (
        {"verify/base/up.hpp": room("holdfast::verify::base", '"tests/spec/rules/evict_test.cpp"')},
        "verify/base/up.hpp:1: a file that is no test includes one",
    ),
    "a test includes more than what it tests may": (
        {
            "tests/spec/rules/evict_test.cpp": room(
                "holdfast::spec::rules", '"verify/replay/replay.hpp"', '"verify/base/text.hpp"'
            )
        },
        "evict_test.cpp:1: a test of spec/rules may not include verify/replay",
    ),
    "an include of nothing": (
        {"verify/base/up.hpp": room("holdfast::verify::base", '"verify/base/txt.hpp"')},
        "verify/base/up.hpp:1: there is no verify/base/txt.hpp",
    ),
    "a library's header elsewhere": (
        {"verify/replay/z3.hpp": room("holdfast::verify::replay", "<z3++.h>")},
        "verify/replay/z3.hpp:1: <z3++.h> is only for verify/base",
    ),
    "a folder without a place in the layers": (
        {"verify/hunt/hunt.hpp": room("holdfast::verify::hunt")},
        "verify/hunt/hunt.hpp: verify/hunt is not in layers.toml",
    ),
    "a circle of files": (
        {
            "verify/base/a.hpp": room("holdfast::verify::base", '"verify/base/b.hpp"'),
            "verify/base/b.hpp": room("holdfast::verify::base", '"verify/base/a.hpp"'),
        },
        "a circle: verify/base/a.hpp -> verify/base/b.hpp -> verify/base/a.hpp",
    ),
    "a circle of folders": (
        {
            "verify/base/up.hpp": room("holdfast::verify::base", '"verify/replay/replay.hpp"'),
            "tests/tidy/layers.toml": LAYERS.replace('= ["spec"]', '= ["spec", "verify/replay"]'),
        },
        "layers.toml: a circle: verify/base -> verify/replay -> verify/base",
    ),
    "an arrow that nothing needs": (
        {"verify/replay/replay.hpp": room("holdfast::verify::replay")},
        "layers.toml: verify/replay includes nothing of verify/base",
    ),
    "a dead link": ({"docs/a.md": "[gone](b.md)\n"}, "docs/a.md: dead link to b.md"),
    "an unfinished word": ({"docs/a.md": "\nTO" + "DO: more\n"}, "docs/a.md:2: TO" + "DO: more"),
    "a path of one machine": ({"docs/a.md": "/ho" + "me/me\n"}, "docs/a.md:1: /ho" + "me/me"),
    "a folder at the top": ({"src/a.txt": ""}, "src/a.txt: does not belong at the top level"),
    "a file at the top": ({"setup.py": ""}, "setup.py: does not belong at the top level"),
    "a file that is too big": ({"docs/a.svg": " " * 2**21}, "docs/a.svg: 2097152 bytes"),
    "a test that nobody runs": (
        {"tests/verify/base/text_test.cpp": room("holdfast::verify::base")},
        "text_test.cpp: no tests/verify/base/CMakeLists.txt registers it",
    ),
    "a Python test that nobody runs": (
        {"tests/spec/rules/more_test.py": ""},
        "more_test.py: no tests/spec/rules/CMakeLists.txt registers it",
    ),
    "a folder of tests that mirrors none": (
        {"tests/spec/planning/CMakeLists.txt": ""},
        "tests/spec/planning: tests spec/planning, which does not exist",
    ),
    "another namespace than the folder's": (
        {"verify/base/a.hpp": room("holdfast::verify")},
        "verify/base/a.hpp:1: holdfast::verify; expected namespace holdfast::verify::base",
    ),
    "a longer name that only begins so": (
        {"verify/base/a.hpp": room("holdfast::verify::baseline")},
        "holdfast::verify::baseline; expected namespace holdfast::verify::base",
    ),
    "a second namespace that is foreign": (
        {"verify/base/a.hpp": room("holdfast::verify::base") + room("std")},
        "verify/base/a.hpp:4: std; expected namespace holdfast::verify::base",
    ),
    "no namespace": (
        {"verify/base/a.hpp": "int a;\n"},
        "verify/base/a.hpp: expected namespace holdfast::verify::base",
    ),
    "a test in another namespace": (
        {"tests/spec/rules/evict_test.cpp": room("holdfast::spec", '"verify/base/text.hpp"')},
        "evict_test.cpp:2: holdfast::spec; expected namespace holdfast::spec::rules",
    ),
    "a long file": (
        {"verify/base/a.hpp": room("holdfast::verify::base", code="\n" * 500)},
        "verify/base/a.hpp: 503 lines; no file has more than 500",
    ),
    "a long C++ function": (
        {"verify/base/a.hpp": room("holdfast::verify::base", code=function("f", 71))},
        "verify/base/a.hpp:2: f has 71 lines; no function has more than 70",
    ),
    "a long Python function": (
        {"impl/python/a.py": "\nclass A:\n    def f():\n" + "        1\n" * 70},
        "impl/python/a.py:3: f has 71 lines",
    ),
    "a long CMake function": (
        {"CMakeLists.txt": "\nfunction(f)\n" + "\n" * 69 + "endfunction()\n"},
        "CMakeLists.txt:2: f has 71 lines",
    ),
    "a long shell function": (
        {"tests/data/a.sh": "g() { :; }\nf() {\n" + "  :\n" * 69 + "}\n"},
        "tests/data/a.sh:2: f has 71 lines",
    ),
    "an exception that nothing needs": (
        {"verify/base/long.hpp": room("holdfast::verify::base", code=function("list", 300))},
        "exceptions.toml: files: verify/base/long.hpp needs no exception",
    ),
}


def said_of(files):
    """What tidy says of a tree of these files."""
    with tempfile.TemporaryDirectory() as root:
        for path, text in files.items():
            place = Path(root) / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text, encoding="utf-8")
        return [f"{place}: {said}" for place, said in tidy.faults(tidy.Tree(root))]


class TidyTest(unittest.TestCase):
    def test_a_clean_tree_has_no_fault(self):
        self.assertEqual(said_of(CLEAN), [])

    def test_every_kind_of_fault_is_found(self):
        for name, (files, expected) in FAULTS.items():
            with self.subTest(name):
                said = said_of(CLEAN | files)
                self.assertTrue(any(expected in line for line in said), said)

    def test_at_the_limit_nothing_is_too_long(self):
        code = function("f", 70) + "\n" * (500 - 70 - 3)
        files = {"verify/base/a.hpp": room("holdfast::verify::base", code=code)}
        self.assertEqual(said_of(CLEAN | files), [])


class CircleTest(unittest.TestCase):
    def test_a_diamond_is_none(self):
        self.assertIsNone(layers.circle({"a": {"b", "c"}, "b": {"d"}, "c": {"d"}}))

    def test_one_that_is_not_at_the_start(self):
        self.assertEqual(layers.circle({"a": {"b"}, "b": {"c"}, "c": {"b"}}), ["b", "c", "b"])

    def test_of_itself(self):
        self.assertEqual(layers.circle({"a": {"a"}}), ["a", "a"])


class CppTest(unittest.TestCase):
    def functions(self, code):
        found = cpp.scopes(textwrap.dedent(code).lstrip("\n"))[1]
        return [(f.name, f.first, f.last) for f in found]

    def test_functions_of_namespaces_and_classes(self):
        code = """
            namespace a::inline b {
            template <class T, int (*f)(T) = nullptr>
            struct S : Base<int(T)> {
             public:
              S(int n, Options o = {})
                  : n_(n), list_{1, 2}, Base{n} {
                for (int i = 0; i < n; ++i) {}
              }
              bool operator()(int) const { return true; }
              S& operator=(const S&) {
                return *this;
              }
              std::vector<int> list_{1, 2};
            };
            enum class E { a, b };
            auto sum(int a) -> decltype(a) {
              struct Local { int f() { return 1; } };
              auto lambda = [](int b) { return b; };
              return lambda(1'000'000) + '{';
            }
            constexpr Row rows[] = {{1, f(2)}, {3, g(4)}};
            const auto later = [] { return 1; }();
            }
        """
        expected = [("S", 5, 8), ("operator", 9, 9), ("operator=", 10, 12), ("sum", 16, 20)]
        self.assertEqual(self.functions(code), expected)

    def test_braces_in_literals_and_comments_do_not_count(self):
        code = r"""
            #define OPEN {  \
                         {
            void f() {  // {
              /* { */ g("{\"{", R"x({ )" {)x", '{', '\'');
            }
            void h() {}
        """
        self.assertEqual(self.functions(code), [("f", 3, 5), ("h", 6, 6)])

    def test_namespaces_with_those_around_them(self):
        code = "namespace a {\ninline namespace b {\nnamespace {\n}\n}\n}\nnamespace c::d {}\n"
        found = [(n.name, n.line, n.outermost) for n in cpp.scopes(code)[0]]
        expected = [("a", 1, True), ("a::b", 2, False), ("a::b", 3, False), ("c::d", 7, True)]
        self.assertEqual(found, expected)

    def test_includes(self):
        code = '#include "a/b.hpp"\n// #include <c>\n#  include <vector>\n'
        found = [(i.path, i.line, i.quoted) for i in cpp.includes(code)]
        self.assertEqual(found, [("a/b.hpp", 1, True), ("vector", 3, False)])


if __name__ == "__main__":
    unittest.main()
