# SPDX-License-Identifier: GPL-2.0
"""Estimate the cycles that a rewrite saves, without compiling it.

The text that a rewrite removes and adds shows which user accesses and windows go and come. accesses/ has what each
of them costs on each target; a rewrite of loads saves at most the loads that it names.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from hotcocci.c.conditionals import guards_around
from hotcocci.c.source import NAME, code_in
from hotcocci.findings import READ, REWRITE, Count, Rewrite, Saves
from hotcocci.machine.costs import Processor, costs_of, cycles, processors
from hotcocci.rewrite.options import MASKED, SCOPED, Options
from hotcocci.rewrite.window import BEGIN, CALL, ON_64_BITS, SCOPE, SMALL_COPY
from hotcocci.rules.entry import LOADS
from hotcocci.rules.offer import is_in_doubt, judged
from hotcocci.rules.rulebook import rule
from hotcocci.saves import spanning, waiting
from hotcocci.tree.kconfig import with_code
from hotcocci.tree.targets import Target, compiled_for

# Rounds of a loop whose bound is not a number: the fewest, the usual, and the most of the range.
UNKNOWN_ROUNDS = (1, 4, 8)
# Cycles that an estimate may be wrong by.
DOUBT = 2.0

LOAD = Count(instructions=1, calls=0, switches=0, fences=0, loads=1)

_COPIES = ("copy_from_user", "copy_to_user", "__copy_from_user", "__copy_to_user")
_MASKED = "masked_user_access_begin"
_WAYS = {name: way for way, name in BEGIN.items()}
_SCOPES = {name: way for way, name in SCOPE.items()}
_WINDOWS = (*_WAYS, *_SCOPES)
_INSIDE = {
    "unsafe_get_user": "unsafe_get_user",
    "unsafe_put_user": "unsafe_put_user",
    "unsafe_copy_to_user": "unsafe_put_user",
}
_PLAIN = (
    "get_user",
    "put_user",
    "__get_user",
    "__put_user",
    "get_user_inline",
    "put_user_inline",
    *_COPIES,
)

_CODE_LINE = re.compile(r"\S[^\S\n]*\n")
_CALLED = re.compile(r"\s*(\w+)\s*\(")
# The old code beside a window for 64 bits
_OTHERWISE = re.compile(r"^(\t+)\} else .*?^\1\}", re.DOTALL | re.MULTILINE)

# The forms of access in some text, by their names in accesses/.
Forms = Counter[str]


def estimate(text: str, rewrite: Rewrite, options: Options) -> Saves | None:
    """The cycles saved over the processors of the targets that can have the code.

    ``text`` is the file. None if no target that can have the code is modelled, or if no figure of a call is known.
    """
    if rewrite.shape == CALL and not _is_known(text, rewrite):
        return None
    file = rewrite.finding.file
    guards = guards_around(text, min(edit.start for edit in rewrite.edits))
    targets = with_code(options.root, file, guards, compiled_for(file, everywhere=True))
    usual = set(compiled_for(file))
    if rule(rewrite.finding.rule).family == LOADS:
        fewer = {target: list(_of_loads(rewrite, target)) for target in targets}
    else:
        forms = _forms_of(text, rewrite)
        fewer = {
            target: list(_of_accesses(*forms, rewrite, target, options))
            for target in targets
        }
    every = [saved for each in fewer.values() for saved in each]
    saves = spanning(
        [number for saved in every for number in (saved.least, saved.most)],
        [saved.typical for saved in every if saved.mainstream],
    )
    dearer = (
        target.name
        for target, each in fewer.items()
        if target in usual and all(saved.most < -DOUBT for saved in each)
    )
    return saves and replace(saves, dearer=tuple(dearer))


def _is_known(text: str, rewrite: Rewrite) -> bool:
    """Whether accesses/ has the call that is replaced, and the one in its place."""
    sides = ((text[edit.start : edit.end], edit.text) for edit in rewrite.edits)
    pairs = ([_CALLED.match(side) for side in pair] for pair in sides)
    names = {each[1] for pair in pairs if all(pair) for each in pair if each}
    return names <= {*_PLAIN}


@dataclass(frozen=True)
class _Saved:
    """The gain on one processor: at least, at most, typically."""

    least: float
    most: float
    typical: float
    mainstream: bool


def _of_loads(rewrite: Rewrite, target: Target) -> Iterator[_Saved]:
    """The cost of loads; the compiler may save them by itself."""
    number = max((rewrite.finding.accesses or 1) - 1, 1)
    for processor in (p for p in processors() if target.name in p.targets):
        most = number * cycles(LOAD, processor)
        yield _Saved(0.0, most, most / 2, _is_mainstream(processor, target))


def _of_accesses(
    before: Forms, after: Forms, rewrite: Rewrite, target: Target, options: Options
) -> Iterator[_Saved]:
    """The gain from cheaper accesses and windows on each processor of a target."""
    share = _share(before, rewrite)
    # Where no architecture is known to have windows, the tree's headers were not found.
    windows = (
        not options.features.gain_arches
        or target.folder in options.features.gain_arches
    )
    form = target.name, options.features.scoped, windows
    costs = costs_of(*form)
    wait = waiting(target.name, _fences(before, costs), _fences(after, costs))
    rounds = UNKNOWN_ROUNDS if rewrite.rounds is None else (rewrite.rounds,) * 3
    for processor, price in _prices(*form):
        first, usual, last = (
            share * (_price(before, price, n) - _price(after, price, n)) for n in rounds
        )
        yield _Saved(
            min(first, last) - wait,
            max(first, last),
            usual,
            _is_mainstream(processor, target),
        )


def _is_mainstream(processor: Processor, target: Target) -> bool:
    """Whether most kernels run on such a processor; of those that have 64 bits, none runs on 32."""
    return processor.mainstream and target.bits == 64


@lru_cache
def _prices(
    target: str, scopes: bool, windows: bool
) -> tuple[tuple[Processor, Mapping[str, float]], ...]:
    """The cycles of each form on each processor of a target."""
    costs = costs_of(target, scopes, windows)
    return tuple(
        (processor, {form: cycles(count, processor) for form, count in costs.items()})
        for processor in processors()
        if target in processor.targets
    )


def _price(forms: Forms, price: Mapping[str, float], rounds: int) -> float:
    """The cost of these forms, each access counted as often as a loop makes it."""
    return sum(
        number * price.get(form, 0.0) * (1 if _is_once(form) else rounds)
        for form, number in forms.items()
    )


def _fences(forms: Forms, costs: Mapping[str, Count]) -> int:
    return sum(n * costs[form].fences for form, n in forms.items() if form in costs)


def _is_once(form: str) -> bool:
    return form.partition(" ")[0] in (*_WINDOWS, _MASKED, "access_ok")


def _share(before: Forms, rewrite: Rewrite) -> float:
    """The finding's part of its edits, which windows that share a statement share."""
    own, all_ = rewrite.finding.accesses, sum(before[form] for form in _PLAIN)
    return own / all_ if own and all_ > own else 1.0


def _forms_of(text: str, rewrite: Rewrite) -> tuple[Forms, Forms]:
    """The forms that a rewrite removes, and those that it adds."""
    before, after = Forms(), Forms()
    for edit in rewrite.edits:
        # An edit may end with the name of what is called.
        following = text[edit.end : edit.end + 1]
        before += _forms(text[edit.start : edit.end] + following)
        made = _OTHERWISE.sub("", edit.text) if ON_64_BITS in edit.text else edit.text
        after += _forms(made + following)
    for way, name in SMALL_COPY.items():
        # The usual size is a few words in a window of its own.
        number = after.pop(name, 0)
        after[_window(way, rewrite.api)] += number
        after["unsafe_get_user" if way == READ else "unsafe_put_user"] += 2 * number
    if any(after[name] for name in ("unsafe_get_user", "unsafe_put_user")):
        # Structures; a scalar becomes one access.
        before = Forms({_struct(form): number for form, number in before.items()})
    return before, after


def _window(way: str, api: str) -> str:
    """The form of a window of a direction, written with an API."""
    if api == SCOPED:
        return SCOPE[way]
    return f"{_MASKED} {way}" if api == MASKED else BEGIN[way]


def _struct(form: str) -> str:
    return f"{form} 16" if form in ("copy_from_user", "copy_to_user") else form


@lru_cache(maxsize=1024)
def _forms(piece: str) -> Forms:
    """The forms of access in a piece of code."""
    found = Forms()
    tokens = code_in(piece)
    masked = False
    for token, following in zip(tokens, tokens[1:]):
        if token.kind != NAME or following.text != "(":
            continue
        name = token.text.removesuffix("_size")
        if name == _MASKED:
            masked = True
        elif name in _WAYS:
            found[f"{_MASKED} {_WAYS[name]}" if masked else name] += 1
            masked = False
        elif name in _SCOPES or name in _PLAIN or name == "access_ok":
            found[name] += 1
        elif name in SMALL_COPY.values():
            found[name] += 1
        elif name == "unsafe_copy_to_user":
            found["unsafe_put_user"] += 2
        elif name in _INSIDE:
            found[_INSIDE[name]] += 1
    return found


def with_saves(text: str, rewrite: Rewrite, options: Options) -> Rewrite:
    """A rewrite of a file's text whose finding has the estimated savings, and the lines that it adds."""
    saves = estimate(text, rewrite, options)
    more = (_lines(e.text) - _lines(text[e.start : e.end]) for e in rewrite.edits)
    finding = replace(rewrite.finding, saves=saves, lines=sum(more))
    return replace(rewrite, finding=finding)


def _lines(piece: str) -> int:
    """The number of lines that a piece of code ends, blank ones apart."""
    return len(_CODE_LINE.findall(piece))


def offers(churn: bool) -> Callable[[str, Sequence[Rewrite], Options], list[Rewrite]]:
    """Which rewrites of a file's text are offered, for the scripts of coccicheck."""

    def offered(
        text: str, rewrites: Sequence[Rewrite], options: Options
    ) -> list[Rewrite]:
        rated = [with_saves(text, rewrite, options) for rewrite in rewrites]
        found = judged([rewrite.finding for rewrite in rated], churn)
        return [
            rewrite
            for rewrite in rated
            for finding in [found[rewrite.finding]]
            if finding.verdict == REWRITE and (churn or not is_in_doubt(finding))
        ]

    return offered
