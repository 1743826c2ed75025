# SPDX-License-Identifier: GPL-2.0
"""Split the code of one side into blocks that end before anything that VEX does not model; live registers.

Joint states that differ only in dead registers compare equal: these are removed from the state. Reading one
by mistake raises an error and cannot lead to a wrong proof.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

import pyvex

from hotcocci.c.flow import closure
from hotcocci.proof.objects.image import Function
from hotcocci.proof.objects.processor import listing
from hotcocci.proof.symbolic.architecture import Decoded, Kind, Registers, Special
from hotcocci.proof.symbolic.memory import Terms
from hotcocci.proof.symbolic.prover import Question
from hotcocci.proof.symbolic.state import UnsupportedError

# Instructions that need no VEX
UNTRANSLATED = frozenset(
    map(Kind, "string trap opens closes nothing system fence port opaque".split())
)
# Size in bytes of the longest instruction
LONGEST = 15
# Limit on instructions of a block: a branch that forks runs its whole block again.
BLOCK = 24
# The largest function that is followed where both sides call it, in bytes.
SMALL = 256
CALL, RETURN = "Ijk_Call", "Ijk_Ret"
# Statements that may read any register
OPAQUE = ("Ist_PutI", "Ist_Dirty", "Ist_LoadG", "Ist_StoreG", "Ist_LLSC")
# A register that is set, one that is read, or the target of a jump.
Step = tuple[int | None, int | None, int | None]
UNKNOWN: Step = (None, None, None)


@dataclass
class Code:
    """One side of a question, with the terms that both sides share.

    Calls of the object's own functions are opaque, except those that the other side has inlined; ``entries`` are
    the start addresses of the opaque functions. ``caller`` is where the caller's part of the stack starts.
    """

    question: Question
    number: int
    terms: Terms
    caller: int
    blocks: dict[int, Block] = field(default_factory=dict)

    def __post_init__(self) -> None:
        side = self.question.sides[self.number]
        self.side = ("old", "new")[self.number]
        self.image, self.signatures, self.line = side.image, side.signatures, side.line
        self.arch = self.question.processor
        self.constants = self.arch.constants(self.image.registry)
        self.entries = self.image.opaque(self.question.inline[self.number])

    def stops(self, address: int) -> bool:
        """Whether a block must end before the instruction at an address."""
        image = self.image
        known = (image.fixups, image.labels, image.marks, image.routines)
        others = (image.volatile, image.bounds, self.entries)
        return any(address in each for each in (*known, *others))


@dataclass(frozen=True)
class Block:
    """Plain instructions in VEX, or one of another kind; ``last`` is the last one's address."""

    decoded: Decoded
    vex: pyvex.IRSB | None
    end: int
    last: int


def helpers(codes: tuple[Code, Code], functions: tuple[Function, Function]) -> set[str]:
    """The object's own functions that two functions call, if they are small, or the other side does not call them."""
    found = list[dict[str, int]]()
    for code, function in zip(codes, functions, strict=True):
        image, steps = code.image, listing(code.arch, code.image, function)
        targets = {step.target for _, step in steps} & code.entries.keys()
        own = (f for f in image.functions if f.start in targets)
        found.append({f.name: f.end - f.start for f in own if not image.is_weak(f)})
    small = {n for each in found for n, size in each.items() if size <= SMALL}
    return small | found[0].keys() ^ found[1].keys()


def block(code: Code, address: int) -> Block:
    """The block at an address, translated once. Raises UnsupportedError."""
    found = code.blocks.get(address)
    if found is None:
        found = code.blocks[address] = _block(code, address)
    return found


def _block(code: Code, address: int) -> Block:
    image, segment = code.image, code.image.segment(address)
    assert segment is not None
    start, data = segment
    first = code.arch.decode(_bytes(start, data, address), address)
    if first.kind == Kind.PLAIN:
        for known, kind in (
            (image.fixups, Kind.USER),
            (image.bounds, Kind.BOUND),
            (image.volatile, Kind.VOLATILE),
        ):
            if address in known:
                first = Decoded(first.length, kind, first.text)
                break
    elif address in image.fixups and first.kind not in (Kind.STRING, Kind.TRAP):
        # An atomic operation on user memory, as in futex code.
        raise UnsupportedError(f"an exception table entry for '{first.text}'")
    if first.kind != Kind.PLAIN:
        vex = None
        if first.kind not in UNTRANSLATED:
            vex = code.arch.lift(_bytes(start, data, address), address, 1)
        return Block(first, vex, address + first.length, address)
    at, count, decoded, last = address, 0, first, address
    while count < BLOCK:
        at, last, count = at + decoded.length, at, count + 1
        if decoded.ends or code.stops(at) or at >= start + len(data):
            break
        decoded = code.arch.decode(_bytes(start, data, at), at)
        if decoded.kind != Kind.PLAIN:
            break
    text = bytes(data[address - start : at - start])
    return Block(first, code.arch.lift(text, address, count), at, last)


def _bytes(start: int, data: bytearray, address: int) -> bytes:
    return bytes(data[address - start : address - start + LONGEST])


@dataclass(frozen=True)
class Node:
    """A basic block: the registers it reads and sets in order, and its successors.

    ``steps`` are in reverse order. ``reads`` and ``sets`` are those of a call at its end.
    ``anything``: nothing is known. ``last`` is the address of its last instruction.
    """

    steps: tuple[Step, ...] = ()
    after: tuple[int, ...] = ()
    reads: frozenset[int] = frozenset()
    sets: frozenset[int] = frozenset()
    anything: bool = False
    last: int = -1


@dataclass
class Liveness:
    """Live registers of one side, by pc and return address of the current user access routine."""

    code: Code
    nodes: dict[tuple[int, int], Node] = field(default_factory=dict)
    live: dict[tuple[int, int], frozenset[int]] = field(default_factory=dict)
    loops: dict[tuple[int, int], bool] = field(default_factory=dict)
    every: frozenset[int] = field(init=False)
    caller: frozenset[int] = field(init=False)

    def __post_init__(self) -> None:
        registers = self.code.arch.registers
        whole = self.code.arch.start(self.code.side)
        link = () if registers.link is None else (registers.link,)
        self.every = frozenset((*whole, *registers.arguments, registers.sp, *link))
        # What a function leaves to its caller.
        self.caller = frozenset(
            self.every - {*registers.spoiled, *self.code.arch.flags}
            | {*registers.results, registers.sp}
        )

    def at(self, pc: int, back: int) -> frozenset[int]:
        """The registers that may be read from an address on.

        ``back`` is the return address of the current user access routine, 0 outside of any.
        """
        if (pc, back) not in self.live:
            self._find(pc, back)
        return self.live[pc, back]

    def comes_back(self, pc: int, site: int) -> bool:
        """Whether control flow can lead from an address to the block that ends at ``site``."""
        if (pc, site) not in self.loops:
            self.at(pc, 0)
            reached = closure([pc], lambda at: _following(self.nodes[at, 0]))
            found = any(self.nodes[at, 0].last == site for at in reached)
            self.loops[pc, site] = found
        return self.loops[pc, site]

    def _find(self, pc: int, back: int) -> None:
        """Compute live registers for all code reachable from an address, by iteration."""

        def following(at: int) -> Iterator[int]:
            if (at, back) not in self.nodes:
                self.nodes[at, back] = self._node(at, back)
            return _following(self.nodes[at, back])

        places = closure([pc], following)
        live: dict[int, frozenset[int]] = dict.fromkeys(places, frozenset())
        changed = True
        while changed:
            changed = False
            for at in reversed(places):
                made = self._before(self.nodes[at, back], live)
                if made != live[at]:
                    live[at] = made
                    changed = True
        for at, found in live.items():
            self.live[at, back] = found

    def _before(self, node: Node, live: dict[int, frozenset[int]]) -> frozenset[int]:
        """The registers live before a block, given those live after it."""
        if node.anything:
            return self.every
        after = frozenset[int]().union(*(live[each] for each in node.after))
        found = set(after - node.sets | node.reads)
        for sets, reads, target in node.steps:
            if sets is not None:
                found.discard(sets)
            elif reads is not None:
                found.add(reads)
            elif target is not None:
                found |= live[target]
        return frozenset(found)

    def _node(self, pc: int, back: int) -> Node:
        if self.code.image.segment(pc) is None or pc in self.code.entries:
            # A tail call.
            return self._left(pc, back)
        try:
            found = block(self.code, pc)
        except UnsupportedError:
            return Node(anything=True)
        return replace(self._inside(pc, back, found), last=found.last)

    def _inside(self, pc: int, back: int, found: Block) -> Node:
        code, registers = self.code, self.code.arch.registers
        if pc in code.image.labels:
            label = code.image.labels[pc]
            return Node(after=(label.target, pc + found.decoded.length))
        marked = registers.marked if pc in code.image.marks else ()
        fixup = code.image.fixups.get(pc)
        kind = found.decoded.kind
        if code.image.routines.get(pc) in code.arch.whole:
            return Node(anything=True)
        if kind == Kind.STRING and fixup is not None:
            return Node(after=(found.end, fixup.target), anything=True)
        if kind in (Kind.STRING, Kind.SYSTEM, Kind.TRAP):
            return Node(after=(found.end,), reads=self.every)
        if found.vex is None:
            decoded = found.decoded
            places = (r for place in decoded.places for r in place[:2] if r >= 0)
            reads = frozenset((*marked, *decoded.reads, *places))
            return Node(after=(found.end,), reads=reads)
        steps = [*_steps(found.vex, registers)]
        if UNKNOWN in steps:
            return Node(anything=True)
        steps += [(None, each, None) for each in marked]
        # A faulting access has set nothing.
        steps += [(None, None, fixup.target)] if fixup is not None else []
        if found.vex.jumpkind == CALL:
            return self._called(found.vex, found.end, tuple(steps))
        if found.vex.jumpkind == RETURN:
            if code.image.function_at(pc) is not None:
                return Node(tuple(steps), reads=self.caller)
            return Node(tuple(steps), (back,)) if back else Node(anything=True)
        goes = _constant(found.vex)
        return Node(anything=True) if goes is None else Node(tuple(steps), (goes,))

    def _left(self, pc: int, back: int) -> Node:
        """A tail call, which returns to the caller."""
        registers = self.code.arch.registers
        special = self._special(pc)
        if special is not None and special.leaves:
            return Node(after=(back,) if back else (), reads=self.caller)
        if special is not None and special.register is not None:
            return Node(anything=True)
        # It returns to this function's caller.
        link = () if registers.link is None else (registers.link,)
        reads = frozenset((*registers.arguments, registers.results[0], *link))
        return Node(reads=reads | (self.caller - set(registers.results)))

    def _special(self, target: int | None) -> Special | None:
        """The treatment of a routine of other objects that is not called, None for others."""
        name = self.code.image.registry.outside(target) if target is not None else None
        return self.code.arch.special(name or "")

    def _called(self, vex: pyvex.IRSB, end: int, steps: tuple[Step, ...]) -> Node:
        code, registers = self.code, self.code.arch.registers
        reads = {*registers.arguments, registers.results[0], registers.sp}
        target = _constant(vex)
        own = target in code.image.routines
        if own:
            # Assembler routines have their own arguments and preserve other registers.
            reads |= set(registers.spoiled)
        special = self._special(target)
        if special is not None and special.register is not None:
            # The target may be in any register.
            reads |= self.every
        if target is not None and code.image.segment(target) is not None:
            # Code that is stepped into may read flags that have no meaning.
            reads |= set(code.arch.flags)
        kills = frozenset() if own else frozenset(registers.spoiled)
        return Node(steps, (end,), frozenset(reads), kills)


def _following(node: Node) -> Iterator[int]:
    yield from node.after
    yield from (target for _, _, target in node.steps if target is not None)


def _constant(vex: pyvex.IRSB) -> int | None:
    """The target of a jump if it is constant."""
    return int(vex.next.con.value) if vex.next.tag == "Iex_Const" else None


def _steps(vex: pyvex.IRSB, known: Registers) -> Iterator[Step]:
    """See Node."""
    yield from _reads((vex.next, *vex.next.child_expressions), vex, known)
    for statement in reversed(vex.statements):
        if statement.tag in OPAQUE:
            yield UNKNOWN
        elif statement.tag == "Ist_Exit":
            yield None, None, int(statement.dst.value)
        elif statement.tag == "Ist_Put":
            size = statement.data.result_size(vex.tyenv)
            register = known.whole(statement.offset, size)
            if register == statement.offset and size >= known.bits(register):
                yield register, None, None
        yield from _reads(statement.expressions, vex, known)


def _reads(
    expressions: Iterable[pyvex.expr.IRExpr], vex: pyvex.IRSB, known: Registers
) -> Iterator[Step]:
    for each in expressions:
        if each.tag == "Iex_GetI":
            yield UNKNOWN
        elif each.tag == "Iex_Get":
            yield None, known.whole(each.offset, each.result_size(vex.tyenv)), None
