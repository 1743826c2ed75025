# SPDX-License-Identifier: GPL-2.0
"""What a change does not reach is not compiled, with the same code: functions of a file, and what it includes."""

import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

from hotcocci.proof.objects.apart import apart, cut
from hotcocci.proof.objects.headers import Headers, leading, referred

TEXTS = Path(__file__).with_name("headers")
HEADER = (TEXTS / "x.h").read_text(encoding="utf-8")
FILE = (TEXTS / "f.c").read_text(encoding="utf-8")
LINES = "".join(FILE.splitlines(keepends=True)[:5])


@dataclass
class Place:
    """A folder with a file that includes a header, to compile in one way or the other."""

    folder: Path

    def gcc(self, text: str, *flags: str) -> str:
        (self.folder / "x.h").write_text(HEADER)
        file = self.folder / "f.c"
        file.write_text(text)
        argv = ["gcc", "-O2", "-w", "-g", "-DCOMMAND=1", *flags, "-o", "-", file]
        return subprocess.run(argv, capture_output=True, text=True, check=True).stdout

    def headers(self) -> Headers:
        return Headers(LINES, self.gcc(Headers.probe(LINES), "-E", "-dD"))

    def unit(self, rest: str) -> tuple[str, set[str]]:
        text, gone = self.headers().unit(str(self.folder / "f.c"), rest, ())
        return text, set(gone)


@pytest.fixture
def place(tmp_path) -> Place:
    return Place(tmp_path)


def test_the_code_is_the_same(place):
    unit, gone = place.unit(FILE.removeprefix(LINES))
    assert gone == {"made_too", "unused"}
    assert "unused" not in unit and "by_made" in unit
    # gcc numbers labels and static variables of functions.
    plain, brief = (
        re.sub(r"\.(?:L[A-Z]+|\d)\d*", "", place.gcc(text, "-S", "-g0"))
        for text in (FILE, unit)
    )
    assert brief == plain
    assert "subject" in referred(plain)


def test_headers_are_not_included_again(place):
    unit, _ = place.unit(f'#include "x.h"\n{FILE.removeprefix(LINES)}')
    assert "subject" in referred(place.gcc(unit, "-S"))


def test_lines_are_those_of_the_files(place):
    unit, _ = place.unit(FILE.removeprefix(LINES))
    places = [
        set(re.findall(r"\.loc \d+ \d+", place.gcc(text, "-S")))
        for text in (FILE, unit)
    ]
    assert len(places[0]) > 5
    assert places[0] == places[1]


@pytest.mark.parametrize("form", ["-P", "-dD"])
def test_what_the_preprocessor_says_is_the_same(place, form):
    file, headers = str(place.folder / "f.c"), place.headers()
    own = place.gcc(headers.macros(file, FILE.removeprefix(LINES)), "-E", form)
    said, whole = headers.before(file, own, form == "-P"), place.gcc(FILE, "-E", form)

    def text(said: str) -> list[str]:
        kept = said.partition("<command-line>")[2] if form == "-dD" else said
        return [line for line in kept.split("\n") if line and not line.startswith("# ")]

    assert text(said) == text(whole)
    assert ("#define OWN 1" in said) == (form == "-dD")


def test_a_use_that_cannot_be_seen_is_noticed(place):
    rest = "int subject(struct s *s)\n{\n\treturn unused(s) != 0;\n}\n"
    unit, gone = place.unit("")
    assert "unused" in gone
    assert "unused" in referred(place.gcc(unit + rest, "-S"))


def test_the_first_lines_end_with_an_include_or_the_condition_that_it_is_under():
    assert leading(FILE) == LINES
    assert leading(f'int a;\n{FILE}\n#include "z.h"\n') == f"int a;\n{LINES}"
    assert leading("int a;\n") == ""
    assert leading(f"{LINES}#ifdef C\nint c;\n#endif\n") == LINES


def test_what_is_included_later_must_be_known(place):
    file, headers = place.folder / "f.c", place.headers()
    part = '#include "x.h"\nint part;\n'
    (place.folder / "part.c").write_text(part)
    assert headers.included(file, '#include "part.c"\n', place.folder) == [part]
    assert headers.included(file, '#include "other.h"\n', place.folder) is None
    (place.folder / "x.h").write_text("int several[];\n")
    assert headers.included(file, part, place.folder) is None
    assert headers.has("x.h") and not headers.has("part.c")


def test_what_functions_of_headers_use(place):
    headers = place.headers()
    assert headers.uses({"by_macro", "in_table"}, "deepest")
    assert not headers.uses({"deepest", "in_table"}, "deepest")
    assert not headers.uses({"by_macro"}, "deep")


WHOLE = (TEXTS / "whole.c").read_text(encoding="utf-8")
LEFT = (TEXTS / "left.c").read_text(encoding="utf-8")


def compiled(old: str, new: str, around: str = "") -> list[str]:
    """What is compiled of the old side, and of the file around it."""
    left = apart((old, new), around)
    return [cut(text, own) for text, own in zip((around, old), left)][::-1]


def test_only_what_a_change_reaches_is_left():
    new = WHOLE.replace("called(a) + 0", "called(a) + 1")
    assert compiled(WHOLE, new)[0] == LEFT


def test_a_file_that_includes_the_changed_one_is_left_out_too():
    around = "int other2(void)\n{\n\treturn 1;\n}\n#include FILE\n"
    new = WHOLE.replace("called(a) + 0", "called(a) + 1")
    assert compiled(WHOLE, new, around)[1] == "int other2(void)\n;\n\n\n#include FILE\n"


def test_all_is_compiled_if_more_than_functions_change():
    assert apart((WHOLE, WHOLE.replace("int value;", "int value = 1;")), "") == []
    assert apart((WHOLE, WHOLE.replace("a + 3", "a + 4")), "") == []
    assert apart((WHOLE, WHOLE.replace("ONE 1", "ONE 2")), "") == []


def test_all_is_compiled_if_a_macro_makes_a_variable_of_the_function():
    made = f"DEFINE_STATIC_SRCU(srcu);\nEXPORT_SYMBOL(subject);\n{WHOLE}"
    for told, is_whole in (("srcu", True), ("a", False)):
        old = made.replace("called(a) + 0", f"called({told}) + 0")
        new = made.replace("called(a) + 0", f"called({told}) + 1")
        assert (apart((old, new), "") == []) == is_whole


def test_another_text_is_compiled_as_it_is():
    left = apart((WHOLE, WHOLE.replace("a) + 0", "a) + 1")), "")
    several = (
        f"{WHOLE}\n",
        WHOLE.replace("value;", "value = 2;"),
        WHOLE.replace("0;", "3;"),
    )
    assert [cut(text, left[1]) for text in several] == [*several]
