# SPDX-License-Identifier: GPL-2.0
"""Report the loads of a function, also if it is only inlined into others: their chains and cache lines."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from types import MappingProxyType
from typing import Any

import capstone

from hotcocci.engines.perf_annotate import Annotated
from hotcocci.engines.perf_report import canonical
from hotcocci.machine.code import (
    BRANCH,
    CALL,
    INDIRECT,
    JUMP,
    PLAIN,
    RETURN,
    STOP,
    Instruction,
    jump_labels,
)
from hotcocci.machine.dwarf import Lines
from hotcocci.machine.elf import Address, ObjectFile, Symbol
from hotcocci.machine.steps import Called, Code, Load, Point, call, called, step
from hotcocci.machine.values import State, Variables
from hotcocci.machine.x86 import LONGEST, X86

ENDS = (RETURN, STOP, INDIRECT)


class Reader:
    """The code of an object compiled with -g. Raises ElfError if it cannot be read."""

    def __init__(self, obj: ObjectFile) -> None:
        self.object = obj
        self._variables = Variables(obj)
        self._flow = X86(64)
        self._decoder = capstone.Cs(capstone.CS_ARCH_X86, capstone.CS_MODE_64)
        self._decoder.detail = True
        self._decoder.skipdata = True
        self._labels = jump_labels(obj)

    def read(self, function: Symbol) -> tuple[list[Load], list[Called]]:
        """The loads and calls of a function, by address. Its unlikely part in another section is left out."""
        start = function.address
        assert start is not None, "only functions of the object have code"
        end = start.offset + function.size
        flow = {i.address: i for i in self._flow.decode(self.object, start, end)}
        data = self.object.data(start.section)[start.offset : end]
        details = {
            Address(start.section, insn.address): insn
            for insn in self._decoder.disasm(data, start.offset)
        }
        held = self._variables.held(function.name)
        code = Code(self.object, self._variables, held, self._decoder, flow, details)
        states = self._states(code, start)
        loads: list[Load] = []
        calls: list[Called] = []
        for address in sorted(states):
            callee = flow[address].callee
            if callee:
                at = Point(code, address, states[address], details.get(address))
                calls.append(called(at, callee))
            loads += _executed(code, address, states[address].copy())
        return loads, calls

    def _states(self, code: Code, start: Address) -> dict[Address, State]:
        """The known state before each instruction that can be reached."""
        states = {start: State()}
        todo = [start]
        while todo:
            address = todo.pop()
            after = states[address].copy()
            _executed(code, address, after)
            for following in self._following(code.flow[address]):
                known = states.get(following)
                met = after.copy() if known is None else known.met(after)
                if following in code.flow and known != met:
                    states[following] = met
                    todo.append(following)
        return states

    def _following(self, insn: Instruction) -> Iterator[Address]:
        if insn.kind in (JUMP, BRANCH) and insn.target is not None:
            yield insn.target
        if insn.kind not in ENDS and insn.kind != JUMP:
            yield insn.following
        yield from self._labels.get(insn.address, ())


def _executed(code: Code, address: Address, state: State) -> list[Load]:
    insn, detail = code.flow[address], code.details.get(address)
    # Without an id it is no instruction.
    if insn.nop or detail is None or detail.id == 0:
        return []
    at = Point(code, address, state, detail)
    if insn.kind == CALL:
        return call(at, insn.callee)
    return step(at) if insn.kind == PLAIN else []


LINE = 64
NO_SHARES: Mapping[Address, float] = MappingProxyType({})
# In operands in AT&T syntax: immediates, distances before a register, and addresses
_IMMEDIATE = re.compile(r"\$-?(?:0x)?[0-9a-f]+")
_DISTANCE = re.compile(r"-?(?:0x[0-9a-f]+|\d+)(?=\()")
_ABSOLUTE = re.compile(r"(?<![\w%(,])(?:0x[0-9a-f]+|\d+)(?![\w(])")


@dataclass(frozen=True)
class Chain:
    """Loads of which each waits for the one before.

    ``others`` are the names of further loads that wait for the last but one.
    """

    loads: tuple[Load, ...]
    others: tuple[str, ...]


@dataclass(frozen=True)
class Touched:
    """The members of one structure that loads read, by the cache line that they are in.

    Lines count from the start of the structure, which is taken to begin on one.
    """

    record: str
    lines: Mapping[int, tuple[str, ...]]


def chains(
    loads: Sequence[Load], least: int, shares: Mapping[Address, float] = NO_SHARES
) -> list[Chain]:
    """The chains of at least ``least`` loads: those with the hottest load first, then the longest.

    There is one for each load that no other waits for: the longest that ends there, with no load
    twice, and one way round each loop. ``shares`` says how hot each load is.
    """
    by_address = {load.address: load for load in loads}
    waited = {address for load in loads for address in load.after}
    longest = _longest(by_address)
    alike: dict[tuple[str, ...], list[tuple[Load, ...]]] = {}
    for load in loads:
        chain = longest[load.address]
        if load.address not in waited and len(chain) >= least:
            alike.setdefault(tuple(map(_step, chain[:-1])), []).append(chain)
    found = []
    for same in alike.values():
        first, *rest = sorted(same, key=lambda each: -shares.get(each[-1].address, 0.0))
        names = dict.fromkeys(c[-1].name for c in rest if c[-1].name)
        names.pop(first[-1].name, None)
        found.append(Chain(first, tuple(names)))

    def order(each: Chain) -> tuple[float, int, Address]:
        hottest = max(shares.get(load.address, 0.0) for load in each.loads)
        return -hottest, -len(each.loads), each.loads[-1].address

    return sorted(found, key=order)


def _step(load: Load) -> str:
    own = load.member
    return f"{own.record}.{own.path}" if own.record else str(load.address)


def _longest(loads: Mapping[Address, Load]) -> dict[Address, tuple[Load, ...]]:
    """The longest chain to each load, without what closes a loop where a search first meets it."""
    done: dict[Address, tuple[Load, ...]] = {}
    begun: set[Address] = set()
    for start in loads:
        todo = [start]
        while todo:
            load = loads[todo[-1]]
            before = [a for a in sorted(load.after) if a in loads]
            new = [a for a in before if a not in begun]
            if load.address not in begun:
                begun.add(load.address)
                todo += new
                continue
            todo.pop()
            ways = (done[a] for a in before if a in done)
            done.setdefault(load.address, (*max(ways, key=len, default=()), load))
    return done


def touched(loads: Sequence[Load]) -> list[Touched]:
    """The structures that loads read, those with most lines first."""
    found: dict[str, dict[int, dict[str, None]]] = {}
    for load in loads:
        own = load.member
        if own.record:
            lines = found.setdefault(own.record, {})
            lines.setdefault(own.offset // LINE, {})[own.path] = None
    made = [
        Touched(record, {line: tuple(lines[line]) for line in sorted(lines)})
        for record, lines in found.items()
    ]
    return sorted(made, key=lambda each: (-len(each.lines), each.record))


@dataclass(frozen=True)
class Loads:
    """The loads of a function: how often from known members, in which chains, from which lines; its calls.

    ``holder`` is the function whose machine code it is in, ``sampled`` how hot the loads there are,
    None if perf did not annotate it.
    """

    function: str
    holder: str
    count: int
    typed: int
    chains: tuple[Chain, ...]
    touched: tuple[Touched, ...]
    calls: tuple[Called, ...]
    sampled: Sampled | None = None


def loads_of(
    reader: Reader,
    lines: Lines,
    function: str,
    least: int,
    annotated: Sequence[Annotated] = (),
) -> Iterator[Loads]:
    """The loads of a function in each function that has its code; none if it has no code.

    Of a function that is inlined, the chains are those with two or more loads in its code.
    """
    functions = reader.object.functions
    own = [(symbol, None) for symbol in functions if symbol.name == function]
    for symbol, pieces in own or _holders(reader, lines, function):
        every, calls = reader.read(symbol)

        def is_inside(address: Address) -> bool:
            ends = ((at, Address(at.section, at.offset + n)) for at, n in pieces or ())
            return pieces is None or any(at <= address < end for at, end in ends)

        inside = [load for load in every if is_inside(load.address)]
        addresses = {load.address for load in inside}
        hot = sampled(reader.object, lines, symbol, every, annotated)
        long = tuple(
            chain
            for chain in chains(every, least, hot.shares if hot else NO_SHARES)
            if sum(load.address in addresses for load in chain.loads) >= min(2, least)
        )
        typed = sum(bool(load.member.record) for load in inside)
        own_calls = tuple(call for call in calls if is_inside(call.address))
        counts = len(inside), typed
        records = tuple(touched(inside))
        yield Loads(function, symbol.name, *counts, long, records, own_calls, hot)


def _holders(
    reader: Reader, lines: Lines, function: str
) -> list[tuple[Symbol, list[tuple[Address, int]]]]:
    """The functions that a function is inlined into, by name, and its code there."""
    found: dict[str, tuple[Symbol, list[tuple[Address, int]]]] = {}
    for pieces in lines.stretches(function).values():
        for piece, size in pieces:
            holder = reader.object.function_at(piece)
            if holder is not None:
                found.setdefault(holder.name, (holder, []))[1].append((piece, size))
    return [found[name] for name in sorted(found)]


@dataclass(frozen=True)
class Sampled:
    """The share of the samples of its function that each load has, in percent.

    ``by_line`` is set if these are of source lines, as the annotated code is of another build.
    ``shares`` is empty if the lines are not known either.
    """

    shares: Mapping[Address, float]
    by_line: bool


def sampled(
    obj: ObjectFile,
    lines: Lines,
    symbol: Symbol,
    loads: Sequence[Load],
    annotated: Sequence[Annotated],
) -> Sampled | None:
    """The shares of a function's loads; None if it is not annotated, or has none."""
    start = symbol.address
    known = [each for each in annotated if each.name == canonical(symbol.name)]
    if not known or not loads or start is None:
        return None
    decoder = capstone.Cs(capstone.CS_ARCH_X86, capstone.CS_MODE_64)
    decoder.syntax = capstone.CS_OPT_SYNTAX_ATT
    decoder.detail = True
    for each in known:
        rows = {
            load.address: each.rows.get(load.address.offset - start.offset + each.start)
            for load in loads
        }
        if all(
            row and _is_same(obj, decoder, at, row.text) for at, row in rows.items()
        ):
            shares = {at: row.share for at, row in rows.items() if row is not None}
            return Sampled(shares, by_line=False)
    # Static functions may share a name: the one of this file has its lines.
    found = (_by_line(lines, loads, each) for each in known)
    return Sampled(max(found, key=lambda each: sum(each.values())), by_line=True)


def _by_line(
    lines: Lines, loads: Sequence[Load], annotated: Annotated
) -> dict[Address, float]:
    shares: dict[tuple[str, int], float] = defaultdict(float)
    for row in annotated.rows.values():
        if row.line is not None:
            shares[row.line] += row.share
    found = {}
    for load in loads if shares else ():
        for frame in lines.frames(load.address)[:1]:
            place = PurePath(frame.file).name, frame.line
            found[load.address] = shares.get(place, 0.0)
    return found


def _is_same(obj: ObjectFile, decoder: Any, address: Address, text: str) -> bool:
    """Whether an instruction of an object is the one that perf printed, whatever was linked."""
    code = obj.data(address.section)[address.offset : address.offset + LONGEST]
    insn = next(decoder.disasm(code, address.offset))
    own, words = insn.mnemonic.split(), text.split()
    # perf may leave out the letter for the size.
    if any(word not in (n, n[:-1]) for word, n in zip(words, own, strict=False)):
        return False
    at = address.offset + insn.disp_offset
    linked = "%rip" in insn.op_str or at in obj.relocations(address.section)
    operands = " ".join(words[len(own) :])
    return _operands(insn.op_str, linked) == _operands(operands, linked)


def _operands(text: str, linked: bool) -> str:
    """Operands as disassemblers agree on them, without what a linker fills in."""
    text = re.sub(r"\s|<.*>|%[de]s:", "", text)
    text = _ABSOLUTE.sub("", _IMMEDIATE.sub("$", text))
    text = _DISTANCE.sub(lambda m: "" if linked else f"{int(m[0], 0) or ''}", text)
    return text.replace(",1)", ")")
