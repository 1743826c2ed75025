# SPDX-License-Identifier: GPL-2.0
"""Group rewrites into patches, one per rule and subsystem, and choose those of a series: proven, the best of them.

Every rule is checked on its own, so that the table and the verdict of a patch are its own. A branch is matched
against the series generated earlier: commits kept, edited or dropped.
"""

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace

from hotcocci import baseline
from hotcocci.deliver.gitrepo import (
    Commit,
    Repository,
    changed_files,
    holds,
    patch_id,
    read_commit,
)
from hotcocci.deliver.maintainers import Section, owner
from hotcocci.errors import UserError
from hotcocci.findings import Finding, Gain, Proof, Rewrite
from hotcocci.output.proofs import is_gain
from hotcocci.pipeline.analysis import Analysis
from hotcocci.pipeline.changes import Gated, Rewritten, changes
from hotcocci.pipeline.gating import pass_gate
from hotcocci.pipeline.proof_gate import Bench, own_kernel, pass_bench, pass_proof
from hotcocci.pipeline.ranking import heat, worth_guessed
from hotcocci.pipeline.settings import Settings
from hotcocci.tree.kernel import Tree

# Hexadecimal digits: enough to tell the rewrites of a tree apart.
ID_LENGTH = 16

# The subsystem and the rule of a patch
Key = tuple[str, str]


@dataclass(frozen=True)
class Part(Rewritten):
    """One file before and after its rewrites, with their proof; an earlier patch changes ``others``."""

    proof: Proof = Proof("")


@dataclass(frozen=True)
class Patch:
    """The content of one commit: the rewrites of one rule in one subsystem.

    Or, without rewrites, a change of another file that the rewrites of its rule need.
    """

    subsystem: str
    rule: str
    parts: tuple[Part, ...]

    @property
    def key(self) -> Key:
        """The key that distinguishes it from the other patches of a series."""
        shared = "" if self.rewrites else f" ({self.parts[0].file})"
        return self.subsystem, self.rule + shared

    @property
    def rewrites(self) -> tuple[Rewrite, ...]:
        """All rewrites, in file order."""
        return tuple(rewrite for part in self.parts for rewrite in part.rewrites)

    @property
    def gains(self) -> tuple[Gain, ...]:
        """All gains, in file order."""
        return tuple(gain for part in self.parts for gain in part.proof.gains)

    @property
    def ids(self) -> tuple[str, ...]:
        """The sorted ids of its rewrites, stable across runs."""
        return tuple(
            sorted(rewrite_id(p.old, r) for p in self.parts for r in p.rewrites)
        )


def rewrite_id(before: str, rewrite: Rewrite) -> str:
    """Return an id of a rewrite that is stable while the original lines do not change.

    It hashes rule, file, function and the original lines without white space. Lines may move, and a
    later version may generate different code.
    """
    finding = rewrite.finding
    parts = baseline.identity(finding, before.split("\n"), finding.end_line)
    return baseline.digest(parts, ID_LENGTH)


def needed(patches: Sequence[Patch], sections: Sequence[Section]) -> list[Patch]:
    """Return the patches that these need before them: one per rule and other file.

    They have no proof of their own: what they add is compiled where it is used.
    """
    wanted = {
        (patch.rule, other): None
        for patch in patches
        for part in patch.parts
        for other in part.others
    }
    return [
        Patch(
            owner(sections, other.file),
            rule,
            (Part(other.file, other.old, other.new, proof=Proof(other.file)),),
        )
        for rule, other in wanted
    ]


def by_subsystem(
    rule: str, parts: Sequence[Part], sections: Sequence[Section]
) -> list[Patch]:
    """Return one patch of a rule's rewrites per subsystem, sorted by name.

    Files without a MAINTAINERS entry are grouped by directory.
    """
    gathered: dict[str, list[Part]] = {}
    for part in sorted(parts, key=lambda part: part.file):
        gathered.setdefault(owner(sections, part.file), []).append(part)
    return [Patch(name, rule, tuple(own)) for name, own in sorted(gathered.items())]


# What a maintainer reads in one thread (Documentation/process/submitting-patches.rst).
MOST = 15

# A file and a function in it
Function = tuple[str, str | None]


@dataclass(frozen=True)
class Choice:
    """The patches of a series, and what was left out of it.

    ``gated`` has what failed a check or the proof. ``idle`` are patches whose own table shows no gain,
    ``shared`` the findings in functions that another patch changes, and ``later`` the patches beyond
    `MOST`, which were not proven yet.
    """

    patches: tuple[Patch, ...]
    gated: Gated
    idle: tuple[Patch, ...] = ()
    shared: tuple[Finding, ...] = ()
    later: tuple[Patch, ...] = ()


def choose(
    tree: Tree,
    analysis: Analysis,
    rewrites: Sequence[Rewrite],
    sections: Sequence[Section],
    standing: Collection[Key],
    settings: Settings,
    most: int = MOST,
) -> Choice:
    """Choose the ``most`` best patches; ``standing`` are the keys of those that the branch has already."""
    left_out = Gated()
    candidates: list[Patch] = []
    shared: list[Finding] = []
    taken: set[Function] = set()
    for code in sorted({rewrite.finding.rule for rewrite in rewrites}):
        own = [rewrite for rewrite in rewrites if rewrite.finding.rule == code]
        # Proven alone, two changes of one function are not proven together.
        shared += [r.finding for r in own if _function(r) in taken]
        own = [rewrite for rewrite in own if _function(rewrite) not in taken]
        wanted = changes(own, analysis.possible, analysis.texts)
        gated = pass_gate(tree, wanted, settings)
        left_out += gated.left
        taken |= {_function(r) for change in gated.passed for r in change.rewrites}
        candidates += by_subsystem(code, _parts(gated), sections)
    idle = [patch for patch in candidates if not _pays(patch, settings)]
    waiting = [patch for patch in candidates if _pays(patch, settings)]
    waiting.sort(key=lambda patch: (patch.key not in standing, _worth(patch)))
    most = max(most, len([patch for patch in waiting if patch.key in standing]))
    kept: list[Patch] = []
    kernel = own_kernel(tree, settings) if settings.bench and waiting else None
    with settings.observer.progress("proving the patches") as show:
        while waiting and len(kept) < most:
            batch = _batch(waiting, most - len(kept))
            waiting = waiting[len(batch) :]
            proven, lost = _proven(tree, batch, settings, kernel)
            left_out += lost.left
            idle += [patch for patch in proven if not _pays(patch, settings)]
            kept += [patch for patch in proven if _pays(patch, settings)]
            if show:
                show(len(kept), most)
    kept.sort(key=lambda patch: patch.key)
    return Choice(
        (*needed(kept, sections), *kept),
        left_out,
        tuple(idle),
        tuple(shared),
        tuple(waiting),
    )


def _function(rewrite: Rewrite) -> Function:
    return rewrite.finding.file, rewrite.finding.function


def _parts(gated: Gated) -> list[Part]:
    proofs = {proof.file: proof for proof in gated.proofs}
    return [
        Part(**{**vars(change), "proof": proofs[change.file]})
        for change in gated.passed
    ]


def _pays(patch: Patch, settings: Settings) -> bool:
    """Whether a patch's own table shows a gain; one that was not compiled has no table."""
    compiled = any(part.proof.compiled for part in patch.parts)
    return settings.allow_no_gain or not compiled or is_gain(patch.gains)


def _worth(patch: Patch) -> tuple[float, float, Key]:
    """The key to order patches by, the best first: samples, then expected savings."""
    found = [rewrite.finding for rewrite in patch.rewrites]
    hot = sum(max(heat(finding), 0.0) for finding in found)
    return -hot, -sum(map(worth_guessed, found)), patch.key


def _batch(waiting: Sequence[Patch], most: int) -> list[Patch]:
    """The first patches that can be proven at once: no file is in two of them."""
    batch: list[Patch] = []
    files: set[str] = set()
    for patch in waiting[:most]:
        own = {part.file for part in patch.parts}
        if own & files:
            break
        batch.append(patch)
        files |= own
    return batch


def _proven(
    tree: Tree, batch: Sequence[Patch], settings: Settings, kernel: Bench | None
) -> tuple[list[Patch], Gated]:
    """The patches with what is proven of them, and what is not."""
    parts = {part.file: part for patch in batch for part in patch.parts}
    wanted = tuple(parts.values())
    proofs = tuple(part.proof for part in wanted)
    gated = pass_proof(tree, Gated(wanted, proofs=proofs), settings)
    if kernel is not None:
        gated = pass_bench(kernel, tree, gated, settings)
    proven = {
        part.file: replace(part, proof=_with_gains(part, parts[part.file]))
        for part in _parts(gated)
    }
    patches = []
    for patch in batch:
        own = tuple(proven[part.file] for part in patch.parts if part.file in proven)
        if own:
            patches.append(replace(patch, parts=own))
    return patches, gated


def _with_gains(part: Part, before: Part) -> Proof:
    """The proof of a part, with the gains on further targets that its checks have found."""
    if part.rewrites != before.rewrites:
        return part.proof
    known = {gain.target for gain in part.proof.gains}
    more = tuple(gain for gain in before.proof.gains if gain.target not in known)
    return replace(part.proof, gains=(*part.proof.gains, *more))


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
