# SPDX-License-Identifier: GPL-2.0
"""Find the kernel trees and files of paths."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from hotcocci.errors import UserError, unwritable
from hotcocci.findings import Skip
from hotcocci.temporary import place
from hotcocci.tree.kernel import Tree, find_trees
from hotcocci.tree.select import OUTSIDE, SUFFIXES, astray, printable_name
from hotcocci.tree.source import decode, encode, read


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
    tree: Tree, paths: Sequence[Path], touched: Iterable[str]
) -> tuple[list[Path], list[Skip]]:
    """Return the changed C files at and below the paths, and the links among them, which are not read.

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
    return files, skipped


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
    try:
        return {file: decode(read(tree.root / file)) for file in files}
    except OSError as error:
        raise UserError(
            f"cannot read {error.filename}: {error.strerror}: run the command again"
        ) from error


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
