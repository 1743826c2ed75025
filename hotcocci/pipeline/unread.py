# SPDX-License-Identifier: GPL-2.0
"""Which code of a change was not read: it has not passed.

Code that was not parsed before the change either, elsewhere in a file, does not count.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from hotcocci.c.functions import ENDS, block, mismatches
from hotcocci.findings import Skip
from hotcocci.pipeline.settings import Settings
from hotcocci.pool import Failure, spread
from hotcocci.tree.kernel import Tree
from hotcocci.tree.mention import UNUSABLE, Mention, mentioned
from hotcocci.tree.select import printable_name
from hotcocci.tree.source import decode, encode, read
from hotcocci.tree.touched import Touched

# With fewer files, a second process costs more than it saves.
WORTH_A_PROCESS = 200


def broken(
    tree: Tree,
    paths: Iterable[Path],
    touched: Mapping[str, Touched],
    settings: Settings,
) -> list[Skip]:
    """Return changed code in which brackets or comments lack their other ends: it is no C.

    It may hide anything, whether or not it mentions what a rule is about.
    """
    found = []
    todo = [(path, touched[str(path.relative_to(tree.root))]) for path in paths]
    with settings.observer.progress("reading the change") as show:
        for (path, _), places in spread(
            _broken, todo, settings.jobs, WORTH_A_PROCESS, show, settings.timeout
        ):
            file = printable_name(str(path.relative_to(tree.root)))
            if isinstance(places, Failure):
                found.append(Skip(file, places.why))
                continue
            for line, what in places:
                why = f"the {what} of line {line} has no {ENDS[what]}"
                found.append(Skip(file, why, (line,)))
    return found


def _broken(task: tuple[Path, Touched]) -> list[tuple[int, str]]:
    path, change = task
    text = _text(path)
    if text is None or not mentioned(encode(text), ()).isdisjoint(UNUSABLE):
        return []
    lines = text.split("\n")
    return [
        (line, what)
        for line, what in mismatches(text)
        if _is_touched(change, block(lines, line))
    ]


def of_change(
    tree: Tree,
    skipped: Iterable[Skip],
    touched: Mapping[str, Touched],
    mentions: Sequence[Mention],
) -> list[Skip]:
    """Return what was skipped of the code that a change touches, each with the first line of it.

    ``mentions`` are those that code has to have for the rules to find anything in it: of a file
    that an engine failed on, no other code was missed.
    """
    changes = {printable_name(file): (file, seen) for file, seen in touched.items()}
    found = []
    for skip in skipped:
        if skip.file not in changes:
            continue
        file, change = changes[skip.file]
        text = _text(tree.root / file)
        if text is None or (
            not skip.lines and not mentioned(encode(text), ()).isdisjoint(UNUSABLE)
        ):
            found.append(replace(skip, lines=()))
            continue
        lines = text.split("\n")
        places = skip.lines or _mentioning(lines, change, mentions)
        hit = [n for n in places if _is_touched(change, block(lines, n))]
        if hit:
            found.append(replace(skip, lines=(min(hit),)))
    return sorted(found, key=lambda skip: (skip.file, skip.lines))


def _mentioning(
    lines: Sequence[str], change: Touched, mentions: Sequence[Mention]
) -> list[int]:
    """The lines of a change in code with such a mention."""
    found = []
    for line in (*change.written, *(max(cut, 1) for cut in change.cuts)):
        first, last = block(lines, line)
        code = "\n".join(lines[first - 1 : last])
        if mentioned(encode(code), mentions):
            found.append(line)
    return found


def _is_touched(change: Touched, place: tuple[int, int]) -> bool:
    """Whether a change touches lines, or removed some right before or after them."""
    first, last = place
    return change.touches(first, last) or change.cuts_within(first - 1, last + 1)


def _text(path: Path) -> str | None:
    """The text of a file; None if it cannot be read, or is reached by a link."""
    try:
        return None if path.is_symlink() else decode(read(path))
    except OSError:
        return None
