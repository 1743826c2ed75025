# SPDX-License-Identifier: GPL-2.0
"""``patch --interactive``: ask about each rewrite, as ``git add -p`` does for hunks."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from hotcocci.cli.terminal import coloured_diff, has_colour, say
from hotcocci.errors import UserError
from hotcocci.findings import Gain, Rewrite
from hotcocci.output import proofs, text
from hotcocci.output.gains import table
from hotcocci.pipeline.changes import Gated, Rewritten
from hotcocci.pipeline.proving import prove
from hotcocci.pipeline.settings import Settings
from hotcocci.rewrite import diff
from hotcocci.saves import is_of
from hotcocci.tree.kernel import Tree
from hotcocci.tree.source import readable

QUESTION = "Take this rewrite [y,n,a,q,p,?]? "
HELP = """\
y - take this rewrite
n - do not take this rewrite
a - take this rewrite and all later ones
q - quit; take neither this rewrite nor any later one
p - prove this rewrite: compare the code before and after
? - print help"""

# Checks changes of a tree
Check = Callable[[Tree, Sequence[Rewritten]], Gated]


class _EndOfInput(Exception):
    """Standard input ended."""


@dataclass(frozen=True)
class Offer:
    """A rewrite that passed its checks, with the change of its file and its function's gains."""

    tree: Tree
    change: Rewritten
    rewrite: Rewrite
    gains: tuple[Gain, ...]


def check_terminal() -> None:
    """Raise UserError unless standard input and standard error are a terminal."""
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise UserError(
            "--interactive needs a terminal: run it in one, or omit --interactive"
        )


def review(
    passed: Sequence[tuple[Tree, Gated]], check: Check, settings: Settings
) -> list[Gated]:
    """Ask about each rewrite that passed its checks; returns what the user took, per tree.

    A file of which only a part was taken is checked again. Raises UserError at the end of input.
    """
    offers = [offer for tree, gated in passed for offer in _offers(tree, gated)]
    try:
        taken = _choose(offers, settings)
    except _EndOfInput as error:
        raise UserError(
            "input ended before the last question: nothing was printed or written"
        ) from error
    return [_kept(tree, gated, taken, check) for tree, gated in passed]


def _offers(tree: Tree, gated: Gated) -> Iterator[Offer]:
    """Each rewrite that passed, by file and line."""
    measured = {proof.file: proof.gains for proof in gated.proofs}
    for change in gated.passed:
        for rewrite in sorted(change.rewrites, key=lambda r: r.finding.line):
            gains = measured.get(change.file, ())
            own = [gain for gain in gains if is_of(gain, rewrite.finding)]
            yield Offer(tree, change, rewrite, tuple(own))


def _choose(offers: Sequence[Offer], settings: Settings) -> list[Offer]:
    taken: list[Offer] = []
    for index, offer in enumerate(offers):
        _show(offer)
        key = _answer(f"({index + 1}/{len(offers)}) {QUESTION}", offer, settings)
        if key == "a":
            return [*taken, *offers[index:]]
        if key == "y":
            taken.append(offer)
        if key == "q":
            break
    return taken


def _answer(question: str, offer: Offer, settings: Settings) -> str:
    """Ask until an answer decides: y, n, a or q."""
    while True:
        key = _ask(question)
        if key in ("y", "n", "a", "q"):
            return key
        if key != "p":
            say(HELP)
            continue
        try:
            _prove(offer, settings)
        except UserError as error:
            say(str(error))


def _kept(tree: Tree, gated: Gated, taken: Sequence[Offer], check: Check) -> Gated:
    """The gate of a tree with only the rewrites that were taken."""
    whole: list[Rewritten] = []
    parts: list[Rewritten] = []
    for change in gated.passed:
        own = [offer.rewrite for offer in taken if offer.change is change]
        if len(own) == len(change.rewrites):
            whole.append(change)
        elif own:
            parts.append(change.only(own))
    again = check(tree, parts) if parts else Gated()
    kept = {change.file for change in whole}
    rest = replace(
        gated,
        passed=tuple(whole),
        uncompiled=tuple(s for s in gated.uncompiled if s.file in kept),
        proofs=tuple(p for p in gated.proofs if p.file in kept),
    )
    return rest + again


def _prove(offer: Offer, settings: Settings) -> None:
    for proof in prove(offer.tree, [offer.change.only([offer.rewrite])], settings):
        say("\n".join(proofs.text(proof, str)))


def _show(offer: Offer) -> None:
    """Print a rewrite: its diff, finding, notes and gains."""
    finding, only = offer.rewrite.finding, offer.change.only([offer.rewrite])
    name = text.shown_from(offer.tree.root)
    files = (*only.others, only)
    parts = [diff.unified(each.file, each.old, each.new) for each in files]
    shown = readable("".join(parts)).rstrip("\n")
    say(coloured_diff(shown) if has_colour(sys.stderr) else shown)
    notes = (
        text.line(finding, name),
        *offer.rewrite.notes,
        *table(offer.gains),
    )
    for note in notes:
        say(f"# {note}")


def _ask(question: str) -> str:
    """Read an answer from the terminal, in lower case."""
    # Not input(), which prints its prompt to standard output, into the patch.
    print(question, end="", file=sys.stderr, flush=True)
    try:
        line = sys.stdin.readline()
    except KeyboardInterrupt:
        say("")
        raise
    if not line:
        say("")
        raise _EndOfInput
    return line.strip().lower()
