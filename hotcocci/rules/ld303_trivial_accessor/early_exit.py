# SPDX-License-Identifier: GPL-2.0
"""Arguments that a caller loads and a function does not use when it returns at its first test.

``make_vfsuid(idmap, i_user_ns(inode), inode->i_uid)`` loads ``inode->i_sb->s_user_ns`` for every
component of a path, and needs it for idmapped mounts only (Torvalds, 'acl_permission_check: disgusting
performance', 2011-05-12, on the cost of such loads).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from hotcocci.c.expression import Call, Expr, Name, walk
from hotcocci.c.flow_builder import build_graph
from hotcocci.rewrite.context import Context
from hotcocci.rewrite.loads.accessor_index import Accessor
from hotcocci.rewrite.loads.chain_bodies import MOST_DEPTH, applied, bodies
from hotcocci.rewrite.loads.chain_paths import Load, Reader, chains_of


@dataclass(frozen=True)
class EarlyExit:
    """Calls of one function in a caller, directly or through inline functions.

    ``keys`` are the loads for arguments that the function does not use if it returns early; none is
    made elsewhere in the caller. ``parameters`` are those they are passed to.
    """

    calls: tuple[Call, ...]
    function: Accessor
    parameters: tuple[str, ...]
    keys: tuple[str, ...]


def early_exits(
    context: Context, reader: Reader, known: Mapping[str, Accessor]
) -> list[EarlyExit]:
    """The calls in a function whose arguments are loaded in vain if the callee returns early."""
    all_calls = [
        part
        for _, part in build_graph(context.function).expressions()
        if isinstance(part, Call)
    ]
    found: dict[str, list[tuple[Call, Call]]] = {}
    for call in dict.fromkeys(sorted(all_calls, key=lambda c: c.start)):
        for inner in _outlined(reader, call, known, 0):
            assert isinstance(inner.function, Name), "only these are returned"
            found.setdefault(inner.function.text, []).append((call, inner))
    ranges = [(call.start, call.end) for each in found.values() for call, _ in each]
    elsewhere = {
        load.key
        for chain in chains_of(context, reader)
        for load in chain.loads
        if not any(start <= load.start < end for start, end in ranges)
    }
    exits = []
    for name, calls in found.items():
        function = known[name]
        loads: dict[str, list[str]] = {}
        for _, inner in calls:
            for parameter, argument in zip(function.parameters, inner.arguments):
                if parameter in function.unused:
                    keys = [d.key for d in _loads(reader, argument)]
                    loads.setdefault(parameter, []).extend(keys)
        vain = {p: [k for k in keys if k not in elsewhere] for p, keys in loads.items()}
        needless = tuple(dict.fromkeys(k for each in vain.values() for k in each))
        if needless:
            parameters = tuple(p for p, each in vain.items() if each)
            written = tuple(call for call, _ in calls)
            exits.append(EarlyExit(written, function, parameters, needless))
    return exits


def _outlined(
    reader: Reader, call: Call, known: Mapping[str, Accessor], depth: int
) -> Iterator[Call]:
    """The calls of known functions that a call becomes once inline functions are expanded."""
    if not isinstance(call.function, Name) or depth >= MOST_DEPTH:
        return
    name = call.function.text
    inline = bodies(reader.root, reader.file, name)
    if not inline:
        function = known.get(name)
        if function is not None and function.file != reader.file:
            if len(function.parameters) == len(call.arguments):
                yield call
        return
    # Configurations may have several bodies; each call is reported if one makes it.
    seen: set[str] = set()
    for body in inline:
        value = applied(body, call)
        for part in walk(value) if value is not None else ():
            if isinstance(part, Call) and str(part) not in seen:
                seen.add(str(part))
                yield from _outlined(reader, part, known, depth + 1)


def _loads(reader: Reader, argument: Expr) -> list[Load]:
    """The loads of memory that an argument needs, besides those of ``current``."""
    return [d for chain in reader.chains(argument) for d in chain.loads if d.owner]
