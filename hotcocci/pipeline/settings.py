# SPDX-License-Identifier: GPL-2.0
"""The settings of the pipeline, and its interface for progress and warnings."""

import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from hotcocci.cache import Cache, default_folder, no_warning
from hotcocci.errors import UserError
from hotcocci.findings import COLD, MIN_RUN, SAFE, SHOWS, TIERS
from hotcocci.rules.entry import Rule
from hotcocci.rules.rulebook import REWRITE_RULES, rule

APIS = ("auto", "classic", "masked", "scoped")

# Called with the number of steps done and the total.
Step = Callable[[int, int], None]


@contextmanager
def _no_progress(_: str) -> Iterator[Step | None]:
    yield None


@dataclass(frozen=True)
class Observer:
    """Receives progress and warnings; the default ignores them.

    ``progress`` is a context manager for a titled task; it yields a function to call after each step, or None.
    """

    progress: Callable[[str], AbstractContextManager[Step | None]] = _no_progress
    warn: Callable[[str], None] = no_warning
    remark: Callable[[str], None] = no_warning


@dataclass(frozen=True)
class Settings:
    """Options of a run: what to find, which checks a rewrite must pass, and how to run.

    ``rules`` are codes, empty for all rules. ``tier`` selects rewrites up to this tier. ``min_run`` is
    the fewest accesses of a window. ``profile`` is the output of a perf command; ``hot`` selects functions
    with at least this percentage of its samples. ``cold`` also examines copies in cold code.
    ``baseline`` is a file of findings to leave out. ``engines`` check windows, empty for all installed
    ones; ``hygiene`` also reports what is advice rather than a violation.

    ``bench`` also counts instructions of system calls in a booted kernel, and keeps only rewrites that
    make one shorter or that none reaches.

    ``show`` is a word of SHOWS: which bands of rewrites are offered, and with "all" also reports.

    ``prove`` also proves rewrites, and keeps only those proven for all inputs;
    ``allow_unproven`` keeps more. ``targets`` are the only ones to prove for, ``extra_targets`` are
    added to the default one. ``scheduler`` is the address of a dask.distributed scheduler whose
    workers run the code; ``insecure`` allows one on another machine without TLS.

    ``jobs`` is the number of processes, ``timeout`` is in seconds per file.
    """

    rules: tuple[str, ...] = ()
    tier: str = SAFE
    api: str = "auto"
    min_run: int = MIN_RUN
    profile: Path | None = None
    hot: float | None = None
    cold: bool = False
    baseline: Path | None = None
    engines: tuple[str, ...] = ()
    hygiene: bool = False
    show: str = "perhaps"

    bench: bool = False
    allow_uncompiled: bool = False
    allow_no_gain: bool = False
    prove: bool = False
    allow_unproven: bool = False
    targets: tuple[str, ...] = ()
    extra_targets: tuple[str, ...] = ()
    scheduler: str | None = None
    insecure: bool = False

    jobs: int = field(default_factory=lambda: len(os.sched_getaffinity(0)))
    timeout: int = 60
    cache_dir: Path = field(default_factory=default_folder)
    observer: Observer = Observer()

    @property
    def tiers(self) -> tuple[str, ...]:
        """The selected tiers."""
        return tiers_up_to(self.tier)

    @property
    def churn(self) -> bool:
        """Whether rewrites that save little in code that runs seldom are offered."""
        return SHOWS[self.show] == COLD

    def open_cache(self) -> Cache:
        """Open the cache in ``cache_dir``. Raises UserError if it cannot be used."""
        return Cache(self.cache_dir, self.observer.warn)


def chosen_rules(codes: tuple[str, ...]) -> tuple[Rule, ...]:
    """Return the rewrite rules with these codes, or all of them without codes.

    Raises UserError for an unknown code or the code of a window rule.
    """
    chosen = tuple(dict.fromkeys(rule(code) for code in codes)) or REWRITE_RULES
    for entry in chosen:
        if entry not in REWRITE_RULES:
            raise UserError(f"{entry.code} is a window rule: see 'check --help'")
    return chosen


def tiers_up_to(tier: str) -> tuple[str, ...]:
    """Return the tiers up to this one; earlier tiers need less review."""
    return TIERS[: TIERS.index(tier) + 1]
