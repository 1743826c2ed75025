# SPDX-License-Identifier: GPL-2.0
"""Read the files of a git revision without a checkout."""

from __future__ import annotations

import re
import tarfile
import tempfile
from pathlib import Path

from hotcocci.errors import UserError
from hotcocci.tree import git
from hotcocci.tree.source import decode
from hotcocci.tree.touched import commit_of

_RANGE = re.compile(r"(?P<first>.*[^.])\.\.(?P<last>[^.].*)?")
_ARCHIVE = "texts.tar"


def ends(text: str) -> tuple[str, str]:
    """The revisions of a range A..B; of "A..", A and HEAD. Raises UserError for anything else."""
    match = _RANGE.fullmatch(text)
    if match is None:
        raise UserError(f"{text} is not a range of revisions: write A..B")
    return match["first"], match["last"] or "HEAD"


def texts_at(tree: Path, revision: str) -> dict[str, str]:
    """The texts that files have in a revision, of those that differ in the working tree.

    Documents, and files that it lacks, are left out. Raises UserError if the tree is not in a
    repository, or there is no such revision.
    """
    with git.reading(tree) as ask:
        if ask is None:
            raise UserError(f"{tree} is not in a git repository: use --diff")
        commit = commit_of(ask, tree, revision)
        listed = ask(
            *("diff", "--name-only", "-z", "--no-renames", "--relative"),
            # Not those that are only in the working tree
            *("--diff-filter=a", "--no-ext-diff", "--no-textconv"),
            *("--ignore-submodules", commit, "--", ".", ":!Documentation"),
        )
        names = [name for name in listed.out.split("\0") if name]
        if listed.status == 0 and not names:
            return {}
        with tempfile.TemporaryDirectory(prefix="hotcocci-revision-") as folder:
            archive = Path(folder) / _ARCHIVE
            literal = (f":(literal){name}" for name in names)
            made = ask("archive", "-o", str(archive), commit, "--", *literal)
            for outcome in (listed, made):
                if outcome.status != 0:
                    said = git.said(outcome)
                    raise UserError(f"git cannot read {revision} of {tree}: {said}")
            with tarfile.open(archive) as found:
                return {
                    each.name: decode(stream.read())
                    for each in found
                    if each.isfile() and (stream := found.extractfile(each))
                }
