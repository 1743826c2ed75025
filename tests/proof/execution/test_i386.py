# SPDX-License-Identifier: GPL-2.0
"""Running 32-bit x86 code: good rewrites pass, broken ones are detected."""

from __future__ import annotations

from pathlib import Path

from compiled_texts import BROKEN, DETAILS, GOOD, executed

from hotcocci.findings import DIFFERENT, PERMITTED, PROVEN, SAME


def test_broken_rewrites_are_detected(linux_tree: Path, tmp_path: Path) -> None:
    results = executed(linux_tree, "i386", tmp_path, (*GOOD, *BROKEN))

    for name in (v.name for v in GOOD):
        assert results[name].verdict in (SAME, PERMITTED, PROVEN), results[name]
        assert results[name].runs > results[name].faults > 20, results[name]
    for name in (v.name for v in BROKEN):
        assert results[name].verdict == DIFFERENT, results[name]
        assert DETAILS.get(name, "") in results[name].detail, results[name]
