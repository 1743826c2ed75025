# SPDX-License-Identifier: GPL-2.0
"""The cases of kernel-fixtures/CODE as data: expectations and texts.

The format is described in kernel-fixtures/README.md.
"""

import functools
import os
import re
from dataclasses import dataclass

from hotcocci.rules.rulebook import REWRITE_RULES
from tests.shared import FIXTURES

TREES = ("classic", "scoped")
# The miniature tree for each kind of window
TREE_OF_API = {"classic": "classic", "masked": "classic", "scoped": "scoped"}

MARK = re.compile(r"\s*/\* want(?: (?P<api>\w+))?: (?P<words>[^*]*) \*/")
HEADER = re.compile(r"\A(// SPDX[^\n]*\n)/\*\n(.*?)\n \*/\n", re.DOTALL)


@dataclass(frozen=True)
class Want:
    """One expected finding; None is a field that the case leaves open."""

    line: int
    api: str | None
    rule: str | None
    verdict: str
    detail: str | None
    accesses: int | None
    base: str | None
    direction: str | None


@dataclass(frozen=True)
class Case:
    """One case: its header, its source with and without marks, and its results."""

    name: str
    title: str
    row: str
    shape: str | None
    twin: str | None
    folder: str
    code: str
    builds: bool
    source: str
    wants: tuple[Want, ...]
    afters: dict[str, str]
    # include/linux/uaccess.h afterwards, where the rule's rewrites change it
    headers: dict[str, str]

    @property
    def rules(self):
        """The rules that the case concerns: that of its directory, and those that its marks name."""
        return tuple(sorted({self.code, *(w.rule for w in self.wants if w.rule)}))

    @property
    def path(self):
        """The path of the case in a tree."""
        return f"{self.folder}/{self.name}.c"

    @property
    def apis(self):
        """The kinds of windows with which it is rewritten or must not be.

        Masked windows, a variant of classic ones, only if the case has them.
        """
        return [*dict.fromkeys((*TREES, *self.afters))]

    def wants_for(self, api):
        """The expected findings for this kind of window: its own, or else those of its tree."""
        own = [w for w in self.wants if w.api == api]
        tree = TREE_OF_API[api] if not own else api
        return [w for w in self.wants if w.api in (None, tree)]

    def is_safe(self, api):
        """Whether every rewrite of this case is mechanical."""
        return all(
            w.detail == "safe" for w in self.wants_for(api) if w.verdict == "rewrite"
        )

    def is_decided(self, api):
        """Whether a rewrite of this case leaves something for a person to decide."""
        return any(w.detail == "manual" for w in self.wants_for(api))


def without_header(text):
    """The text without the comment that describes a case."""
    return HEADER.sub(r"\1", text)


def read_want(line, api, words):
    """One mark: rule, verdict, tier or reason, accesses, base, direction."""
    rule, verdict, *rest = (None if w == "-" else w for w in words.split())
    detail, accesses, base, direction = rest
    count = int(accesses) if accesses else None
    return Want(line, api, rule, str(verdict), detail, count, base, direction)


def read_case(path):
    """Read one case from its file and the files next to it."""
    text = path.read_text(encoding="utf-8")
    header = HEADER.match(text)
    if not header:
        raise ValueError(f"{path} does not begin with a header")
    pairs = (line.removeprefix(" * ").split(":", 1) for line in header[2].splitlines())
    said = {key: value.strip() for key, value in pairs}
    wants = tuple(
        read_want(number, mark["api"], mark["words"])
        for number, line in enumerate(text.splitlines(), 1)
        for mark in MARK.finditer(line)
    )
    both, own = _afters(path, path.stem)
    afters = {**(dict.fromkeys(TREE_OF_API, both) if both else {}), **own}
    _, headers = _afters(path, "uaccess.h")
    return Case(
        name=path.stem,
        title=said["Title"],
        row=said["Row"],
        shape=said.get("Shape"),
        twin=said.get("Twin"),
        folder=said.get("Path", "cases"),
        code=path.parent.name,
        builds=not said.get("Build", "").startswith("never"),
        source=MARK.sub("", text),
        wants=wants,
        afters=afters,
        headers=headers,
    )


def _afters(path, name):
    """What NAME.after next to a case has, and by kind of windows what each NAME.KIND.after has."""
    both, own = None, {}
    for file in _names(path.parent):
        if file.startswith(f"{name}.") and file.endswith(".after"):
            text = (path.parent / file).read_text(encoding="utf-8")
            kind = file[len(name) + 1 : -len(".after")]
            if kind:
                own[kind] = text
            else:
                both = text
    return both, own


@functools.cache
def _names(folder):
    return sorted(os.listdir(folder))


@functools.cache
def read_cases():
    """All cases, by rule and name."""
    return tuple(
        read_case(FIXTURES / rule.code / name)
        for rule in REWRITE_RULES
        for name in _names(FIXTURES / rule.code)
        if name.endswith(".c")
    )
