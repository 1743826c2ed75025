# SPDX-License-Identifier: GPL-2.0
"""``patch --interactive``: ask about each rewrite, as ``git add -p`` does for hunks."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from hotcocci.cli import colour
from hotcocci.errors import UserError
from hotcocci.names import quoted
from hotcocci.output import gains, proofs, text
from hotcocci.pipeline.changes import Gated
from hotcocci.pipeline.gating import diffed
from hotcocci.pipeline.hunks import (
    Check,
    Offer,
    Taken,
    applied,
    check_edited,
    check_fit,
    draft,
    is_empty,
    keep_taken,
    offers_of,
    remade,
)
from hotcocci.pipeline.proving import prove
from hotcocci.pipeline.settings import Settings
from hotcocci.rewrite import diff
from hotcocci.temporary import place
from hotcocci.tree.kernel import Tree
from hotcocci.tree.source import decode, encode, readable

# git's own file name: editors recognise the syntax by it.
NAME = "addp-hunk-edit.diff"

QUESTION = "Take this rewrite [y,n,a,q,e,p,?]? "
AGAIN = "Edit again (n discards the edit) [y,n]? "
HELP = """\
y - take this rewrite
n - do not take this rewrite
a - take this rewrite and all later ones
q - quit; take neither this rewrite nor any later one
e - edit this rewrite first
p - prove this rewrite: compare the code before and after
? - print help"""


class _EndOfInput(Exception):
    """Standard input ended."""


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
    offers = [offer for tree, gated in passed for offer in offers_of(tree, gated)]
    try:
        taken = _choose(offers, check, settings)
    except _EndOfInput as error:
        raise UserError(
            "input ended before the last question: nothing was printed or written"
        ) from error
    return [_left(tree, gated, taken, check) for tree, gated in passed]


def _left(tree: Tree, gated: Gated, taken: Sequence[Taken], check: Check) -> Gated:
    left = keep_taken(tree, gated, taken, check)
    done = {rewrite for change in left.passed for rewrite in change.rewrites}
    for each in taken:
        if each.edited and each.offer.tree is tree and each.rewrite not in done:
            _say(f"your edit was left out; it is saved in {_keep(each)}")
    return left


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


def _with_all(taken: Sequence[Taken], rest: Sequence[Offer]) -> list[Taken]:
    """Return ``taken`` plus all remaining offers that do not conflict with it."""
    made = list(taken)
    for offer in rest:
        try:
            check_fit(offer, offer.rewrite, made)
            made.append(Taken(offer, offer.rewrite))
        except UserError as error:
            finding = offer.rewrite.finding
            place = f"{quoted(finding.file)}:{finding.line}"
            _say(f"{place}: not taken: {error}")
    return made


def _answer(
    place: str,
    offer: Offer,
    taken: Sequence[Taken],
    check: Check,
    settings: Settings,
) -> tuple[str, Taken | None]:
    """Ask until an answer decides; returns its key and the rewrite taken, if any."""
    while True:
        key = _ask(place + QUESTION)
        try:
            if key in ("n", "q"):
                return key, None
            if key in ("y", "a"):
                check_fit(offer, offer.rewrite, taken)
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
    """Let the user edit a rewrite until it passes its checks; None if the edit was discarded."""
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
            check_fit(offer, rewrite, taken)
            _say("checking the edited rewrite")
            check_edited(offer, rewrite, check)
            _say("the edited rewrite passed and is taken")
            return Taken(offer, rewrite, hunks)
        except UserError as error:
            _say(str(error))
            if _ask(AGAIN) != "y":
                return None


def _keep(taken: Taken) -> str:
    file = taken.offer.change.file
    # The folder of this run goes with it.
    handle, name = tempfile.mkstemp(".diff", "hotcocci-edited-", place())
    with os.fdopen(handle, "wb") as stream:
        stream.write(encode(f"--- a/{file}\n+++ b/{file}\n{taken.edited}"))
    return name


def _prove(offer: Offer, settings: Settings) -> None:
    only = offer.change.only([offer.rewrite])
    change = diffed(only.file, only.before, only.after, only.others)
    for proof in prove(offer.tree, [change], settings):
        _say("\n".join(proofs.text(proof, str)))


def _show(offer: Offer) -> None:
    """Print a rewrite: its diff, finding, notes and gains."""
    finding, only = offer.rewrite.finding, offer.change.only([offer.rewrite])
    name = text.shown_from(offer.tree.root, Path.cwd())
    parts = [diff.unified(o.file, o.old, o.new) for o in only.others]
    parts.append(diff.unified(only.file, only.before, only.after))
    shown = readable("".join(parts)).rstrip("\n")
    _say(colour.diff(shown) if colour.wanted(sys.stderr) else shown)
    notes = (text.line(finding, name), *offer.rewrite.notes, *gains.table(offer.gains))
    for note in notes:
        _say(f"# {note}")


def _ask(question: str) -> str:
    """Read an answer from the terminal, in lower case."""
    # Not input(), which prints its prompt to standard output, into the patch.
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


def edit(text: str, folder: Path) -> str:
    """Return the text as edited by the user; ``folder`` is where git reads its configuration.

    Raises UserError if there is no editor, or it fails.
    """
    command = _command(folder)
    with tempfile.TemporaryDirectory(prefix="hotcocci-edit-") as place:
        path = Path(place) / NAME
        path.write_bytes(encode(text))
        status = _run(command, path)
        if status != 0:
            raise UserError(f"the editor '{command}' exited with status {status}")
        try:
            return decode(path.read_bytes())
        except OSError as error:
            raise UserError(
                f"cannot read what the editor '{command}' saved: {error.strerror}"
            ) from error


def _command(folder: Path) -> str:
    """Return GIT_EDITOR, core.editor, VISUAL, EDITOR or what git was built with (git-var(1))."""
    try:
        asked = subprocess.run(
            ["git", "var", "GIT_EDITOR"],
            cwd=folder,
            capture_output=True,
            text=True,
            check=False,
        )
    except FileNotFoundError as error:
        raise UserError(
            "git is not installed, and it selects the editor: install git (Debian: apt install git)"
        ) from error
    if asked.returncode != 0:
        raise UserError("no editor found: set EDITOR")
    return asked.stdout.strip()


def _run(command: str, path: Path) -> int:
    # Through a shell, as the command may have arguments. Standard output may be the patch.
    process = subprocess.Popen(
        ["/bin/sh", "-c", f'{command} "$@"', command, str(path)], stdout=sys.stderr
    )
    # Leave Ctrl-C to the editor while it runs.
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        return process.wait()
    finally:
        signal.signal(signal.SIGINT, before)
