# SPDX-License-Identifier: GPL-2.0
"""Which differences between two runs count, and which may be permitted ones."""

from dataclasses import replace

from hotcocci.proof.symbolic.x86 import LAYOUT
from hotcocci.proof.replay.compare import (
    ENDLESS,
    LOAD,
    LONGEST,
    OOPS,
    RETURNED,
    STORE,
    Access,
    Call,
    Event,
    Fault,
    Trace,
    difference,
    side_by_side,
)

USER = 0x2000_0000
KERNEL = 0xFFFF_8880_0000_1000
FAULTS = "0xfffffff2"
BROKEN = Fault(STORE, USER, 4)


def trace(
    *events: Event, result: str = "0x0", written: dict[int, int] | None = None
) -> Trace:
    return Trace(events, RETURNED, result, written or {})


def store(offset: int, byte: int = 1, size: int = 4) -> Access:
    return Access(STORE, USER + offset, bytes([byte] * size))


def load(offset: int) -> Access:
    return Access(LOAD, USER + offset, bytes(4))


def call(name: str = "f", argument: str = "0x1", *written: tuple[int, int]) -> Call:
    return Call(name, (argument,), frozenset(written))


def test_order_value_and_number_of_accesses_count():
    old = trace(store(0), store(4))
    assert difference(old, trace(store(4), store(0)))
    assert difference(old, trace(store(0), store(4, 2)))
    assert "no longer made" in difference(old, trace(store(0)))
    assert "not made before" in difference(trace(store(0)), old)
    assert difference(trace(load(0)), trace(load(0), load(0)))


def test_a_range_that_only_a_check_refuses_shows_nothing():
    old, new = trace(result="0xfffffff2"), trace(store(0))
    assert "returned" in difference(old, new)
    assert difference(old, replace(new, leaves_user=True)) == ""
    assert "returned" in difference(replace(old, leaves_user=True), new)


def test_a_value_that_is_not_read_any_more_is_not_seen():
    old = trace(load(0), load(8), store(16))
    assert difference(old, trace(load(8), store(16))) == ""
    assert "was not made before" in difference(trace(load(8)), trace(load(8), load(0)))
    assert "now" in difference(old, trace(load(4), store(16)))
    assert "returned" in difference(
        old, replace(trace(load(8), store(16)), result="0x1")
    )


def test_two_words_are_not_one_double_word():
    wide = Access(STORE, USER, bytes(8))
    narrow = (Access(STORE, USER, bytes(4)), Access(STORE, USER + 4, bytes(4)))
    assert difference(trace(*narrow), trace(wide))
    # A copy has no access width.
    assert not difference(trace(replace(wide, block=True)), trace(*narrow))


def test_results_and_endings_count():
    assert "returned" in difference(trace(), trace(result="0x1"))
    endless, oops = replace(trace(), end=ENDLESS), replace(trace(), end=OOPS)
    assert not difference(trace(), endless)
    assert difference(trace(), replace(endless, instructions=1))
    # What refused the range may go on, with a masked pointer, until an access fails.
    masked = replace(trace(store(0)), end=ENDLESS, instructions=1)
    assert not difference(trace(), masked)
    assert difference(trace(store(0)), masked)
    # The old code succeeded: the oops comes from the new code.
    assert "oopsed" in difference(trace(), oops)
    assert not difference(trace(BROKEN, result=FAULTS), oops)
    for unusable in (endless, oops):
        assert not difference(unusable, trace(result="0x1"))


def test_later_accesses_may_stop_only_after_a_fault():
    old = trace(BROKEN, store(4), result=FAULTS)
    new = trace(BROKEN, result=FAULTS)
    assert not difference(old, new)
    assert difference(new, old)
    assert difference(trace(store(4)), trace())


def test_a_faulting_copy_may_transfer_other_bytes():
    part = Access(STORE, USER, b"12", block=True)
    old, new = trace(part, BROKEN, result=FAULTS), trace(BROKEN, result=FAULTS)
    assert not difference(old, new) and not difference(new, old)


def test_memory_after_a_fault_shows_nothing():
    fault = Fault(LOAD, USER, 4)
    zeroed, other = (
        trace(fault, result=FAULTS, written=written) for written in ({}, {KERNEL: 7})
    )
    assert not difference(zeroed, other)
    assert difference(trace(written={KERNEL: 0}), trace())


def test_a_range_beyond_user_space_may_be_refused_at_once():
    end = LAYOUT.user_high
    before = Access(STORE, end - 4, bytes(4))
    old = trace(before, Fault(STORE, end, 4), result=FAULTS)
    assert not difference(old, trace(result=FAULTS))
    assert difference(old, trace(result="0x1"))
    # The old code stores all, but its last bytes are those of user space.
    assert not difference(trace(before), trace(result=FAULTS))
    assert difference(trace(store(0)), trace(result=FAULTS))


def test_a_pointer_to_kernel_memory_may_be_refused():
    old = replace(trace(), in_kernel=1)
    assert not difference(old, trace(result=FAULTS))
    assert difference(trace(result=FAULTS), old)
    assert difference(trace(), trace(result=FAULTS))


def test_calls_must_see_the_same_memory():
    old = trace(call())
    assert difference(old, trace(call("f", "0x2")))
    assert "no longer made" in difference(old, trace())
    assert "was not made before" in difference(trace(), old)
    assert "memory differs" in difference(old, trace(call("f", "0x1", (KERNEL, 1))))


def test_a_call_may_move_over_accesses():
    old, new = trace(store(0), call(), store(4)), trace(call(), store(0), store(4))
    assert not difference(old, new)
    # It is made even if an access faults.
    faulted = trace(BROKEN, result=FAULTS)
    assert not difference(faulted, trace(call(), BROKEN, result=FAULTS))


def test_an_allocation_may_be_zeroed_by_either():
    old, new = (trace(call("__kmalloc", flags)) for flags in ("0xcc0", "0xdc0"))
    assert not difference(old, new)


def test_violations_count_unless_the_old_code_has_them():
    wrong = replace(trace(), violations=("open",))
    assert difference(trace(), wrong) == "open"
    assert not difference(wrong, wrong)


def test_traces_are_printed_side_by_side():
    lines = side_by_side(trace(store(0), store(4)), trace(store(0)))
    assert len(lines) == 3
    assert "|" not in lines[0]
    assert "|" in lines[1] and "returned" in lines[1]


def test_long_lines_are_clipped_to_what_differs():
    contents = [f"{n:016x}" for n in range(100)]
    other = [*contents[:90], "ff" * 8, *contents[91:]]
    calls = [Call("f", (f"stack {' '.join(words)}",)) for words in (contents, other)]
    same, differs = (side_by_side(trace(calls[0]), trace(c))[0] for c in calls)
    assert len(same) <= 2 * LONGEST + 3 and " | " not in same and "…" in same
    assert len(differs) <= 2 * LONGEST + 3 and " | " in differs
    left, right = differs.split(" | ")
    assert contents[90] in left and "ff" * 8 in right
    said = difference(*(trace(c) for c in calls))
    assert said.startswith("call f(): …") and len(said) < 2 * LONGEST + 20
    assert contents[90] in said and "ff" * 8 in said
