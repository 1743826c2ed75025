# SPDX-License-Identifier: GPL-2.0
"""The rulebook: one entry per rule."""

from __future__ import annotations

from dataclasses import dataclass

from hotcocci.errors import UserError
from hotcocci.findings import PREPARED, SAFE


@dataclass(frozen=True)
class Rule:
    """One rule: who finds it, and what can be done about it.

    ``engine`` is the outside program that finds it and ``script`` what it runs, relative to
    the checkout; ``tiers`` are the tiers its rewrites may have; ``doc`` is what a reader of
    a finding wants to know.
    """

    code: str
    title: str
    engine: str
    script: str
    tiers: tuple[str, ...]
    doc: str


RULES = (
    Rule(
        code="UA101",
        title="run of user accesses",
        engine="spatch",
        script="cocci/user_access_run.cocci",
        tiers=(SAFE, PREPARED),
        doc=(
            "Two or more get_user() or put_user() in a straight line on one user object. Each opens and closes "
            "user access and checks the range again; one window with unsafe_get_user() or unsafe_put_user() does "
            "that once."
        ),
    ),
    Rule(
        code="UA102",
        title="loop of user accesses",
        engine="spatch",
        script="cocci/user_access_loop.cocci",
        tiers=(SAFE, PREPARED),
        doc=(
            "get_user() or put_user() on consecutive elements in a loop whose bound is known before it starts. One "
            "window around the loop opens user access and checks the range once instead of once per element."
        ),
    ),
)


def rule(code: str) -> Rule:
    """The rule of that code, in any case of letters. Raises UserError if there is none."""
    for entry in RULES:
        if entry.code == code.upper():
            return entry
    raise UserError(f"there is no rule {code}: 'rules' lists them all")
