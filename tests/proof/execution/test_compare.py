# SPDX-License-Identifier: GPL-2.0
"""Permitted and forbidden differences between two runs."""

from __future__ import annotations

from dataclasses import replace

from hotcocci.proof import permitted as rows
from hotcocci.proof.execution.compare import LONGEST, Outcome, compare, side_by_side
from hotcocci.proof.execution.inputs import Argument, Result
from hotcocci.proof.execution.call_order import extra_calls, moved_calls
from hotcocci.proof.execution.permissions import Permissions
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
    Violation,
)
from hotcocci.proof.execution.x86 import LAYOUT

USER = 0x2000_0000
KERNEL = 0xFFFF_8880_0000_1000
FAULTS = "0xfffffff2"
# The call sites that may move, and a changed line that accesses user memory.
SITE = 0x100
CHANGED = Permissions(changed=frozenset({0}))
EARLY = Permissions(early=frozenset({SITE}))


def trace(
    *events: Event, result: str = "0x0", written: dict[int, int] | None = None
) -> Trace:
    return Trace(events, RETURNED, result, written or {}, ())


def store(offset: int, byte: int = 1, size: int = 4) -> Access:
    return Access(STORE, USER + offset, bytes([byte] * size))


def load(offset: int) -> Access:
    return Access(LOAD, USER + offset, bytes(4))


def test_equal_runs_are_the_same() -> None:
    one = trace(store(0), Call("f", ("0x1",)), store(4))
    assert compare(one, one, LAYOUT) == Outcome(True)


def test_order_value_and_number_of_accesses_count() -> None:
    old = trace(store(0), store(4))
    assert compare(old, trace(store(4), store(0)), LAYOUT).difference
    assert compare(old, trace(store(0), store(4, 2)), LAYOUT).difference
    assert "no longer made" in compare(old, trace(store(0)), LAYOUT).difference
    assert "not made before" in compare(trace(store(0)), old, LAYOUT).difference
    assert compare(trace(load(0)), trace(load(0), load(0)), LAYOUT).difference


def test_two_words_are_not_one_double_word() -> None:
    wide = Access(STORE, USER, bytes(8))
    narrow = (Access(STORE, USER, bytes(4)), Access(STORE, USER + 4, bytes(4)))
    assert compare(trace(*narrow), trace(wide), LAYOUT).difference
    # A copy has no access width.
    block = replace(wide, block=True)
    assert compare(trace(block), trace(*narrow), LAYOUT) == Outcome(True)


def test_the_return_value_counts() -> None:
    assert "returned" in compare(trace(), trace(result="0x1"), LAYOUT).difference


def test_later_accesses_may_stop_only_after_a_fault() -> None:
    fault = Fault(STORE, USER, 4)
    old = trace(fault, store(4), result=FAULTS)
    new = trace(fault, result=FAULTS)
    assert compare(old, new, LAYOUT, CHANGED).permitted == {rows.STOPS}
    assert compare(new, old, LAYOUT, CHANGED).difference
    # The change has nothing to do with this access.
    assert compare(old, new, LAYOUT).difference
    assert compare(trace(store(4)), trace(), LAYOUT).difference


def test_a_destination_need_not_be_zeroed() -> None:
    fault = Fault(LOAD, USER, 4)
    zeroed = trace(fault, result=FAULTS, written={KERNEL: 0})
    alone = trace(fault, result=FAULTS)
    permissions = Permissions(destinations={hex(USER): frozenset({hex(KERNEL)})})
    assert compare(zeroed, alone, LAYOUT, permissions).permitted == {rows.ZEROED}
    assert compare(zeroed, alone, LAYOUT, permissions).left == {hex(KERNEL)}
    assert compare(alone, zeroed, LAYOUT, permissions).difference
    other = trace(fault, result=FAULTS, written={KERNEL: 7})
    assert compare(other, alone, LAYOUT, permissions).difference
    assert compare(zeroed, other, LAYOUT, permissions).difference
    # A byte that happens to be 0 is not a destination, nor is that of a successful load.
    assert compare(zeroed, alone, LAYOUT).difference
    loaded = Access(LOAD, USER, bytes(4))
    later = Fault(LOAD, USER + 4, 4)
    old = trace(loaded, later, result=FAULTS, written={KERNEL: 0})
    assert compare(
        old, trace(loaded, later, result=FAULTS), LAYOUT, permissions
    ).difference


def test_a_destination_is_identified_by_its_origin() -> None:
    fault = Fault(LOAD, USER + 4, 4)
    led = {USER: Argument(1), KERNEL: Argument(0)}
    old = trace(fault, result=FAULTS, written={KERNEL + 8: 0})
    old, new = (replace(t, pointed=led) for t in (old, trace(fault, result=FAULTS)))
    permissions = Permissions(
        destinations={"argument 1+0x4": frozenset({"argument 0+0x8"})}
    )
    assert compare(old, new, LAYOUT, permissions).left == {"argument 0+0x8"}


def test_a_call_may_not_see_a_destination_left_unzeroed() -> None:
    fault = Fault(LOAD, USER, 4)
    permissions = Permissions(destinations={hex(USER): frozenset({hex(KERNEL)})})

    def runs(name: str, argument: int) -> tuple[Trace, Trace]:
        was = Call(name, (hex(argument),), frozenset({(KERNEL, 0)}))
        now = Call(name, (hex(argument),))
        old = trace(fault, was, result=FAULTS, written={KERNEL: 0})
        return old, trace(fault, now, result=FAULTS)

    far = KERNEL + (1 << 20)
    assert compare(*runs("show", far), LAYOUT, permissions).permitted == {rows.ZEROED}
    assert compare(*runs("show", KERNEL), LAYOUT, permissions).difference
    assert not compare(*runs("mutex_unlock", KERNEL), LAYOUT, permissions).difference
    assert not compare(*runs("kfree", KERNEL), LAYOUT, permissions).difference


def test_a_range_beyond_user_space_may_be_refused_at_once() -> None:
    end = LAYOUT.user_high
    before = Access(STORE, end - 4, bytes(4))
    old = trace(before, Fault(STORE, end, 4), result=FAULTS)
    new = trace(result=FAULTS)
    assert compare(old, new, LAYOUT, CHANGED).permitted == {rows.REFUSED}
    # A missing page is different.
    missing = trace(store(0), Fault(STORE, USER + 4, 4), result=FAULTS)
    assert compare(missing, trace(result=FAULTS), LAYOUT).difference


def test_a_pointer_to_kernel_memory_may_be_refused() -> None:
    old = replace(trace(), unchecked=frozenset({KERNEL, KERNEL + 4}))
    new = trace(result=FAULTS)
    assert compare(old, new, LAYOUT).permitted == {rows.CHECKED}
    # Another access, which stays, may have used it before.
    before = replace(new, unchecked=frozenset({KERNEL}))
    assert compare(old, before, LAYOUT).permitted == {rows.CHECKED}
    assert compare(before, replace(old, result=""), LAYOUT).difference
    assert compare(trace(), new, LAYOUT).difference


def test_calls_must_see_the_same_memory() -> None:
    old = trace(Call("f", ("0x1",)))
    assert compare(old, trace(Call("f", ("0x2",))), LAYOUT).difference
    assert compare(old, trace(), LAYOUT).difference
    early = trace(Call("f", ("0x1",), frozenset({(KERNEL, 1)})))
    assert "memory differs" in compare(old, early, LAYOUT).difference


def test_calls_may_move_before_accesses_but_not_to_their_arguments() -> None:
    old = trace(store(0), Call("f", ("0x1",)), store(4))
    new = trace(Call("f", ("0x1",), site=SITE), store(0), store(4))
    assert moved_calls(old, new) == {Result("f", 0): SITE}
    assert compare(old, new, LAYOUT, EARLY).permitted == {rows.CALLED}
    # Only if some run shows that the result is part of a stored value
    assert (
        "no run shows that its result is stored" in compare(old, new, LAYOUT).difference
    )
    assert "used to precede" in compare(new, old, LAYOUT, EARLY).difference
    given = hex(USER)
    old = trace(store(0), Call("f", (given,)), store(4))
    new = trace(Call("f", (given,), site=SITE), store(0), store(4))
    assert compare(old, new, LAYOUT, EARLY).difference


def test_a_permission_covers_one_call() -> None:
    old = trace(store(0), Call("f", ("0x1",)), store(4), Call("f", ("0x2",)))
    new = trace(
        Call("f", ("0x1",), site=SITE), Call("f", ("0x2",), site=1), store(0), store(4)
    )
    assert moved_calls(old, new) == {Result("f", 0): SITE, Result("f", 1): 1}
    assert compare(old, new, LAYOUT, EARLY).difference


def test_a_moved_call_runs_even_if_an_access_faults() -> None:
    fault = Fault(STORE, USER, 4)
    old = trace(fault, result=FAULTS)
    new = trace(Call("f", ("0x1",), site=SITE), fault, result=FAULTS)
    assert compare(old, new, LAYOUT).difference
    assert compare(old, new, LAYOUT, EARLY).permitted == {rows.CALLED}
    assert extra_calls(old, new, EARLY.early) == {Result("f", 0)}


def test_violations_differ_unless_the_old_code_has_them() -> None:
    wrong = replace(trace(), violations=(Violation("open", 1),))
    assert compare(trace(), wrong, LAYOUT).difference == "open"
    assert not compare(wrong, wrong, LAYOUT).usable


def test_endless_runs_are_inconclusive() -> None:
    endless, oops = replace(trace(), end=ENDLESS), replace(trace(), end=OOPS)
    assert not compare(endless, trace(), LAYOUT).usable
    assert not compare(trace(), endless, LAYOUT).usable
    assert not compare(oops, trace(), LAYOUT).usable
    # The old code succeeded: the oops comes from the new code.
    assert compare(trace(), oops, LAYOUT).difference


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
