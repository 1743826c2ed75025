# SPDX-License-Identifier: GPL-2.0
"""Instruction counts in functions of a real tree, for every kind of kernel."""

import subprocess
from pathlib import Path
from tempfile import mkdtemp

import pytest

from hotcocci.engines.compiler import compile_file
from hotcocci.findings import Count, Gain
from hotcocci.machine.counts import routines
from hotcocci.proof import costs
from hotcocci.tree.command import Unit, commands
from hotcocci.tree.source import decode, lay
from hotcocci.tree.targets import KERNELS
from tests.shared import build_of

# Built into every kernel; the tests append functions to it.
FILE = "lib/usercopy.c"
ALL = [target.name for target in KERNELS]

HEAD = "#include <linux/uaccess.h>\nvoid hc_elsewhere(void);\n"

TEXTS = Path(__file__).with_name("costs")
GETS = (TEXTS / "gets.c").read_text(encoding="utf-8")

READ_WINDOW = (TEXTS / "read_window.c").read_text(encoding="utf-8")

PUTS = GETS.replace("get_user", "put_user").replace("hc_read", "hc_write")
WRITE_WINDOW = (
    READ_WINDOW.replace("unsafe_get", "unsafe_put")
    .replace("user_read", "user_write")
    .replace("hc_read", "hc_write")
)

LOOP = (TEXTS / "loop.c").read_text(encoding="utf-8")

LOOP_WINDOW = (TEXTS / "loop_window.c").read_text(encoding="utf-8")

CALLER = (TEXTS / "caller.c").read_text(encoding="utf-8")


@pytest.fixture
def gains(linux_tree, tmp_path):
    """Compile a file with each of two texts at its end, and return the gains by function."""

    def compiled(old: str, new: str, target: str = "x86-64") -> dict[str, Gain]:
        build = build_of(linux_tree, target)
        command = commands(build, [FILE])[FILE]
        text = decode((linux_tree / FILE).read_bytes()) + HEAD
        sides = []
        whole = (text + old, text + new)
        for each, lines in zip(whole, costs.changed(*whole), strict=True):
            place = Path(mkdtemp(dir=tmp_path))
            lay(linux_tree, {FILE: each}, place)
            path = place.with_suffix(".o")
            made = compile_file(build, command, place, path, costs.FLAGS)
            assert made.object, made.error
            source = Unit(build, command, place / FILE, place)
            sides.append(costs.Side(source, made.object, lines))
        return {gain.function: gain for gain in costs.gains(FILE, *sides)}

    return compiled


def success(gain: Gain) -> tuple[Count, Count]:
    assert gain.before.success is not None and gain.after.success is not None
    return gain.before.success, gain.after.success


@pytest.mark.parametrize("target", ALL)
def test_windows_on_every_kernel(gains, target):
    found = gains(GETS + PUTS, READ_WINDOW + WRITE_WINDOW, target)
    assert set(found) == {"hc_read", "hc_write"}
    before, after = success(found["hc_write"])
    assert (before.switches, after.switches) == (8, 2)
    assert after.calls == 0
    assert before.instructions > 2 * after.instructions
    before, after = success(found["hc_read"])
    # The segment registers of book3s32 only lock memory for writing.
    free = target == "powerpc-book3s32"
    assert (before.switches, after.switches) == ((0, 0) if free else (8, 2))
    assert not found["hc_write"].worse and not found["hc_read"].worse
    # The error path closes too; a path has one end.
    whole = found["hc_write"].after.whole
    assert whole.instructions > success(found["hc_write"])[1].instructions


def test_routine_lengths_come_from_the_tree(linux_tree):
    build = build_of(linux_tree)
    known = routines(build)
    assert {"__get_user_4", "__put_user_8", "__get_user_nocheck_1"} <= set(known)
    listed = subprocess.run(
        ["objdump", "-d", "--no-show-raw-insn", build.out / "arch/x86/lib/putuser.o"],
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    body = listed.partition("<__put_user_nocheck_4>:")[2].partition("\n\n")[0]
    named = [line.split("\t")[1].split()[0] for line in body.splitlines()[1:]]
    plain = [n for n in named[: named.index("jmp" if "jmp" in named else "ret") + 1]]
    # stac and clac are patched in at boot in place of three nops each.
    assert plain.count("nop") == 6
    count = known["__put_user_nocheck_4"]
    assert count == Count(len(plain) - 6 + 2, 0, 2, 0, returns=1)


PUT = "	unsafe_put_user(to[1], &from[1], efault);\n"
AGAIN = (
    "	user_write_access_end();\n"
    "	if (!user_write_access_begin(from, 16))\n		return -EFAULT;\n"
)
# The change to the window, and the numbers that grow
COSTLY = {
    "fences": (PUT, "	barrier_nospec();\n" * 10 + PUT, "12 -> 13"),
    "windows and calls": (
        PUT,
        AGAIN * 3 + PUT + AGAIN.replace("end();\n", "end();\n	hc_elsewhere();\n"),
        "12 -> 16",
    ),
}


@pytest.mark.parametrize("what", COSTLY)
def test_a_window_that_costs_more_is_worse(gains, what):
    original, replacement, complaint = COSTLY[what]
    assert WRITE_WINDOW.count(original) == 1
    found = gains(PUTS, WRITE_WINDOW.replace(original, replacement))
    assert complaint in found["hc_write"].worse, found


@pytest.mark.parametrize("target", ["x86-64", "powerpc-8xx"])
def test_a_loop_is_compared_by_its_iterations(gains, target):
    gain = gains(LOOP, LOOP_WINDOW, target)["hc_loop"]
    before, after = success(gain)
    # In the second iteration, or a later one if the compiler unrolled one of the loops.
    assert before.switches >= 4 and after.switches == 2
    assert not gain.worse
    fixed = [t.replace("i < n", "i < 4") for t in (LOOP, LOOP_WINDOW)]
    unrolled = [fixed[0], fixed[1].replace("	for", "#pragma GCC unroll 4\n	for")]
    before, after = success(gains(*unrolled, target)["hc_loop"])
    assert (before.switches, after.switches) == (8, 2)


def test_an_inlined_function_keeps_its_name(gains):
    inner = [
        t[t.index("int hc_read", 5) :].replace(
            "int hc_read", "static inline int hc_inner"
        )
        for t in (GETS, READ_WINDOW)
    ]
    found = gains(*(t + CALLER for t in inner))
    assert set(found) == {"hc_inner"}
    before, after = success(found["hc_inner"])
    # The caller's own call does not count.
    assert (before.calls, after.calls) == (4, 0)


CASES = "".join(
    f"	case {n}:\n		to[{n}] = to[{n + 1}] * {n + 3};\n		hc_elsewhere();\n		break;\n"
    for n in range(9)
)


@pytest.mark.parametrize("target", ["powerpc-book3s32", "powerpc-book3s64"])
def test_accesses_after_a_jump_table(gains, target):
    head = "int hc_switch(u32 *to, u32 __user *from, int what)"
    puts = "		if (put_user(to[0], from) || put_user(to[1], from + 1))\n			return -EFAULT;\n"
    window = (
        "		if (!user_write_access_begin(from, 8))\n			return -EFAULT;\n"
        "		unsafe_put_user(to[0], from, efault);\n"
        "		unsafe_put_user(to[1], from + 1, efault);\n"
        "		user_write_access_end();\n"
    )
    old, new = (
        f"{head};\n{head}\n{{\n	switch (what) {{\n{CASES}	case 9:\n{part}		break;\n	}}\n"
        f"	return 0;\n{end}}}\n"
        for part, end in (
            (puts, ""),
            (window, "efault:\n	user_write_access_end();\n	return -EFAULT;\n"),
        )
    )
    before, after = success(gains(old, new, target)["hc_switch"])
    assert (before.switches, after.switches) == (4, 2)
    # No path to the accesses passes the other cases.
    assert (before.calls, after.calls) == (0, 0)


def test_changed_lines():
    old = "a\nb\nc\nd\n"
    assert costs.changed(old, old) == (frozenset(), frozenset())
    assert costs.changed(old, "a\nx\ny\nc\nd\n") == ({2}, {2, 3})
    assert costs.changed(old, "a\nc\nd\nd\n") == ({2}, {4}) or costs.changed(
        old, "a\nc\nd\nd\n"
    ) == ({2}, {3})
    assert costs.changed("", "a\n") == (frozenset(), {1})
