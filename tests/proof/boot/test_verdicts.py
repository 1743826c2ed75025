# SPDX-License-Identifier: GPL-2.0
"""A kernel is really built and booted, and has to tell good rewrites from broken ones."""

from __future__ import annotations

from boot_texts import BROKEN, GOOD, HEAD, Variant, texts
from conftest import Booted

from hotcocci.findings import DIFFERENT, NOT_PROVEN, PERMITTED, SAME
from hotcocci.proof.boot.outcome import CRASHES, STOPS, ZEROED

# Seconds; a boot with all of them takes 20 on a machine that does nothing else.
ENOUGH = 300.0


def test_every_broken_rewrite_is_refused_and_its_twin_is_not(booted: Booted) -> None:
    came = booted(*texts((*GOOD, *BROKEN)), ENOUGH)

    assert came["good_write"].verdict == SAME
    assert came["good_switch"].verdict == SAME
    assert (came["good_collect"].verdict, came["good_collect"].permitted) == (
        PERMITTED,
        (STOPS,),
    )
    # Which of both depends on what the compiler makes of unsafe_get_user().
    assert came["good_read"].permitted in ((), (ZEROED,))
    for name in (v.name for v in GOOD):
        assert came[name].verdict in (SAME, PERMITTED), came[name]
        assert came[name].runs > came[name].faults > 100
    for name in (v.name for v in BROKEN):
        assert came[name].verdict == DIFFERENT, came[name]
        assert came[name].traces, came[name]
    assert came["no_begin"].detail == "the kernel crashes in this function"
    for name in ("no_end", "no_end_on_a_fault", "no_end_of_reading"):
        assert came[name].detail == "user access is left open"
    for name in ("fault_returns_zero", "fault_is_success"):
        assert came[name].detail == "the return values differ"
    for name in ("stores_swapped", "order_swapped", "store_missing"):
        assert came[name].detail == "user memory differs"
    traces = "\n".join(came["store_missing"].traces)
    assert "argument 1: 0x" in traces
    assert "before: returns 0 (0x0)" in traces
    assert "user memory of argument 1, byte 4:" in traces


STUCK = "\tfor (;;)\n\t\tcpu_relax();\n"
CALLS = "\tvoid __iomem *gone = ioremap(0, 1);\n\n\tiounmap(gone);\n"
# As they were, what these do depends on more than their arguments' own bytes.
OTHERS = """\
struct chain {{
	struct chain *next;
	u32 a;
}};

static int follows(u32 __user *to, struct chain *from)
{{
	u32 a = from->next->a;

	return put_user({value}, to);
}}

static int goes_beyond(u32 __user *to, struct chain *from)
{{
	u32 a = from[1].a;

	return put_user({value}, to);
}}

static int reads_the_clock(u64 __user *to)
{{
	u64 a = rdtsc();

	return put_user({value}, to);
}}
"""


def test_what_cannot_be_told_is_not_proven(booted: Booted) -> None:
    """A hang, a call of the kernel, a pointer that leads nowhere: and the others go on."""
    begin = "\tif (!user_write_access_begin"
    variants = (
        Variant("good_first", "write"),
        Variant("hangs", "write", begin, STUCK + begin),
        Variant("good_next", "write"),
        Variant("calls", "write", begin, CALLS + begin),
    )
    head = f"{HEAD}#include <linux/io.h>\n#include <asm/msr.h>\n#include <asm/tsc.h>\n"
    old, new = texts(variants, head)
    old, new = old + OTHERS.format(value="a"), new + OTHERS.format(value="a + 1")

    came = booted(old, new, 40.0)

    assert came["good_first"].verdict == came["good_next"].verdict == SAME
    details = {
        "hangs": "the kernel did not finish within 40 s, in this function",
        "calls": "not called: it uses ioremap, iounmap",
        "follows": f"not called: {CRASHES}",
        "goes_beyond": f"not called: {CRASHES}",
        "reads_the_clock": "two runs of the old code with the same arguments differ",
    }
    for name, detail in details.items():
        assert (came[name].verdict, came[name].detail) == (NOT_PROVEN, detail)
