# SPDX-License-Identifier: GPL-2.0
"""Make the commits of a series, with recipients and cover letter, from a kernel commit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from hotcocci.deliver import mails, maintainers
from hotcocci.deliver.cover import Listed, cover
from hotcocci.deliver.gitrepo import Repository, changed_files, read_commit
from hotcocci.deliver.maintainers import Section
from hotcocci.deliver.parts import Part, by_subsystem, rewrite_id
from hotcocci.deliver.recipients import SCRIPT, Recipients, recipients
from hotcocci.deliver.series import Branch, Made, make
from hotcocci.deliver.style import strict
from hotcocci.deliver.worktree import checked_out
from hotcocci.engines.checkpatch import CheckpatchError
from hotcocci.errors import UserError
from hotcocci.pipeline.analysis import Analysis, analyse
from hotcocci.pipeline.gating import Gated, changes, chosen_rewrites
from hotcocci.pipeline.proof_gate import pass_all
from hotcocci.pipeline.settings import Settings
from hotcocci.tree.kernel import Tree, find_tree


@dataclass(frozen=True)
class Letter:
    """A commit of the series: its subject, its recipients, and checkpatch.pl's warnings."""

    sha: str
    subject: str
    recipients: Recipients
    complaints: tuple[str, ...]


@dataclass(frozen=True)
class Series:
    """The commits of a series with their letters, and their analysis and gate."""

    analysis: Analysis
    gated: Gated
    made: Made
    letters: tuple[Letter, ...]
    sections: tuple[Section, ...]

    @property
    def recipients(self) -> list[Recipients]:
        """Return the recipients of each patch, in order."""
        return [letter.recipients for letter in self.letters]

    def description(self, command: str) -> str:
        """Return the cover letter; ``command`` reproduces the series."""
        made = self.made
        listed = [
            Listed(x.subject, x.recipients, x.sha not in made.patches)
            for x in self.letters
        ]
        patches = [made.patches[sha] for sha in made.commits if sha in made.patches]
        return cover(patches, listed, made.base, command)

    def subsystems(self, repository: Repository) -> dict[str, str]:
        """Return the subsystem of each commit; a commit the user added has that of its first file."""
        own = {
            sha: _subsystem(repository, sha, self.sections) for sha in self.made.commits
        }
        return {**own, **self.made.subsystems}


def assemble(
    repository: Repository,
    revision: str,
    base: str,
    paths: Sequence[str],
    branch: Branch,
    settings: Settings,
) -> Series:
    """Make the commits of a series on ``base``; ``revision`` is the user's name for it.

    Does not set the branch. Raises UserError if that commit lacks one of the paths, or
    scripts/get_maintainer.pl.
    """
    with checked_out(repository, base, settings.cache_dir) as folder:
        there = find_tree(folder)
        for path in paths:
            if not (folder / path).exists():
                raise UserError(
                    f"{path} is not in {revision}: name directories and files of that commit"
                )
        if not (folder / SCRIPT).is_file():
            raise UserError(
                f"{revision} has no {SCRIPT}, which names the recipients: use --base to name another commit"
            )
        inside = [folder / path for path in paths]
        analysis, gated = _gated(there, inside, branch, settings)
        proofs = {proof.file: proof for proof in gated.proofs}
        parts = [
            Part(c.file, c.before, c.after, c.rewrites, proofs[c.file])
            for c in gated.passed
        ]
        sections = maintainers.read(folder)
        patches = by_subsystem(parts, sections)
        made = make(repository, base, folder, patches, branch.standing)
        letters = [_letter(repository, folder, sha) for sha in made.commits]
    return Series(analysis, gated, made, tuple(letters), tuple(sections))


def _gated(
    tree: Tree, paths: Sequence[Path], branch: Branch, settings: Settings
) -> tuple[Analysis, Gated]:
    """Analyse and check; rewrites that the user edited or dropped are left out."""
    analysis = analyse(tree, paths, settings)
    rewrites = [
        rewrite
        for rewrite in chosen_rewrites(analysis, settings)
        if rewrite_id(analysis.texts[rewrite.finding.file], rewrite)
        not in branch.settled
    ]
    wanted = changes(rewrites, analysis.possible, analysis.texts)
    return analysis, pass_all(tree, wanted, settings)


def _letter(repository: Repository, tree: Path, sha: str) -> Letter:
    mail = mails.mail(repository, sha)
    try:
        complaints = strict(tree, mail)
    except CheckpatchError as error:
        complaints = [f"not checked by checkpatch.pl: {error}"]
    subject = read_commit(repository, sha).subject
    return Letter(sha, subject, recipients(tree, mail), tuple(complaints))


def _subsystem(repository: Repository, sha: str, sections: Sequence[Section]) -> str:
    file = min(changed_files(repository, sha), default="")
    return maintainers.subsystem(sections, file) or str(PurePosixPath(file).parent)
