# SPDX-License-Identifier: GPL-2.0
"""Lines on what is not shown."""

from __future__ import annotations

from dataclasses import replace

from hotcocci.findings import Finding
from hotcocci.output.text import not_offered
from hotcocci.rules.offer import ONE_COPY, SMALL_GAIN


def test_what_is_not_offered_is_counted_by_reason() -> None:
    small = Finding(
        *("UA101", "drivers/a.c", 1, 2, "f", "run", 3, "p", "read", "report", None),
        reason=SMALL_GAIN,
    )
    copy = replace(small, reason=ONE_COPY)
    assert not_offered([replace(small, reason="call-between")]) == []
    first, second = not_offered([small, copy, copy])
    assert first.startswith("1 rewrite not offered: too few cycles")
    assert second.startswith("2 windows not offered in new code: one copy is simpler")
