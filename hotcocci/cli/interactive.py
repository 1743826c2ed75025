# SPDX-License-Identifier: GPL-2.0
"""``patch --interactive``: one rewrite after the other, as ``git add -p`` asks about hunks."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from hotcocci.c.source import apply
from hotcocci.cli.editor import edit
from hotcocci.cli.evidence import evidence
from hotcocci.cli.gated import Change, Gated, change_of
from hotcocci.cli.hunks import applied, draft, is_empty, remade
from hotcocci.errors import UserError
from hotcocci.findings import Gain, Rewrite
from hotcocci.output import diff, gains, proofs, text
from hotcocci.pipeline.settings import Settings
from hotcocci.proof import gate
from hotcocci.tree.kernel import Tree
from hotcocci.tree.source import encode, readable

QUESTION = "Take this rewrite [y,n,a,q,e,p,?]? "
AGAIN = "Edit it again (no discards the edit) [y,n]? "
HELP = """\
y - take this rewrite
n - leave it
a - take it and all that follow
q - leave it and all that follow
e - edit it first
p - show its proof: run the code before and after
? - print help"""
# The colours of git
STYLES = {"+": "green", "-": "red", "@": "cyan", "d": "bold"}

# How changes pass their checks
Check = Callable[[Tree, Sequence[Change]], Gated]


@dataclass(frozen=True)
class Offer:
    """One rewrite that passed its checks, with its whole file, and what its function gains."""

    tree: Tree
    change: Change
    rewrite: Rewrite
    gains: tuple[Gain, ...]


@dataclass(frozen=True)
class Taken:
    """A rewrite that was taken, and the hunks as the user wrote them if it was edited."""

    offer: Offer
    rewrite: Rewrite
    edited: str = ""


class _EndOfInput(Exception):
    """Nobody answers any more."""


def check_terminal() -> None:
    """Raise UserError if there is nobody to ask."""
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise UserError(
            "--interactive asks on a terminal, and there is none: "
            "leave it away or start it from one"
        )


def review(
    passed: Sequence[tuple[Tree, Gated]], check: Check, settings: Settings
) -> list[Gated]:
    """What the user takes of what passed its checks, for each tree.

    What is left of a file passes them again, as other lines differ then. Raises UserError at the end of
    input, as an answer that was not given is none.
    """
    offers = [offer for tree, gated in passed for offer in _offers(tree, gated)]
    try:
        taken = _choose(offers, check, settings)
    except _EndOfInput as error:
        raise UserError(
            "the answers ended before all was asked: nothing is printed or written"
        ) from error
    return [_left(tree, gated, taken, check) for tree, gated in passed]


def _offers(tree: Tree, gated: Gated) -> Iterator[Offer]:
    measured = {proof.file: proof.gains for proof in gated.proofs}
    for change in gated.passed:
        for rewrite in sorted(change.rewrites, key=lambda r: r.finding.line):
            name = rewrite.finding.function or "?"
            # A system call has other names in the object, which end in its own.
            own = [
                g for g in measured.get(change.file, ()) if g.function.endswith(name)
            ]
            yield Offer(tree, change, rewrite, tuple(own))


def _choose(offers: Sequence[Offer], check: Check, settings: Settings) -> list[Taken]:
    taken: list[Taken] = []
    for index, offer in enumerate(offers):
        _show(offer)
        key, answer = _answer(
            f"({index + 1}/{len(offers)}) ", offer, taken, check, settings
        )
        if answer is not None:
            taken.append(answer)
        if key == "a":
            return _with_all(taken, offers[index + 1 :])
        if key == "q":
            break
    return taken


def _with_all(taken: Sequence[Taken], offers: Sequence[Offer]) -> list[Taken]:
    """What was taken, with all of these that go with it."""
    made = list(taken)
    for offer in offers:
        try:
            _fits(offer, offer.rewrite, made)
            made.append(Taken(offer, offer.rewrite))
        except UserError as error:
            finding = offer.rewrite.finding
            _say(f"{finding.file}:{finding.line}: left: {error}")
    return made


def _answer(
    place: str,
    offer: Offer,
    taken: Sequence[Taken],
    check: Check,
    settings: Settings,
) -> tuple[str, Taken | None]:
    """The key that decides, and what is taken by it."""
    while True:
        key = _ask(place + QUESTION)
        try:
            if key in ("n", "q"):
                return key, None
            if key in ("y", "a"):
                _fits(offer, offer.rewrite, taken)
                return key, Taken(offer, offer.rewrite)
            if key == "e":
                edited = _edited(offer, taken, check)
                if edited is not None:
                    return "y", edited
            elif key == "p":
                _prove(offer, settings)
            else:
                _say(HELP)
        except UserError as error:
            _say(str(error))


def _edited(offer: Offer, taken: Sequence[Taken], check: Check) -> Taken | None:
    """The rewrite as the user edits it, once it passes its checks; None if it stays as it was."""
    before = offer.change.before
    hunks = draft(offer.rewrite, before)
    while True:
        hunks = edit(hunks, offer.tree.root)
        if is_empty(hunks):
            return None
        try:
            after = applied(before, hunks)
            if after == before:
                raise UserError("the edited hunks change nothing")
            rewrite = remade(offer.rewrite, before, after)
            _fits(offer, rewrite, taken)
            _passes(offer, rewrite, check)
            _say("it passed them and is taken")
            return Taken(offer, rewrite, hunks)
        except UserError as error:
            _say(str(error))
            if _ask(AGAIN) != "y":
                return None


def _fits(offer: Offer, rewrite: Rewrite, taken: Sequence[Taken]) -> None:
    """Raise UserError if a rewrite changes what one that was taken changes otherwise."""
    for other in (t for t in taken if t.offer.change is offer.change):
        try:
            change_of("", offer.change.before, [other.rewrite, rewrite], {})
        except ValueError as error:
            line = other.rewrite.finding.line
            raise UserError(
                f"it changes lines that the rewrite taken at line {line} changes, too"
            ) from error


def _passes(offer: Offer, rewrite: Rewrite, check: Check) -> None:
    """Raise UserError with the reason if an edited rewrite does not pass the checks."""
    _say("checking what you edited")
    change = offer.change
    alone = change_of(change.file, change.before, [rewrite], change.possible)
    gated = check(offer.tree, [alone])
    if not gated.passed:
        said = [f"refused: {finding.message}" for finding in gated.refused]
        skips = (*gated.held, *gated.unproven)
        said += [f"not taken: {skip.reason}" for skip in skips]
        raise UserError("\n".join(said))


def _left(tree: Tree, gated: Gated, taken: Sequence[Taken], check: Check) -> Gated:
    """What came of a tree once only what was taken is left of it."""
    whole: list[Change] = []
    parts: list[Change] = []
    for change in gated.passed:
        own = [t.rewrite for t in taken if t.offer.change is change]
        if own == sorted(change.rewrites, key=lambda r: r.finding.line):
            whole.append(change)
        elif own:
            parts.append(change_of(change.file, change.before, own, change.possible))
    again = check(tree, parts) if parts else Gated((), (), (), ())
    done = {rewrite for change in again.passed for rewrite in change.rewrites}
    for each in taken:
        if each.edited and each.offer.tree is tree and each.rewrite not in done:
            _say(f"what you edited is kept in {_keep(each)}")
    kept = {change.file for change in whole}
    return replace(
        gated,
        passed=tuple(sorted([*whole, *again.passed], key=lambda c: c.file)),
        refused=(*gated.refused, *again.refused),
        held=(*gated.held, *again.held),
        uncompiled=(
            *(skip for skip in gated.uncompiled if skip.file in kept),
            *again.uncompiled,
        ),
        unproven=(*gated.unproven, *again.unproven),
        proofs=tuple(
            sorted(
                [*(p for p in gated.proofs if p.file in kept), *again.proofs],
                key=lambda proof: proof.file,
            )
        ),
    )


def _keep(taken: Taken) -> str:
    file = taken.offer.change.file
    handle, name = tempfile.mkstemp(prefix="hotcocci-edited-", suffix=".diff")
    with os.fdopen(handle, "wb") as stream:
        stream.write(encode(f"--- a/{file}\n+++ b/{file}\n{taken.edited}"))
    return name


def _prove(offer: Offer, settings: Settings) -> None:
    file, before = offer.change.file, offer.change.before
    after = apply(before, offer.rewrite.edits)
    change = gate.Change(file, before, after, diff.unified(file, before, after))
    for proof in evidence(offer.tree, [change], settings):
        _say("\n".join(proofs.text(proof, str)))


def _show(offer: Offer) -> None:
    """The diff of a rewrite, its finding, what a reviewer has to know, and what it buys."""
    # Loading rich takes longer than a run from the cache.
    from rich.console import Console
    from rich.text import Text

    finding, before = offer.rewrite.finding, offer.change.before
    after = apply(before, offer.rewrite.edits)
    console = Console(stderr=True, highlight=False, soft_wrap=True)
    name = text.shown_from(offer.tree.root, Path.cwd())
    for line in readable(diff.unified(finding.file, before, after)).splitlines():
        console.print(Text(line, STYLES.get(line[:1], "")))
    notes = (text.line(finding, name), *offer.rewrite.notes, *gains.table(offer.gains))
    for note in notes:
        console.print(Text(f"# {note}"))


def _ask(question: str) -> str:
    """An answer from the terminal, in small letters."""
    # Not input(): its prompt would go to standard output, into the patch.
    print(question, end="", file=sys.stderr, flush=True)
    try:
        line = sys.stdin.readline()
    except KeyboardInterrupt:
        _say("")
        raise
    if not line:
        _say("")
        raise _EndOfInput
    return line.strip().lower()


def _say(what: str) -> None:
    print(what, file=sys.stderr, flush=True)
