# SPDX-License-Identifier: GPL-2.0
"""The path of success: what a function runs where no user access faults.

It makes as many of the accesses that are asked about as a path can, closes user access again, and of
all such paths it is the one of the fewest instructions. An error leaves out the accesses
behind it, so that no path through an error's branch can be it, whatever the source calls an error.
Jump labels and alternatives stand as the object has them.

A loop makes an access as often as one likes: there the caller says how many are to be made.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from hotcocci.engines.machine.code import CLOSE, OPEN, RETURN, Instruction
from hotcocci.engines.machine.elf import Address, Symbol
from hotcocci.engines.machine.flow import Flow

# Where a path is, how many accesses it has made, and whether user access is open
_State = tuple[Address, int, bool]
Weigh = Callable[[Instruction], int]


@dataclass(frozen=True)
class Paths:
    """The ways through one function that nothing fails on.

    ``most`` is the largest number of accesses on a path that goes through no loop twice,
    ``loops`` whether one of them stands in a loop.
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
        """The path of least weight that makes this number of accesses, None if there is none.

        It ends where user access is closed behind the last one, or at a return.
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
        """What surely follows an instruction, up to and with the next branch."""
        found: list[Instruction] = []
        ways = self.onward.get(last.address, ())
        while len(ways) == 1:
            insn = self.flow.instruction(ways[0])
            if insn is None or insn in found:
                break
            found.append(insn)
            ways = self.onward.get(insn.address, ())
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
    """The ways through a function, as far as these accesses are concerned."""
    assert function.address is not None
    onward: dict[Address, tuple[Address, ...]] = {}
    # Ways back to where a path has been: what closes a loop.
    back: set[tuple[Address, Address]] = set()
    done: dict[Address, bool] = {}
    behind: list[Address] = []
    stack = [(function.address, False)]
    while stack:
        address, left = stack.pop()
        if left:
            done[address] = True
            behind.append(address)
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
    # Deepest first: what is behind an instruction is known before it.
    for address in behind:
        further = [
            most.get(target, 0)
            for target in onward[address]
            if (address, target) not in back
        ]
        most[address] = (address in accesses) + max(further, default=0)
    loops = any(_comes_back(address, onward) for address in accesses)
    return Paths(flow, function, accesses, onward, most.get(function.address, 0), loops)


def _comes_back(start: Address, onward: Mapping[Address, tuple[Address, ...]]) -> bool:
    """Whether an instruction can run a second time."""
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
