# SPDX-License-Identifier: GPL-2.0
"""objtool warnings, normalised to compare two versions of a file."""

import pytest

from hotcocci.engines.objtool import _of_windows, warnings


def test_warnings_and_an_unmodified_object(unit, program, tmp_path):
    program(
        "../out/tools/objtool/objtool",
        '[ "$1 $2" = "--orc --uaccess" ] || exit 9\n'
        'echo "$3: warning: objtool: f+0x1c: call to g() with UACCESS enabled" >&2\n'
        'echo "$3: error: objtool: h.part.0+0x2: redundant UACCESS disable" >&2\n'
        'echo "  f+0x3: (branch)" >&2\n'
        'echo rewritten > "$3"; exit 1',
    )
    (tmp_path / "a.o").write_text("object")
    assert warnings(unit.build, tmp_path / "a.o") == [
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
