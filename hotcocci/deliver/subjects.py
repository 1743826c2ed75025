# SPDX-License-Identifier: GPL-2.0
"""Derive the subject prefix of a patch from history: ``ALSA: pcm: Fix …``, ``fs/namei: fix …``."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath

from hotcocci.deliver.gitrepo import Repository

# Latest commits per file to derive the prefix from.
LATEST = 30
# Prefixes that do not name a subsystem.
_COMMON = ("revert", "treewide", "tree-wide", "merge", "fix", "fixes")
_PREFIX = re.compile(r"(?:\[[^\]]*\]\s*)?((?:[\w./,+*&{}-]+:\s+)+)(\S.*)")


def histories(
    repository: Repository, base: str, files: Sequence[str]
) -> dict[str, list[str]]:
    """Return the subjects of each file's latest commits up to ``base``, newest first.

    Root commits are left out: they import a tree or end a shallow clone, and touch every file.
    """
    found: dict[str, list[str]] = {file: [] for file in files}
    if not files:
        return found
    # One walk for all files: each walk of the kernel's history takes many seconds.
    shown = repository.git(
        *("log", "--no-merges", "--min-parents=1", "--no-renames", "--name-only"),
        *("--format=%x01%s", base, "--", *(f":(top,literal){file}" for file in files)),
    )
    for commit in shown.split("\x01")[1:]:
        subject, *names = commit.split("\n")
        for name in names:
            if name in found and len(found[name]) < LATEST:
                found[name].append(subject)
    return found


def prefix(subjects: Mapping[str, Sequence[str]]) -> str:
    """Return the prefix of a patch to these files, such as ``ALSA: pcm: ``.

    Uses each file's most frequent prefix, the latest one in a tie, and of several files the common
    start. Files without history, as in a shallow clone, are ignored if others have one.
    """
    usual = {file: _usual(said) for file, said in subjects.items()}
    own = {file: one for file, one in usual.items() if one}
    own = own or {file: by_path(file) for file in subjects}
    shared = _shared([one.split(": ") for one in own.values()])
    if shared:
        return ": ".join(shared) + ": "
    # drm/i915 and drm/xe
    shared = _shared([one.split(": ")[0].split("/") for one in own.values()])
    if shared:
        return "/".join(shared) + ": "
    return Counter(own.values()).most_common(1)[0][0] + ": "


def capital(subjects: Mapping[str, Sequence[str]]) -> bool:
    """Whether the text after the prefix is usually capitalised."""
    firsts = [
        match[2][0]
        for said in subjects.values()
        for match in map(_PREFIX.match, said)
        if match and match[2][0].isalpha()
    ]
    return 2 * sum(map(str.isupper, firsts)) >= len(firsts)


def by_path(file: str) -> str:
    """Return a prefix for a file without history, from its path."""
    path = PurePosixPath(file)
    folders = path.parts[:-1]
    if folders[:1] == ("arch",) and len(folders) > 1:
        return folders[1]
    if folders[:1] in (("drivers",), ("include",)):
        folders = folders[1:]
    return ": ".join(folders[:3]) or path.stem


def _usual(said: Sequence[str]) -> str | None:
    """Return the most frequent prefix without its last colon; None if no subject has one."""
    counts: Counter[str] = Counter()
    for subject in said:
        match = _PREFIX.match(subject)
        if match:
            parts = match[1].strip().rstrip(":").split(":")
            words = [part.strip() for part in parts]
            while words and words[-1].lower() in _COMMON:
                words.pop()
            if words and words[0].lower() not in _COMMON:
                counts[": ".join(words)] += 1
    return counts.most_common(1)[0][0] if counts else None


def _shared(several: Sequence[Sequence[str]]) -> list[str]:
    """Return the common start of all sequences."""
    shared = []
    for words in zip(*several):
        if len(set(words)) > 1:
            break
        shared.append(words[0])
    return shared
