# SPDX-License-Identifier: GPL-2.0
"""Inputs of the rewrite decision: the tree's features, the user's settings, and which functions are hot."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import lru_cache
from pathlib import Path, PurePath

from hotcocci.c.functions import Functions
from hotcocci.findings import MIN_RUN
from hotcocci.tree.includes import defining
from hotcocci.tree.kconfig import architectures_of
from hotcocci.tree.kernel import Features, architectures

CLASSIC = "classic"
MASKED = "masked"
SCOPED = "scoped"
AUTO = "auto"

# Sizes that copies of a size given at run time have often, in bytes. Each is that of the
# argument of one ioctl command in 20 or more (benchmarks/copy_sizes.py).
SMALL_SIZES = (4, 8, 16, 24, 32)
# Cached because is_hot() is called for each function of a file in turn.
_callers = lru_cache(maxsize=1)(Functions)


@dataclass(frozen=True)
class Options:
    """The tree's features and the user's settings.

    ``arches`` are all architectures of the tree, ``root`` is the tree. ``hot`` are the functions that a profile shows as
    hot, None without a profile, ``derived`` those of each file that the tree itself shows as hot. ``small_api`` is the kind of window for small copies:
    ``api`` if it was given, else the best one in the tree. ``cold`` asks rules on hot code to
    explain why cold code is skipped.
    """

    root: Path
    api: str
    min_run: int
    features: Features
    arches: frozenset[str]
    hot: frozenset[str] | None = None
    small_api: str = ""
    cold: bool = False
    derived: Mapping[str, frozenset[str]] = field(default_factory=dict, compare=False)

    def plain(self) -> dict[str, object]:
        """The options as values, without those that are of one file each."""
        return asdict(replace(self, derived={}))

    def of_file(self, file: str) -> str:
        """The options of one file, as a text."""
        return " ".join(sorted(self.derived.get(file, ())))


def small_api_for(options: Options, file: str) -> str:
    """The kind of window for small copies in a file: no masked ones for architectures that cannot mask."""
    if options.small_api != MASKED or options.api == MASKED:
        return options.small_api
    top, arch, *_ = (*PurePath(file).parts, "")
    known = frozenset({arch}) if top == "arch" else architectures_of(options.root, file)
    can = known is None or known & options.features.masking_arches
    return options.small_api if can else options.api


def options_of(
    root: Path,
    features: Features,
    api: str = AUTO,
    min_run: int = MIN_RUN,
    hot: frozenset[str] | None = None,
) -> Options:
    """The options for the tree at ``root``: its features and the user's settings.

    Without a given API, runs use scopes if the tree has them and classic windows
    otherwise. Small copies, and runs in hot functions, prefer masked windows to
    classic ones: the copy had no LFENCE either (fs/select.c, get_sigset_argpack()).
    """
    run = api if api != AUTO else SCOPED if features.scoped else CLASSIC
    small = MASKED if run == CLASSIC and api == AUTO and features.masked else run
    return Options(root, run, min_run, features, architectures(root), hot, small)


def is_hot(options: Options, file: str, text: str, function: str) -> bool:
    """Whether a function is hot: by a profile, or by what leads to it if there is none.

    ``text`` is the file. A static function missing from the profile is as hot as the callers in its
    file, into which it may have been inlined.
    """
    hot = options.hot
    if hot is None:
        return function in options.derived.get(file, ())
    if function in hot:
        return True
    return bool(_callers(text).nearest(function, lambda name: name in hot))


def hot_files(options: Options, files: Sequence[str]) -> list[str]:
    """The files that may contain a hot function.

    Raises UserError if that cannot be determined.
    """
    if options.hot is None:
        return [file for file in files if file in options.derived]
    return sorted(defining(options.root, files, options.hot))
