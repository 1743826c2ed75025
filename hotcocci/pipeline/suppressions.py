# SPDX-License-Identifier: GPL-2.0
"""Drop violations that comments allow, and report comments that allow none."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from hotcocci.findings import SPATCH
from hotcocci.pipeline.allowances import UNUSED, Allowance, allowances
from hotcocci.rules.rulebook import WINDOW_RULES
from hotcocci.windows.merge import Violation

_BY_CODE = {rule.code: rule for rule in WINDOW_RULES if rule.engines}


def suppress(
    violations: Sequence[Violation],
    texts: Mapping[str, str],
    asked: Collection[str],
    failed: Mapping[str, Collection[str]],
) -> tuple[list[Violation], list[Violation]]:
    """The violations that are not allowed, and those for malformed or unused comments.

    ``texts`` are the checked files, ``asked`` the engines that were to run, ``failed`` those that
    could not, by file. A comment is unused only if all engines that cover its rule were asked
    and at least one of them ran.
    """
    allowed = {
        file: [a for a in allowances(text) if a.of_windows]
        for file, text in texts.items()
    }
    used: set[tuple[str, Allowance]] = set()
    left = []
    for violation in violations:
        match = next(
            (
                a
                for a in allowed.get(violation.file, ())
                if (a.rule, a.target) == (violation.rule, violation.line)
                and not a.complaint
            ),
            None,
        )
        if match is None:
            left.append(violation)
        else:
            used.add((violation.file, match))
    wrong = []
    for file, found in allowed.items():
        for allowance in found:
            if allowance.complaint:
                wrong.append(_wrong(file, allowance, allowance.complaint))
            elif (file, allowance) not in used and _could_be_seen(
                allowance.rule, asked, failed.get(file, ())
            ):
                wrong.append(
                    _wrong(
                        file,
                        allowance,
                        f"allows {allowance.rule}, but nothing here violates it",
                    )
                )
    return left, wrong


def _could_be_seen(code: str, asked: Collection[str], failed: Collection[str]) -> bool:
    rule = _BY_CODE[code]
    promised = set(rule.engines)
    return (
        not (rule.on_request or rule.hygiene)
        and promised <= set(asked)
        and bool(promised - set(failed))
    )


def _wrong(file: str, allowance: Allowance, complaint: str) -> Violation:
    message = f"this comment {complaint}"
    return Violation(UNUSED, file, allowance.line, None, message, (SPATCH,))
