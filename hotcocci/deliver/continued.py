# SPDX-License-Identifier: GPL-2.0
"""Match a branch against the series generated earlier: commits kept, edited or dropped.

The state of a series is in a ref of its own, updated together with the branch. Commits carry no
mark: they are matched by hash, patch id, message, subject and changed files, in this order.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from hotcocci.deliver.choose import Key, Patch
from hotcocci.deliver.gitrepo import (
    Commit,
    Repository,
    changed_files,
    holds,
    patch_id,
    read_commit,
)
from hotcocci.errors import UserError

REFS = "refs/hotcocci/series"
_TRAILER = re.compile(r"[A-Z][A-Za-z-]+: \S")


@dataclass(frozen=True)
class Recorded:
    """A generated commit: its subsystem and rule, its rewrites, and what it is matched by."""

    subsystem: str
    rule: str
    rewrites: tuple[str, ...]
    commit: str
    patch: str
    message: str
    files: tuple[str, ...]

    @property
    def key(self) -> Key:
        """The key of the patch that it was generated from."""
        return self.subsystem, self.rule


@dataclass(frozen=True)
class State:
    """A generated series. ``dropped`` are rewrites that the user removed.

    ``covers`` are hashes of generated cover letters, to tell them from edited ones.
    """

    base: str
    patches: tuple[Recorded, ...]
    dropped: tuple[str, ...] = ()
    covers: tuple[str, ...] = ()


@dataclass(frozen=True)
class Slot:
    """A commit of the branch; ``recorded`` is the generated commit, None for the user's own.

    ``edited`` is whether its changes or its message differ from what was generated, ``signed``
    whether only trailers, such as Signed-off-by, were added.
    """

    commit: str
    recorded: Recorded | None
    edited: bool
    signed: bool = False


def recorded(repository: Repository, patch: Patch, sha: str) -> Recorded:
    """Return the record of a patch's commit that was just generated."""
    commit = read_commit(repository, sha)
    files = tuple(sorted(changed_files(repository, sha)))
    made = patch_id(repository, sha)
    return Recorded(*patch.key, patch.ids, sha, made, commit.message, files)


def slots(repository: Repository, state: State, tip: str, base: str) -> list[Slot]:
    """Return the commits of a branch that are in neither the old base nor the new one, oldest first.

    Raises UserError if one of them is a merge.
    """
    outside = (tip, f"^{base}", f"^{state.base}")
    if repository.git("rev-list", "--merges", *outside).strip():
        raise UserError(
            "the branch has a merge commit, which a patch series cannot have: rebase it, or name another branch"
        )
    names = repository.git("rev-list", "--reverse", "--topo-order", *outside).split()
    commits = [read_commit(repository, name) for name in names]
    patches = {name: patch_id(repository, name) for name in names}
    files = {name: changed_files(repository, name) for name in names}
    tests: tuple[Callable[[Commit, Recorded], bool], ...] = (
        lambda commit, made: commit.sha == made.commit,
        lambda commit, made: patches[commit.sha] == made.patch,
        lambda commit, made: commit.message == made.message,
        lambda commit, made: commit.subject == made.message.partition("\n")[0],
        lambda commit, made: bool(files[commit.sha] & set(made.files)),
    )
    known: dict[str, Recorded] = {}
    waiting = list(state.patches)
    for test in tests:
        for commit in commits:
            if commit.sha not in known:
                made = next((one for one in waiting if test(commit, one)), None)
                if made is not None:
                    known[commit.sha] = made
                    waiting.remove(made)
    for made in waiting:
        # Squashed into another commit, which now counts as edited and has both commits' rewrites.
        into = next((c for c in commits if set(made.files) <= files[c.sha]), None)
        first = known.get(into.sha) if into is not None else None
        if into is not None and first is not None:
            both = (*first.rewrites, *made.rewrites)
            known[into.sha] = replace(first, rewrites=tuple(sorted(both)))
    return [
        _slot(commit, known.get(commit.sha), patches[commit.sha]) for commit in commits
    ]


def held(repository: Repository, state: State, base: str) -> list[Recorded]:
    """Return the generated commits that the base already has."""
    return [made for made in state.patches if holds(repository, base, made.commit)]


def settled(
    state: State, standing: Sequence[Slot], upstream: Sequence[Recorded]
) -> tuple[frozenset[str], tuple[str, ...]]:
    """Return the rewrites not to make again, as the user edited or dropped them, and those dropped.

    ``upstream`` are the commits already in the base, which were not dropped.
    """
    found = [*upstream, *(slot.recorded for slot in standing if slot.recorded)]
    there = {one for made in found for one in made.rewrites}
    made = {one for patch in state.patches for one in patch.rewrites}
    dropped = {*state.dropped, *(made - there)}
    edited = {
        one
        for slot in standing
        if slot.recorded is not None and slot.edited
        for one in slot.recorded.rewrites
    }
    return frozenset(dropped | edited), tuple(sorted(dropped))


def _slot(commit: Commit, made: Recorded | None, patch: str) -> Slot:
    if made is None or patch != made.patch:
        return Slot(commit.sha, made, edited=True)
    if commit.message == made.message:
        return Slot(commit.sha, made, edited=False)
    written = made.message.rstrip("\n")
    added = commit.message.removeprefix(written).splitlines()
    signed = commit.message.startswith(f"{written}\n") and all(
        _TRAILER.match(line) for line in added if line
    )
    return Slot(commit.sha, made, edited=not signed, signed=signed)
