# SPDX-License-Identifier: GPL-2.0
"""The rulebook's entry for one rule: data only."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import tomllib

from hotcocci.findings import PREPARED, SAFE, SPATCH
from hotcocci.tree.select import Mention, calls

_FOLDER = Path(__file__).parent
# The semantic patch for the rules of windows
WINDOW_SCRIPT = "cocci/user_access_window.cocci"


def table(name: str) -> dict[str, Any]:
    """One of the data files in this folder."""
    return tomllib.loads((_FOLDER / name).read_text(encoding="utf-8"))


SHARED: dict[str, str] = table("reasons.toml")
"""One sentence for each reason not to rewrite that several rules share."""

# Why a window cannot take the place of accesses, for all rules that open one
OF_WINDOWS = (
    *("below-min-run", "no-gain-arch", "no-window-api", "call-between"),
    *("statement-between", "different-exits", "fault-handled", "fault-in-macro"),
    *("value-read-on-fault", "ifdef", "cleanup-scope", "no-place-for-label"),
    *("variable-index", "mixed-condition", "result-ignored", "side-effect-argument"),
)
# Why one cannot that goes through one pointer several times
OF_POINTERS = (
    "second-base",
    "base-changes",
    "base-in-call",
    "cast-pointer",
    "double-fetch",
)
# Why hotcocci.rewrite.copies.instead leaves a call as it is
OF_CALLS = (
    "no-gain-arch",
    "ifdef",
    "side-effect-argument",
    "type-unknown",
    "size-differs",
    "count-used",
    "result-unclear",
    "unaligned",
)


if TYPE_CHECKING:
    from hotcocci.rewrite.copies.calls import Called as Called
    from hotcocci.rewrite.window import Verdict as Verdict
else:
    # What judges of calls are annotated with; every command imports rules, few their decisions.
    Called = Verdict = Any

# What options change, for the pages of several rules
WITH_API = "`--api classic|masked|scoped` chooses how windows are opened; the default is the best the tree has."
WITH_MIN_RUN = (
    "`--min-run N` leaves out runs of fewer than N accesses; the default is 2, and cycles decide what is offered"
    " (docs/cycles.md)."
)
WITH_PREPARED = (
    "`--tier prepared` adds rewrites that need a preparation, which the finding names."
)
WITH_PROFILE = "`--profile FILE` says which functions are hot; by default that is derived from who calls them (docs/heat.md)."
SAME_ACCESSES = (
    "The function behaves the same before and after, for all inputs if that can be shown: the same "
    "accesses in the same order, the same values, the same return value. On a fault the return value is "
    "the same; what else may differ is named in the finding, and nothing does in tier safe."
)
# Families of rules, in the order in which they are listed and run
ACCESSES = "accesses"
LOADS = "loads"
WINDOWS = "windows"
FAMILIES = (ACCESSES, LOADS, WINDOWS)


@dataclass(frozen=True)
class Words:
    """Text on a rule's rewrites for a changelog: a title in the imperative, and sentences on what and why."""

    title: str
    text: str


@dataclass(frozen=True)
class Rule:
    """One rule: who finds it, and what can be done about it.

    ``engines`` are the engines that guarantee to find every violation they can see; no
    other engine ever reports the rule. ``script`` is the semantic patch that finds it,
    relative to the checkout, if there is one, and ``mention`` what a file
    must mention to have matches; for a rule on each call by itself ``names`` are those of the calls.
    ``tiers`` are the tiers of its rewrites, empty for a rule that only reports. ``on_request`` rules are checked only if named,
    as their reports are not errors. The reports of a ``hygiene`` rule are advice, shown
    once per cause and only if all reports are requested. ``doc`` is for readers of a
    finding.

    ``words`` are the text for a commit, ``needs`` that for one before it with the edits of
    other files that its rewrites need, if there are any; "{calls}" in the first is replaced by ``calls``, by
    the direction of its rewrites. ``reasons`` are the rule's own reasons not to
    rewrite, each with a sentence, and ``shared_reasons`` are the names of those from
    reasons.toml that it gives as well. A rewrite is refused if it saves no load
    (``must_save_loads``).
    Its findings are whole loops with ``loops``. ``alike`` is set if rewrites of different functions look alike, so that readers expect all of them.

    For the rule's page: ``example`` is a case of kernel-fixtures/CODE, ``options`` are
    command-line options that change what is found or written, ``proof`` is what is
    proved about a rewrite.
    """

    code: str
    title: str
    doc: str
    family: str = ACCESSES
    engines: tuple[str, ...] = (SPATCH,)
    script: str = ""
    mention: Mention | None = None
    names: frozenset[str] = frozenset()
    tiers: tuple[str, ...] = ()
    on_request: bool = False
    hygiene: bool = False
    words: Words | None = None
    needs: Words | None = None
    calls: Mapping[str, str] = field(default_factory=dict, hash=False)
    reasons: Mapping[str, str] = field(default_factory=dict, hash=False)
    shared_reasons: tuple[str, ...] = ()
    must_save_loads: bool = False
    alike: bool = False
    loops: bool = False
    example: str = ""
    options: tuple[str, ...] = ()
    proof: str = ""

    def meaning(self, reason: str) -> str:
        """The sentence of a reason not to rewrite. Raises KeyError if there is no such reason."""
        return self.reasons.get(reason) or SHARED[reason]


def completed(entry: Rule, stem: str) -> Rule:
    """The entry of a rule on each call with what follows from its names, and the stem of its files."""
    return replace(
        entry,
        script=f"cocci/{stem}.cocci",
        mention=calls(entry.names),
        tiers=(SAFE, PREPARED),
        shared_reasons=(*OF_CALLS, *entry.shared_reasons),
        example=stem.replace("_", "-"),
    )
