# SPDX-License-Identifier: GPL-2.0
"""Find uninitialised memory that is copied to user memory, with runs that differ only in poison."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from hotcocci.proof.execution.inputs import Input
from hotcocci.proof.execution.address_names import Names
from hotcocci.proof.execution.pair import Pair, Ran
from hotcocci.proof.execution.trace import STORE, Access, Trace


def leaked(pair: Pair, seen: Iterable[Ran]) -> None:
    """Record the uninitialised bytes that the old code stores, and whether its path depends on any."""
    plain: dict[tuple[object, ...], Trace] = {}
    others: list[tuple[Input, Trace]] = []
    for given, old, _, _ in seen:
        if given.poison:
            others.append((replace(given, poison=0), old))
        else:
            plain[_key(given)] = old
    for given, other in others:
        one = plain.get(_key(given))
        if one is None:
            continue
        if one.path != other.path or one.result != other.result:
            pair.undefined = True
            continue
        names = Names(one)
        pair.leaks |= {names.best(at) for at in _differing(one, other)}


def _key(given: Input) -> tuple[object, ...]:
    return given.seed, given.moving, given.keys, frozenset(given.values.items())


def _differing(one: Trace, other: Trace) -> Iterator[int]:
    """The user bytes that both runs store with different values."""
    for was, now in zip(_stores(one), _stores(other), strict=False):
        if was.address != now.address:
            return
        for number, (a, b) in enumerate(zip(was.data, now.data, strict=False)):
            if a != b:
                yield was.address + number


def _stores(trace: Trace) -> Iterator[Access]:
    for event in trace.events:
        if isinstance(event, Access) and event.kind == STORE:
            yield event
