# SPDX-License-Identifier: GPL-2.0
"""A series as a branch: commits are made beside it, then the branch is set in one step."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from hotcocci.deliver.commits import ConflictError, commit_parts, pick
from hotcocci.deliver.continued import (
    Recorded,
    Slot,
    State,
    held,
    read_state,
    recorded,
    settled,
    slots,
    state_ref,
    write_state,
)
from hotcocci.deliver.gitrepo import (
    Person,
    Repository,
    identity,
    patch_id,
    read_commit,
    rebased_in,
    update_refs,
)
from hotcocci.deliver.message import message
from hotcocci.deliver.parts import Patch
from hotcocci.deliver.subjects import capital, histories, prefix
from hotcocci.errors import UserError


@dataclass(frozen=True)
class Branch:
    """A branch that is to hold a series, as it is before: ``tip`` is empty if it is not there.

    ``standing`` are its commits, ``settled`` the rewrites that the user decided on by editing or
    dropping commits, ``dropped`` those of them that are on the branch no more, ``upstream`` the
    subjects of commits that the base holds.
    """

    name: str
    tip: str = ""
    state: State | None = None
    standing: tuple[Slot, ...] = ()
    settled: frozenset[str] = frozenset()
    dropped: tuple[str, ...] = ()
    upstream: tuple[str, ...] = ()

    @property
    def ref(self) -> str:
        """Its full name."""
        return f"refs/heads/{self.name}"


@dataclass(frozen=True)
class Made:
    """A series on top of a base, first commit first.

    ``patches`` are those made by this run, by their commits, ``subsystems`` are those of all
    commits but the user's own; ``conflicts`` say which were left out,
    as commits of the user's are in their way; ``taken`` are subjects of commits that changed
    nothing on this base any more, ``gone`` those of commits that this run, with its base and options,
    makes nothing of.
    """

    base: str
    commits: tuple[str, ...]
    patches: dict[str, Patch]
    records: tuple[Recorded, ...]
    conflicts: tuple[str, ...] = ()
    taken: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()
    subsystems: dict[str, str] = field(default_factory=dict)

    @property
    def tip(self) -> str:
        """The last commit, or the base of an empty series."""
        return self.commits[-1] if self.commits else self.base


def find_branch(repository: Repository, name: str, base: str) -> Branch:
    """A branch as it is, with what became of a series that it holds.

    Raises UserError for a bad name, a branch of someone else's, and one that is checked out or rebased.
    """
    if repository.ask("check-ref-format", "--branch", name)[0] != 0:
        raise UserError(f"{name!r} is no name for a branch: use another for --branch")
    ref = f"refs/heads/{name}"
    form = "--format=%(refname) %(objectname) %(worktreepath)"
    listed = repository.git("for-each-ref", form, "refs/heads").split("\n")
    known = {line.split(" ")[0]: line.split(" ", 2)[1:] for line in listed if line}
    for other in known:
        # Files and folders of these names would be one.
        if ref.startswith(f"{other}/") or other.startswith(f"{ref}/"):
            raise UserError(
                f"git has no branch {name} beside {other.removeprefix('refs/heads/')}: use another name for --branch"
            )
    if ref not in known:
        return Branch(name)
    tip, place = known[ref]
    if place:
        raise UserError(
            f"the branch {name} is checked out in {place}: switch to another one there first"
        )
    rebased = rebased_in(repository, ref)
    if rebased is not None:
        raise UserError(
            f"the branch {name} is being rebased in {rebased}: end that first, by 'git rebase --continue' or '--abort'"
        )
    state = read_state(repository, state_ref(name))
    if state is None:
        raise UserError(
            f"the branch {name} was not made by this command and is left alone: name another one"
        )
    standing = slots(repository, state, tip, base)
    upstream = held(repository, state, base)
    decided, dropped = settled(state, standing, upstream)
    told = tuple(made.message.partition("\n")[0] for made in upstream)
    return Branch(name, tip, state, tuple(standing), decided, dropped, told)


def make(
    repository: Repository,
    base: str,
    tree: Path,
    patches: Sequence[Patch],
    standing: Sequence[Slot] = (),
) -> Made:
    """Make the commits of a series; no ref is touched.

    Commits that the user edited, signed or added stay, in their order, and so do the places
    of those that are made again. The author is the user, the date that of the base: two runs make
    the same commits. Raises ConflictError if one of the user's does not apply any more.
    """
    person = identity(repository, read_commit(repository, base).committed)
    files = [part.file for patch in patches for part in patch.parts]
    known = histories(repository, base, files)
    waiting = {patch.subsystem: patch for patch in patches}
    order: list[tuple[Slot | None, Patch | None]] = []
    gone: list[str] = []
    for slot in standing:
        if slot.recorded is None or slot.edited:
            order.append((slot, None))
        elif slot.signed or slot.recorded.subsystem in waiting:
            order.append((slot, waiting.pop(slot.recorded.subsystem, None)))
        else:
            gone.append(read_commit(repository, slot.commit).subject)
    order += [(None, patch) for patch in waiting.values()]
    made = Made(base, (), {}, (), gone=tuple(gone))
    for kept, patch in order:
        text, alone = "", ""
        if patch is not None:
            said = {part.file: known[part.file] for part in patch.parts}
            text = message(patch, prefix(said), capital(said), tree)
            alone = commit_parts(repository, base, patch.parts, text, person)
        if kept is None or not (kept.edited or kept.signed or patch is None):
            assert patch is not None
            made = _added(repository, made, patch, alone, person)
            continue
        before = made.commits
        made = _kept(repository, made, kept, person)
        if patch is not None and kept.recorded is not None and made.commits != before:
            signed = (kept.recorded.message, kept.recorded.patch)
            if signed == (text, patch_id(repository, alone)):
                # What was signed is what would be made: its figures count.
                made = replace(made, patches={**made.patches, made.tip: patch})
            else:
                told = f"{patch.subsystem}: what was signed off stays, though it would be made differently now"
                made = replace(made, conflicts=(*made.conflicts, told))
    return made


def _kept(repository: Repository, made: Made, slot: Slot, person: Person) -> Made:
    """The series with a commit of the user's on top."""
    sha = pick(repository, slot.commit, made.tip, person)
    if sha is None:
        subject = read_commit(repository, slot.commit).subject
        return replace(made, taken=(*made.taken, subject))
    # It is remembered as it was made, so that it counts as edited for ever.
    keeps = (slot.recorded,) if slot.recorded else ()
    return replace(made, commits=(*made.commits, sha), records=(*made.records, *keeps))


def _added(
    repository: Repository, made: Made, patch: Patch, alone: str, person: Person
) -> Made:
    """The series with a patch on top, which the commit ``alone`` makes on the base."""
    try:
        sha = pick(repository, alone, made.tip, person)
    except ConflictError as error:
        told = f"{patch.subsystem}: {error}"
        return replace(made, conflicts=(*made.conflicts, told))
    if sha is None:
        return made
    record = recorded(repository, patch.subsystem, patch.ids, sha)
    return replace(
        made,
        commits=(*made.commits, sha),
        patches={**made.patches, sha: patch},
        records=(*made.records, record),
        subsystems={**made.subsystems, sha: patch.subsystem},
    )


def publish(repository: Repository, branch: Branch, made: Made, cover: str) -> str:
    """Set the branch, what is remembered of it, and its description; returns the description.

    The description, which git format-patch takes for the cover letter, is left as it is if it is
    not one of those written here. Raises GitError if someone set the branch meanwhile.
    """
    old = branch.state.covers if branch.state else ()
    covers = tuple(dict.fromkeys([*old, _digest(cover)]))
    state = State(made.base, made.records, branch.dropped, covers)
    ref = state_ref(branch.name)
    before = repository.ask("rev-parse", "--verify", "--quiet", ref)[1].strip()
    blob = write_state(repository, state)
    update_refs(repository, [(branch.ref, made.tip, branch.tip), (ref, blob, before)])
    key = f"branch.{branch.name}.description"
    current = repository.ask("config", "--local", "--get", key)[1].removesuffix("\n")
    if current and _digest(current) not in covers:
        return current
    repository.git("config", "--local", key, cover)
    return cover


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
