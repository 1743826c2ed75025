# SPDX-License-Identifier: GPL-2.0
"""Which differences between two runs count, and which may be permitted ones."""

from __future__ import annotations

from dataclasses import replace

from hotcocci.proof.execution.compare import LONGEST, difference, side_by_side
from hotcocci.proof.execution.trace import (
    ENDLESS,
    LOAD,
    OOPS,
    RETURNED,
    STORE,
    Access,
    Call,
    Event,
    Fault,
    Trace,
)
from hotcocci.proof.execution.x86 import LAYOUT

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


def compare(old: Trace, new: Trace, moving: bool = False) -> str:
    return difference(old, new, LAYOUT, moving)


def test_equal_runs_are_the_same() -> None:
    one = trace(store(0), call(), store(4))
    assert not compare(one, one)


def test_order_value_and_number_of_accesses_count() -> None:
    old = trace(store(0), store(4))
    assert compare(old, trace(store(4), store(0)))
    assert compare(old, trace(store(0), store(4, 2)))
    assert "no longer made" in compare(old, trace(store(0)))
    assert "not made before" in compare(trace(store(0)), old)
    assert compare(trace(load(0)), trace(load(0), load(0)))


def test_two_words_are_not_one_double_word() -> None:
    wide = Access(STORE, USER, bytes(8))
    narrow = (Access(STORE, USER, bytes(4)), Access(STORE, USER + 4, bytes(4)))
    assert compare(trace(*narrow), trace(wide))
    # A copy has no access width.
    assert not compare(trace(replace(wide, block=True)), trace(*narrow))


def test_results_and_endings_count() -> None:
    assert "returned" in compare(trace(), trace(result="0x1"))
    endless, oops = replace(trace(), end=ENDLESS), replace(trace(), end=OOPS)
    assert not compare(trace(), endless)
    assert compare(trace(), replace(endless, instructions=1))
    # The old code succeeded: the oops comes from the new code.
    assert "oopsed" in compare(trace(), oops)
    assert not compare(trace(BROKEN, result=FAULTS), oops)
    for unusable in (endless, oops):
        assert not compare(unusable, trace(result="0x1"))


def test_later_accesses_may_stop_only_after_a_fault() -> None:
    old = trace(BROKEN, store(4), result=FAULTS)
    new = trace(BROKEN, result=FAULTS)
    assert not compare(old, new)
    assert compare(new, old)
    assert compare(trace(store(4)), trace())


def test_a_faulting_copy_may_transfer_other_bytes() -> None:
    part = Access(STORE, USER, b"12", block=True)
    old, new = trace(part, BROKEN, result=FAULTS), trace(BROKEN, result=FAULTS)
    assert not compare(old, new) and not compare(new, old)
    other = trace(replace(part, data=b"13"), BROKEN, result=FAULTS)
    assert compare(old, other)


def test_a_destination_need_not_be_zeroed() -> None:
    fault = Fault(LOAD, USER, 4)
    zeroed, alone, other = (
        trace(fault, result=FAULTS, written=written)
        for written in ({KERNEL: 0}, {}, {KERNEL: 7})
    )
    assert not compare(zeroed, alone) and not compare(alone, zeroed)
    assert compare(zeroed, other) and compare(alone, other)
    assert compare(trace(written={KERNEL: 0}), trace())


def test_a_call_may_not_see_a_destination_left_unzeroed() -> None:
    fault = Fault(LOAD, USER, 4)

    def found(name: str, at: int) -> str:
        was, now = call(name, hex(at), (KERNEL, 1)), call(name, hex(at), (KERNEL, 2))
        return compare(
            trace(fault, was, result=FAULTS), trace(fault, now, result=FAULTS)
        )

    assert found("show", KERNEL)
    assert not found("show", KERNEL + (1 << 20))
    assert not found("mutex_unlock", KERNEL) and not found("kfree", KERNEL)


def test_a_range_beyond_user_space_may_be_refused_at_once() -> None:
    end = LAYOUT.user_high
    before = Access(STORE, end - 4, bytes(4))
    old = trace(before, Fault(STORE, end, 4), result=FAULTS)
    assert not compare(old, trace(result=FAULTS))
    assert compare(old, trace(result="0x1"))
    # The old code stores all, but its last bytes are those of user space.
    assert not compare(trace(before), trace(result=FAULTS))
    assert compare(trace(store(0)), trace(result=FAULTS))


def test_a_pointer_to_kernel_memory_may_be_refused() -> None:
    old = replace(trace(), unchecked=frozenset({KERNEL, KERNEL + 4}))
    new = trace(result=FAULTS)
    assert not compare(old, new)
    # Another access, which stays, may have used it before.
    before = replace(new, unchecked=frozenset({KERNEL}))
    assert not compare(old, before)
    assert compare(before, old)
    assert compare(trace(), new)


def test_calls_must_see_the_same_memory() -> None:
    old = trace(call())
    assert compare(old, trace(call("f", "0x2")))
    assert "no longer made" in compare(old, trace())
    assert "was not made before" in compare(trace(), old)
    assert "memory differs" in compare(old, trace(call("f", "0x1", (KERNEL, 1))))


def test_a_call_may_move_before_accesses_unless_it_releases_something() -> None:
    old = trace(store(0), call(), store(4))
    new = trace(call(), store(0), store(4))
    assert not compare(old, new)
    assert "used to precede" in compare(new, old)
    kept, early = (replace(t, events=()) for t in (old, new))
    kept = replace(kept, events=(store(0), call("mutex_unlock"), store(4)))
    early = replace(early, events=(call("mutex_unlock"), store(0), store(4)))
    assert "used to follow" in compare(kept, early)
    # Then it is made even if an access faults.
    faulted = trace(BROKEN, result=FAULTS)
    assert not compare(faulted, trace(call(), BROKEN, result=FAULTS))
    assert compare(faulted, trace(call("kfree"), BROKEN, result=FAULTS))


def test_memory_that_others_write_tells_nothing_of_a_call_that_moved() -> None:
    old, new = trace(store(0), call()), trace(call(), store(0, 2))
    assert compare(old, new)
    assert not compare(old, new, moving=True)


def test_each_call_of_a_pure_function_has_its_own_result() -> None:
    assert not compare(trace(call("strlen")), trace(result="0x1"))
    assert compare(trace(call("strlen")), trace(call("strlen"), result="0x1"))


def test_violations_count_unless_the_old_code_has_them() -> None:
    wrong = replace(trace(), violations=("open",))
    assert compare(trace(), wrong) == "open"
    assert not compare(wrong, wrong)


def test_traces_are_printed_side_by_side() -> None:
    lines = side_by_side(trace(store(0), store(4)), trace(store(0)))
    assert len(lines) == 3
    assert "|" not in lines[0]
    assert "|" in lines[1] and "returned" in lines[1]


def test_long_lines_are_clipped_to_what_differs() -> None:
    contents = [f"{n:016x}" for n in range(100)]
    other = [*contents[:90], "ff" * 8, *contents[91:]]
    calls = [Call("f", (f"stack {' '.join(words)}",)) for words in (contents, other)]
    same, differs = (side_by_side(trace(calls[0]), trace(c))[0] for c in calls)
    assert len(same) <= 2 * LONGEST + 3 and " | " not in same and "…" in same
    assert len(differs) <= 2 * LONGEST + 3 and " | " in differs
    left, right = differs.split(" | ")
    assert contents[90] in left and "ff" * 8 in right
