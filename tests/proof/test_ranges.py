# SPDX-License-Identifier: GPL-2.0
"""Accesses that the compiler proves to be inside or outside their window."""

import re
from pathlib import Path

import pytest

from hotcocci.proof import ranges
from hotcocci.tree.command import commands
from hotcocci.tree.kernel import probe
from hotcocci.tree.source import decode, lay

FILE = "kernel/compat.c"

CASES = Path(__file__).with_name("ranges.c")
SPLIT = re.compile(
    r"^(?=/\* (inside|outside|not proved|not known): (.*) \*/$)", re.MULTILINE
)
Seen = dict[tuple[str, str], ranges.Ranges]


@pytest.fixture(scope="module")
def seen(prepared_build, tmp_path_factory) -> Seen:
    """What the compiler says of each function, by the words before it."""
    folder = tmp_path_factory.mktemp("ranges")
    head, *parts = SPLIT.split(CASES.read_text(encoding="ascii"))
    text = decode((prepared_build.tree / FILE).read_bytes()) + head
    lines = {}
    for kind, name, part in zip(parts[::3], parts[1::3], parts[2::3], strict=True):
        if "masked" in name and not probe(prepared_build.tree).masked:
            continue
        first = text.count("\n") + 1
        text += part
        lines[kind, name] = range(first, text.count("\n") + 1)
    lay(prepared_build.tree, {FILE: text}, folder / "tree")
    command = commands(prepared_build, [FILE])[FILE]
    every = ranges.check(prepared_build, command, folder / "tree", folder)
    return {
        case: ranges.Ranges(
            tuple(m for m in every.outside if m.line in own),
            tuple(m for m in every.unproved if m.line in own),
            tuple(m for m in every.unknown if m.line in own),
            every.error,
        )
        for case, own in lines.items()
    }


def test_where_accesses_are(seen):
    assert len({kind for kind, _ in seen}) == 4
    for (kind, name), found in seen.items():
        only = {
            "inside": ranges.Ranges(),
            "outside": ranges.Ranges(outside=found.outside[:1]),
            "not proved": ranges.Ranges(unproved=found.unproved),
            "not known": ranges.Ranges(unknown=found.unknown),
        }[kind]
        assert found == only, name
        assert (found != ranges.Ranges()) == (kind != "inside"), name
        for each in found.outside:
            assert "outside its window: unsafe_" in each.text, name
