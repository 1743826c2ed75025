# SPDX-License-Identifier: GPL-2.0
"""What a rule's rewrites do, in the words of a changelog."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hotcocci.findings import READ, WRITE, Rewrite


@dataclass(frozen=True)
class Words:
    """A title in the imperative, and sentences on what is done and why."""

    title: str
    text: str


# Its words depend on what it finds.
SCALARS = "UA201"
_RUNS = Words(
    "use user access windows",
    "Each get_user() and put_user() checks the range, opens access to user memory and closes it again. "
    "Where several of them in a row access one object, open one window for all of them.",
)
_LOOPS = Words(
    "use user access windows",
    "A loop of get_user() or put_user() checks the range, opens access to user memory and closes it again for "
    "each element. Open one window around the loop.",
)
_STRUCTURES = Words(
    "copy small structures inline",
    "copy_from_user() and copy_to_user() call a routine that is made for large copies. Copy small structures "
    "inline, in one user access window.",
)
_SIZES = Words(
    "copy the usual sizes inline",
    "The size of a copy is known at run time only, so that it calls a routine that is made for large copies. "
    "Copy the sizes that callers usually ask for inline, and leave all others to that routine.",
)
_CREDENTIALS = Words(
    "load the credentials of current once",
    "No one but the task itself changes its credentials, which a compiler cannot know: it loads them again "
    "after each call. Load them once.",
)
_CHAINS = Words(
    "load shared pointers once",
    "Several chains of loads begin alike, and each load waits for the one before it. Load what they share once.",
)
_ACCESSORS = Words(
    "avoid calls of trivial accessors",
    "A function that only loads what its caller loads as well is called out of line. Load it directly.",
)
_NARROW = Words(
    "compute with unsigned int",
    "A compiler has to mask what is computed in a local of 8 or 16 bits. Use unsigned int, where no value "
    "differs.",
)
_OTHERS = {
    "UA101": _RUNS,
    "UA102": _LOOPS,
    "UA202": _STRUCTURES,
    "UA203": _SIZES,
    "LD301": _CREDENTIALS,
    "LD302": _CHAINS,
    "LD303": _ACCESSORS,
    "LD304": _NARROW,
}


def said(rewrites: Sequence[Rewrite]) -> list[Words]:
    """What some rewrites do, once for each rule, in the order of the rules."""
    found: dict[str, list[Rewrite]] = {}
    for rewrite in rewrites:
        found.setdefault(rewrite.finding.rule, []).append(rewrite)
    return [
        _scalars(own) if rule == SCALARS else _OTHERS[rule]
        for rule, own in sorted(found.items())
    ]


def title(rewrites: Sequence[Rewrite]) -> str:
    """The title of a patch, without its prefix, beginning in lower case."""
    titles = list(dict.fromkeys(words.title for words in said(rewrites)))
    if len(titles) == 1:
        return titles[0]
    families = {rewrite.finding.rule[:2] for rewrite in rewrites}
    if families == {"UA"}:
        return "make user accesses cheaper"
    return "load less" if families == {"LD"} else "make user accesses and loads cheaper"


def _scalars(rewrites: Sequence[Rewrite]) -> Words:
    """UA201, which becomes one of two calls."""
    calls = {READ: "get_user()", WRITE: "put_user()"}
    found = [
        call
        for direction, call in calls.items()
        if any(r.finding.direction == direction for r in rewrites)
    ]
    names = " and ".join(found or calls.values())
    return Words(
        f"use {names} for scalars",
        "copy_from_user() and copy_to_user() call a routine that is made for large copies. Use "
        f"{names} where a single scalar is copied.",
    )
