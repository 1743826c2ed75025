# SPDX-License-Identifier: GPL-2.0
"""Give a function once per configuration, with the code that ``#if`` leaves out removed."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product

from hotcocci.c.conditionals import Branch, Condition, compiled, conditions
from hotcocci.c.expression import canonical
from hotcocci.c.source import Source
from hotcocci.c.syntax import Function, read_function
from hotcocci.windows.events import BEGINS, ENDS
from hotcocci.windows.outcome import Violation

_DEFINED = re.compile(r"(!?)(?:defined|IS_ENABLED)?\(?(\w+)\)?")
# Conditions that no configuration changes
_FIXED = {"0": False, "1": True}
# More conditions than the window code of any function in the tree has
_MOST = 4


class Entangled(Exception):
    """An ``#if`` hides a bracket, or there are too many; ``at`` is its offset."""

    def __init__(self, at: int) -> None:
        super().__init__()
        self.at = at


@dataclass(frozen=True)
class Variant:
    """A function as one configuration compiles it, with the conditions that were chosen."""

    function: Function
    chosen: frozenset[tuple[str, bool]] = frozenset()


def variants(function: Function) -> list[Variant]:
    """The configurations of a function that differ in what they do to windows.

    Raises Entangled.
    """
    source = function.source
    chains = _chains(function)
    calls = [(source.offset(a.line, a.column), a.name) for a in function.accesses]
    atoms = {atom for chain in chains for atom in _atoms(chain)}
    names: set[str] = set()
    for chain in chains:
        own = {
            name
            for at, name in calls
            if any(b.start <= at < b.end for b in chain.branches)
        }
        # One without #else counts if its condition is also used the other way around, or if it has
        # only the begin or the end of a window.
        turned = any((name, False) in atoms for name, _ in _atoms(chain))
        half = own.isdisjoint(BEGINS) != own.isdisjoint(ENDS)
        if own and (len(chain.branches) > 1 or turned or half):
            names |= dict(_atoms(chain)).keys()
    if not names:
        return [Variant(function)]
    names -= _FIXED.keys()
    if len(names) > _MOST:
        raise Entangled(chains[0].at)
    found = []
    for values in product((True, False), repeat=len(names)):
        chosen = dict(zip(sorted(names), values, strict=True))
        every = _FIXED | chosen
        told = (chain for chain in chains if dict(_atoms(chain)).keys() & every.keys())
        gone = [span for chain in told for span in _left_out(chain, every)]
        found.append(Variant(_without(function, gone), frozenset(chosen.items())))
    return found


def certain(
    found: Sequence[tuple[Variant, Sequence[Violation]]],
) -> Iterator[Violation]:
    """The violations that need one condition at most, each once.

    Kconfig may exclude a configuration that needs two.
    """
    keys = [{(v.rule, v.at) for v in each} for _, each in found]
    told: set[tuple[str, int]] = set()
    for violation in (v for _, each in found for v in each):
        key = violation.rule, violation.at
        compiled = [
            (part.chosen, key in own)
            for (part, _), own in zip(found, keys, strict=True)
            if not part.function.source.text[violation.at].isspace()
        ]
        conditions = frozenset[tuple[str, bool]]().union(*(c for c, _ in compiled))
        needed = (
            all(has for chosen, has in compiled if one in chosen) for one in conditions
        )
        if key not in told and (len(conditions) <= 2 or any(needed)):
            told.add(key)
            yield violation


def _chains(function: Function) -> list[Condition]:
    """The conditions in a function, with its branches in it."""
    low, high = function.body.start, function.body.end
    found = []
    for condition in conditions(function.source.text):
        within = tuple(b for b in condition.branches if low <= b.at < high)
        end = condition.branches[-1].end
        if condition.at < low <= end < high:
            # Its #else or #endif is in the function alone.
            raise Entangled(within[0].at if within else end)
        if within and (condition.at < low or end >= high or not condition.closed):
            raise Entangled(within[0].at)
        found += [replace(condition, branches=within)] if within else []
    return found


def _atoms(chain: Condition) -> set[tuple[str, bool]]:
    return {_atom(branch) for branch in chain.branches if branch.word != "else"}


def _atom(branch: Branch) -> tuple[str, bool]:
    """The condition of a branch without its negation, and its value if the branch is compiled."""
    test = canonical(branch.test.split("//")[0].split("/*")[0])
    test = "!" * (branch.word == "ifndef") + test
    match = _DEFINED.fullmatch(test)
    return (match[2], not match[1]) if match is not None else (test, True)


def _left_out(chain: Condition, chosen: Mapping[str, bool]) -> list[tuple[int, int]]:
    """The branches that are not compiled; without an #else, one is unless chosen against."""

    def value(branch: Branch) -> int:
        name, holds = _atom(branch)
        return chosen.get(name, holds) is holds

    return [(b.start, b.end) for b, taken in compiled(chain, value) if taken is False]


def _without(function: Function, gone: list[tuple[int, int]]) -> Function:
    """The function without some ranges of its text, which become blank."""
    text = function.source.text
    for start, end in gone:
        blank = re.sub(r"[^\n]", " ", text[start:end])
        text = text[:start] + blank + text[end:]
    source = Source(
        function.source.file, text, function.source.low, function.source.high
    )
    accesses = [
        a
        for a in function.accesses
        if not text[source.offset(a.line, a.column)].isspace()
    ]
    body = function.body
    found = read_function(source, function.name, body.start, body.end, accesses)
    if found is None:
        raise Entangled(gone[0][0])
    return found
