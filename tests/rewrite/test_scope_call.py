# SPDX-License-Identifier: GPL-2.0
"""A window around a call that gets the address as a number, as in arch/powerpc/lib/sstep.c."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from hotcocci.c.source import apply
from hotcocci.findings import MANUAL, Facts
from hotcocci.rewrite.options import Options
from hotcocci.rules.ua103_older_window import decide

pytestmark = pytest.mark.skipif(not shutil.which("spatch"), reason="no spatch")

See = Callable[..., tuple[str, Facts, Options]]

BEFORE, AFTER = (
    (Path(__file__).parent / f"scope_call/{name}.c").read_text()
    for name in ("before", "after")
)


@pytest.mark.whole
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("int fetch(u8", "int fetch(struct a uat, u8"),  # the name is taken
        ("unsigned long at", "u32 at"),  # a cast back would be to another type
        ("\tif (is_known", "\tat &= ~7UL;\n\tif (is_known"),
        ("s->at = at", "s->at = where()"),
        ("\t\terr = copy", "\t\terr += copy"),
        ("\t} else {", "\t\tlog(err);\n\t} else {"),
    ],
)
def test_other_forms_are_left_alone(see: See, old: str, new: str) -> None:
    assert BEFORE.count(old) >= 1
    _, rewrites = decide(*see(BEFORE.replace(old, new, 1), "scoped", "older_window"))
    assert rewrites == []


def test_the_call_gets_the_masked_address(see: See) -> None:
    findings, rewrites = decide(*see(BEFORE, "scoped", "older_window"))
    assert apply(BEFORE, rewrites[0].edits) == AFTER
    assert findings[0].tier == MANUAL
    assert (
        "if nothing is accessed, a bad uat no longer returns -EFAULT: acceptable?"
        in findings[0].message
    )
