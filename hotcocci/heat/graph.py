# SPDX-License-Identifier: GPL-2.0
"""From entry points along calls: how often each function runs, and why."""

from __future__ import annotations

import heapq
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from hotcocci.heat.blocks import ERROR, IN_CASE, PER_LEVEL, command_word
from hotcocci.heat.entries import (
    COLD,
    COMMANDS,
    COMPAT,
    DEFINED,
    DISPATCHED,
    DRIVER_SLOTS,
    FROM_ASSEMBLY,
    IOCTL,
    REGISTERED,
    SLOTS,
    SYSTEM_CALLS,
    Entry,
)
from hotcocci.heat.index import INIT, Function, Index

CALL = 0.85
LOOP = 4.0
"""Rounds of a loop, as far as is known."""
MOST_ROUNDS = 8.0
"""What loops may add up to from an entry to a function: chains have many, and few of them go round often."""
SHARED = 0.7
"""The power of a number of callees of which one is meant: some are called far more often than others."""
LEAST = 1e-6
BOOT = Entry(0.00002, "boot")
_FACTORS = [
    (CALL * 2 ** (-(code // PER_LEVEL) / 2), LOOP ** (code % PER_LEVEL))
    for code in range(IN_CASE)
]
_ERROR = 2 ** (-ERROR / 2)
# Slots that only one structure of the table has, and whose names others hardly have.
_NAMES = [slot for _, slot in SLOTS]
_UNTYPED = {
    slot: e for (_, slot), e in SLOTS.items() if _NAMES.count(slot) == 1 and "_" in slot
}


@dataclass(frozen=True)
class Heat:
    """How often a function runs, from 0 up to 8, where 1 is once per read(); and what it runs once for."""

    value: float
    per: str


@dataclass
class _Node:
    """A function of a file, or all functions in the slots of one name."""

    file: str
    function: Function
    value: float = 0.0
    rounds: float = 1.0
    entry: Entry | None = None
    by_command: bool = False
    fixed: Entry | None = None


class _Graph:
    """All functions of a tree, and how often each runs as far as is known."""

    def __init__(self, indexes: Mapping[str, Index]) -> None:
        self._indexes = indexes
        self.own: dict[str, dict[str, list[_Node]]] = {}
        self._global: dict[str, list[_Node]] = {}
        self._units: dict[str, list[str]] = {}
        self._slots: dict[str, dict[str, set[tuple[str, str]]]] = {}
        self._slot_nodes: dict[str, _Node] = {}
        self._waiting: list[tuple[float, int, _Node]] = []
        self._pushed = 0
        for file, read in indexes.items():
            names = self.own[file] = {}
            header = file.endswith(".h")
            for function in read.functions:
                node = _Node(file, function, fixed=_entry_of(function))
                names.setdefault(function.name, []).append(node)
                if header or not function.static:
                    self._global.setdefault(function.name, []).append(node)
            for name in read.includes:
                other = os.path.normpath(os.path.join(os.path.dirname(file), name))
                self._units.setdefault(file, []).append(other)
                self._units.setdefault(other, []).append(file)

    def _called(self, file: str, name: str) -> list[_Node]:
        """The functions that a name stands for in a file."""
        found = self.own[file].get(name)
        if found:
            return found
        for other in self._units.get(file, ()):
            found = self.own.get(other, {}).get(name)
            if found:
                return found
        return self._global.get(name, [])

    def solve(self) -> None:
        for file, read in self._indexes.items():
            self._enter(file, read)
        while self._waiting:
            value, _, node = heapq.heappop(self._waiting)
            if -value == node.value:
                self._spread(node)

    def _enter(self, file: str, read: Index) -> None:
        """Give the entry points of a file their rates."""
        for nodes in self.own[file].values():
            for node in nodes:
                if node.fixed is not None:
                    self._raise(node, 0.0, 1.0, node.fixed)
        for kind, slot, name in read.slots:
            nodes = self._called(file, name)
            if not nodes:
                continue
            entry = SLOTS.get((kind, slot)) or DRIVER_SLOTS.get(slot)
            if entry is None and not kind:
                entry = _UNTYPED.get(slot)
            users = self._slots.setdefault(slot, {}).setdefault(kind, set())
            for node in nodes:
                users.add((node.file, name))
                if entry is not None:
                    self._raise(node, entry.rate, 1.0, entry)
        for command, name in read.rows:
            word = command_word(command)
            entry = COMMANDS[word] if word else Entry(IOCTL / 2, "ioctl")
            for node in self._called(file, name):
                self._raise(node, entry.rate, 1.0, entry)
        for kind, name in read.registered:
            for node in self._called(file, name):
                self._raise(node, REGISTERED[kind].rate, 1.0, REGISTERED[kind])
        for function in read.functions:
            for name, word in function.commands.items():
                entry = COMMANDS[word]
                # However seldom the ioctl function runs, as it is not one ioctl.
                factor, rounds = _FACTORS[function.calls[name] % IN_CASE % PER_LEVEL]
                for node in self._targets(file, name):
                    self._raise(node, entry.rate * factor * rounds, rounds, entry)
                    node.by_command |= node.entry is entry

    def _targets(self, file: str, name: str) -> list[_Node]:
        if name[0] == ">":
            node = self._slot(name[1:])
            return [node] if node else []
        return self._called(file, name.removeprefix("&"))

    def _slot(self, name: str) -> _Node | None:
        """The node of all functions in the slots of a name."""
        return (
            None
            if name not in self._slots
            else self._slot_nodes.setdefault(
                name, _Node(">", Function(name, False, {}))
            )
        )

    def _raise(self, node: _Node, value: float, rounds: float, entry: Entry) -> None:
        """Let a function run so often if that is more than was known."""
        if node.fixed is not None:
            # Its rate is known: who else calls it does not count.
            value, rounds, entry = node.fixed.rate, 1.0, node.fixed
        elif node.function.fatal:
            value *= _ERROR
        if value > node.value * 1.0001 and value > LEAST:
            node.value, node.rounds, node.entry = value, rounds, entry
            self._pushed += 1
            heapq.heappush(self._waiting, (-value, self._pushed, node))

    def _spread(self, node: _Node) -> None:
        """Hand on what a function has to all that it calls."""
        entry = node.entry
        assert entry is not None
        if node.file == ">":
            slot = node.function.name
            kinds = self._slots[slot]
            for kind, users in kinds.items():
                if (kind, slot) in SLOTS:
                    # Its rate is known: who calls through it does not count.
                    continue
                share = node.value / (len(users) * len(kinds)) ** SHARED
                for file, name in users:
                    for target in self.own[file][name]:
                        self._raise(target, share, node.rounds, entry)
            return
        value, before = node.value, node.rounds
        # The commands that any file takes are set-up.
        by_command = node.by_command or entry.per.endswith("ioctl()")
        for name, code in node.function.calls.items():
            if entry is BOOT and name[0] == "&":
                # It is registered at boot, to be called later.
                continue
            factor, more = _FACTORS[code % IN_CASE]
            if code >= IN_CASE and name not in node.function.commands and by_command:
                # Another command than the one that leads here.
                factor *= _ERROR
            rounds = min(before * more, MOST_ROUNDS)
            heat = value * factor * rounds / before
            if heat > LEAST:
                for target in self._targets(node.file, name):
                    if heat > target.value:
                        self._raise(target, heat, rounds, entry)


def _entry_of(function: Function) -> Entry | None:
    if function.entry:
        if function.entry == INIT:
            return BOOT
        return DEFINED.get(function.entry) or DISPATCHED[function.entry]
    name = function.name
    if name.startswith("sys_"):
        name = name[4:]
        return SYSTEM_CALLS.get(name) or Entry(COLD, f"{name}()")
    if name.startswith("compat_sys_"):
        name = name[11:].removeprefix("ia32_")
        known = SYSTEM_CALLS.get(name) or Entry(COLD, f"{name}()")
        return Entry(known.rate * COMPAT, f"32-bit {known.per}", known.each)
    return FROM_ASSEMBLY.get(name)


def derive(indexes: Mapping[str, Index]) -> Iterator[tuple[str, str, Heat]]:
    """File, function and heat of all functions that anything leads to, given each file's index.

    System calls have the name in SYSCALL_DEFINE().
    """
    graph = _Graph(indexes)
    graph.solve()
    for file, names in graph.own.items():
        for name, nodes in names.items():
            best = max(nodes, key=lambda node: node.value)
            if best.entry is not None:
                short = (
                    name.removeprefix("compat_").removeprefix("sys_")
                    if name.startswith(("sys_", "compat_sys_"))
                    else name
                )
                yield file, short, Heat(best.value, _reason(best, best.entry))


def _reason(node: _Node, entry: Entry) -> str:
    """What a function runs once for, in about five words."""
    if node.rounds > 1:
        if entry.each:
            return f"per {entry.each}"
        return f"in a loop per {entry.per}"
    share = node.value / entry.rate
    if share >= 0.2:
        return f"per {entry.per}"
    return f"{'at times' if share >= 0.02 else 'seldom'} per {entry.per}"
