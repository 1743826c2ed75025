# SPDX-License-Identifier: GPL-2.0
"""A series of patches, as diffs or mails, and what it makes of a tree without changing it."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from hotcocci.errors import UserError
from hotcocci.tree.process import MissingProgram, Outcome, run
from hotcocci.tree.source import decode, readable
from hotcocci.tree.touched import Touched, between

TIMEOUT = 120.0
SOURCES = (".c", ".h")
_FROM = re.compile(
    r"From \S+ .*\d{4}$|(?:From|Subject|Date|Message-I[dD]|Received|Return-Path): "
)
# What "git mailinfo" writes; the number in "[PATCH v2 3/7]" is the place in the series.
_SUBJECT = re.compile(r"^Subject: (?P<subject>.*)$", re.MULTILINE)
_PLACE = re.compile(r"\[[^]]*?\b(?P<number>\d+)/\d+\]")
_NAME = re.compile(r"^(?:---|\+\+\+) (?P<name>[^\t\n]+)", re.MULTILINE)
_OTHER = re.compile(r"^(?:rename|copy) (?:from|to) (?P<name>[^\t\n]+)", re.MULTILINE)
_MOVED = re.compile(
    r"^rename from (?P<old>[^\t\n]+)\nrename to (?P<new>[^\t\n]+)$", re.MULTILINE
)
_DIFF = re.compile(r"^(?:diff --git |--- )", re.MULTILINE)
_SECTION = re.compile(r"^(?=diff --git )", re.MULTILINE)
_BINARY = re.compile(r"^(?:Binary files .* differ|GIT binary patch)$", re.MULTILINE)
_COLOUR = re.compile(r"\x1b\[[0-9;]*[mK]")
_BYTE_ORDER_MARK = "\xef\xbb\xbf"


@dataclass(frozen=True)
class Patch:
    """One diff, and what it is called in errors; ``whole`` is the diff with files that are no text."""

    name: str
    diff: str
    whole: str = ""


@dataclass(frozen=True)
class Applied:
    """The C files that a series makes or changes: their new texts, and the lines that are new."""

    texts: dict[str, str]
    touched: dict[str, Touched]


@dataclass(frozen=True)
class Changed:
    """A C file of the tree, before and after."""

    file: str
    old: str
    new: str


def read(name: str, data: str) -> list[Patch]:
    """The patches of a file: a diff, a mail of "git format-patch", or an mbox of several.

    Mails without a diff, as cover letters and answers, are left out; those whose subjects are numbered
    come in that order. Raises UserError if there is no diff at all.
    """
    data = _as_sent(data)
    first = data.lstrip("\n").partition("\n")[0].rstrip("\r")
    patches = _mails(name, data) if _FROM.match(first) else [Patch(name, data)]
    sent = [(patch.name, _as_sent(patch.diff)) for patch in patches]
    patches = [Patch(name, _texts(whole), whole) for name, whole in sent]
    patches = [patch for patch in patches if _DIFF.search(patch.diff)]
    if not patches:
        raise UserError(
            f"{name} holds no diff: write one with 'git format-patch' or 'git diff'"
        )
    return patches


def applied(tree: Path, patches: Sequence[Patch]) -> Applied:
    """What the patches, one after the other, make of the C files of a tree.

    Raises UserError about the first one that does not apply.
    """
    origins = _origins(patches)
    level = _level(tree, patches)
    with tempfile.TemporaryDirectory(prefix="hotcocci-series-") as folder:
        old, new = Path(folder).resolve() / "old", Path(folder).resolve() / "new"
        for side in (old, new):
            side.mkdir()
        for file in {file for patch in patches for file in _files(patch.diff, level)}:
            _copy(tree / file, new / file)
            # What is moved is compared with what it was, as if it had been there before.
            _copy(tree / origins.get(file, file), old / file)
        for patch in patches:
            _apply(new, patch, level, tree)
        touched = {
            file: change
            for file, change in between(old, new).items()
            if file.endswith(SOURCES) and (new / file).is_file()
        }
        texts = {file: decode((new / file).read_bytes()) for file in touched}
        return Applied(texts, touched)


def changed(tree: Path, patches: Sequence[Patch]) -> list[Changed]:
    """The C files that patches change, by name; files that they make or remove are no change.

    Raises UserError about the first one that does not apply.
    """
    found = [
        Changed(file, decode((tree / file).read_bytes()), text)
        for file, text in sorted(applied(tree, patches).texts.items())
        if (tree / file).is_file()
    ]
    return [each for each in found if each.old != each.new]


def not_compared(tree: Path, patches: Sequence[Patch]) -> dict[str, str]:
    """What patches do to a tree beside changed(): why each of these files is not among them, by name.

    Raises UserError about the first one that does not apply.
    """
    made = applied(tree, patches)
    level = _level(tree, patches)
    moved = {new for p in patches for _, new in _MOVED.findall(p.diff)}
    gone = {old for p in patches for old, _ in _MOVED.findall(p.diff)}
    found: dict[str, str] = {}
    for file in sorted({f for patch in patches for f in _files(patch.diff, level)}):
        if file in ("dev/null", "/dev/null", "null"):
            continue
        before = (tree / file).is_file()
        if file in moved:
            found[file] = "the file was renamed, and was not compared"
        elif not file.endswith(SOURCES):
            found[file] = "it is no C source, and was not looked at"
        elif file in made.texts and not before:
            found[file] = "the file is new: there is nothing to compare it with"
        elif before and file not in made.texts and file not in gone:
            found[file] = "the file is removed: there is nothing to compare it with"
    for patch in patches:
        for name in _binaries(patch.whole or patch.diff):
            found[name] = "it is no text, and was not looked at"
    return found


def _binaries(diff: str) -> list[str]:
    """The files of a diff that are no text."""
    sections = [s for s in _SECTION.split(diff) if _BINARY.search(s)]
    heads = (re.match(r"diff --git a/(\S+) b/(\S+)", s) for s in sections)
    return [head[2] for head in heads if head]


def _as_sent(text: str) -> str:
    """A text without what was put into it on its way: the line ends of mails, colours, a mark."""
    text = text.removeprefix(_BYTE_ORDER_MARK)
    if all(line.endswith("\r") for line in text.split("\n")[:-1]):
        text = text.replace("\r\n", "\n")
    return text if _DIFF.search(text) else _COLOUR.sub("", text)


def _texts(diff: str) -> str:
    """A diff without the files that are no text, which git may not be able to apply."""
    sections = _SECTION.split(diff)
    return "".join(
        s for s in sections if not (s.startswith("diff ") and _BINARY.search(s))
    )


def _level(tree: Path, patches: Sequence[Patch]) -> int:
    """How many folders stand before the names: one for each side, none with diff.noprefix."""
    names = (m["name"].strip() for p in patches for m in _NAME.finditer(p.diff))
    plain = (n for n in names if ".." not in n.split("/") and n[0] != "/")
    return 0 if any((tree / name).is_file() for name in plain) else 1


def _origins(patches: Sequence[Patch]) -> dict[str, str]:
    """The names that moved files have in the tree, by those that they are moved to."""
    origins: dict[str, str] = {}
    for match in (m for patch in patches for m in _MOVED.finditer(patch.diff)):
        origins[match["new"]] = origins.pop(match["old"], match["old"])
    return origins


def _copy(source: Path, target: Path) -> None:
    if source.is_file():
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(source.read_bytes())


def _mails(name: str, data: str) -> list[Patch]:
    """The diffs of a mail or an mbox, whatever transfer encoding they came in."""
    with tempfile.TemporaryDirectory(prefix="hotcocci-mails-") as folder:
        place = Path(folder)
        split = _git(["mailsplit", "-b", f"-o{place}"], place, data)
        if split.status != 0:
            raise UserError(f"{name} is no mail that git can read: {_said(split)}")
        found = []
        for mail in sorted(place.iterdir()):
            text = decode(mail.read_bytes())
            info = _git(["mailinfo", "-k", "message", "patch"], place, text)
            if info.status != 0:
                raise UserError(f"{name} is no mail that git can read: {_said(info)}")
            match = _SUBJECT.search(info.out)
            subject = readable(match["subject"]) if match else name
            # An answer may quote a diff, and attach one that is not meant to be applied.
            if not re.match(r"(?:re|aw|fwd?):", subject, re.IGNORECASE):
                diff = decode((place / "patch").read_bytes())
                found.append(Patch(f"{name} ({subject})", diff))
            for made in ("message", "patch"):
                (place / made).unlink()
    matches = [_PLACE.search(patch.name) for patch in found]
    places = [int(match["number"]) for match in matches if match]
    # Of two series in one mbox only the order that they came in tells anything.
    if len(set(places)) == len(found):
        found = [found[places.index(place)] for place in sorted(places)]
    return found


def _files(diff: str, level: int) -> set[str]:
    """The names in a diff, without the folder that stands for one of the sides."""
    names = [match["name"].strip() for match in _OTHER.finditer(diff)]
    for match in _NAME.finditer(diff):
        name = match["name"].strip()
        names.append(name.partition("/")[2] or name if level else name)
    return {
        os.path.normpath(name)
        for name in names
        if ".." not in name.split("/") and name[0] != "/"
    }


def _apply(place: Path, patch: Patch, level: int, tree: Path) -> None:
    # A repository above would make git apply look for the files in there.
    ceiling = {"GIT_CEILING_DIRECTORIES": str(place.parent)}
    argv = ["apply", f"-p{level}", "--whitespace=nowarn", "-"]
    outcome = _git(argv, place, patch.diff, ceiling)
    if outcome.status != 0:
        raise UserError(f"{patch.name} does not apply to {tree}: {_said(outcome)}")


def _git(
    arguments: Sequence[str],
    where: Path,
    stdin: str,
    extra: dict[str, str] | None = None,
) -> Outcome:
    try:
        return run(["git", *arguments], where, TIMEOUT, stdin=stdin, extra=extra)
    except MissingProgram as error:
        raise UserError(
            "a series is applied with git: install it (Debian: apt install git)"
        ) from error


def _said(outcome: Outcome) -> str:
    lines = outcome.err.strip().splitlines() or ["git did not end"]
    return lines[0].removeprefix("error: ").removeprefix("fatal: ")
