# SPDX-License-Identifier: GPL-2.0
"""What became of an earlier series: which of its commits stand, were edited, or were dropped.

What was made is remembered in a ref beside the branch, which is set together with it. A commit
carries no mark: it is found again by its name, by what it changes, by its subject, or by the files
it touches, in this order.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

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
VERSION = 1
_TRAILER = re.compile(r"[A-Z][A-Za-z-]+: \S")


@dataclass(frozen=True)
class Recorded:
    """A commit as it was made: of which subsystem and which rewrites, and what tells it again."""

    subsystem: str
    rewrites: tuple[str, ...]
    commit: str
    patch: str
    message: str
    files: tuple[str, ...]


@dataclass(frozen=True)
class State:
    """A series as it was made. ``dropped`` are rewrites that the user wants none of.

    ``covers`` are hashes of the cover letters that were written, to tell them from the user's.
    """

    base: str
    patches: tuple[Recorded, ...]
    dropped: tuple[str, ...] = ()
    covers: tuple[str, ...] = ()


@dataclass(frozen=True)
class Slot:
    """A commit of the branch; ``recorded`` is what it was made as, None for the user's own.

    ``edited`` tells whether it, or its message, is no longer what was made, ``signed`` that
    nothing but trailers, such as Signed-off-by, were added.
    """

    commit: str
    recorded: Recorded | None
    edited: bool
    signed: bool = False


def state_ref(branch: str) -> str:
    """The ref that remembers the series of a branch."""
    return f"{REFS}/{branch}"


def read_state(repository: Repository, ref: str) -> State | None:
    """What a ref remembers, None if there is none. Raises UserError if it cannot be read."""
    code, out, _ = repository.ask("cat-file", "blob", ref)
    if code != 0:
        return None
    try:
        told = json.loads(out)
        if told.pop("version") != VERSION:
            raise ValueError
        patches = tuple(_recorded(patch) for patch in told["patches"])
        return State(
            told["base"], patches, tuple(told["dropped"]), tuple(told["covers"])
        )
    except (ValueError, KeyError, TypeError) as error:
        raise UserError(
            f"{ref} is not readable: remove it by 'git update-ref -d {ref}' and name another branch"
        ) from error


def _recorded(told: dict[str, Any]) -> Recorded:
    return Recorded(
        told["subsystem"],
        tuple(told["rewrites"]),
        told["commit"],
        told["patch"],
        told["message"],
        tuple(told["files"]),
    )


def write_state(repository: Repository, state: State) -> str:
    """Put what is to be remembered into the repository; returns the name of the object."""
    text = json.dumps({"version": VERSION, **asdict(state)}, indent=1) + "\n"
    return repository.git("hash-object", "-w", "--stdin", stdin=text).strip()


def recorded(
    repository: Repository, subsystem: str, rewrites: Sequence[str], sha: str
) -> Recorded:
    """What is to be remembered of a commit that was just made."""
    commit = read_commit(repository, sha)
    files = tuple(sorted(changed_files(repository, sha)))
    made = patch_id(repository, sha)
    return Recorded(subsystem, tuple(rewrites), sha, made, commit.message, files)


def slots(repository: Repository, state: State, tip: str, base: str) -> list[Slot]:
    """The commits of a branch that neither the old base nor the new one holds, the first first.

    Raises UserError if there is a merge among them.
    """
    outside = (tip, f"^{base}", f"^{state.base}")
    if repository.git("rev-list", "--merges", *outside).strip():
        raise UserError(
            "the branch holds a merge, which a series of patches cannot: rebase it, or name another branch"
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
        # Squashed into another commit, which is edited thereby: it stands for both.
        into = next((c for c in commits if set(made.files) <= files[c.sha]), None)
        first = known.get(into.sha) if into is not None else None
        if into is not None and first is not None:
            both = (*first.rewrites, *made.rewrites)
            known[into.sha] = replace(first, rewrites=tuple(sorted(both)))
    return [
        _slot(commit, known.get(commit.sha), patches[commit.sha]) for commit in commits
    ]


def held(repository: Repository, state: State, base: str) -> list[Recorded]:
    """What was made and is a commit of the base by now."""
    return [made for made in state.patches if holds(repository, base, made.commit)]


def settled(
    state: State, standing: Sequence[Slot], upstream: Sequence[Recorded]
) -> tuple[frozenset[str], tuple[str, ...]]:
    """The rewrites that the user decided on, which are not made again, and those of them dropped.

    ``upstream`` are those that the base holds, which no one dropped.
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
