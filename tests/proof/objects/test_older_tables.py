# SPDX-License-Identifier: GPL-2.0
"""Alternatives and exception tables of x86 in all forms that kernels have had."""

import shutil
import struct
import subprocess
from pathlib import Path

import pytest

from hotcocci.machine.elf import ElfError, ObjectFile
from hotcocci.machine.x86 import SMAP, alternatives
from hotcocci.proof.objects.image import Fixup, Registry
from hotcocci.proof.objects.link import link
from hotcocci.proof.symbolic.x86 import LAYOUT, PLAIN_FIXUPS, TRAP_FIXUPS, X86

pytestmark = pytest.mark.skipif(not shutil.which("gcc"), reason="no gcc")

# struct alt_instr of 5.10 before its stable updates, of 5.10.223 and 6.1, and of 6.12
FORMS = {
    "padded": ".word {what}; .byte 3, 3, 3",
    "flag in the feature": ".word {what}; .byte 3, 3",
    "flags": ".long {what}; .byte 3, 3",
}
ABSENT = {"padded": 1 << 15, "flag in the feature": 1 << 15, "flags": 1 << 16}
TEXTS = Path(__file__).with_name("older_tables")
FUNCTION = (TEXTS / "function.s").read_text(encoding="utf-8")
ENTRY = """
.section .altinstructions, "a"
.long 1b - .; .long 4b - .; {end}
"""
FIXUP = """
.section __ex_table, "a"
.long 2b - .; .long 3b - .; {kind}
"""


def assembled(folder: Path, text: str) -> ObjectFile:
    source = folder / "a.s"
    source.write_text(text)
    made = folder / "a.o"
    subprocess.run(["gcc", "-c", "-o", made, source], check=True)
    return ObjectFile(made)


@pytest.mark.parametrize("form", FORMS)
def test_alternatives(form, tmp_path):
    entries = [SMAP, SMAP | ABSENT[form], 3 * 32 + 21]
    text = FUNCTION + "".join(
        ENTRY.format(end=FORMS[form].format(what=what)) for what in entries
    )
    obj = assembled(tmp_path, text)
    (section,) = obj.named(".altinstructions")
    assert [
        (each.feature, each.absent, each.length, each.size)
        for each in alternatives(obj, section)
    ] == [(SMAP, False, 3, 3), (SMAP, True, 3, 3), (117, False, 3, 3)]


def test_alternatives_of_no_known_form_are_refused(tmp_path):
    entry = ENTRY.format(end=".long 1; .byte 3, 3, 0, 0")
    obj = assembled(tmp_path, FUNCTION + entry)
    (section,) = obj.named(".altinstructions")
    with pytest.raises(ElfError, match="alternatives of 16 bytes"):
        list(alternatives(obj, section))


@pytest.mark.parametrize(
    ("kind", "fixups"),
    [
        (".long 3", PLAIN_FIXUPS),
        (".long ex_handler_uaccess - .", PLAIN_FIXUPS),
        (".long ex_handler_copy - .", TRAP_FIXUPS),
        (".long ex_handler_fprestore - .", ("ex_handler_fprestore",)),
    ],
)
def test_what_happens_after_a_fault(kind, fixups, tmp_path):
    header = tmp_path / "arch/x86/include/asm/cpufeatures.h"
    header.parent.mkdir(parents=True)
    header.write_text("")
    obj = assembled(tmp_path, FUNCTION + FIXUP.format(kind=kind))
    image = link(obj, (), Registry(LAYOUT), X86(tmp_path))
    (function,) = image.functions
    ((at, found),) = image.fixups.items()
    assert at == function.start + 3
    assert found == Fixup(function.start + 5, found.kind, found.data)
    assert found.kind in fixups


FEATURES = """
#define X86_FEATURE_REP_GOOD ( 3*32+16)
#define X86_FEATURE_ERMS ( 9*32+ 9)
#define X86_FEATURE_LA57 (16*32+16)
#define X86_FEATURE_SSE4A ( 6*32+ 6)
"""
# A copy of 6.1, the end of user space in its access_ok(), and anything else
SITES = (TEXTS / "sites.s").read_text(encoding="utf-8")


def test_copies_and_the_end_of_user_space_are_the_same_for_all_processors(tmp_path):
    header = tmp_path / "arch/x86/include/asm/cpufeatures.h"
    header.parent.mkdir(parents=True)
    header.write_text(FEATURES)
    registry = Registry(LAYOUT)
    obj = assembled(tmp_path, SITES)
    image = link(obj, (), registry, X86(tmp_path))
    (function,) = image.functions
    (distance,) = struct.unpack("<i", image.read(function.start + 1, 4))
    called = registry.outside(function.start + 5 + distance)
    assert called == "copy_user_enhanced_fast_string"
    # What is left differs.
    assert image.alternatives.keys() == {function.start + 15}
