# SPDX-License-Identifier: GPL-2.0
"""One report per cause: advice once per helper, anything else once per window."""

from __future__ import annotations

import re
from collections.abc import Hashable, Sequence
from dataclasses import replace

from hotcocci.findings import CLANG_TIDY, SPATCH, Note
from hotcocci.rules.rulebook import rule
from hotcocci.windows.merge import Violation

# Accesses outside any window, and arguments that are evaluated twice: their function shares them.
_BY_FUNCTION = ("UW11", "UW21")
# A wrong pointer, which a helper may be given.
_BY_POINTER = "UW14"
# "unsafe_put_user()" at the start of a message
_ACCESSOR = re.compile(r"unsafe_\w+\(\) ")


def per_cause(violations: Sequence[Violation]) -> list[Violation]:
    """Combine the violations of each cause into the first of them, which says where the others are."""
    causes: dict[Hashable, list[Violation]] = {}
    for violation in violations:
        cause = _cause(_in_helper(violation, violations) or violation)
        causes.setdefault(cause, []).append(violation)
    return [_combined(several) for several in causes.values()]


def _in_helper(violation: Violation, all_: Sequence[Violation]) -> Violation | None:
    """The violation of the same window at the call of a helper, if this is the access in it.

    clang-tidy reports the access, and spatch the call that gives the helper a wrong pointer.
    """
    if violation.rule != _BY_POINTER or violation.engines != (CLANG_TIDY,):
        return None
    for other in all_:
        if other.rule == _BY_POINTER and other.engines == (SPATCH,):
            if other.function != violation.function and _opened(other, violation):
                return other
    return None


def _opened(one: Violation, other: Violation) -> bool:
    """Whether two violations are in the same window."""
    places = [[(note.file, note.line) for note in v.notes] for v in (one, other)]
    return bool(places[0]) and places[0] == places[1]


def _cause(violation: Violation) -> Hashable:
    entry = rule(violation.rule)
    if entry.hygiene:
        return entry.code, violation.message
    if violation.notes or violation.rule in _BY_FUNCTION:
        # The notes say where the window was opened.
        window = violation.file, violation.function, violation.notes
        return entry.code, window, _ACCESSOR.sub("", violation.message, count=1)
    return violation


def _combined(several: Sequence[Violation]) -> Violation:
    first, *others = several
    if not others:
        return first
    if rule(first.rule).hygiene:
        more = f"{len(several)} such calls"
    else:
        what = "line" if len(others) == 1 else "lines"
        more = f"also at {what} {', '.join(str(each.line) for each in others)}"
    return replace(
        first,
        message=f"{first.message} ({more})",
        engines=tuple(dict.fromkeys(e for v in several for e in v.engines)),
        also=tuple(Note(v.file, v.line, v.message) for v in others),
        fix=tuple(
            dict.fromkeys(e for v in several if v.file == first.file for e in v.fix)
        ),
    )
