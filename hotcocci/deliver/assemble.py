# SPDX-License-Identifier: GPL-2.0
"""Check out a kernel commit, and make the commits of a series from it, with recipients and cover letter."""

from __future__ import annotations

import fcntl
import hashlib
import re
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from hotcocci import __version__
from hotcocci.deliver import mails, maintainers
from hotcocci.deliver.choose import Choice, Patch, choose, rewrite_id
from hotcocci.deliver.gitrepo import Repository, changed_files, read_commit
from hotcocci.deliver.maintainers import SCRIPT, Recipients, Section, recipients
from hotcocci.deliver.message import COUNTED, WIDTH, paragraph, texts, title_of
from hotcocci.deliver.series import Branch, Made, make
from hotcocci.engines.checkpatch import complaints
from hotcocci.errors import EngineError, UserError
from hotcocci.names import count, wrapped
from hotcocci.output.gains import totals
from hotcocci.pipeline.analysis import Analysis, analyse
from hotcocci.pipeline.changes import chosen_rewrites
from hotcocci.pipeline.settings import Observer, Settings
from hotcocci.tree.build import BUILD_FILES
from hotcocci.tree.kernel import find_tree
from hotcocci.tree.source import decode

# Seconds to wait for the lock: processes of a killed run have ended by then.
PATIENCE = 60.0
TURN = 0.1
# What neither a build of one file nor a rule reads: documents, device trees, and of tools/ all but
# objtool. checkpatch.pl wants the folder of Documentation.
UNUSED = re.compile(
    r"Documentation/.+/|tools/(?!(?:objtool|lib|include|build|scripts|arch)/).+/|arch/\w+/boot/dts/"
)


@contextmanager
def checked_out(
    repository: Repository,
    commit: str,
    cache: Path,
    paths: Sequence[str],
    observer: Observer,
) -> Iterator[Path]:
    """Check out a commit, and what is at and below ``paths`` in full; yields the directory.

    Raises UserError while another run uses the directory.
    """
    home = cache.resolve() / "worktrees"
    home.mkdir(parents=True, exist_ok=True)
    digest = hashlib.sha256(
        f"{home}\0{repository.common}".encode("utf-8", "surrogateescape")
    ).hexdigest()[:16]
    folder = home / f"series-{digest}"
    with folder.with_suffix(".lock").open("w") as lock:
        with observer.progress("waiting for another series of this repository"):
            _lock(lock.fileno(), repository)
        with observer.progress("checking out"):
            _update(repository, commit, folder, paths)
        yield folder


def _lock(lock: int, repository: Repository) -> None:
    until = time.monotonic() + PATIENCE
    while True:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        except BlockingIOError as error:
            if time.monotonic() > until:
                raise UserError(
                    f"another run is making a series from {repository.root}: wait for it to finish"
                ) from error
            time.sleep(TURN)


def _update(
    repository: Repository, commit: str, folder: Path, paths: Sequence[str]
) -> None:
    """Make the directory hold the wanted files of a commit; git writes only those that differ from its index."""
    folder.mkdir(exist_ok=True)
    index = folder.with_suffix(".index")
    # A run that was killed leaves its lock.
    Path(f"{index}.lock").unlink(missing_ok=True)
    place = {
        "GIT_DIR": str(repository.common),
        "GIT_INDEX_FILE": str(index),
        "GIT_WORK_TREE": str(folder),
    }

    def listed(*command: str) -> list[str]:
        """The files that git lists whose name is UTF-8; kernel builds read no others."""
        names = repository.git(*command, extra=place).split("\0")
        return [name for name in names if name and "\ufffd" not in name]

    def mark(flag: str, names: Sequence[str]) -> None:
        told = decode("".join(f"{name}\0" for name in names).encode())
        repository.git("update-index", "-z", flag, "--stdin", stdin=told, extra=place)

    known = listed("ls-files", "-z")
    names = listed("ls-tree", "-r", "-z", "--name-only", commit)
    wanted = [name for name in names if _is_wanted(name, paths)]
    unused = sorted({*names} - {*wanted})
    # Before the index forgets them, or a run that is killed leaves them for ever.
    for name in {*known} - {*wanted}:
        (folder / name).unlink(missing_ok=True)
    repository.git("read-tree", "--reset", commit, extra=place)
    mark("--skip-worktree", unused)
    mark("--no-skip-worktree", wanted)
    repository.git("checkout-index", "-a", "-f", "-q", "-u", extra=place)


def _is_wanted(name: str, paths: Sequence[str]) -> bool:
    if not UNUSED.match(name) or name.rpartition("/")[2].startswith(BUILD_FILES):
        return True
    return any(name == path or name.startswith(f"{path}/") for path in paths)


@dataclass(frozen=True)
class Letter:
    """A commit of the series: its subject, its recipients, and checkpatch.pl's warnings."""

    sha: str
    subject: str
    recipients: Recipients
    complaints: tuple[str, ...]


@dataclass(frozen=True)
class Series:
    """The commits of a series with their letters, their analysis, and what was left out."""

    analysis: Analysis
    choice: Choice
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
        patches = {s: made.patches[s] for s in made.commits if s in made.patches}
        return cover(patches, self.letters, made.base, command)

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
    observer = settings.observer
    with checked_out(repository, base, settings.cache_dir, paths, observer) as folder:
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
        analysis = analyse(there, inside, settings)
        sections = maintainers.read(folder)
        standing = {s.recorded.key for s in branch.standing if s.recorded}
        # The user edited or dropped the others.
        wanted = [
            rewrite
            for rewrite in chosen_rewrites(analysis, settings)
            if rewrite_id(analysis.texts[rewrite.finding.file], rewrite)
            not in branch.settled
        ]
        choice = choose(there, analysis, wanted, sections, standing, settings)
        with observer.progress("making the commits"):
            made = make(repository, base, folder, choice.patches, branch.standing)
        with observer.progress("asking for recipients") as show:
            letters: list[Letter] = []
            for sha in made.commits:
                letters.append(_letter(repository, folder, sha))
                if show:
                    show(len(letters), len(made.commits))
    return Series(analysis, choice, made, tuple(letters), tuple(sections))


def _letter(repository: Repository, tree: Path, sha: str) -> Letter:
    mail = mails.mail(repository, sha)
    strict = ("--strict", f"--root={tree}")
    try:
        said = [c.text for c in complaints(tree, decode(mail.encode()), strict)]
    except EngineError as error:
        said = [f"not checked by checkpatch.pl: {error}"]
    subject = read_commit(repository, sha).subject
    return Letter(sha, subject, recipients(tree, mail), tuple(said))


def _subsystem(repository: Repository, sha: str, sections: Sequence[Section]) -> str:
    file = min(changed_files(repository, sha), default="")
    return maintainers.subsystem(sections, file) or str(PurePosixPath(file).parent)


def cover(
    patches: Mapping[str, Patch], letters: Sequence[Letter], base: str, command: str
) -> str:
    """Return subject, an empty line and body; ``command`` makes the series on commit ``base``.

    ``patches`` are by commit; the user made or edited the other commits.
    """
    made = patches.values()
    rewrites = [rewrite for patch in made for rewrite in patch.rewrites]
    gains = [gain for patch in made for gain in patch.gains]
    files = {part.file for patch in made for part in patch.parts}
    codes = ", ".join(sorted({rewrite.finding.rule for rewrite in rewrites}))
    title = title_of(rewrites) if rewrites else "manual changes"
    blocks = [title[0].upper() + title[1:]]
    blocks += [paragraph(text) for text in texts(rewrites)]
    blocks.append(
        paragraph(
            f"{count(len(rewrites), 'rewrite')} in {count(len(files), 'file')}, one patch per rule and subsystem, "
            f"generated by hotcocci {__version__}{f' ({codes})' if codes else ''}. "
            "See each patch for its semantic patch and for testing."
        )
    )
    figures = totals(gains)
    if figures:
        blocks += [paragraph(f"Total. {COUNTED}"), "\n".join(figures)]
    blocks.append("Patches, with recipients from scripts/get_maintainer.pl:")
    blocks += [
        _patch(number, one, one.sha not in patches)
        for number, one in enumerate(letters, 1)
    ]
    blocks.append(paragraph(f"To reproduce the series on commit {base}:"))
    blocks.append(f"  {command}")
    return "\n\n".join(blocks) + "\n"


def _patch(number: int, one: Letter, by_hand: bool) -> str:
    lines = [f"{number}. {one.subject}"]
    if by_hand:
        lines.append("   (made or edited by hand)")
    for name, addresses in (("To", one.recipients.to), ("Cc", one.recipients.cc)):
        if addresses:
            said = f"{name}: {', '.join(addresses)}"
            lines += wrapped(said, WIDTH, "   ", "       ")
    return "\n".join(lines)
