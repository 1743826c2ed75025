# SPDX-License-Identifier: GPL-2.0
"""Find the kernel trees and files of paths."""

import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from hotcocci.c.functions import ENDS, block, mismatches
from hotcocci.errors import UserError, told, unwritable
from hotcocci.findings import Skip
from hotcocci.pipeline.settings import Settings
from hotcocci.pool import Failure, spread
from hotcocci.tree.kernel import Tree, find_trees, probe
from hotcocci.tree.process import place
from hotcocci.tree.select import (
    OUTSIDE,
    SUFFIXES,
    UNUSABLE,
    Mention,
    astray,
    mentioned,
    printable_name,
)
from hotcocci.tree.source import decode, encode, lay, read
from hotcocci.tree.touched import Touched


def trees(paths: Sequence[Path]) -> list[tuple[Tree, list[Path]]]:
    """Return the kernel trees that the paths are in or contain, each with its paths.

    Raises UserError if there is none.
    """
    found: dict[Path, tuple[Tree, list[Path]]] = {}
    for path in paths:
        for tree in find_trees(path):
            inside = path.resolve().is_relative_to(tree.root)
            wanted = found.setdefault(tree.root, (tree, []))[1]
            wanted.append(path if inside else tree.root)
    return list(found.values())


def changed_files(
    tree: Tree,
    paths: Sequence[Path],
    touched: Mapping[str, Touched],
    settings: Settings,
) -> tuple[list[Path], list[Skip]]:
    """Return the changed C files at and below the paths, and what of them is not read: links, and no C.

    A change of what a link leads to is one of that file.
    """
    files = []
    skipped = []
    for file in sorted(f for f in touched if is_at(tree, f, paths)):
        path = tree.root / file
        if path.is_symlink():
            why = astray(tree.root, path) or "it is a link, and is not checked"
            skipped.append(Skip(printable_name(file), why))
        elif path.is_file():
            files.append(path)
    return files, [*skipped, *_broken(tree, files, touched, settings)]


def is_at(tree: Tree, file: str, paths: Sequence[Path]) -> bool:
    """Whether a file, by its name relative to the tree, is C of the kernel at or below the paths."""
    return (
        file.endswith(SUFFIXES)
        and file.partition("/")[0] not in OUTSIDE
        and any(
            (tree.root / file).is_relative_to(where)
            for path in paths
            # A link that is named is meant itself.
            for where in (path.resolve(), path.parent.resolve() / path.name)
        )
    )


def texts_of(tree: Tree, files: Sequence[str]) -> dict[str, str]:
    """Read files of the tree. Raises UserError if one cannot be read."""
    texts = {}
    for path in files:
        with told(f"read {tree.root / path}", "run the command again"):
            texts[path] = decode(read(tree.root / path))
    return texts


@contextmanager
def scratch_tree(tree: Tree, texts: Mapping[str, str]) -> Iterator[Tree]:
    """Make a temporary tree with only these files and the features of ``tree``."""
    with tempfile.TemporaryDirectory(prefix="hotcocci-tree-") as folder:
        root = Path(folder).resolve()
        for file, text in texts.items():
            path = root / file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(encode(text))
        yield Tree(root, tree.features)


@contextmanager
def overlaid(tree: Tree, texts: Mapping[str, str]) -> Iterator[Tree]:
    """Make a temporary tree with the texts of these files, and links to all others."""
    with tempfile.TemporaryDirectory(prefix="hotcocci-patched-") as folder:
        root = Path(folder).resolve() / tree.root.name
        lay(tree.root, texts, root)
        yield Tree(root, probe(root))


def name(tree: Tree, path: Path) -> str:
    """The name of a file, relative to the tree."""
    return str(path.resolve().relative_to(tree.root))


def inside(overlay: Tree, tree: Tree, path: Path) -> Path:
    """The path that a path of the tree has in an overlay."""
    return overlay.root / name(tree, path)


@contextmanager
def edited(
    tree: Tree, path: Path, text: str, cache_dir: Path
) -> Iterator[tuple[Tree, Path]]:
    """Yield the tree and the path of a file as if it had this text: in an overlay, unless it has."""
    if path.exists() and read(path) == encode(text):
        yield tree, path
        return
    check_outside(cache_dir, tree)
    with overlaid(tree, {name(tree, path): text}) as overlay:
        yield overlay, inside(overlay, tree, path)


@contextmanager
def needing_room(what: str) -> Iterator[None]:
    """Raise UserError if something, named in the infinitive, fails as temporary files cannot be written."""
    try:
        yield
    except OSError as error:
        raise UserError(
            f"cannot {what}: {error.filename or place()}: "
            + unwritable(error, "set TMPDIR to another directory")
        ) from error


def check_outside(folder: Path, tree: Tree) -> None:
    """Raise UserError if an output directory is in the kernel tree."""
    if folder.resolve().is_relative_to(tree.root):
        raise UserError(
            f"{folder} is inside the kernel tree, which must not change: "
            "name another directory"
        )


# With fewer files, a second process costs more than it saves.
WORTH_A_PROCESS = 200


def _broken(
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
            _mismatches, todo, settings.jobs, WORTH_A_PROCESS, show, settings.timeout
        ):
            file = printable_name(str(path.relative_to(tree.root)))
            if isinstance(places, Failure):
                found.append(Skip(file, places.why))
                continue
            for line, what in places:
                why = f"the {what} of line {line} has no {ENDS[what]}"
                found.append(Skip(file, why, (line,)))
    return found


def _mismatches(task: tuple[Path, Touched]) -> list[tuple[int, str]]:
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
