# SPDX-License-Identifier: GPL-2.0
"""Functions that a change does not reach are not compiled, and nothing of the others is lost."""

from pathlib import Path

from hotcocci.proof.objects.apart import apart, cut

TEXTS = Path(__file__).with_name("apart")
FILE = (TEXTS / "file.c").read_text(encoding="utf-8")
LEFT = (TEXTS / "left.c").read_text(encoding="utf-8")


def compiled(old: str, new: str, around: str = "") -> list[str]:
    """What is compiled of the old side, and of the file around it."""
    left = apart((old, new), around)
    return [cut(text, own) for text, own in zip((around, old), left)][::-1]


def test_only_what_a_change_reaches_is_left():
    new = FILE.replace("called(a) + 0", "called(a) + 1")
    assert compiled(FILE, new)[0] == LEFT


def test_a_file_that_includes_the_changed_one_is_left_out_too():
    around = "int other2(void)\n{\n\treturn 1;\n}\n#include FILE\n"
    new = FILE.replace("called(a) + 0", "called(a) + 1")
    assert compiled(FILE, new, around)[1] == "int other2(void)\n;\n\n\n#include FILE\n"


def test_all_is_compiled_if_more_than_functions_change():
    assert apart((FILE, FILE.replace("int value;", "int value = 1;")), "") == []
    assert apart((FILE, FILE.replace("a + 3", "a + 4")), "") == []
    assert apart((FILE, FILE.replace("ONE 1", "ONE 2")), "") == []


def test_all_is_compiled_if_a_macro_makes_a_variable_of_the_function():
    made = f"DEFINE_STATIC_SRCU(srcu);\nEXPORT_SYMBOL(subject);\n{FILE}"
    for told, is_whole in (("srcu", True), ("a", False)):
        old = made.replace("called(a) + 0", f"called({told}) + 0")
        new = made.replace("called(a) + 0", f"called({told}) + 1")
        assert (apart((old, new), "") == []) == is_whole


def test_another_text_is_compiled_as_it_is():
    left = apart((FILE, FILE.replace("a) + 0", "a) + 1")), "")
    several = (
        f"{FILE}\n",
        FILE.replace("value;", "value = 2;"),
        FILE.replace("0;", "3;"),
    )
    assert [cut(text, left[1]) for text in several] == [*several]
