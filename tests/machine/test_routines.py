# SPDX-License-Identifier: GPL-2.0
"""What routines that copy any number of bytes cost at least."""

import re
import subprocess

import pytest

from hotcocci.findings import Count
from hotcocci.machine.counts import _measured
from hotcocci.machine.elf import ObjectFile
from hotcocci.tree.build import Build
from hotcocci.tree.targets import TARGETS

# The load may fault, or the store too; the end is in code that is no function, as in 6.1,
# and PowerPC's have no size, or no type.
ROUTINE = """\
	.text
	.globl copy_user_bytes
	.type copy_user_bytes, @function
copy_user_bytes:
	mov %edx, %ecx
	je rest
1:	mov (%rsi), %al
2:	mov %al, (%rdi)
	inc %rsi
	dec %ecx
	jnz 1b
	jmp rest
9:	ret
	.size copy_user_bytes, . - copy_user_bytes
rest:
	xor %eax, %eax
	ret
	.section __ex_table, "a"
"""
ENTRY = "	.long {}b - ., 9b - ., 0\n"


@pytest.mark.parametrize("faulting", ["1", "12"])
@pytest.mark.parametrize("left_out", ["nothing", r"\.size.*", r"\.(size|type).*"])
def test_a_copy_takes_its_shortest_path(tmp_path, faulting, left_out):
    source, made = tmp_path / "copy.S", tmp_path / "copy.o"
    routine = re.sub(left_out, "", ROUTINE)
    source.write_text(routine + "".join(map(ENTRY.format, faulting)))
    subprocess.run(["gcc", "-c", source, "-o", made], check=True)
    build = Build(tmp_path, tmp_path, TARGETS["x86-64"], (), ())
    found = _measured(ObjectFile(made), build, {})
    one = Count(instructions=10, calls=0, switches=0, fences=0, loads=1, returns=1)
    assert found == {"copy_user_bytes": one}
