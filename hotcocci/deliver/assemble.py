# SPDX-License-Identifier: GPL-2.0
"""Check out a kernel commit, and make the commits of a series from it, with recipients and cover letter; write its mails."""

import hashlib
import os
import re
import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from email import message_from_bytes, policy
from email.header import Header
from email.utils import getaddresses
from pathlib import Path

from hotcocci import __version__
from hotcocci.deliver.choose import Choice, Patch, choose, rewrite_id
from hotcocci.deliver.gitrepo import Repository, changed_files, read_commit
from hotcocci.deliver.maintainers import (
    SCRIPT,
    Recipients,
    Section,
    header,
    joined,
    owner,
    read,
    recipients,
)
from hotcocci.deliver.message import COUNTED, WIDTH, paragraph, texts, title_of
from hotcocci.deliver.series import Branch, Made, make
from hotcocci.engines.checkpatch import complaints
from hotcocci.errors import EngineError, UserError
from hotcocci.names import count, wrapped
from hotcocci.output.proofs import totals
from hotcocci.pipeline.analysis import Analysis, analyse
from hotcocci.pipeline.changes import chosen_rewrites
from hotcocci.pipeline.settings import Observer, Settings
from hotcocci.tree.build import BUILD_FILES, locked
from hotcocci.tree.kernel import find_tree
from hotcocci.tree.source import decode

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

    Waits while another run uses the directory.
    """
    home = cache.resolve() / "worktrees"
    home.mkdir(parents=True, exist_ok=True)
    digest = hashlib.sha256(
        f"{home}\0{repository.common}".encode("utf-8", "surrogateescape")
    ).hexdigest()[:16]
    folder = home / f"series-{digest}"
    with ExitStack() as held:
        with observer.progress("waiting for another series of this repository"):
            held.enter_context(locked(folder.with_suffix(".lock")))
        with observer.progress("checking out"):
            _update(repository, commit, folder, paths)
        yield folder


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
            sha: owner(self.sections, min(changed_files(repository, sha), default=""))
            for sha in self.made.commits
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

    Does not set the branch. Raises UserError if that commit lacks one of the paths, or scripts/get_maintainer.pl.
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
        analysis = analyse(there, [folder / path for path in paths], settings)
        sections = read(folder)
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
    text = mail(repository, sha)
    strict = ("--strict", f"--root={tree}")
    try:
        said = [c.text for c in complaints(tree, decode(text.encode()), strict)]
    except EngineError as error:
        said = [f"not checked by checkpatch.pl: {error}"]
    subject = read_commit(repository, sha).subject
    return Letter(sha, subject, recipients(tree, text), tuple(said))


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
            lines += wrapped(f"{name}: {', '.join(addresses)}", WIDTH, "   ", "       ")
    return "\n".join(lines)


SUBJECT = "*** SUBJECT HERE ***"
BLURB = "*** BLURB HERE ***"
# Columns of a list of recipients.
LISTED = 100
# Mails must not depend on the user's configuration: threading adds random Message-IDs, a signature
# is git's version, and nobody has signed off yet.
OPTIONS = (
    *("--no-thread", "--no-signature", "--no-signoff", "--no-attach"),
    *("--no-to", "--no-cc", "--no-full-index", "--no-binary", "--no-notes"),
    *("--no-add-header", "--encode-email-headers", "--no-ext-diff", "--no-textconv"),
    *("--subject-prefix=PATCH", "--no-from"),
)


def mail(repository: Repository, sha: str) -> str:
    """Return one commit as a mail without a series."""
    alone = ("--stdout", "--no-base", "--no-cover-letter", "--no-numbered")
    return repository.git("format-patch", "-1", *alone, *OPTIONS, sha)


def check_folder(folder: Path, repository: Repository) -> None:
    """Raise UserError if the directory is in the kernel tree or not empty."""
    if folder.resolve().is_relative_to(repository.root.resolve()):
        raise UserError(
            f"{folder} is inside the kernel tree, which must not change: name another directory with --output"
        )
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UserError(
            f"{folder} is not an empty directory: name another one with --output"
        )


def write_mails(
    repository: Repository,
    made: Made,
    text: str,
    everyone: Sequence[Recipients],
    version: int,
    folder: Path,
) -> list[Path]:
    """Write the mails of a series, all or none, to a new directory; returns them, cover letter first.

    ``text`` is the cover letter: a subject, an empty line, a body. It goes to all recipients, which are per
    commit. ``version`` is shown from 2 on, as in [PATCH v2].
    """
    subject, _, body = text.partition("\n")
    # git runs in the repository, not in the current directory.
    folder = folder.resolve()
    folder.parent.mkdir(parents=True, exist_ok=True)
    staging = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", dir=folder.parent))
    try:
        repository.git(
            *("format-patch", "--cover-letter", "--cover-from-description=none"),
            *("--numbered", f"--base={made.base}", *OPTIONS),
            f"--output-directory={staging}",
            *([f"--reroll-count={version}"] if version > 1 else []),
            f"{made.base}..{made.tip}",
            # Date of the cover letter, else the current time.
            extra={"GIT_COMMITTER_DATE": read_commit(repository, made.tip).committed},
        )
        files = sorted(staging.iterdir())
        for file, own in zip(files, [joined(list(everyone)), *everyone], strict=True):
            head, found, rest = file.read_bytes().partition(b"\n\n")
            if file == files[0]:
                coded = (
                    subject if subject.isascii() else Header(subject, "utf-8").encode()
                )
                head = head.replace(SUBJECT.encode(), coded.encode())
                rest = rest.replace(BLURB.encode(), body.strip().encode(), 1)
            file.write_bytes(head + _recipients(own).encode() + found + rest)
        staging.chmod(0o755)
        if folder.exists():
            folder.rmdir()
        os.replace(staging, folder)
    except BaseException:
        shutil.rmtree(staging, ignore_errors=True)
        raise
    return [folder / file.name for file in files]


def _recipients(own: Recipients) -> str:
    """Return To: and Cc: headers, one address per line."""
    lines = ""
    for name, addresses in (("To", own.to), ("Cc", own.cc)):
        if addresses:
            lines += f"\n{name}: " + ",\n    ".join(map(header, addresses))
    return lines


def listed(files: Sequence[Path]) -> list[str]:
    """Return the subject and the recipients of each mail, and how many there are."""
    lines = []
    everyone: set[str] = set()
    for file in files:
        mail = message_from_bytes(file.read_bytes(), policy=policy.default)
        headers = [*mail.get_all("To", []), *mail.get_all("Cc", [])]
        addresses = [address for _, address in getaddresses(map(str, headers))]
        everyone.update(addresses)
        to = f"to {', '.join(addresses)}"
        lines += [str(mail["Subject"]), *wrapped(to, LISTED, "    ", "       ")]
    what = "address" if len(everyone) == 1 else "addresses"
    lines.append(f"{count(len(files), 'mail')} to {len(everyone)} {what}: not sent")
    return lines
