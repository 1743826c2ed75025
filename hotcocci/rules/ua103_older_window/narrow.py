# SPDX-License-Identifier: GPL-2.0
"""Open a window only in the direction that it uses."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from hotcocci.findings import READ_WRITE
from hotcocci.rewrite.context import Context
from hotcocci.rewrite.options import MASKED, SCOPED, Options
from hotcocci.rewrite.window import Refusal
from hotcocci.rules.ua103_older_window.found import Change
from hotcocci.rules.ua103_older_window.renamed import renamed
from hotcocci.tree.kconfig import architectures_of
from hotcocci.tree.source import read_text
from hotcocci.windows.outcome import Outcome
from hotcocci.windows.vocabulary import ENDS, SCOPES
from hotcocci.windows.wider import Wide, narrowed


def narrow(
    wide: Wide, others: list[Wide], outcome: Outcome, context: Context
) -> Change | Refusal:
    """Rename a begin and its ends; ``others`` are all wide windows of the function."""
    line = context.source.line_of(wide.at)
    options = context.options
    arches = architectures_of(options.root, context.source.file)
    if arches is not None and not any(_has_directions(options.root, a) for a in arches):
        names = ", ".join(sorted(arches))
        detail = f"the file is built for {names} only, where a begin always opens both directions"
        return Refusal("no-gain-arch", line, detail)
    edits = [renamed(wide.at, wide.narrow, context)]
    ends = {end for end, begin in outcome.ends if begin == wide.at}
    if not ends and wide.name not in SCOPES:
        return Refusal("shared-end", line)
    same = {w.at for w in others if w.direction == wide.direction}
    for end in sorted(ends):
        name = context.source.code_between(end, context.body.end)[0].text
        if ENDS.get(name) != READ_WRITE:
            return Refusal("shared-end", context.source.line_of(end))
        if not {begin for at, begin in outcome.ends if at == end} <= same:
            return Refusal("shared-end", context.source.line_of(end))
        edits.append(renamed(end, narrowed(name, wide.direction), context))
    return Change(
        tuple(edits),
        f"use {wide.narrow}()",
        "narrow",
        decisions=tuple(_newer(wide, options)),
    )


def _newer(wide: Wide, options: Options) -> Iterator[str]:
    """Ask about the newer kind of window that the tree has: a begin narrowed today is changed again then."""
    if options.api == SCOPED and wide.name not in SCOPES:
        yield "a scope can take its place"
    elif options.small_api == MASKED and wide.name == "user_access_begin":
        yield "a masked begin can take its place"


def _has_directions(root: Path, arch: str) -> bool:
    """Whether an architecture has a begin that only opens reads."""
    header = root / "arch" / arch / "include/asm/uaccess.h"
    return header.is_file() and "user_read_access_begin" in read_text(header)
