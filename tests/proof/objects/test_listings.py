# SPDX-License-Identifier: GPL-2.0
"""What gcc prints is read: annotations in assembly, and accesses in intermediate code."""

import re
from pathlib import Path

import pytest

from hotcocci.proof.objects.marks import (
    CALL_KIND,
    FIRST,
    MOST,
    VOLATILE_KIND,
    WORDS,
    annotated,
)
from hotcocci.proof.objects.unlike import accesses

TEXTS = Path(__file__).with_name("listings")
SIZES = {1: 1, 2: 2, 3: 4, 4: 8}


def marked(text: str) -> list[tuple[str, int, tuple[int, ...]]]:
    """The annotations: mnemonic, kind, and the bytes of each register that a call reads."""
    listing = annotated(text)
    names = re.findall(r"\.Lhotcocci\d+:\n\s*(\w+)", listing)
    packed = [int(each) for each in re.findall(r"\.long \S+ - \., (\d+)", listing)]
    return [
        (
            name,
            each & (1 << FIRST) - 1,
            tuple(SIZES.get(each >> FIRST + 3 * n & 7, 0) for n in range(8)),
        )
        for name, each in zip(names, packed, strict=True)
    ]


@pytest.mark.parametrize(
    ("file", "first", "last", "pointer"),
    [("arm64.s", "ldrb", "ldr", 8), ("powerpc.s", "lbz", "lwz", 4)],
)
def test_marks(file, first, last, pointer):
    assert marked((TEXTS / file).read_text(encoding="utf-8")) == [
        (first, VOLATILE_KIND, (0,) * 8),
        ("bl", CALL_KIND, (4, 1, pointer, pointer, 0, 0, 0, 0)),
        (last, VOLATILE_KIND, (0,) * 8),
    ]


@pytest.mark.parametrize(("registers", "stacked"), [(6, 0), (7, MOST)])
def test_arm64_does_not_say_what_is_on_the_stack(registers, stacked):
    uses = "".join(f"//  (use (reg:SI {n} x{n}))\n" for n in range(registers))
    text = f"//(call_insn 1 (call (mem:DI)\n//  (const_int 0 [0])\n{uses}\tbl\tf\n"
    (packed,) = re.findall(r"\.long \S+ - \., (\d+)", annotated(text))
    assert int(packed) >> WORDS == stacked


BODY = (TEXTS / "body").read_text(encoding="utf-8")


def test_a_register_is_no_memory():
    assert accesses(BODY, lambda *at: at) == {("a.c", 3): {4: 1}}
