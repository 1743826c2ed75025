# SPDX-License-Identifier: GPL-2.0
"""objtool warnings, normalised to compare two versions of a file."""

from pathlib import Path

import pytest

from hotcocci.engines.objtool import _of_windows, warnings
from hotcocci.errors import EngineError
from hotcocci.tree.build import Build
from hotcocci.tree.targets import TARGETS


def build_with(folder: Path, script: str) -> Build:
    """A build whose objtool is a shell script."""
    program = folder / "out/tools/objtool/objtool"
    program.parent.mkdir(parents=True)
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    target = TARGETS["x86-64"]
    return Build(folder, folder / "out", target, (), ("--orc", "--uaccess"))


def test_warnings_and_an_unmodified_object(tmp_path):
    build = build_with(
        tmp_path,
        '[ "$1 $2" = "--orc --uaccess" ] || exit 9\n'
        'echo "$3: warning: objtool: f+0x1c: call to g() with UACCESS enabled" >&2\n'
        'echo "$3: error: objtool: h.part.0+0x2: redundant UACCESS disable" >&2\n'
        'echo "  f+0x3: (branch)" >&2\n'
        'echo rewritten > "$3"; exit 1',
    )
    (tmp_path / "a.o").write_text("object")
    assert warnings(build, tmp_path / "a.o") == [
        "f: call to g() with UACCESS enabled",
        "h.part.0: redundant UACCESS disable",
    ]
    assert (tmp_path / "a.o").read_text() == "object"


@pytest.mark.parametrize("name", ["f.cold", "f.cold()"])
def test_the_place_of_a_complaint(name):
    """Before 5.18, objtool prints the function's name with parentheses."""
    said = [f"{name}+0x1c: call to g() with UACCESS enabled", f"{name}: no place"]
    (found,) = _of_windows(said)
    assert (found.symbol, found.offset, found.callee) == ("f.cold", 0x1C, "g")


@pytest.mark.parametrize(
    ("script", "why"),
    [
        ("echo hello >&2", "it prints 'hello', which is no answer"),
        ("printf 'a.o: warning: objtool: f+0x1c: ca' >&2", "its output is cut off"),
    ],
)
def test_output_that_is_no_answer(tmp_path, script, why):
    (tmp_path / "a.o").write_text("object")
    with pytest.raises(EngineError, match=why):
        warnings(build_with(tmp_path, script), tmp_path / "a.o")
