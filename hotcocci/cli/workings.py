# SPDX-License-Identifier: GPL-2.0
"""How each rule that may rewrite is carried out: a line per rule."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from hotcocci.c.excerpt import Wanted
from hotcocci.c.unseen import ACCESSES
from hotcocci.findings import Facts, Finding, Rewrite
from hotcocci.rewrite.copies.calls import COPIES
from hotcocci.rewrite.copies.decide import decide_scalars, decide_structs
from hotcocci.rewrite.copies.dispatch import may_hold_dispatch
from hotcocci.rewrite.copies.dispatch_callers import folder_state
from hotcocci.rewrite.copies.switch import decide_dispatch
from hotcocci.rewrite.decide import decide_loops, decide_runs
from hotcocci.rewrite.loads.accessor import decide_accessors
from hotcocci.rewrite.loads.chain import decide_chains
from hotcocci.rewrite.loads.credential_loads import CALLS as CREDENTIALS
from hotcocci.rewrite.loads.credentials import decide_credentials, may_hold_reload
from hotcocci.rewrite.loads.narrow import decide_narrow
from hotcocci.rewrite.options import Options
from hotcocci.rewrite.worth import (
    may_hold_loop,
    may_hold_run,
    may_hold_scalar_copy,
    may_hold_small_copy,
)
from hotcocci.rules import hotness
from hotcocci.tree.select import ACCESS, COPY, CREDENTIAL, POINTER, Mention

_WORD = re.compile(rb"[A-Za-z_]\w*")

Decider = Callable[[str, Facts, Options], tuple[list[Finding], list[Rewrite]]]


@dataclass(frozen=True)
class Working:
    """From a tree to what a rule says of a file.

    ``mention`` chooses the files, ``worth`` those of them that are parsed, ``decide`` judges what
    the rule's semantic patch has seen in one. ``names`` are the calls that it is to see all of.
    ``hot_only`` chooses the files by whether a hot function stands in them; ``accessors`` gives the
    decision the small functions of the tree. ``heat`` tells whether it matters how hot a function is: its semantic patch may leave out what
    only a profile would ask for, and gives it with ``-D everywhere=yes``. ``beside`` says what else
    than the file and the headers a decision depends on. ``seen_by`` is the semantic patch that sees what
    the rule needs, where another rule's sees the same: to parse a file takes longer than all else.
    """

    mention: Mention
    worth: Callable[[str], bool]
    decide: Decider
    names: frozenset[str]
    heat: bool = False
    beside: Callable[[Path, str], bytes] | None = None
    seen_by: str = ""
    hot_only: bool = False
    accessors: bool = False

    @property
    def wanted(self) -> Wanted:
        """Which functions a semantic patch is to see, the same for all rules that it works for."""
        return _holds_hot if self.mention == POINTER else _mentioning(self.mention)


def _mentioning(what: Mention) -> Wanted:
    return lambda _file, _head, body: what.pattern.search(body) is not None


def _holds_hot(file: str, head: bytes, _: bytes) -> bool:
    """Whether a word before a body, such as the function's name, is that of a hot function."""
    return any(hotness.is_hot(file, word.decode()) for word in _WORD.findall(head))


def _hot_load(decide: Decider, accessors: bool = False) -> Working:
    """A rule of loads that looks at all of a hot function."""
    return Working(
        POINTER,
        _any,
        decide,
        frozenset(),
        heat=True,
        hot_only=True,
        accessors=accessors,
    )


def _any(_: str) -> bool:
    return True


WORKINGS: dict[str, Working] = {
    "UA101": Working(ACCESS, may_hold_run, decide_runs, ACCESSES),
    "UA102": Working(
        ACCESS,
        may_hold_loop,
        decide_loops,
        ACCESSES,
        seen_by="cocci/user_access_run.cocci",
    ),
    "UA201": Working(COPY, may_hold_scalar_copy, decide_scalars, COPIES, heat=True),
    "UA202": Working(
        COPY,
        may_hold_small_copy,
        decide_structs,
        COPIES,
        heat=True,
        hot_only=True,
    ),
    "UA203": Working(
        COPY,
        may_hold_dispatch,
        decide_dispatch,
        COPIES,
        heat=True,
        beside=folder_state,
    ),
    "LD301": Working(CREDENTIAL, may_hold_reload, decide_credentials, CREDENTIALS),
    "LD302": _hot_load(decide_chains, accessors=True),
    "LD303": _hot_load(decide_accessors, accessors=True),
    "LD304": _hot_load(decide_narrow),
}
"""Rule code to how it works."""
