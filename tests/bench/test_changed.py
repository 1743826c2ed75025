# SPDX-License-Identifier: GPL-2.0
"""Functions whose code differs are found, whatever their addresses."""

import subprocess

import pytest

from hotcocci.bench.kernel import changed_data, changed_functions

TEXT = """
extern int other(const char *, int *);
static int counter;
int second(int);
static __attribute__((noinline)) int third(int a) { return a * 7; }
int level = 3;
int __UNIQUE_ID_addressable_level467 = 1;
int (*const operation)(int) = third;
static __attribute__((noinline)) int inner(int a) { return a * 3; }
int first(int a) { return inner(a) + counter++; }
int second(int a) { return other("second", &counter) + a; }
"""


# Of all machines
CROSS = ["", "aarch64-linux-gnu-", "powerpc-linux-gnu-"]
CAPABILITIES = "arch/arm64/include/generated/asm/cpucap-defs.h"


def compiled(folder, name, text, cross=""):
    path = folder / f"{name}.o"
    argv = [f"{cross}gcc", "-O2", "-fno-pic", "-x", "c", "-c", "-o", str(path), "-"]
    subprocess.run(argv, input=text, text=True, check=True)
    # What a build of arm64 has
    generated = folder / CAPABILITIES
    generated.parent.mkdir(parents=True, exist_ok=True)
    generated.write_text("#define ARM64_HAS_PAN 1\n")
    return path


ADDED = "static int counter; int added(int a) { return a / 7; }"


@pytest.mark.build
@pytest.mark.parametrize("cross", CROSS)
@pytest.mark.parametrize(
    ("before", "after", "changed"),
    [
        ("a * 3", "a * 3", set()),
        ("a * 3", "a * 5", {"inner"}),
        ('"second"', '"another"', {"second"}),
        ("+ a; }", "- a; }", {"second"}),
        # A call, from other code of the same bytes
        ("return inner(a)", "return second(a)", {"first"}),
        # All addresses after it move.
        ("static int counter;", ADDED, {"added"}),
    ],
)
def test_changed_functions(tmp_path, before, after, changed, cross):
    old = compiled(tmp_path, "old", TEXT, cross)
    new = compiled(tmp_path, "new", TEXT.replace(before, after), cross)
    assert changed_functions(old, new, tmp_path) == changed


@pytest.mark.build
@pytest.mark.parametrize("cross", CROSS)
@pytest.mark.parametrize(
    ("before", "after", "changed"),
    [
        ("level = 3", "level = 3", set()),
        ("level = 3", "level = 4", {"level"}),
        # What is before it in the file used __COUNTER__.
        ("level467", "level469", set()),
        ("operation)(int) = third", "operation)(int) = second", {"operation"}),
        # Addresses move, what is at them stays.
        ("static int counter;", ADDED, set()),
        ("a * 3", "a * 5", set()),
    ],
)
def test_changed_data(tmp_path, before, after, changed, cross):
    old = compiled(tmp_path, "old", TEXT, cross)
    new = compiled(tmp_path, "new", TEXT.replace(before, after), cross)
    assert changed_data(old, new) == changed


def test_code_that_is_no_function_is_compared(tmp_path):
    entry = 'asm(".globl entry\\nentry:\\nmov $1, %eax\\nret\\n.size entry, .-entry");'
    old = compiled(tmp_path, "old", entry)
    new = compiled(tmp_path, "new", entry.replace("$1", "$2"))
    assert changed_functions(old, new, tmp_path) == {"entry"}
