# SPDX-License-Identifier: GPL-2.0
"""The rulebook's entry for one rule: data only."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import tomllib

from hotcocci.findings import PREPARED, SAFE, SPATCH
from hotcocci.tree import select
from hotcocci.tree.select import Mention

_FOLDER = Path(__file__).parent
# In names of functions
_KIND_OF_PROGRAM = re.compile(r"(?:^|_)(?:x32|x64|ia32|compat|native|32|64)(?=_|$)")
# The semantic patch for the rules of windows
WINDOW_SCRIPT = "cocci/user_access_window.cocci"


def for_any_program(function: str) -> str:
    """The name of a function without the kind of programs that it is for: rt_sigreturn for x32_rt_sigreturn()."""
    return _KIND_OF_PROGRAM.sub("", function).strip("_")


def table(name: str) -> dict[str, Any]:
    """One of the data files in this folder."""
    return tomllib.loads((_FOLDER / name).read_text(encoding="utf-8"))


# The same for several rules: "groups" of reasons, "texts" of pages, and one sentence for each reason
_COMMON = table("entry.toml")
_GROUPS: dict[str, list[str]] = _COMMON.pop("groups")
_TEXTS: dict[str, str] = _COMMON.pop("texts")
SHARED: dict[str, str] = _COMMON
"""One sentence for each reason not to rewrite that several rules share."""


if TYPE_CHECKING:
    from hotcocci.rewrite.calls import Called as Called
    from hotcocci.rewrite.window import Verdict as Verdict
else:
    # What judges of calls are annotated with; every command imports rules, few their decisions.
    Called = Verdict = Any

# Families of rules, in the order in which they are listed and run
ACCESSES = "accesses"
LOADS = "loads"
WINDOWS = "windows"
FAMILIES = (ACCESSES, LOADS, WINDOWS)


@dataclass(frozen=True)
class Words:
    """Text on a rule's rewrites for a changelog: a title in the imperative, and sentences on what and why."""

    title: str
    text: str


@dataclass(frozen=True)
class Rule:
    """One rule: who finds it, and what can be done about it.

    ``engines`` are the engines that guarantee to find every violation they can see; no other engine ever reports
    the rule. ``script`` is the semantic patch that finds it, relative to the checkout, if there is one, and
    ``mention`` what a file must mention to have matches; for a rule on each call by itself ``names`` are those of
    the calls. ``tiers`` are the tiers of its rewrites, empty for a rule that only reports. ``on_request`` rules
    are checked only if named, as their reports are not errors. The reports of a ``hygiene`` rule are advice, shown
    once per cause and only if all reports are requested. ``doc`` is for readers of a finding.

    ``words`` are the text for a commit, ``needs`` that for one before it with the edits of other files that its
    rewrites need, if there are any; "{calls}" in the first is replaced by ``calls``, by the direction of its
    rewrites. ``reasons`` are the rule's own reasons not to rewrite, each with a sentence, and ``shared_reasons``
    are the names of those from entry.toml that it gives as well. A rewrite is refused if it saves no load
    (``must_save_loads``). Its findings are whole loops with ``loops``. ``alike`` is set if rewrites of different
    functions look alike, so that readers expect all of them.

    For the rule's page: ``example`` is a case of kernel-fixtures/CODE, ``options`` are command-line options that
    change what is found or written, ``proof`` is what is proved about a rewrite.
    """

    code: str
    title: str
    doc: str
    family: str = ACCESSES
    engines: tuple[str, ...] = (SPATCH,)
    script: str = ""
    mention: Mention | None = None
    names: frozenset[str] = frozenset()
    tiers: tuple[str, ...] = ()
    on_request: bool = False
    hygiene: bool = False
    words: Words | None = None
    needs: Words | None = None
    calls: Mapping[str, str] = field(default_factory=dict, hash=False)
    reasons: Mapping[str, str] = field(default_factory=dict, hash=False)
    shared_reasons: tuple[str, ...] = ()
    must_save_loads: bool = False
    alike: bool = False
    loops: bool = False
    example: str = ""
    options: tuple[str, ...] = ()
    proof: str = ""

    def meaning(self, reason: str) -> str:
        """The sentence of a reason not to rewrite. Raises KeyError if there is no such reason."""
        return self.reasons.get(reason) or SHARED[reason]


def entry_of(code: str, data: dict[str, Any]) -> Rule:
    """The entry of a rule from its data file, in which names stand for what several rules share."""
    given = {**data, "mention": getattr(select, data["mention"])}
    given |= {kind: Words(**data[kind]) for kind in ("words", "needs") if kind in data}
    given["tiers"] = tuple(data["tiers"])
    reasons = (_GROUPS.get(name, [name]) for name in data["shared_reasons"])
    given["shared_reasons"] = tuple(chain.from_iterable(reasons))
    given["options"] = tuple(_TEXTS.get(text, text) for text in data.get("options", ()))
    given["proof"] = _TEXTS.get(data["proof"], data["proof"])
    return Rule(code, **given)


def completed(entry: Rule, stem: str) -> Rule:
    """The entry of a rule on each call with what follows from its names, and the stem of its files."""
    return replace(
        entry,
        script=f"cocci/{stem}.cocci",
        mention=select.calls(entry.names),
        tiers=(SAFE, PREPARED),
        shared_reasons=(*_GROUPS["of-calls"], *entry.shared_reasons),
        example=stem.replace("_", "-"),
    )
