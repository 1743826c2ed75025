# SPDX-License-Identifier: GPL-2.0
"""From entry points along calls: how often each function runs, and why."""

from __future__ import annotations

import ctypes
import math
import os
from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, chain
from typing import Any

from hotcocci.heat.entries import (
    COMMANDS,
    DEFINED,
    DISPATCHED,
    DRIVER_SLOTS,
    FROM_ASSEMBLY,
    IOCTL,
    IOCTL_SLOTS,
    REGISTERED,
    INIT,
    OF_CALL,
    OF_COMPAT,
    SLOTS,
    Entry,
    entry_of,
)
from hotcocci.heat.index import (
    ERROR,
    IF,
    MOST_LOOPS,
    NAMED,
    PER_LEVEL,
    Index,
    library,
    parsed,
)

CALL = 0.85
LOOP = 4
"""Rounds of a loop, as far as is known."""
MOST_ROUNDS = 8
"""What loops may add up to from an entry to a function: chains have many, and few of them go round often."""
SHARED = 0.7
"""The power of a number of callees of which one is meant: some are called far more often than others."""
LEAST = 1e-6
SELDOM = 0.02
"""The share of the times that code runs below which it runs seldom."""
_SHARES = {"on some paths": 0.1, "seldom": 0.01}
"""What is taken for the share of the times that code runs, where only the word for it is known."""
BOOT = Entry(0.00002, "boot")
_DEFINED = {**DEFINED, **DISPATCHED, INIT: BOOT}
_FACTORS = [
    (CALL * 2 ** (-(code // PER_LEVEL) / 2), LOOP ** (code % PER_LEVEL))
    for code in range(NAMED)
]
_FACTORS.append((CALL * 2 ** (-IF / 2), 1))
# By 256 times the rounds so far plus the code of a call: the factor and the rounds of what is called.
_STEPS = [
    (factor * rounds / (before or 1), rounds)
    for before in range(LOOP**MOST_LOOPS + 1)
    for factor, more in 2 * _FACTORS
    for rounds in [min(before * more, MOST_ROUNDS)]
]
_ERROR = 2 ** (-ERROR / 2)
# Slots that only one structure of the table has, and whose names others hardly have.
_NAMES = [slot for _, slot in SLOTS]
_ANY_SLOTS = DRIVER_SLOTS | IOCTL_SLOTS
_UNTYPED = {
    slot: e for (_, slot), e in SLOTS.items() if _NAMES.count(slot) == 1 and "_" in slot
}


@dataclass(frozen=True)
class Heat:
    """The rate of a function, from 0 up to 8, where 1 is once per read(); and the operation that runs it."""

    value: float
    per: str


class _Graph:
    """All functions of a tree, and how often each runs as far as is known.

    A node is a function of a file, or all functions in the slots of one name; node 0 is what is not
    known. What a call leads to is a node or, as the complement of its number, a group of nodes of one
    name. All are numbers, in arrays: objects would take a gigabyte.
    """

    def __init__(
        self, indexes: Mapping[str, str], known: Mapping[str, Mapping[str, Heat]]
    ) -> None:
        self.values = array("d", [math.inf])
        self.entries: list[Entry | None] = [None]
        self.names: dict[str, str] = {}
        # What is known of a function: its value, its rounds, and its entry.
        self._fixed: dict[int, tuple[float, int, Entry]] = {}
        self._entered: dict[str, list[int]] = {}
        self._fatal: set[int] = set()
        self._first: dict[str, int] = {}
        self._global: dict[str, int] = {}
        self._groups: list[list[int]] = []
        # The architecture of each node's file, empty for most; and what a name stands for in one.
        self._arches = [""]
        self._in_arch: dict[tuple[str, int], int] = {}
        # The group of a node whose file has several of its name.
        self._twins: dict[int, int] = {}
        self._units: dict[str, list[str]] = {}
        for file, read in indexes.items():
            self._define(file, parsed(read), known.get(file, {}))
        self._functions = len(self.values)
        self.rounds = array("B", [1]) * self._functions
        self._by_command: set[int] = set()
        self._slot_nodes: dict[str, int] = {}
        self._slots: dict[int, dict[tuple[str, str], set[int]]] = {}
        # Calls of a node: from here on up to those of the next.
        self._starts = array("I", [0])
        self._targets = array("i")
        self._codes = array("B")
        # The nodes that have a value to hand on, and these values.
        self._waiting = array("i")
        self._given = array("d")

    def _define(self, file: str, read: Index, known: Mapping[str, Heat]) -> None:
        """Number the functions of a file."""
        first = self._first[file] = len(self.values)
        self.names[file] = read.names
        names = read.names.split()
        self.values.extend([0.0] * len(names))
        self.entries += [None] * len(names)
        self._arches += [_arch_of(file)] * len(names)
        visible = len(names) if file.endswith(".h") else int(read.visible)
        for node, name in enumerate(names[:visible], first):
            self._join(self._global, name, node)
        self._fatal.update(first + number for number in map(int, read.fatal.split()))
        entered = (each.split(".") for each in read.entries.split())
        entries = {first + int(number): _DEFINED[by] for number, by in entered}
        if OF_CALL in read.names or not FROM_ASSEMBLY.keys().isdisjoint(names):
            for node, name in enumerate(names, first):
                entry = entry_of(name)
                if entry is not None:
                    entries.setdefault(node, entry)
        fixed = {node: (entry.rate, 1, entry) for node, entry in entries.items()}
        for node, name in enumerate(names, first):
            if name in known:
                fixed[node] = _origin(known[name])
        if fixed:
            self._fixed.update(fixed)
            self._entered[file] = [*fixed]
        for name in read.includes.split("\n")[1:]:
            other = os.path.normpath(os.path.join(os.path.dirname(file), name))
            self._units.setdefault(file, []).append(other)
            self._units.setdefault(other, []).append(file)

    def _join(self, nodes: dict[str, int], name: str, node: int) -> None:
        """Let a name stand for one more node."""
        old = nodes.setdefault(name, node)
        if old < 0:
            self._groups[~old].append(node)
        elif old != node:
            nodes[name] = self._grouped([old, node])

    def _own(self, file: str) -> dict[str, int]:
        """The functions that names in a file refer to."""
        names = self.names.get(file, "").split()
        first = self._first.get(file, 0)
        nodes = dict(zip(names, range(first, first + len(names)), strict=True))
        if len(nodes) < len(names):
            nodes = {}
            for node, name in enumerate(names, first):
                self._join(nodes, name, node)
            for target in nodes.values():
                if target < 0:
                    self._twins.update(dict.fromkeys(self._groups[~target], target))
        return nodes

    def _group(self, target: int) -> Sequence[int]:
        """The nodes that a call leads to."""
        if target < 0:
            return self._groups[~target]
        return (target,) if target else ()

    def _seen_from(self, arch: str, target: int) -> int:
        """The functions that a call from code of an architecture may reach: never those of another one."""
        if not arch or not target:
            return target
        found = self._in_arch.get((arch, target))
        if found is None:
            every = self._group(target)
            nodes = [n for n in every if self._arches[n] in ("", arch)]
            if len(nodes) == len(every):
                found = target
            else:
                found = self._grouped(nodes) if len(nodes) > 1 else sum(nodes)
            self._in_arch[arch, target] = found
        return found

    def _grouped(self, nodes: list[int]) -> int:
        """What a call leads to that is to any of several nodes."""
        self._groups.append(nodes)
        return ~(len(self._groups) - 1)

    def enter(self, file: str, read: Index) -> None:
        """Add the calls of a file, and give its entry points their rates."""
        known: dict[str, int] = {}
        for other in reversed(self._units.get(file, ())):
            known.update(self._own(other))
        known.update(self._own(file))
        own, arch = known.get, _arch_of(file)

        def of_arch(name: str) -> int:
            return self._seen_from(arch, self._global.get(name, 0))

        # Most files are of no architecture; there are three million calls.
        others: Callable[[str], int | None] = of_arch if arch else self._global.get

        def called(name: str) -> Sequence[int]:
            return self._group(own(name) or others(name) or 0)

        for node in self._entered.get(file, ()):
            self._raise(node, *self._fixed[node])
        for each in read.slots.split():
            kind, slot, name = each.split(".")
            nodes = called(name)
            if nodes:
                self._fill(kind, slot, nodes)
        for each in read.rows.split():
            word, name = each.split(".")
            entry = COMMANDS[word] if word else Entry(IOCTL / 2, "ioctl")
            for node in called(name):
                self._raise(node, entry.rate, 1, entry)
        for each in read.registered.split():
            kind, name = each.split(".")
            for node in called(name):
                self._raise(node, REGISTERED[kind].rate, 1, REGISTERED[kind])

        def marked(name: str) -> int:
            if name[0] == ">":
                return self._slot(name[1:])
            return known[name[1:]] if name[0] == "&" else 0

        calls = read.calls.split()
        self._targets.extend([own(n) or others(n) or marked(n) for n in calls])
        self._codes.frombytes(bytes.fromhex(read.codes))
        if read.names:
            ends = (line.count(" ") for line in read.calls.split("\n"))
            self._starts.extend([*accumulate(ends, initial=self._starts[-1])][1:])
        for each in read.commands.split():
            name, word, code = each.split(".")
            # However seldom the ioctl function runs, as it is not one ioctl.
            entry = COMMANDS[word]
            factor, rounds = _FACTORS[int(code) % PER_LEVEL]
            for node in self._group(own(name) or others(name) or marked(name)):
                self._raise(node, entry.rate * factor * rounds, rounds, entry)
                if self.entries[node] is entry:
                    self._by_command.add(node)

    def _fill(self, kind: str, slot: str, nodes: Sequence[int]) -> None:
        """Put the functions of a name into a slot of a kind of structure."""
        entry = SLOTS.get((kind, slot)) or _ANY_SLOTS.get(slot)
        if entry is None and not kind:
            entry = _UNTYPED.get(slot)
        kinds = self._slots.setdefault(self._slot(slot), {})
        kinds.setdefault((kind, slot), set()).update(nodes)
        if entry is not None:
            for node in nodes:
                self._raise(node, entry.rate, 1, entry)

    def _slot(self, name: str) -> int:
        """The node of all functions in the slots of a name."""
        node = self._slot_nodes.get(name)
        if node is None:
            node = self._slot_nodes[name] = len(self.values)
            self.values.append(0.0)
            self.entries.append(None)
            self.rounds.append(1)
        return node

    def solve(self) -> None:
        """Hand on what all entry points have (graph.c)."""
        assert len(self._codes) == len(self._targets) == self._starts[-1]
        # It has 700,000 names, and nobody asks for one any more.
        self._global.clear()
        entered = {*self._waiting}
        known = [*{id(e): e for n in entered if (e := self.entries[n])}.values()]
        numbers = {id(entry): number for number, entry in enumerate(known)}
        entries = array("i", [-1]) * len(self.values)
        for node in entered:
            entries[node] = numbers[id(self.entries[node])]
        marks = array("B", [0]) * len(self.values)
        for bit, marked in enumerate((self._fixed, self._fatal, self._by_command)):
            for node in marked:
                marks[node] |= 1 << bit
        flags = [e.per.endswith("ioctl()") + 2 * (e is BOOT) for e in known]
        arrays: tuple[array[Any], ...] = (
            *(self.values, self.rounds, entries, marks),
            *(self._starts, self._targets, self._codes),
            array("I", accumulate(map(len, self._groups), initial=0)),
            array("i", chain.from_iterable(self._groups)),
            *self._shares(),
            *(array("d", [entry.rate for entry in known]), array("B", flags)),
            *(array(kind, each) for kind, each in zip("dB", zip(*_STEPS))),
            *(array("d", [number]) for number in (LEAST, _ERROR)),
            *(array("I", [number]) for number in (self._functions, len(known))),
        )
        pointers = (ctypes.c_void_p * len(arrays))(*map(_address, arrays))
        solve = library().solve
        solve.restype = ctypes.POINTER(_Through)
        solve.argtypes = [ctypes.c_void_p] * 3 + [ctypes.c_size_t]
        given = _address(self._waiting), _address(self._given), len(self._given)
        names = [*self._slot_nodes]
        for new in solve(pointers, *given):
            if new.slot < 0:
                break
            known.append(Entry(new.rate, f"call through ->{names[new.slot]}"))
        self.entries = [known[n] if n >= 0 else None for n in entries]

    def _shares(self) -> tuple[array[int] | array[float], ...]:
        """The first row of each slot, and by row what calls through it are divided by, the share of them
        below which another structure may be meant, the first user, and all users.
        """
        slots, rows = array("I", [0]), array("I", [0])
        divisors, floors, every = array("d"), array("d"), array("i")
        for slot in self._slot_nodes.values():
            kinds = self._slots.get(slot, {})
            for kind, nodes in kinds.items():
                if kind in SLOTS or kind[1] in IOCTL_SLOTS:
                    # Its rate is known: who calls through it does not count.
                    continue
                users = {self._twins.get(node, node) for node in nodes}
                divisors.append((len(users) * len(kinds)) ** SHARED)
                floors.append(SELDOM if len(kinds) > 1 else 0)
                every.extend(node for user in users for node in self._group(user))
                rows.append(len(every))
            slots.append(len(divisors))
        return slots, divisors, floors, rows, every

    def _raise(self, node: int, value: float, rounds: int, entry: Entry) -> None:
        """Let a function run so often if that is more than was known."""
        if node in self._fixed:
            # Its rate is known: who else calls it does not count.
            value, rounds, entry = self._fixed[node]
        elif node in self._fatal:
            value *= _ERROR
        if value > self.values[node] * 1.0001 and value > LEAST:
            self.values[node] = value
            self.rounds[node] = rounds
            self.entries[node] = entry
            self._waiting.append(node)
            self._given.append(value)


class _Through(ctypes.Structure):
    """An entry that graph.c makes."""

    _fields_ = (("rate", ctypes.c_double), ("slot", ctypes.c_int))


def _address(data: array[Any]) -> int:
    return data.buffer_info()[0]


def _arch_of(file: str) -> str:
    """The architecture that a file is of; user mode Linux takes the code of another one."""
    parts = file.split("/", 2)
    return parts[1] if parts[0] == "arch" and parts[1] != "um" else ""


def derive(
    indexes: dict[str, str], known: Mapping[str, Mapping[str, Heat]] | None = None
) -> Iterator[tuple[str, dict[str, Heat]]]:
    """The heat of all functions of each file that anything leads to, given each file's index as `spelled`.

    What is ``known`` of some functions of these files stays: others, which are not here, call them.

    System calls have the name in SYSCALL_DEFINE() with `OF_CALL` before it, and those of 32-bit programs with
    `OF_COMPAT`; and without, unless a function has that. Of several functions of one name in a file, the heat is
    that of the hottest. The indexes are removed as they are read: they take much memory.
    """
    graph = _Graph(indexes, known or {})
    for file in graph.names:
        graph.enter(file, parsed(indexes.pop(file)))
    graph.solve()
    node = 0
    # Many have the same: a tenth of all are different.
    made: dict[tuple[float, int, int], Heat] = {}
    for file, names in graph.names.items():
        found: dict[str, Heat] = {}
        for node, name in enumerate(names.split(), node + 1):
            entry = graph.entries[node]
            if entry is None:
                continue
            state = graph.values[node], graph.rounds[node], id(entry)
            heat = made.get(state)
            if heat is None:
                value, rounds, _ = state
                heat = made[state] = Heat(value, _reason(value, rounds, entry))
            if name not in found or found[name].value < heat.value:
                found[name] = heat
        calls = [name for name in found if name.startswith((OF_COMPAT, OF_CALL))]
        for name in sorted(calls, key=lambda name: -found[name].value):
            plain = name.removeprefix(OF_COMPAT).removeprefix(OF_CALL)
            found.setdefault(plain, found[name])
        if found:
            yield file, found


def _origin(heat: Heat) -> tuple[float, int, Entry]:
    """The value, rounds and entry of a function of which only the heat is known."""
    how, _, per = heat.per.partition("per ")
    entry = Entry(heat.value / _SHARES.get(how.strip(), 1.0), per)
    return heat.value, LOOP if how == "in a loop " else 1, entry


def _reason(value: float, rounds: int, entry: Entry) -> str:
    """The operation that runs a function once, in about five words."""
    per = f"per {entry.per}"
    if rounds > 1:
        per = f"per {entry.each}" if entry.each else f"in a loop {per}"
    return rarely(per, value / entry.rate)


def rarely(per: str, share: float) -> str:
    """The operation that runs code once, if it runs in this share of the cases."""
    if share >= 0.3 or per.startswith("seldom"):
        return per
    # How likely the conditions on the way hold is not known.
    rare = per.removeprefix("on some paths ").removeprefix("in a loop ")
    return f"{'on some paths' if share >= SELDOM else 'seldom'} {rare}"
