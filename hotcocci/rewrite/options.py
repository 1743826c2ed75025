# SPDX-License-Identifier: GPL-2.0
"""What a decision is made by: what the tree has, and what the user wants."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from hotcocci.rewrite.loads.accessor_index import Accessor
from hotcocci.tree.kernel import Features, architectures

CLASSIC = "classic"
MASKED = "masked"
SCOPED = "scoped"
AUTO = "auto"

# A classic window of one or two accesses loses on x86-64: beginning it takes an LFENCE.
MIN_RUN = {CLASSIC: 3, MASKED: 2, SCOPED: 2}


@dataclass(frozen=True)
class Options:
    """What the tree has and the user wants.

    ``arches`` are all its architectures, ``gain_arches`` those that really open and
    close user access; ``arm_get_u64`` says whether arm32 can fetch 8 bytes with
    __get_user. ``root`` is where the tree's headers are. ``hot`` are the functions that a
    profile shows to be hot, None where there is no profile. ``small_api`` is how the window of
    a small copy is written: ``api`` if it was asked for, else the best that the tree has.
    ``user_inline`` and ``unaligned_arches`` as in the features of a tree. ``accessors`` are the small
    functions of the tree, known to the rules that ask for them. ``cold`` asks why a place that
    is not hot is left as it is, by a rule that looks at no others.
    """

    root: Path
    api: str
    min_run: int
    arm_get_u64: bool
    arches: frozenset[str]
    gain_arches: frozenset[str]
    hot: frozenset[str] | None = None
    small_api: str = ""
    small_min_run: int = 2
    user_inline: bool = False
    unaligned_arches: frozenset[str] = frozenset()
    accessors: tuple[Accessor, ...] = ()
    cold: bool = False


def options_of(
    root: Path,
    features: Features,
    api: str = AUTO,
    min_run: int | None = None,
    hot: frozenset[str] | None = None,
) -> Options:
    """What to decide by in the tree at ``root``: its features, and what was asked for.

    Where no API is asked for, a run takes scopes if the tree has them and classic windows
    otherwise; a small copy takes masked ones before classic ones, as it was no LFENCE before
    (fs/select.c, get_sigset_argpack()).
    """
    run = api if api != AUTO else SCOPED if features.scoped else CLASSIC
    small = MASKED if run == CLASSIC and api == AUTO and features.masked else run
    return Options(
        root,
        run,
        min_run or MIN_RUN[run],
        features.arm_get_u64,
        architectures(root),
        features.gain_arches,
        hot,
        small,
        min_run or MIN_RUN[small],
        features.user_inline,
        features.unaligned_arches,
    )
