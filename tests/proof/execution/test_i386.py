# SPDX-License-Identifier: GPL-2.0
"""Running 32-bit x86 code: good rewrites pass, broken ones are detected."""

from __future__ import annotations

from pathlib import Path

from compiled_texts import BROKEN, DETAILS, GOOD, executed

from hotcocci.findings import DIFFERENT, PERMITTED, PROVEN, SAME


def test_broken_rewrites_are_detected(linux_tree: Path, tmp_path: Path) -> None:
    came = executed(linux_tree, "i386", tmp_path, (*GOOD, *BROKEN))

    for name in (v.name for v in GOOD):
        assert came[name].verdict in (SAME, PERMITTED, PROVEN), came[name]
        assert came[name].runs > came[name].faults > 20, came[name]
    for name in (v.name for v in BROKEN):
        assert came[name].verdict == DIFFERENT, came[name]
        assert DETAILS.get(name, "") in came[name].detail, came[name]
