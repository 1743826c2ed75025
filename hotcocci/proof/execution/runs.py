# SPDX-License-Identifier: GPL-2.0
"""Run both sides of a function on the same inputs until they differ or the search is exhausted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import zip_longest

from hotcocci.proof.execution import poison, values
from hotcocci.proof.execution.call_order import another_lock
from hotcocci.proof.execution.compare import compare, side_by_side
from hotcocci.proof.execution.movable_calls import again, settled
from hotcocci.proof.execution.explore import SEEDS, Edge, explore
from hotcocci.proof.execution.faults import accessed, plans
from hotcocci.proof.execution.inputs import Input
from hotcocci.proof.execution.leaks import leaked
from hotcocci.proof.execution.learning import destinations, windows
from hotcocci.proof.execution.overlaps import overlapping
from hotcocci.proof.execution.pair import Pair, Ran, add, both, faulted, number
from hotcocci.proof.execution.trace import Trace
from hotcocci.proof.execution.loop_inputs import more_turns

# How many inputs get a fault at every access: those with new paths, and the first ones.
FAULTED = 24
SAMPLED = 8
# Limit on instructions of the old side for one function: about five seconds.
INSTRUCTIONS = 400_000

# A description of the first difference, and both runs side by side.
Difference = tuple[str, tuple[str, ...]]


def compared(pair: Pair) -> Difference:
    """Compare both sides on all inputs; return the first difference, ("", ()) if there is none."""
    corpus: list[Input] = []
    for machine, function, places in zip(
        pair.machines, pair.functions, pair.places, strict=True
    ):
        corpus = explore(machine, function, corpus, len(places.sites))
        corpus += more_turns(machine, function, places, corpus)
    # Code without branches and accesses has only one path.
    corpus = corpus or [Input(seed) for seed in range(SEEDS)]
    # Repeat each input with memory that others write, and with another poison.
    corpus += [replace(given, moving=True) for given in corpus if not given.moving]
    kinds = poison.KINDS - 1
    corpus += [replace(g, poison=1 + n % kinds) for n, g in enumerate(corpus)]
    seen = [ran for given in corpus if (ran := settled(pair, given))]
    seen = [ran for each in seen if (ran := again(pair, each))]
    pair.permissions = replace(
        pair.permissions,
        destinations=destinations(pair, seen),
        windows=windows(seen),
        changed=pair.places[0].written,
    )
    leaked(pair, seen)
    planned: list[list[Input]] = []
    known: set[Edge] = set()
    whole: list[Ran] = []
    for ran in seen:
        given, old, new, read = ran
        difference = _checked(pair, ran)
        if difference is None:
            continue
        if difference[0]:
            return difference
        whole.append(ran)
        ways = old.path | {(-branch, way) for branch, way in new.path}
        few = len(planned) < SAMPLED and not given.moving and not given.poison
        if len(planned) < FAULTED and (few or not ways <= known):
            known |= ways
            alike = _numbered_alike(old, new)
            layout = pair.machines[0].processor.layout
            planned.append(
                [
                    plan
                    for plan in plans(given, old, read, layout)
                    # Access numbers differ if a copy replaces several accesses; then only addresses
                    # identify the access that faults.
                    if alike or plan.fault is None
                ]
            )
    overlapping(pair, whole)
    return (
        _with_faults(pair, planned)
        or _with_values(pair, whole)
        or _unfailed(pair, whole)
        or ("", ())
    )


def _numbered_alike(old: Trace, new: Trace) -> bool:
    """Whether access numbers mean the same on both sides."""
    return (number(old), old.accesses) == (number(new), new.accesses)


def _checked(pair: Pair, ran: Ran) -> Difference | None:
    """Compare a run: None if it cannot be compared, a difference with an empty text if equal."""
    given, old, new, _ = ran
    if poison.returned(old.result, given.poison):
        return None
    layout = pair.machines[0].processor.layout
    outcome = compare(old, new, layout, pair.permissions)
    lock = outcome.difference and given.moving and another_lock(old)
    if lock:
        # Nobody writes the pointer to a lock that is held, but the runs do not know that.
        doubt = f"others may write the pointer that {lock}() is passed"
        outcome = replace(outcome, difference="", doubt=doubt)
    add(pair, old, new, outcome)
    if outcome.difference:
        return outcome.difference, side_by_side(old, new)
    return ("", ()) if outcome.usable else None


def _with_faults(pair: Pair, planned: Sequence[Sequence[Input]]) -> Difference | None:
    most = pair.machines[0].instructions + INSTRUCTIONS
    # Take the first plan of every input, then the second, and so on: each gets its share before the
    # limit is reached.
    for plan in (p for turn in zip_longest(*planned) for p in turn if p):
        if pair.machines[0].instructions > most:
            pair.left += 1
            continue
        found = _run(pair, plan)
        if found:
            return found
    return None


def _unfailed(pair: Pair, whole: Sequence[Ran]) -> Difference | None:
    """Let those changed accesses fault that did not fault in a planned run."""
    for ran in whole:
        given, old, new, _ = ran
        if given.faulty:
            continue
        for side, trace in enumerate((old, new)):
            for site, at, times in accessed(trace):
                if site not in pair.places[side].sites - pair.failed[side]:
                    continue
                found = _run(pair, replace(given, hit=(at, times)))
                if found:
                    return found
    return None


def _unfailed_sites(pair: Pair, ran: Ran) -> bool:
    """Whether a run makes a changed access that has never faulted."""
    return any(
        places.sites & trace.done.keys() - failed
        for places, trace, failed in zip(
            pair.places, ran[1:3], pair.failed, strict=True
        )
    )


def _with_values(pair: Pair, whole: list[Ran]) -> Difference | None:
    """Run each path to a changed access with values that exercise every bit."""
    paths: dict[object, Ran] = {}
    had: dict[object, set[object]] = {}
    # Prefer runs in which memory does not change.
    for ran in sorted(whole, key=lambda ran: (ran[0].moving, ran[0].poison)):
        _, old, new, _ = ran
        if faulted(old) or faulted(new) or not _reaches(pair, ran):
            continue
        had.setdefault(values.path(ran), set()).add(values.key(ran))
        paths.setdefault(values.path(ran), ran)
    machine = pair.machines[0]
    most = machine.instructions + values.SEARCHED
    waiting: list[Iterator[Input]] = []
    for ran in list(paths.values())[: values.MOST]:
        if machine.instructions < most:
            waiting.append(values.inputs(ran, values.free(pair, ran), ran[0].seed))
    most = machine.instructions + values.INSTRUCTIONS
    for made in (made for turn in zip_longest(*waiting) for made in turn if made):
        if machine.instructions > most:
            break
        again_ = both(pair, made)
        if again_ is None:
            continue
        difference = _checked(pair, again_)
        if difference is None:
            continue
        if difference[0]:
            return difference
        whole += [again_] if _unfailed_sites(pair, again_) else []
        if _reaches(pair, again_):
            had.setdefault(values.path(again_), set()).add(values.key(again_))
    for path, sets in had.items():
        pair.values[path] = len(sets)
    return None


def _reaches(pair: Pair, ran: Ran) -> bool:
    """Whether a run makes a changed access."""
    return any(
        places.sites & trace.done.keys()
        for places, trace in zip(pair.places, ran[1:3], strict=True)
    )


def replayed(pair: Pair, inputs: Iterable[Input]) -> Difference | None:
    """The first difference that one of these inputs shows, None if there is none."""
    return next((found for given in inputs if (found := _run(pair, given))), None)


def _run(pair: Pair, given: Input) -> Difference | None:
    """Run and compare; None if there is no difference."""
    ran = both(pair, given)
    difference = _checked(pair, ran) if ran is not None else None
    return difference if difference is not None and difference[0] else None
