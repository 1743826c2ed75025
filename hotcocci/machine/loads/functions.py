# SPDX-License-Identifier: GPL-2.0
"""Report the loads of a function, also if it is only inlined into others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from hotcocci.machine.loads.chains import (
    NO_SHARES,
    Chain,
    Touched,
    chains,
    touched,
)
from hotcocci.machine.loads.reading import Reader
from hotcocci.machine.loads.sampled import Sampled, sampled
from hotcocci.machine.loads.steps import Called, Load
from hotcocci.machine.elf import Address
from hotcocci.machine.lines import Lines
from hotcocci.engines.perf.annotate import Annotated


@dataclass(frozen=True)
class Loads:
    """What a function loads: how often from known members, in which chains, from which lines; its calls.

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
    own = [s for s in reader.object.functions if s.name == function]
    if own:
        for symbol in own:
            found, calls = reader.read(symbol)
            hot = sampled(reader.object, lines, symbol, found, annotated)
            yield _summed(function, function, found, found, calls, least, hot)
        return
    for holder, pieces in sorted(_holders(reader, lines, function).items()):
        symbol = next(s for s in reader.object.functions if s.name == holder)
        every, calls = reader.read(symbol)

        def is_inside(address: Address) -> bool:
            return any(
                piece.section == address.section
                and piece.offset <= address.offset < piece.offset + size
                for piece, size in pieces
            )

        inside = [load for load in every if is_inside(load.address)]
        calls = [call for call in calls if is_inside(call.address)]
        hot = sampled(reader.object, lines, symbol, every, annotated)
        yield _summed(function, holder, every, inside, calls, least, hot)


def _holders(
    reader: Reader, lines: Lines, function: str
) -> dict[str, list[tuple[Address, int]]]:
    """The functions that a function is inlined into, and its code there."""
    found: dict[str, list[tuple[Address, int]]] = {}
    for pieces in lines.stretches(function).values():
        for piece, size in pieces:
            holder = reader.object.function_at(piece)
            if holder is not None:
                found.setdefault(holder.name, []).append((piece, size))
    return found


def _summed(
    function: str,
    holder: str,
    every: Sequence[Load],
    inside: Sequence[Load],
    calls: Sequence[Called],
    least: int,
    hot: Sampled | None,
) -> Loads:
    own = {load.address for load in inside}
    shares = NO_SHARES if hot is None else hot.shares
    found = [
        chain
        for chain in chains(every, least, shares)
        if sum(load.address in own for load in chain.loads) >= min(2, least)
    ]
    typed = sum(bool(load.record) for load in inside)
    lines = touched(inside)
    return Loads(
        function,
        holder,
        len(inside),
        typed,
        tuple(found),
        tuple(lines),
        tuple(calls),
        hot,
    )
