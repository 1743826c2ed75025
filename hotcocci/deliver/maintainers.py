# SPDX-License-Identifier: GPL-2.0
"""Who gets a patch: the subsystem of a file in MAINTAINERS, and what scripts/get_maintainer.pl answers.

Sections match as in scripts/get_maintainer.pl: F: and X: are globs, which match everything below a
directory and otherwise only files at their own depth; N: is a regular expression.
"""

import re
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from email.utils import formataddr, parseaddr
from pathlib import Path, PurePosixPath

from hotcocci.errors import UserError
from hotcocci.tree.process import run
from hotcocci.tree.source import decode, readable
from hotcocci.tree.source import read as contents

MAINTAINERS = "MAINTAINERS"
# The section that matches every file.
THE_REST = "THE REST"
_ENTRY = re.compile(r"([A-Z]):\s*(.*)")


@dataclass(frozen=True)
class Pattern:
    """One F:, X: or N: entry. ``depth`` is get_maintainer.pl's measure of how specific it is."""

    kind: str
    text: str
    expression: re.Pattern[str]
    depth: int

    def matches(self, file: str) -> bool:
        """Whether the pattern matches a file."""
        if self.kind == "N":
            return self.expression.search(file) is not None
        if self.expression.match(file) is None:
            return False
        return self.text.endswith("/") or self.text.count("/") == file.count("/")


@dataclass(frozen=True)
class Section:
    """A section: its title, and the patterns of its files."""

    title: str
    patterns: tuple[Pattern, ...]

    def best(self, file: str) -> Pattern | None:
        """Return the most specific pattern that matches a file, None if the section does not have it."""
        own = [p for p in self.patterns if p.matches(file)]
        if not own or any(p.kind == "X" for p in own):
            return None
        return max(own, key=_specific)


def read(tree: Path) -> list[Section]:
    """Read the sections of a tree's MAINTAINERS, in order; none without that file.

    Raises UserError for an N: entry that is not a valid regular expression.
    """
    path = tree / MAINTAINERS
    if not path.is_file():
        return []
    sections: list[Section] = []
    title, patterns, inside = "", list[Pattern](), False
    for line in [*readable(decode(contents(path))).split("\n"), "end"]:
        entry = _ENTRY.match(line)
        if entry:
            inside = True
            if entry[1] in "FXN":
                patterns.append(_pattern(tree, entry[1], entry[2].strip()))
        elif line.strip() and not line.lstrip().startswith("#"):
            if inside:
                sections.append(Section(title, tuple(patterns)))
            title, patterns, inside = line.strip(), [], False
    return sections


def subsystem(sections: Sequence[Section], file: str) -> str | None:
    """Return the title of the section that matches a file most specifically, None if none does.

    Ties go to the longer pattern, then to the earlier section.
    """
    found = [(s, s.best(file)) for s in sections if s.title != THE_REST]
    known = [(s, pattern) for s, pattern in found if pattern is not None]
    if not known:
        return None
    return max(known, key=lambda pair: _specific(pair[1]))[0].title


def owner(sections: Sequence[Section], file: str) -> str:
    """Return the subsystem of a file, its directory if it has none."""
    return subsystem(sections, file) or str(PurePosixPath(file).parent)


def _specific(pattern: Pattern) -> tuple[int, int]:
    return pattern.depth, len(pattern.text)


def _pattern(tree: Path, kind: str, text: str) -> Pattern:
    if kind == "N":
        try:
            # get_maintainer.pl uses /x.
            return Pattern(kind, text, re.compile(text, re.VERBOSE), 0)
        except re.error as error:
            raise UserError(
                f"{tree / MAINTAINERS}: 'N: {text}' is not a valid regular expression ({error}): fix it"
            ) from error
    if not text.endswith("/") and (tree / text).is_dir():
        text += "/"
    glob = "".join({"*": ".*", "?": "."}.get(c, re.escape(c)) for c in text)
    depth = text.count("/") + (not text.endswith("/"))
    return Pattern(kind, text, re.compile(glob), -1 if text[:1] == "*" else depth)


SCRIPT = "scripts/get_maintainer.pl"
TIMEOUT = 300.0
# The same options as b4's. Recipients from git history change from day to day, and those people
# did not ask for mail.
OPTIONS = ("--nogit", "--nogit-fallback", "--nogit-chief-penguins", "--norolestats")
TO_OPTIONS = ("--nol", "--nor")
CC_OPTIONS = ("--nom",)


@dataclass(frozen=True)
class Recipients:
    """``to`` are maintainers, or reviewers and lists if there are none; ``cc`` reviewers and lists."""

    to: tuple[str, ...] = ()
    cc: tuple[str, ...] = ()


def recipients(tree: Path, patch: str) -> Recipients:
    """Return the recipients of a patch in git format-patch form.

    Raises UserError if get_maintainer.pl cannot be run.
    """
    with tempfile.TemporaryDirectory(prefix="hotcocci-recipients-") as folder:
        file = Path(folder) / "patch"
        file.write_text(patch, encoding="utf-8")
        to = _ask(tree, file, TO_OPTIONS)
        cc = tuple(
            address for address in _ask(tree, file, CC_OPTIONS) if address not in to
        )
    return Recipients(to, cc) if to else Recipients(cc)


def joined(several: list[Recipients]) -> Recipients:
    """Return the union of recipients."""
    to = tuple(dict.fromkeys(a for one in several for a in one.to))
    cc = dict.fromkeys(a for one in several for a in one.cc)
    return Recipients(to, tuple(address for address in cc if address not in to))


def without(own: Recipients, addresses: Sequence[str]) -> Recipients:
    """Remove addresses; names and case do not matter."""
    removed = {bare(address).lower() for address in addresses}
    to, cc = (
        tuple(address for address in several if bare(address).lower() not in removed)
        for several in (own.to, own.cc)
    )
    return Recipients(to, cc) if to else Recipients(cc)


def bare(address: str) -> str:
    """Return an address without the display name."""
    return parseaddr(address)[1]


def header(address: str) -> str:
    """Return an address encoded for a mail header, in ASCII."""
    name, mail = parseaddr(address)
    return formataddr((name, mail))


def _ask(tree: Path, patch: Path, what: tuple[str, ...]) -> tuple[str, ...]:
    argv = ["perl", str(tree / SCRIPT), *OPTIONS, *what, str(patch)]
    # Perl's hash order is random, and so is that of people of one role.
    outcome = run(argv, tree, TIMEOUT, extra={"PERL_HASH_SEED": "0"})
    if outcome.status != 0:
        said = (readable(outcome.err).strip() or "no error message").splitlines()
        raise UserError(f"the tree's {SCRIPT} failed ({said[0]}): fix it")
    lines = map(str.strip, readable(outcome.out).splitlines())
    return tuple(dict.fromkeys(line for line in lines if "@" in line))
