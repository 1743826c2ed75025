# SPDX-License-Identifier: GPL-2.0
"""Read patches from diffs or mails, and apply them to a tree without changing it."""

import os
import re
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from hotcocci.errors import UserError
from hotcocci.findings import Other
from hotcocci.names import unquoted
from hotcocci.tree import git
from hotcocci.tree.source import decode, readable
from hotcocci.tree.source import read as contents
from hotcocci.tree.touched import Touched, between, touched_in

SOURCES = (".c", ".h")
_FROM = re.compile(
    r"From \S+ .*\d{4}$|(?:From|Subject|Date|Message-I[dD]|Received|Return-Path): "
)
# The output of "git mailinfo"; the 3 in "[PATCH v2 3/7]" is the position in the series.
_SUBJECT = re.compile(r"^Subject: (?P<subject>.*)$", re.MULTILINE)
_PLACE = re.compile(r"\[[^]]*?\b(?P<number>\d+)/\d+\]")
_NAME = re.compile(r"^(?:---|\+\+\+) (?P<name>[^\t\n]+)", re.MULTILINE)
_OTHER = re.compile(r"^(?:rename|copy) (?:from|to) (?P<name>[^\t\n]+)", re.MULTILINE)
_MOVED = re.compile(
    r"^rename from (?P<old>[^\t\n]+)\nrename to (?P<new>[^\t\n]+)$", re.MULTILINE
)
_FROM_NAME = re.compile(r"^(?:rename|copy) from (?P<old>[^\t\n]+)$", re.MULTILINE)
_DIFF = re.compile(r"^(?:diff --git |--- )", re.MULTILINE)
_SECTION = re.compile(r"^(?=diff --git )", re.MULTILINE)
# Of a merge, with a column for each parent; "patch" and "git apply" pass over it.
_MERGE = re.compile(r"^diff --(?:cc|combined) ", re.MULTILINE)
_BINARY = re.compile(r"^(?:Binary files .* differ|GIT binary patch)$", re.MULTILINE)
# Links and submodules, whose "text" is a path or a commit
_NO_FILE = re.compile(
    r"^(?:(?:new|old|deleted) (?:file )?mode|index \S+) 1[26]0000$", re.MULTILINE
)
# All that names an empty file, or one of which only the mode changes
_HEAD = re.compile(
    r'^diff --git (?P<mark>"?)(?:\w/)?(?P<name>.+)(?P=mark) (?P=mark)(?:\w/)?(?P=name)(?P=mark)$',
    re.MULTILINE,
)
_REMOVED = re.compile(r"^(?:deleted file mode \d+|\+\+\+ /dev/null)$", re.MULTILINE)
_COLOUR = re.compile(r"\x1b\[[0-9;]*[mK]")
_BYTE_ORDER_MARK = "\xef\xbb\xbf"


@dataclass(frozen=True)
class Patch:
    """One diff, with its name for errors; ``whole`` also has what is no text: see `left_out`."""

    name: str
    diff: str
    whole: str = ""


@dataclass(frozen=True)
class Applied:
    """The files that a series adds or changes: their new texts, and the lines it touches."""

    texts: dict[str, str]
    touched: dict[str, Touched]


def read(name: str, data: str) -> list[Patch]:
    """Read the patches in a diff, a mail from "git format-patch", or an mbox.

    Replies and mails without a diff, such as cover letters, are left out. Numbered patches are
    sorted. Raises UserError if there is no diff at all, or that of a merge.
    """
    data = _as_sent(data)
    first = data.lstrip("\n").partition("\n")[0].rstrip("\r")
    patches = _mails(name, data) if _FROM.match(first) else [Patch(name, data)]
    if any(_MERGE.search(patch.diff) for patch in patches):
        raise UserError(f"{name} has the diff of a merge: use 'git diff BASE'")
    sent = [(patch.name, _as_sent(patch.diff)) for patch in patches]
    # git may not be able to apply what is no text.
    patches = [
        Patch(name, "".join(s for s in _SECTION.split(d) if not _no_text(s)), d)
        for name, d in sent
    ]
    patches = [
        patch
        for patch in patches
        if _DIFF.search(patch.diff)
        or any(file.endswith(SOURCES) for file in _files(patch.whole, 1))
    ]
    if not patches:
        raise UserError(
            f"{name} has no diff: create one with 'git format-patch' or 'git diff'"
        )
    return patches


def applied(
    tree: Path, patches: Sequence[Patch], ends: str | tuple[str, ...] = SOURCES
) -> Applied:
    """Apply the patches in order to copies of a tree's files; those with these ``ends`` are returned.

    Raises UserError for the first patch that does not apply.
    """
    return _applied(tree, patches, reverse=False, ends=ends)


def applied_or_present(tree: Path, patches: Sequence[Patch]) -> Applied:
    """The same, also for a tree that already has the patches, as when CI has checked them out.

    Lines that later patches changed again are left to these.
    """
    # A patch that only adds to the end of a file could be applied twice.
    left = touched_in(tree, [patch.diff for patch in patches])
    if left and any(change.written or change.cuts for change in left.values()):
        touched = {f: change for f, change in left.items() if f.endswith(SOURCES)}
        texts = {file: decode(contents(tree / file)) for file in touched}
        return Applied(texts, touched)
    try:
        return _applied(tree, patches, reverse=False)
    except UserError as error:
        try:
            return _applied(tree, patches, reverse=True)
        except UserError:
            if left is None:
                raise error from None
            return Applied({}, {})


def _applied(
    tree: Path,
    patches: Sequence[Patch],
    reverse: bool,
    ends: str | tuple[str, ...] = SOURCES,
) -> Applied:
    """Compare the tree with itself after applying the patches or, in reverse, before that."""
    origins = _origins(patches)
    level = _level(tree, patches)
    with tempfile.TemporaryDirectory(prefix="hotcocci-series-") as folder:
        old, new = Path(folder).resolve() / "old", Path(folder).resolve() / "new"
        for side in (old, new):
            side.mkdir()
        for file in {file for patch in patches for file in _files(patch.diff, level)}:
            _copy(tree / file, new / file)
            if reverse:
                _copy(tree / file, old / file)
            else:
                # Compare a renamed file with its original.
                _copy(tree / origins.get(file, file), old / file)
        for patch in reversed(patches) if reverse else patches:
            _apply(old if reverse else new, patch, level, tree, reverse)
        for name, origin in origins.items() if reverse else ():
            _copy(old / origin, old / name)
        touched = {
            file: change
            for file, change in between(old, new).items()
            if file.endswith(ends) and (new / file).is_file()
        }
        # A renamed file is new to make, though its text may be the same.
        named = [f for f in origins if f.endswith(ends) and (new / f).is_file()]
        texts = {f: decode(contents(new / f)) for f in (*touched, *named)}
        return Applied(texts, touched)


def changed(tree: Path, patches: Sequence[Patch]) -> list[Other]:
    """The C files that patches change, by name, without those they add or remove.

    Raises UserError for the first patch that does not apply.
    """
    found = [
        Other(file, decode(contents(tree / file)), text)
        for file, text in sorted(applied(tree, patches).texts.items())
        if (tree / file).is_file()
    ]
    return [each for each in found if each.old != each.new]


def not_compared(tree: Path, patches: Sequence[Patch]) -> dict[str, str]:
    """The files of patches that changed() leaves out, with the reason for each.

    Raises UserError for the first patch that does not apply.
    """
    made = applied(tree, patches)
    level = _level(tree, patches)
    origins = _origins(patches)
    # What is copied or moved away stays as it is, or is named by its new name.
    sources = {unquoted(m["old"]) for p in patches for m in _FROM_NAME.finditer(p.diff)}
    gone = {name for p in patches for name in _removed(p.whole or p.diff, level)}
    found: dict[str, str] = {}
    named = {f for p in patches for f in _files(p.whole or p.diff, level)}
    for file in sorted(named):
        if file in ("dev/null", "/dev/null", "null"):
            continue
        before = (tree / file).is_file()
        if file in origins:
            found[file] = "renamed files are not compared"
        elif not file.endswith(SOURCES):
            found[file] = "not C source, not checked"
        elif not before and file not in gone:
            found[file] = "the file is new: there is nothing to compare it with"
        elif before and file in gone:
            found[file] = "the file is removed: there is nothing to compare it with"
        elif file not in made.texts and file not in sources:
            found[file] = "its text does not change: there is nothing to compare"
    return found | left_out(patches)


def left_out(
    patches: Sequence[Patch], ends: str | tuple[str, ...] = ""
) -> dict[str, str]:
    """The files that patches leave and that are not text, with the reason for each, if their names end so."""
    sections = (s for p in patches for s in _SECTION.split(p.whole or p.diff))
    return {
        name: _no_text(section)
        for section in sections
        if _no_text(section) and not _REMOVED.search(section)
        for name in _files(section, 1)
        if name != "dev/null" and name.endswith(ends)
    }


def _no_text(section: str) -> str:
    """Why a file of a diff is not text; empty if it is."""
    if not section.startswith("diff "):
        return ""
    if _BINARY.search(section):
        return "binary file, not checked"
    head = section.partition("\n@@")[0]
    return "a link or submodule, not checked" if _NO_FILE.search(head) else ""


def _as_sent(text: str) -> str:
    """A text without CRLF line ends, colours and byte order mark."""
    text = text.removeprefix(_BYTE_ORDER_MARK)
    if all(line.endswith("\r") for line in text.split("\n")[:-1]):
        text = text.replace("\r\n", "\n")
    return text if _DIFF.search(text) else _COLOUR.sub("", text)


def _level(tree: Path, patches: Sequence[Patch]) -> int:
    """The value for -p: 1, or 0 with diff.noprefix."""
    names = (
        unquoted(m["name"].strip()) for p in patches for m in _NAME.finditer(p.diff)
    )
    plain = (n for n in names if ".." not in n.split("/") and n[0] != "/")
    return 0 if any((tree / name).is_file() for name in plain) else 1


def _origins(patches: Sequence[Patch]) -> dict[str, str]:
    """The names that renamed files have in the tree, by their new names."""
    origins: dict[str, str] = {}
    for match in (m for patch in patches for m in _MOVED.finditer(patch.diff)):
        old, new = unquoted(match["old"]), unquoted(match["new"])
        origins[new] = origins.pop(old, old)
    return origins


def _removed(diff: str, level: int) -> set[str]:
    """The files that a diff removes."""
    sections = re.split(r"^(?=diff --git |--- )", diff, flags=re.MULTILINE)
    return {n for s in sections if _REMOVED.search(s) for n in _files(s, level)}


def _copy(source: Path, target: Path) -> None:
    if source.is_file():
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(contents(source))


def _mails(name: str, data: str) -> list[Patch]:
    """The diffs of a mail or an mbox, in any transfer encoding. Raises UserError."""
    with tempfile.TemporaryDirectory(prefix="hotcocci-mails-") as folder:
        place = Path(folder)
        split = git.plain(place, "mailsplit", "-b", f"-o{place}", stdin=data)
        if split.status != 0:
            raise UserError(f"git cannot read {name} as mail: {git.said(split)}")
        found = []
        for mail in sorted(place.iterdir()):
            text = decode(mail.read_bytes())
            info = git.plain(place, "mailinfo", "-k", "message", "patch", stdin=text)
            if info.status != 0:
                raise UserError(f"git cannot read {name} as mail: {git.said(info)}")
            match = _SUBJECT.search(info.out)
            subject = readable(match["subject"]) if match else name
            # A reply may quote or attach a diff that is not meant to be applied.
            if not re.match(r"(?:re|aw|fwd?):", subject, re.IGNORECASE):
                diff = decode((place / "patch").read_bytes())
                found.append(Patch(f"{name} ({subject})", diff))
            for made in ("message", "patch"):
                (place / made).unlink()
    matches = [_PLACE.search(patch.name) for patch in found]
    places = [int(match["number"]) for match in matches if match]
    # With two series in one mbox, keep the order of the mails.
    if len(set(places)) == len(found):
        found = [found[places.index(place)] for place in sorted(places)]
    return found


def _files(diff: str, level: int) -> set[str]:
    """The names in a diff, without the a/ and b/ prefixes."""
    names = [unquoted(match["name"].strip()) for match in _OTHER.finditer(diff)]
    for match in _HEAD.finditer(diff):
        names.append(unquoted("{mark}{name}{mark}".format_map(match.groupdict())))
    for match in _NAME.finditer(diff):
        name = unquoted(match["name"].strip())
        names.append(name.partition("/")[2] or name if level else name)
    return {
        os.path.normpath(name)
        for name in names
        if ".." not in name.split("/") and name[0] != "/"
    }


def _apply(place: Path, patch: Patch, level: int, tree: Path, reverse: bool) -> None:
    if not _DIFF.search(patch.diff):
        return
    argv = ["apply", f"-p{level}", "--whitespace=nowarn"]
    argv += ["--reverse", "-"] if reverse else ["-"]
    outcome = git.plain(place, *argv, stdin=patch.diff)
    if outcome.status != 0:
        raise UserError(f"{patch.name} does not apply to {tree}: {git.said(outcome)}")
