# SPDX-License-Identifier: GPL-2.0
"""UA103: user access opened in an older or wider form."""

from __future__ import annotations

from hotcocci.findings import MANUAL, PREPARED, SAFE
from hotcocci.rules.entry import Rule, Words
from hotcocci.tree.select import BEGIN

RULE = Rule(
    code="UA103",
    title="user access opened in an older or wider form",
    script="cocci/older_window.cocci",
    mention=BEGIN,
    tiers=(SAFE, PREPARED, MANUAL),
    doc=(
        "A window opened in both directions but used in one; a begin and its ends where the tree has "
        "scoped_user_read_access() and the like; access_ok() before accesses that check their range "
        "themselves, or would as get_user() and put_user(). Scopes need no fence and no range check on "
        "x86-64 and powerpc, and cannot be left open."
    ),
    words=Words(
        "use narrower and newer forms of user access",
        "Open user access only in the direction that is used, let scopes close it, and leave range checks "
        "to the accesses that make them anyway.",
    ),
    reasons={
        "shared-end": "An end also ends other windows, or is in a helper.",
        "other-form": "The begin, an end or the check is in a form that is not rewritten, or beside a comment.",
        "exit-differs": "A failed begin or check leaves in another way than a fault after it, or faults differ.",
        "pointer-not-name": (
            "The pointer of the window is an expression; a scope declares a variable of its own, so it needs a name."
        ),
        "pointer-elsewhere": (
            "The pointer is used in other ways as well: an access that does not check its range may rely on this check."
        ),
        "pointer-derived": (
            "The window uses a pointer derived from this one before it was opened; a scope would not mask it."
        ),
        "used-after": (
            "A variable that the window declares or advances is used after it; a scope has its own."
        ),
        "jumps-inside": "A break, continue or label inside the window would work differently in a scope.",
        "assembly": (
            "Assembly in the window is not read: it may jump out of the scope, which compilers do not allow, "
            "or access other memory."
        ),
        "range-differs": "The accesses do not check the same range.",
        "maybe-empty": (
            "The size may be 0: the check refuses a bad pointer even then, a copy of no bytes succeeds."
        ),
        "faults-disabled": (
            "A spinlock is held or page faults are disabled: get_user() warns where __get_user() does not."
        ),
        "index-jumps": (
            "An index does not count up from 0: a scope only checks that the accesses begin at its pointer."
        ),
        "check-not-first": "The range check is not directly before the accesses, so its failure would come later.",
    },
    shared_reasons=("ifdef", "no-gain-arch", "side-effect-argument"),
    example="narrow-reads",
    proof=(
        "The same accesses in the same order, the same values, the same return value. A range that is not in "
        "user space may fail at its first access instead of at the begin or at access_ok(); the function "
        "returns the same error. In tier manual it may succeed where it accesses nothing, may use the part of a "
        "range that is in user space, or may run other code first: the finding says what to decide."
    ),
)
