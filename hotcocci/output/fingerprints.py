# SPDX-License-Identifier: GPL-2.0
"""Names of findings that stay the same while the code around them moves."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence

from hotcocci.findings import Finding

LENGTH = 32


def fingerprints(findings: Sequence[Finding], texts: Mapping[str, str]) -> list[str]:
    """A name for each finding, in their order; ``texts`` are the files they are in.

    It is made of the rule, the file, the function and the text of the finding's own lines,
    whatever their white space, not of their numbers. Equal ones are told apart by which of them
    comes first in the file.
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
        said = "\0".join((*parts, str(seen[parts])))
        seen[parts] += 1
        names[index] = hashlib.sha256(said.encode()).hexdigest()[:LENGTH]
    return names
