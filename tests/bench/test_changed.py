# SPDX-License-Identifier: GPL-2.0
"""Functions whose code differs are found, whatever their addresses."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from hotcocci.bench.changed import changed_functions

TEXT = """
extern int other(const char *, int *);
static int counter;
static __attribute__((noinline)) int inner(int a) { return a * 3; }
int first(int a) { return inner(a) + counter++; }
int second(int a) { return other("second", &counter) + a; }
"""


def compiled(folder: Path, name: str, text: str) -> Path:
    path = folder / f"{name}.o"
    argv = ["gcc", "-O2", "-x", "c", "-c", "-o", str(path), "-"]
    subprocess.run(argv, input=text, text=True, check=True)
    return path


@pytest.mark.parametrize(
    ("before", "after", "changed"),
    [
        ("a * 3", "a * 3", set()),
        ("a * 3", "a * 5", {"inner"}),
        ('"second"', '"another"', {"second"}),
        ("+ a; }", "- a; }", {"second"}),
        # All addresses after it move.
        (
            "static int counter;",
            "static int counter; int added(int a) { return a / 7; }",
            {"added"},
        ),
    ],
)
def test_changed_functions(
    tmp_path: Path, before: str, after: str, changed: set[str]
) -> None:
    old = compiled(tmp_path, "old", TEXT)
    new = compiled(tmp_path, "new", TEXT.replace(before, after))
    assert changed_functions(old, new) == changed
