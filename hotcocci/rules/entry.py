# SPDX-License-Identifier: GPL-2.0
"""What the rulebook says of one rule."""

from __future__ import annotations

from dataclasses import dataclass

# The engines, as reports and the table of docs/rules/ name them
SPATCH = "spatch"
SMATCH = "smatch"
CLANG_TIDY = "clang-tidy"
SPARSE = "sparse"
OBJTOOL = "objtool"
OBJECTS = "objects"
ENGINES = (SPATCH, SMATCH, CLANG_TIDY, SPARSE, OBJTOOL, OBJECTS)


@dataclass(frozen=True)
class Rule:
    """One rule: who finds it, and what can be done about it.

    ``engines`` are the engines that promise to find every violation they can look at; no
    other engine ever reports the rule. ``script`` is the semantic patch that finds it, relative
    to the checkout, if one does; ``tiers`` are the tiers its rewrites may have, none for a
    rule that only reports. ``on_request`` is a rule that is checked only if it is named, as
    what it reports is no error. ``doc`` is what a reader of a finding wants to know.
    """

    code: str
    title: str
    engines: tuple[str, ...]
    doc: str
    script: str = ""
    tiers: tuple[str, ...] = ()
    on_request: bool = False
