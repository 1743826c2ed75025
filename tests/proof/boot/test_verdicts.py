# SPDX-License-Identifier: GPL-2.0
"""A kernel is built and booted, and tells good rewrites from broken ones."""

from __future__ import annotations

from boot_texts import BROKEN, GOOD, HEAD, Variant, texts
from conftest import Booted

from hotcocci.findings import DIFFERENT, NOT_PROVEN, PERMITTED, SAME
from hotcocci.proof.boot.outcome import CRASHES, STOPS, ZEROED

# In seconds; booting all of them takes 20 on an idle machine.
ENOUGH = 300.0


def test_every_broken_rewrite_is_refused_and_its_twin_is_not(booted: Booted) -> None:
    results = booted(*texts((*GOOD, *BROKEN)), ENOUGH)

    assert results["good_write"].verdict == SAME
    assert results["good_switch"].verdict == SAME
    assert (results["good_collect"].verdict, results["good_collect"].permitted) == (
        PERMITTED,
        (STOPS,),
    )
    # Which one depends on how the compiler implements unsafe_get_user().
    assert results["good_read"].permitted in ((), (ZEROED,))
    for name in (v.name for v in GOOD):
        assert results[name].verdict in (SAME, PERMITTED), results[name]
        assert results[name].runs > results[name].faults > 100
    for name in (v.name for v in BROKEN):
        assert results[name].verdict == DIFFERENT, results[name]
        assert results[name].traces, results[name]
    assert results["no_begin"].detail == "the kernel crashes in this function"
    for name in ("no_end", "no_end_on_a_fault", "no_end_of_reading"):
        assert results[name].detail == "user access is left open"
    for name in ("fault_returns_zero", "fault_is_success"):
        assert results[name].detail == "the return values differ"
    for name in ("stores_swapped", "order_swapped", "store_missing"):
        assert results[name].detail == "user memory differs"
    traces = "\n".join(results["store_missing"].traces)
    assert "argument 1: 0x" in traces
    assert "before: returns 0 (0x0)" in traces
    assert "user memory of argument 1, byte 4:" in traces


STUCK = "\tfor (;;)\n\t\tcpu_relax();\n"
CALLS = "\tvoid __iomem *gone = ioremap(0, 1);\n\n\tiounmap(gone);\n"
# Already in the old code, these depend on more than the bytes of their arguments.
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


def test_inconclusive_runs_are_not_proven(booted: Booted) -> None:
    """A hang, a call to an API, a wild pointer: the other functions still run."""
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

    results = booted(old, new, 40.0)

    assert results["good_first"].verdict == results["good_next"].verdict == SAME
    details = {
        "hangs": "the kernel did not finish within 40 s, in this function",
        "calls": "not called: it uses ioremap, iounmap",
        "follows": f"not called: {CRASHES}",
        "goes_beyond": f"not called: {CRASHES}",
        "reads_the_clock": "two runs of the old code with the same arguments differ",
    }
    for name, detail in details.items():
        assert (results[name].verdict, results[name].detail) == (NOT_PROVEN, detail)
