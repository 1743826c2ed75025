# SPDX-License-Identifier: GPL-2.0
"""The rulebook's entry for one rule, which each rule's module or package provides."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from hotcocci.rules.reasons import SHARED

# What rules are about, in the order in which they are listed and carried out
ACCESSES = "accesses"
LOADS = "loads"
WINDOWS = "windows"
FAMILIES = (ACCESSES, LOADS, WINDOWS)

WINDOW_SCRIPT = "cocci/user_access_window.cocci"


@dataclass(frozen=True)
class Words:
    """What rewrites do, for a changelog: a title in the imperative, and sentences on what and why."""

    title: str
    text: str


@dataclass(frozen=True)
class Rule:
    """One rule: who finds it, and what can be done about it.

    ``engines`` are the engines that promise to find every violation they can look at; no
    other engine ever reports the rule. ``script`` is the semantic patch that finds it, relative
    to the checkout, if one does; ``tiers`` are the tiers its rewrites may have, none for a
    rule that only reports. ``on_request`` is a rule that is checked only if it is named, as
    what it reports is no error. ``hygiene`` is a rule whose reports are advice, shown once per cause
    and only if everything is asked for. ``doc`` is what a reader of a finding wants to know.

    ``words`` are those of a commit; ``calls`` replaces "{calls}" in them, by the
    direction of the rewrites in it. ``reasons`` are those not to rewrite that only this rule
    gives, each with a sentence, and ``shared_reasons`` name those of reasons.py that it gives as
    well. A rewrite is refused if it saves no load (``must_save_loads``), or if it makes no
    target's code smaller (``must_shrink``). ``one_kept`` says that of several accesses one still
    opens and closes user access.

    For the rule's page: ``example`` is a case of kernel-fixtures/CODE, ``options`` are those of the
    command line that change what is found or written, ``proof`` is what is proved of a rewrite.
    """

    code: str
    title: str
    family: str
    engines: tuple[str, ...]
    doc: str
    script: str = ""
    tiers: tuple[str, ...] = ()
    on_request: bool = False
    hygiene: bool = False
    words: Words | None = None
    calls: Mapping[str, str] = field(default_factory=dict, hash=False)
    reasons: Mapping[str, str] = field(default_factory=dict, hash=False)
    shared_reasons: tuple[str, ...] = ()
    must_save_loads: bool = False
    must_shrink: bool = False
    one_kept: bool = False
    example: str = ""
    options: tuple[str, ...] = ()
    proof: str = ""

    def meaning(self, reason: str) -> str:
        """A reason not to rewrite in one sentence. Raises KeyError if there is no such reason."""
        return self.reasons.get(reason) or SHARED[reason]
