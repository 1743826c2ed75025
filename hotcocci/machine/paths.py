# SPDX-License-Identifier: GPL-2.0
"""Find the success path of a function: the instructions it runs if no user access fails.

This is the shortest path with the maximum number of the given accesses that also closes user
access again. An error path skips later accesses, so it is never chosen, however the source handles
errors. Jump labels and alternatives are taken as the object has them.

In a loop, the caller gives the number of accesses.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from hotcocci.machine.code import CLOSE, OPEN, RETURN, Instruction
from hotcocci.machine.elf import Address, Symbol
from hotcocci.machine.flow import Flow

# The address reached, the number of accesses made, and whether user access is open
_State = tuple[Address, int, bool]
Weigh = Callable[[Instruction], int]


@dataclass(frozen=True)
class Paths:
    """The non-faulting paths through a function.

    ``most`` is the maximum number of accesses on a path without back edges, ``loops`` is true
    if an access is in a loop.
    """

    flow: Flow
    function: Symbol
    accesses: frozenset[Address]
    onward: Mapping[Address, tuple[Address, ...]]
    most: int
    loops: bool

    def shortest(
        self, accesses: int, weigh: Weigh, to_return: bool = False
    ) -> tuple[Instruction, ...] | None:
        """The path of least weight with this number of accesses; None if there is none.

        It ends where user access is closed after the last one, or at a return if ``to_return``.
        """
        assert self.function.address is not None
        first = (self.function.address, 0, False)
        best = {first: 0}
        before: dict[_State, _State] = {}
        queue = [(0, first)]
        while queue:
            cost, state = heapq.heappop(queue)
            if cost > best[state]:
                continue
            address, made, opened = state
            insn = self.flow.instruction(address)
            if insn is None:
                continue
            made += address in self.accesses
            mark = self.flow.mark(insn)
            if mark in (OPEN, CLOSE):
                opened = mark == OPEN
            if made > accesses:
                continue
            there = insn.kind == RETURN if to_return else not opened
            if made == accesses and there:
                return self._back(state, before)
            further = cost + weigh(insn)
            for target in self.onward.get(address, ()):
                after = (target, made, opened)
                if further < best.get(after, further + 1):
                    best[after] = further
                    before[after] = state
                    heapq.heappush(queue, (further, after))
        return None

    def rest(self, last: Instruction) -> list[Instruction]:
        """The instructions that always follow one, up to and including the next branch."""
        found: list[Instruction] = []
        successors = self.onward.get(last.address, ())
        while len(successors) == 1:
            insn = self.flow.instruction(successors[0])
            if insn is None or insn in found:
                break
            found.append(insn)
            successors = self.onward.get(insn.address, ())
        return found

    def _back(
        self, state: _State, before: Mapping[_State, _State]
    ) -> tuple[Instruction, ...]:
        path = []
        at: _State | None = state
        while at is not None:
            insn = self.flow.instruction(at[0])
            assert insn is not None
            path.append(insn)
            at = before.get(at)
        return tuple(reversed(path))


def paths(flow: Flow, function: Symbol, accesses: frozenset[Address]) -> Paths:
    """Find the paths through a function with these accesses."""
    assert function.address is not None
    onward: dict[Address, tuple[Address, ...]] = {}
    # Back edges, which close loops.
    back: set[tuple[Address, Address]] = set()
    done: dict[Address, bool] = {}
    postorder: list[Address] = []
    stack = [(function.address, False)]
    while stack:
        address, left = stack.pop()
        if left:
            done[address] = True
            postorder.append(address)
            continue
        if address in done:
            continue
        insn = flow.instruction(address)
        if insn is None:
            continue
        done[address] = False
        stack.append((address, True))
        onward[address] = tuple(dict.fromkeys(flow.onward(insn, function)))
        for target in onward[address]:
            if done.get(target) is False:
                back.add((address, target))
            elif target not in done:
                stack.append((target, False))
    most: dict[Address, int] = {}
    # Post-order: successors come first.
    for address in postorder:
        further = [
            most.get(target, 0)
            for target in onward[address]
            if (address, target) not in back
        ]
        most[address] = (address in accesses) + max(further, default=0)
    loops = any(_comes_back(address, onward) for address in accesses)
    return Paths(flow, function, accesses, onward, most.get(function.address, 0), loops)


def _comes_back(start: Address, onward: Mapping[Address, tuple[Address, ...]]) -> bool:
    """Whether an instruction is in a loop."""
    seen: set[Address] = set()
    todo = list(onward.get(start, ()))
    while todo:
        address = todo.pop()
        if address == start:
            return True
        if address not in seen:
            seen.add(address)
            todo += onward.get(address, ())
    return False
