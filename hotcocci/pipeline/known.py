# SPDX-License-Identifier: GPL-2.0
"""Remember what all rules decided on a file, so that a known file needs neither them nor spatch.

An entry is found by the file's contents, our own code, the programs and the options; it then says what
else the decisions depend on: what the file includes, and what some rules look at in addition.
"""

import json
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from hotcocci.c.ask import library_state
from hotcocci.cache import known_answer, recalled
from hotcocci.findings import Finding, Rewrite, Skip
from hotcocci.pipeline.fingerprint import all_code, key
from hotcocci.pipeline.paths import texts_of
from hotcocci.pipeline.run import Run
from hotcocci.pipeline.settings import Settings
from hotcocci.records import rebuilt
from hotcocci.rewrite.options import Options
from hotcocci.rules.entry import Rule
from hotcocci.tree.source import stamp


@dataclass(frozen=True)
class Decision:
    """The decision of a rule on one file, and the text that its edits apply to.

    ``unseen`` are the lines of accesses that spatch did not see. ``rule`` is the rule's code.
    """

    file: str
    text: str
    findings: tuple[Finding, ...]
    rewrites: tuple[Rewrite, ...]
    unseen: tuple[int, ...] = ()
    rule: str = ""


@dataclass(frozen=True)
class Needs:
    """The dependencies of the decisions on a file, apart from the file.

    ``includes`` is set if any rule decided on it. ``extras`` are the rules with inputs of their own.
    """

    includes: bool = False
    extras: tuple[str, ...] = ()


@dataclass
class Known:
    """The decisions on known files, and why some were skipped; ``unknown`` are the other files."""

    decisions: list[Decision] = field(default_factory=list)
    skipped: list[Skip] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)


class Memory:
    """The decisions known of one tree's files with these rules and settings."""

    def __init__(self, run: Run, rules: Sequence[Rule], options: Options) -> None:
        self._tree = run.tree
        self._cache = run.cache
        self._reached = run.reached
        self._common = _common(rules, options, run.settings)
        self._options = options
        self._keys: dict[str, str] = {}

    def recall(self, files: Sequence[str]) -> Known:
        """The known decisions on these files."""
        self._keys |= {file: self._key(file) for file in files}
        keys = {file: self._keys[file] for file in files}
        needs = recalled(self._cache, keys, lambda _, row: rebuilt(Needs, row))

        def read(file: str, said: Any) -> tuple[list[Decision], list[Skip]]:
            texts = texts_of(self._tree, [file] if said["made"] else [])
            made = [from_json(file, texts[file], one) for one in said["made"]]
            return made, [Skip(file, rebuilt(str, why)) for why in said["skipped"]]

        found = recalled(self._cache, self._full(needs), read)
        known = Known(unknown=[file for file in files if file not in found])
        for made, skipped in found.values():
            known.decisions += made
            known.skipped += skipped
        return known

    def remember(
        self,
        files: Sequence[str],
        needs: Mapping[str, Needs],
        decisions: Sequence[Decision],
        skipped: Sequence[Skip],
    ) -> None:
        """Store what was decided on files that `recall` did not know."""
        of_file = {file: needs.get(file, Needs()) for file in files}
        said: dict[str, dict[str, list[Any]]] = {
            file: {"made": [], "skipped": []} for file in files
        }
        for decision in decisions:
            telling = decision.findings or decision.rewrites or decision.unseen
            if telling and decision.file in said:
                said[decision.file]["made"].append(to_json(decision))
        for skip in skipped:
            if skip.file in said:
                said[skip.file]["skipped"].append(skip.reason)
        full = self._full(of_file)
        self._cache.remember(
            {self._keys[file]: asdict(need) for file, need in of_file.items()}
            | {full[file]: said[file] for file in files}
        )

    def _full(self, needs: Mapping[str, Needs]) -> dict[str, str]:
        """The key of what was decided on each file."""
        states = self._reached.states(f for f, need in needs.items() if need.includes)
        return {
            file: key(
                f"{self._keys[file]} {need}".encode(),
                states.get(file, ""),
                *(self._others(code, file) for code in need.extras),
            )
            for file, need in needs.items()
        }

    def _others(self, code: str, file: str) -> str:
        # Importing a rule takes longer than the rest; few have other files.
        from hotcocci.rules.rulebook import implementation_of

        return self._reached.among(implementation_of(code).others, file)

    def _key(self, file: str) -> str:
        own = self._reached.own(file)
        return key(self._common, file, own, self._options.of_file(file))


def asked_of(options: Options) -> str:
    """The inputs of decisions, apart from rules and files; the same contents elsewhere have the same decisions."""

    def plain(value: object) -> object:
        return sorted(value) if isinstance(value, frozenset) else str(value)

    asked = replace(options, root=Path()).plain()
    # The layout of a structure comes from whichever header defines it.
    return json.dumps(asked, default=plain, sort_keys=True) + library_state()


def _common(rules: Sequence[Rule], options: Options, settings: Settings) -> bytes:
    """The inputs of every decision."""
    spatch = shutil.which("spatch") or ""
    codes = " ".join(rule.code for rule in rules)
    programs = f"{spatch} {stamp(spatch)}"
    said = (
        f"known {all_code()} {codes} {asked_of(options)} {programs} {settings.timeout}"
    )
    return said.encode("utf-8", "surrogateescape")


def to_json(decision: Decision) -> object:
    """The decision without its file and text."""
    return {
        "findings": [asdict(finding) for finding in decision.findings],
        "rewrites": [asdict(rewrite) for rewrite in decision.rewrites],
        "unseen": list(decision.unseen),
        "rule": decision.rule,
    }


def from_json(file: str, text: str, data: Any) -> Decision:
    """Rebuild a decision from the output of `to_json`; raises what `rebuilt` raises."""
    return rebuilt(Decision, {"file": file, "text": text, **data})


def recall_all(run: Run, key: str) -> tuple[list[Decision], list[Skip]] | None:
    """The decisions on a tree, and the skipped files; None if they are not known."""

    def read(known: Any) -> tuple[list[Decision], list[Skip]]:
        texts = texts_of(run.tree, [file for file, _ in known["made"]])
        made = [from_json(file, texts[file], one) for file, one in known["made"]]
        return made, [rebuilt(Skip, skip) for skip in known["skipped"]]

    return known_answer(run.cache, key, read)


def remember_all(
    run: Run, key: str, made: Sequence[Decision], skipped: Sequence[Skip]
) -> None:
    """Store them; decisions without any result are left out."""
    telling = [d for d in made if d.findings or d.rewrites or d.unseen]
    value = {
        "made": [(decision.file, to_json(decision)) for decision in telling],
        "skipped": [vars(skip) for skip in skipped],
    }
    run.cache.remember({key: value})
