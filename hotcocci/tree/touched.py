# SPDX-License-Identifier: GPL-2.0
"""Find what a change touches: lines, from a diff without context, and the texts of another revision.

A tree may already have a patch, even if later patches changed the same lines again. Within an applied
series, a patch can often neither be applied nor reverted. But its "index" lines name what it changed and
what it made of it, and the repository has both.
"""

import hashlib
import os
import re
import tarfile
import tempfile
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import Path

from hotcocci.errors import UserError
from hotcocci.names import unquoted
from hotcocci.tree import git
from hotcocci.tree.source import decode, encode
from hotcocci.tree.source import read as read_file

# Override the user's configuration: no context, no colour, no external diff. What a submodule's
# configuration names would be run to look for changes there.
DIFF = (
    *("diff", "--text", "--ignore-submodules=all", "--no-color"),
    *("--no-ext-diff", "--no-textconv", "--unified=0", "--inter-hunk-context=0"),
)
PREFIXES = ("--src-prefix=a/", "--dst-prefix=b/")
_SECTION = re.compile(r"^diff --git ", re.MULTILINE)
_NAME = re.compile(
    r'^\+\+\+ (?:b/(?P<plain>[^\t\n]+)|"b/(?P<quoted>.*)")', re.MULTILINE
)
_HUNK = re.compile(
    r"^@@ -\d+(?:,\d+)? \+(?P<line>\d+)(?:,(?P<count>\d+))? @@", re.MULTILINE
)


# Commits to search for a patch: far more than a series has
RECENT = 1000
_INDEX = re.compile(r"^index (?P<old>[0-9a-f]+)\.\.(?P<new>[0-9a-f]+)", re.MULTILINE)
_NEW_NAME = re.compile(r"^\+\+\+ (?P<name>[^\t\n]+)", re.MULTILINE)
_MOVED = re.compile(r"^(?:rename|copy) to (?P<name>[^\n]+)$", re.MULTILINE)


@dataclass(frozen=True)
class Touched:
    """The changes to a file, by line numbers of the new version.

    ``written`` are the lines added or changed, sorted; ``cuts`` the lines after which lines were
    only removed, sorted.
    """

    written: tuple[int, ...]
    cuts: tuple[int, ...] = ()

    def touches(self, first: int, last: int) -> bool:
        """Whether a line from first to last is new, or one between them was removed."""
        return _any(self.written, first, last) or self.cuts_within(first, last)

    def adds(self, first: int, last: int) -> bool:
        """Whether all lines from first to last are new."""
        start = bisect_left(self.written, first)
        return self.written[start : start + last - first + 1] == (
            *range(first, last + 1),
        )

    def cuts_within(self, first: int, last: int) -> bool:
        """Whether a line between first and last was removed."""
        return _any(self.cuts, first, last - 1)


def since(tree: Path, revision: str) -> dict[str, Touched]:
    """The files of a working tree that differ from a revision.

    Untracked files are left out. Raises UserError if the tree is not in a repository, or there
    is no such revision.
    """
    with git.reading(tree) as ask:
        if ask is None:
            raise UserError(f"{tree} is not in a git repository: omit --diff-base")
        listed = ask("ls-files", "--", "Makefile")
        if listed.status != 0:
            raise UserError(
                f"git cannot read the repository of {tree}: {git.said(listed)}"
            )
        if not listed.out:
            raise UserError(
                f"the git repository around {tree} does not track it: omit --diff-base"
            )
        commit = commit_of(ask, tree, revision)
        _look_at_all(ask, tree, commit)
        names = ("--find-renames", "--relative", commit, "--", ".")
        made = ask(*DIFF, *PREFIXES, *names)
    if made.status != 0:
        raise UserError(f"git cannot compare {tree} with {revision}: {git.said(made)}")
    return read(made.out)


def _look_at_all(ask: git.Git, tree: Path, commit: str) -> None:
    """Raise UserError for a file that differs from a commit, and that the index says git need not look at."""
    listed = ask("ls-files", "-v", "-z", "--", "*.[ch]").out.split("\0")
    names = [each[2:] for each in listed if each[:1].islower() or each[:1] == "S"]
    blobs = ask("ls-tree", "-r", "-z", commit).out if names else ""
    entries = (entry.partition("\t") for entry in blobs.split("\0"))
    known = {name: head.rpartition(" ")[2] for head, _, name in entries}
    for name in names:
        file = tree / os.fsdecode(name.encode("latin-1"))
        if file.is_file() and known.get(name) != _blob(file, commit):
            raise UserError(
                f"git does not show the changes of {name}, so they are not checked: "
                "use 'git update-index --no-assume-unchanged --no-skip-worktree'"
            )


def uncommitted(tree: Path, files: Sequence[str]) -> list[str]:
    """Those of these files, or below these folders, that differ from the last commit; by name in the tree.

    Untracked files are left out; there are none outside a repository. Raises UserError if it cannot be read.
    """
    with git.reading(tree) as ask:
        if ask is None or not files:
            return []
        options = (*DIFF[:3], "--name-only", "-z", "--no-renames", "--relative")
        literal = (f":(literal){file}" for file in files)
        made = ask(*options, "HEAD", "--", *literal)
    if made.status != 0:
        raise UserError(f"git cannot compare {tree} with HEAD: {git.said(made)}")
    return [name for name in made.out.split("\0") if name]


def is_same_at(tree: Path, revision: str, file: Path) -> bool:
    """Whether a file has the contents that it has in a revision of the repository around a tree.

    Raises UserError if there is no such revision.
    """
    with git.reading(tree) as ask:
        top = git.top(tree)
        if ask is None or top is None or not file.is_relative_to(top):
            return False
        commit = commit_of(ask, tree, revision)
        name = f"{commit}:{file.relative_to(top)}"
        known = ask("rev-parse", "--verify", "--quiet", "--end-of-options", name)
    return known.status == 0 and _blob(file, commit) == known.out.strip()


def _blob(file: Path, commit: str) -> str | None:
    """The hash that git has for the contents of a file, of the kind of a commit; None if nobody can read it."""
    try:
        # git keeps where a link leads.
        is_link = file.is_symlink()
        data = os.fsencode(os.readlink(file)) if is_link else read_file(file)
    except OSError:
        return None
    kind = "sha1" if len(commit) == 40 else "sha256"
    head = b"blob %d\0" % len(data)
    return hashlib.new(kind, head + data, usedforsecurity=False).hexdigest()


def commit_of(ask: git.Git, tree: Path, revision: str) -> str:
    """The hash of a revision's commit. Raises UserError if there is no such revision."""
    wanted = f"{revision}^{{commit}}"
    known = ask("rev-parse", "--verify", "--quiet", "--end-of-options", wanted)
    if known.status != 0:
        raise UserError(
            f"{revision} is not a revision in the repository of {tree}: "
            "name a commit, a branch or a tag"
        )
    return known.out.strip()


def between(old: Path, new: Path) -> dict[str, Touched]:
    """The files in the folder ``new`` that differ from those in its sibling ``old``, by name."""
    sides = ("--no-index", "--no-renames", *PREFIXES, old.name, new.name)
    made = git.plain(new.parent, *DIFF, *sides)
    # As in diff, 1 means that they differ.
    if made.status not in (0, 1):
        raise UserError(f"git cannot compare {old} with {new}: {git.said(made)}")
    prefix = f"{new.name}/"
    return {file.removeprefix(prefix): t for file, t in read(made.out).items()}


def read(diff: str) -> dict[str, Touched]:
    """Parse a diff without context: what it does to each file, by new name."""
    found = {}
    for section in _SECTION.split(diff)[1:]:
        name = _NAME.search(section)
        if name is not None:
            file = unquoted(name["plain"] or f'"{name["quoted"]}"')
            found[file] = _touched(section)
    return found


def _touched(section: str) -> Touched:
    written: list[int] = []
    cuts: list[int] = []
    for hunk in _HUNK.finditer(section):
        line, count = int(hunk["line"]), int(hunk["count"] or 1)
        if count:
            written += range(line, line + count)
        else:
            cuts.append(line)
    return Touched(tuple(written), tuple(cuts))


def _any(lines: tuple[int, ...], first: int, last: int) -> bool:
    place = bisect_left(lines, first)
    return place < len(lines) and lines[place] <= last


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
        _look_at_all(ask, tree, commit)
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


def touched_in(tree: Path, diffs: Sequence[str]) -> dict[str, Touched] | None:
    """Return the lines of a tree's files that are still as these diffs left them.

    A line that was changed again belongs to the patch that did so. None if the diffs do not name
    what they change, or if no recent commit has made one of the files what the diffs make of it.
    """
    states = _states(tree, diffs)
    if states is None:
        return None
    found = {}
    with git.reading(tree) as ask:
        if ask is None:
            return None
        for file, (before, after) in states.items():
            made = _out(ask, "cat-file", "blob", after)
            if made is None or not _is_committed(ask, file, after):
                return None
            if (tree / file).is_file():
                change = _change(_out(ask, "cat-file", "blob", before) or "", made)
                found[file] = moved(change, made, decode(read_file(tree / file)))
    return found


def edited(tree: Path, file: str, text: str) -> Touched:
    """The lines of a text that its file does not have in the last commit.

    If that does not have the tree, or cannot be read, the lines that it does not have on disk.
    """
    try:
        old = _committed(tree, file)
    except UserError:
        old = None
    if old is None:
        old = decode(read_file(tree / file)) if (tree / file).is_file() else ""
    # An editor may have other ends of lines than the file.
    old, text = old.replace("\r\n", "\n"), text.replace("\r\n", "\n")
    if old == text:
        return Touched(())
    matcher = SequenceMatcher(None, old.split("\n"), text.split("\n"))
    written: list[int] = []
    for kind, _, _, start, end in matcher.get_opcodes():
        written += range(start + 1, end + 1) if kind != "equal" else ()
    return Touched(tuple(written))


def _committed(tree: Path, file: str) -> str | None:
    """The text of a file in the last commit, empty if it has none; None if that does not have the tree."""
    with git.reading(tree) as ask:
        if ask is None:
            return None
        found = _out(ask, "cat-file", "blob", f"HEAD:./{file}")
        if found is None and _out(ask, "cat-file", "-e", "HEAD:./Makefile") is not None:
            return ""
        return found


def moved(change: Touched, made: str, now: str) -> Touched:
    """Return what is left of a change, by the lines of what became of the text that it made."""
    at = {0: 0}
    matcher = SequenceMatcher(None, made.split("\n"), now.split("\n"))
    for block in matcher.get_matching_blocks():
        at |= {block.a + n: block.b + n for n in range(1, block.size + 1)}
    written = tuple(at[line] for line in change.written if line in at)
    return Touched(written, tuple(at[line] for line in change.cuts if line in at))


def _states(tree: Path, diffs: Sequence[str]) -> dict[str, tuple[str, str]] | None:
    """The blobs of each file before and after all diffs; None if they do not name one.

    None also if a file that they only move is not where they move it: git says why.
    """
    states: dict[str, tuple[str, str]] = {}
    for section in (part for diff in diffs for part in _SECTION.split(diff)):
        index, found = _INDEX.search(section), _NEW_NAME.search(section)
        if found is None:
            moved = _MOVED.search(section)
            if moved and not (tree / unquoted(moved["name"])).is_file():
                return None
            continue
        name = unquoted(found["name"]).removeprefix("b/")
        if not index or ".." in name.split("/"):
            return None
        if name != "/dev/null":
            before, _ = states.get(name, (index["old"], ""))
            states[name] = (before, index["new"])
    return states or None


def _change(old: str, new: str) -> Touched:
    with tempfile.TemporaryDirectory(prefix="hotcocci-series-") as folder:
        sides = [Path(folder).resolve() / side for side in ("old", "new")]
        for side, text in zip(sides, (old, new), strict=True):
            side.mkdir()
            (side / "file").write_bytes(encode(text))
        return between(*sides).get("file", Touched(()))


def _is_committed(ask: git.Git, file: str, blob: str) -> bool:
    """Whether a recent commit gave a file this content, or replaced it."""
    recent = _out(ask, "rev-list", f"--max-count={RECENT}", "HEAD") or ""
    these = ("--no-walk", "--stdin", f"--find-object={blob}")
    log = ("log", "-1", "--format=%H", *these, "--", file)
    return bool(_out(ask, *log, stdin=recent))


def _out(ask: git.Git, *arguments: str, stdin: str | None = None) -> str | None:
    made = ask(*arguments, stdin=stdin)
    return made.out if made.status == 0 else None
