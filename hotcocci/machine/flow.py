# SPDX-License-Identifier: GPL-2.0
"""Follow the state of user access along every path of a function in object code."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

from hotcocci.machine import code
from hotcocci.machine.code import Architecture, Instruction, Marks
from hotcocci.machine.elf import COLD, Address, ObjectFile, Symbol

# How many windows are open. After a nested window and one end it is unknown: hardware and source
# disagree, and the nesting was already reported.
NONE = 0
ONE = 1
NESTED = 2
UNSURE = 3
OPENED = {NONE: ONE, ONE: NESTED, NESTED: NESTED, UNSURE: UNSURE}
CLOSED = {NONE: NONE, ONE: NONE, NESTED: UNSURE, UNSURE: UNSURE}


@dataclass(frozen=True)
class State:
    """The number of open windows, and that number when user access was last saved."""

    windows: int = NONE
    saved: int | None = None


@dataclass(frozen=True)
class Spot:
    """The last statement of one function on a path with the window open.

    ``line`` is that of the last statement that is not a return, ``fault`` is true if an access
    in it faulted, ``shown`` is the line of the return that the object code shows after it, or 0.
    """

    line: int = 0
    fault: bool = False
    shown: int = 0


@dataclass(frozen=True)
class Last:
    """The last statements in the function itself and in the inlined one that opened the window."""

    outer: Spot = Spot()
    inner: Spot = Spot()

    def faulted(self) -> Last:
        """The same statements, left by a fault."""
        return Last(replace(self.outer, fault=True), replace(self.inner, fault=True))


@dataclass(frozen=True)
class Event:
    """A problem at an instruction.

    ``what`` is CALL or RETURN with a window open, OPEN in one, CLOSE without one, or UNKNOWN. ``begun`` are the
    instructions that may have opened the window, ``last`` the last statements before a RETURN.
    """

    what: str
    address: Address
    callee: str = ""
    begun: frozenset[Address] = frozenset()
    last: frozenset[Last] = frozenset()


@dataclass
class _Facts:
    """The facts about an instruction in one state."""

    begun: set[Address] = field(default_factory=set)
    last: set[Last] = field(default_factory=set)


# An edge from an instruction: where to, None if it leaves the function, and whether it is a fault
_Edge = tuple[Address | None, bool]
# Updates `Last` at an instruction, given the instructions that opened the window
Watch = Callable[[Address, frozenset[Address], Last], Last]


class Flow:
    """The functions of one object, ``object``."""

    def __init__(
        self,
        obj: ObjectFile,
        architecture: Architecture,
        marks: Marks,
        noreturn: frozenset[str],
        watch: Watch,
    ) -> None:
        self.object = obj
        self._architecture = architecture
        self._marks = marks
        self._noreturn = noreturn
        self._watch = watch
        self._faults = code.faults(obj)
        self._warnings = code.warnings(obj)
        self._tables = code.tables(obj)
        self._code: dict[Address, Instruction] = {}
        self._decoded: set[Address] = set()
        self._known_heads: dict[Address, list[Address]] = {}

    def functions(self) -> list[Symbol]:
        """The functions that open or close user access themselves, by name."""
        everything = self.object.functions
        holders = {h for address in self._marks.at if (h := self.holder(address))}
        if any(self.helper(function.name) for function in everything):
            # Any of them may call one.
            holders |= {f for f in everything if COLD not in f.name}
        own = (holder for holder in holders if not self.helper(holder.name))
        return sorted(own, key=lambda holder: holder.name)

    def holder(self, address: Address) -> Symbol | None:
        """The function that an instruction belongs to, which may be in its .cold part."""
        symbol = self.object.function_at(address)
        if symbol is None or COLD not in symbol.name:
            return symbol
        return self.called(symbol.name.partition(COLD)[0]) or symbol

    def events(self, function: Symbol, inside: bool = False) -> list[Event]:
        """The problems in a function entered without a window, or ``inside`` one.

        If ``inside``, returning with the window open is not a problem.
        """
        assert function.address is not None
        facts: dict[tuple[Address, State], _Facts] = {}
        todo = [(function.address, State(ONE if inside else NONE), _Facts())]
        while todo:
            address, state, arriving = todo.pop()
            known = facts.get((address, state))
            if known is None:
                known = facts[address, state] = _Facts()
            elif arriving.begun <= known.begun and arriving.last <= known.last:
                continue
            known.begun |= arriving.begun
            known.last |= arriving.last
            insn = self.instruction(address)
            if insn is None:
                continue
            after, left = self._after(insn, state, known)
            for to, fault in self._edges(insn, function, state):
                if to is not None:
                    last = {x.faulted() for x in left.last} if fault else left.last
                    todo.append((to, after, _Facts(left.begun, last)))
        found: list[Event] = []
        for (address, state), known in facts.items():
            found += self._wrong(address, state, known, function)
        return [e for e in found if not (inside and e.what == code.RETURN)]

    def onward(self, insn: Instruction, function: Symbol) -> list[Address]:
        """The successors of an instruction that does not fault.

        Patchable code such as static branches is taken as the object has it. The targets of a jump table are all
        code that is not reached otherwise, as its entries are plain numbers on most architectures.
        """
        successors = [to for to in self._onward(insn, function) if to is not None]
        heads = self._heads(function) if insn.kind == code.INDIRECT else []
        return successors + heads

    def _heads(self, function: Symbol) -> list[Address]:
        """The starts of code in a function that is only reached through a jump table."""
        assert function.address is not None
        if function.address in self._known_heads:
            return self._known_heads[function.address]
        at, end = function.address, function.address.offset + function.size
        insns = []
        targets = {function.address}.union(*code.jump_labels(self.object).values())
        while at.offset < end:
            insn = self.instruction(at)
            if insn is None:
                break
            insns.append(insn)
            if insn.kind in (code.JUMP, code.BRANCH) and insn.target is not None:
                targets.add(insn.target)
            targets |= {*self._faults.get(at, ()), *self._marks.edges.get(at, ())}
            at = insn.following
        found: list[Address] = []
        reached = False
        for insn in insns:
            reached = reached or insn.address in targets
            if not reached and not insn.nop and insn.kind not in (code.TRAP, code.STOP):
                found.append(insn.address)
                reached = True
            # Padding is never executed.
            goes_on = reached and insn.kind != code.INDIRECT
            reached = goes_on and insn.following in self._onward(insn, function)
        self._known_heads[function.address] = found
        return found

    def faults(self, address: Address) -> tuple[Address, ...]:
        """The fixup addresses of an instruction; empty if it may not fault."""
        return self._faults.get(address, ())

    def called(self, callee: str) -> Symbol | None:
        """The function of this object that a call names."""
        return next((s for s in self.object.functions if s.name == callee), None)

    def _after(
        self, insn: Instruction, state: State, known: _Facts
    ) -> tuple[State, _Facts]:
        """The state after an instruction, and the facts there."""
        mark = self.mark(insn)
        windows, saved = state.windows, state.saved
        begun = known.begun
        if mark == code.OPEN:
            begun = begun | {insn.address} if windows else {insn.address}
            windows = OPENED[windows]
        elif mark == code.CLOSE:
            windows = CLOSED[windows]
        elif mark == code.SAVE and saved is None:
            windows, saved = NONE, windows
        elif mark == code.RESTORE and saved is not None:
            windows, saved = saved, None
        if windows == NONE and not saved:
            return State(windows, saved), _Facts()
        frozen = frozenset(begun)
        last = {self._watch(insn.address, frozen, x) for x in known.last or {Last()}}
        return State(windows, saved), _Facts(begun, last)

    def _edges(
        self, insn: Instruction, function: Symbol, state: State
    ) -> Iterator[_Edge]:
        """The edges from an instruction in a state."""
        choice = self._marks.choices.get(insn.address)
        if choice is not None:
            kind, opened = choice
            is_open = state.windows != NONE if kind == code.SAVE else bool(state.saved)
            successors = (insn.target, insn.following)
            yield from ((s, False) for s in successors if (s == opened) == is_open)
            return
        yield from ((target, True) for target in self.faults(insn.address))
        others = self._marks.edges.get(insn.address, ())
        yield from ((to, False) for to in (*others, *self._onward(insn, function)))

    def _onward(self, insn: Instruction, function: Symbol) -> Iterator[Address | None]:
        """The next instruction without faults and patching; None outside the function."""
        if insn.kind in (code.JUMP, code.BRANCH):
            inside = insn.target is not None and self._inside(insn.target, function)
            yield insn.target if inside else None
        if insn.kind == code.INDIRECT:
            held = (t for t in self._tables if self.object.function_at(t))
            others = (t for t in held if t != function.address)
            yield from [t for t in others if self._inside(t, function)] or (None,)
        if insn.kind == code.TRAP:
            ends = insn.address not in self._warnings or insn.address in self._faults
        elif insn.kind == code.CALL:
            ends = self.callee(insn) in self._noreturn
        else:
            ends = insn.kind in (code.JUMP, code.INDIRECT, code.RETURN, code.STOP)
        if not ends:
            yield insn.following

    def _wrong(
        self, address: Address, state: State, known: _Facts, function: Symbol
    ) -> Iterator[Event]:
        insn = self.instruction(address)
        if insn is None:
            return
        mark = self.mark(insn)
        begun = frozenset(known.begun)
        if mark == code.OPEN and state.windows in (ONE, NESTED):
            yield Event(code.OPEN, address, begun=begun)
        if mark == code.CLOSE and state.windows == NONE:
            yield Event(code.CLOSE, address)
        if mark == code.UNKNOWN:
            yield Event(code.UNKNOWN, address)
        exits = any(to is None for to, _ in self._edges(insn, function, state))
        if state.windows in (ONE, NESTED) and not mark:
            # PowerPC returns on conditions.
            returns = insn.kind == code.BRANCH and not (insn.target or insn.callee)
            if insn.kind == code.CALL or (exits and not returns):
                yield Event(code.CALL, address, self.callee(insn), begun)
        after, left = self._after(insn, state, known)
        if after.windows in (ONE, NESTED) and (insn.kind == code.RETURN or exits):
            yield Event(code.RETURN, address, begun=begun, last=frozenset(left.last))

    def mark(self, insn: Instruction) -> str:
        """The effect of an instruction on user access; empty for none."""
        mark = self._marks.at.get(insn.address)
        if mark is None and insn.kind in (code.CALL, code.JUMP) and self._marks.calls:
            return self.helper(self.callee(insn))
        return mark or ""

    def helper(self, name: str) -> str:
        """The effect of an out-of-line copy of an inline function on user access; empty for others."""
        return self._marks.calls.get(name.partition(".")[0], "")

    def callee(self, insn: Instruction) -> str:
        """The name of an instruction's callee; empty for a call through a pointer."""
        if insn.target is not None:
            holder = self.object.function_at(insn.target)
            if holder is not None:
                return holder.name
        return insn.callee

    def _inside(self, address: Address, function: Symbol) -> bool:
        """Whether a jump target belongs to a function or its .cold part."""
        assert function.address is not None
        holder = self.object.function_at(address)
        if holder is None:
            # Code between functions: .altinstr_aux, .fixup
            return True
        cold = holder.name.startswith(f"{function.name}{COLD}")
        return cold or holder.address == function.address

    def instruction(self, address: Address) -> Instruction | None:
        """The instruction at an address, None where there is no code."""
        if address in self._code:
            return self._code[address]
        if address.section not in self.object.executable:
            return None
        holder = self.object.function_at(address)
        end = len(self.object.data(address.section))
        if holder is not None and holder.address is not None:
            end = holder.address.offset + holder.size
            if holder.address not in self._decoded:
                self._decoded.add(holder.address)
                self._decode(holder.address, end)
        if address not in self._code:
            self._decode(address, min(end, address.offset + 256))
        return self._code.get(address)

    def _decode(self, start: Address, end: int) -> None:
        for insn in self._architecture.decode(self.object, start, end):
            self._code.setdefault(insn.address, insn)
