# SPDX-License-Identifier: GPL-2.0
"""Fingerprints of findings that do not change when the surrounding code moves."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence

from hotcocci.findings import Finding

LENGTH = 32


def fingerprints(findings: Sequence[Finding], texts: Mapping[str, str]) -> list[str]:
    """Return a fingerprint for each finding, in order; ``texts`` are their files.

    It hashes the rule, the file, the function and the finding's lines without white space, but not
    line numbers. Otherwise equal findings are numbered in file order.
    """
    lines = {file: text.split("\n") for file, text in texts.items()}
    order = sorted(
        range(len(findings)), key=lambda i: (findings[i].line, findings[i].end_line)
    )
    seen: Counter[tuple[str, ...]] = Counter()
    names = [""] * len(findings)
    for index in order:
        finding = findings[index]
        own = lines[finding.file][finding.line - 1 : finding.end_line]
        parts = (
            finding.rule,
            finding.file,
            finding.function or "",
            " ".join(" ".join(own).split()),
        )
        key = "\0".join((*parts, str(seen[parts])))
        seen[parts] += 1
        names[index] = hashlib.sha256(key.encode()).hexdigest()[:LENGTH]
    return names
