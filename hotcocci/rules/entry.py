# SPDX-License-Identifier: GPL-2.0
"""The rulebook's entry for one rule: data only."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from hotcocci.rules.reasons import SHARED
from hotcocci.tree.select import Mention

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
    must mention to have matches; ``tiers`` are the tiers of its rewrites,
    empty for a rule that only reports. ``on_request`` rules are checked only if named,
    as their reports are not errors. The reports of a ``hygiene`` rule are advice, shown
    once per cause and only if all reports are requested. ``doc`` is for readers of a
    finding.

    ``words`` are the text for a commit, ``needs`` that for one before it with the edits of
    other files that its rewrites need, if there are any; "{calls}" in the first is replaced by ``calls``, by
    the direction of its rewrites. ``reasons`` are the rule's own reasons not to
    rewrite, each with a sentence, and ``shared_reasons`` are the names of those from
    reasons.py that it gives as well. A rewrite is refused if it saves no load
    (``must_save_loads``).
    Its findings are whole loops with ``loops``. ``alike`` is set if rewrites of different functions look alike, so that readers expect all of them.

    For the rule's page: ``example`` is a case of kernel-fixtures/CODE, ``options`` are
    command-line options that change what is found or written, ``proof`` is what is
    proved about a rewrite.
    """

    code: str
    title: str
    family: str
    engines: tuple[str, ...]
    doc: str
    script: str = ""
    mention: Mention | None = None
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
