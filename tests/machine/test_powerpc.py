# SPDX-License-Identifier: GPL-2.0
"""Windows in PowerPC objects whose parts are out of line, and whose key is no jump label: 6.1."""

import subprocess

import pytest

from hotcocci.machine.code import RETURN
from hotcocci.machine.dwarf import Lines
from hotcocci.machine.elf import ObjectFile
from hotcocci.machine.flow import Flow
from hotcocci.machine.powerpc import PowerPC

SOURCE = """\
#define always static inline __attribute__((always_inline))
extern struct { int enabled; void *entries; } disable_kuap_key;
void kuap_lock_all_ool(void);

always _Bool kuap_is_disabled(void)
{
	return *(volatile int *)&disable_kuap_key.enabled OFF;
}

static __attribute__((noinline)) void kuap_lock_addr(unsigned long to)
{
	if (to == ~1UL)
		kuap_lock_all_ool();
	else
		asm volatile("mtsrin %0,%0; isync" :: "r" (to) : "memory");
}

always void allow_user_access(unsigned long to)
{
	if (!kuap_is_disabled())
		asm volatile("mtsrin %0,%0; isync" :: "r" (to) : "memory");
}

always void prevent_user_access(unsigned long to)
{
	if (!kuap_is_disabled())
		kuap_lock_addr(to);
}

int balanced(unsigned long to)
{
	allow_user_access(to);
	prevent_user_access(to);
	return 0;
}

void turn_off(void *key);

int open_ended(unsigned long to)
{
	turn_off(&disable_kuap_key);
	allow_user_access(to);
	if (to & 1)
		return 1;
	prevent_user_access(to);
	return 0;
}

int sets_the_key(unsigned long to, int *found)
{
	turn_off(&disable_kuap_key);
	if (*found)
		allow_user_access(to);
	return 0;
}
"""


@pytest.mark.parametrize("off", ["> 0", "!= 0", "<= 0 ? 0 : 1"])
def test_the_key_is_taken_as_off(tmp_path, off):
    source, made = tmp_path / "windows.c", tmp_path / "windows.o"
    source.write_text(SOURCE.replace("OFF", off))
    flags = "-c -O2 -g1 -gdwarf-4 -fno-stack-protector -fno-pic".split()
    subprocess.run(["powerpc-linux-gnu-gcc", *flags, source, "-o", made], check=True)
    obj = ObjectFile(made)
    marks = PowerPC().marks(obj, Lines(obj).names)
    flow = Flow(obj, PowerPC(), marks, frozenset(), lambda _at, _begun, last: last)
    found = {f.name: [e.what for e in flow.events(f)] for f in flow.functions()}
    assert found == {"balanced": [], "open_ended": [RETURN], "sets_the_key": [RETURN]}
