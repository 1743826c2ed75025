# SPDX-License-Identifier: GPL-2.0
"""Findings as SARIF 2.1.0, for code scanning services and editors.

Sections (§) refer to: Static Analysis Results Interchange Format (SARIF) Version 2.1.0, OASIS
Standard, 27 March 2020.
"""

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any
from urllib.parse import quote

from hotcocci import __version__, baseline
from hotcocci.findings import Edit, Finding, Note, Proof, Rewrite, Skip, Violation
from hotcocci.layout import page_of
from hotcocci.output import proofs
from hotcocci.output.pages import example
from hotcocci.output.text import gain
from hotcocci.pipeline.filtering import decides
from hotcocci.rules.entry import Rule
from hotcocci.rules.rulebook import RULES, WINDOW_RULES, rule
from hotcocci.tree.kernel import Tree
from hotcocci.tree.source import encode, readable

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
# The usual name of the base directory, as GitHub and most tools use it.
BASE = "%SRCROOT%"
FINGERPRINT = "hotcocciFinding/v1"

ERROR = "error"
WARNING = "warning"
NOTE = "note"

# A JSON object
Object = dict[str, Any]
FINGERPRINT_LENGTH = 32


def document(
    tree: Tree,
    findings: Sequence[Finding],
    rewrites: Sequence[Rewrite],
    skipped: Sequence[Skip],
    texts: Mapping[str, str],
    command: str = "lint",
    proven: Mapping[str, Proof] | None = None,
) -> str:
    """Return the log of a command; ``texts`` are the files with findings, which ``rewrites`` edit.

    With ``proven``, by file, each finding has its function's proof.
    """
    fixes = {rewrite.finding: rewrite for rewrite in rewrites}
    names = fingerprints(findings, texts)
    results = []
    for finding, name in zip(findings, names, strict=True):
        rewrite = fixes.get(finding)
        result = _result(finding, name, texts[finding.file])
        own, edits = result["properties"], tuple[Edit, ...]()
        if isinstance(finding, Violation):
            own["engines"], edits = finding.engines, finding.fix
            related = [_related(note) for note in (*finding.notes, *finding.also)]
            result |= {"relatedLocations": related} if related else {}
        if rewrite is not None:
            # Without its edits of other files, a fix would not compile.
            edits = () if rewrite.additions else rewrite.edits
            own |= {"api": rewrite.api, "notes": rewrite.notes}
        if edits and (said := _fix(finding, texts[finding.file], edits)):
            result["fixes"] = [said]
        if proven is not None:
            own["proof"] = _proof(proven[finding.file], finding)
        results.append(result)
    driver = {
        "name": "hotcocci",
        "semanticVersion": __version__,
        "rules": list(map(_descriptor, RULES)),
    }
    run = {
        "tool": {"driver": driver},
        # Keeps uploads of several commands for one commit apart (§3.17.3).
        "automationDetails": {"id": f"hotcocci/{command}/"},
        "columnKind": "utf16CodeUnits",
        "originalUriBaseIds": {BASE: {"uri": tree.root.as_uri() + "/"}},
        "invocations": [
            {
                "executionSuccessful": True,
                "toolExecutionNotifications": [_notification(s) for s in skipped],
            }
        ],
        "results": results,
    }
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=1)


def _descriptor(entry: Rule) -> Object:
    """Return a rule as a reportingDescriptor (§3.49)."""
    more = []
    if entry.engines:
        more.append(f"Found by {', '.join(entry.engines)}.")
    if entry.tiers:
        more.append(f"Rewritten in tier {', '.join(entry.tiers)}.")
    level = ERROR if entry in WINDOW_RULES else WARNING if entry.tiers else NOTE
    shown = example(entry)
    more += [f"Example\n\n{shown}"] if shown else []
    page = page_of(entry.code)
    return {
        "id": entry.code,
        **({"helpUri": page} if page else {}),
        "name": "".join(word.capitalize() for word in re.findall(r"\w+", entry.title)),
        "shortDescription": {"text": entry.title},
        "fullDescription": {"text": entry.doc},
        "help": {
            "text": "\n\n".join([entry.doc, *more]),
            "markdown": "\n\n".join(
                [f"# {entry.code}: {entry.title}", entry.doc, *more]
            ),
        },
        "defaultConfiguration": {"level": level, "enabled": not entry.on_request},
    }


def _level(finding: Finding) -> str:
    """A violation is an error, what is worth a change a warning, any other a note."""
    if rule(finding.rule) in WINDOW_RULES:
        return ERROR
    return WARNING if decides(finding) else NOTE


def _result(finding: Finding, fingerprint: str, text: str) -> Object:
    location = _location(finding.file, finding.line, finding.end_line)
    location["physicalLocation"]["region"] |= _columns(finding, text)
    if finding.function is not None:
        location["logicalLocations"] = [{"name": finding.function, "kind": "function"}]
    properties = {
        "verdict": finding.verdict,
        "tier": finding.tier,
        "reason": finding.reason,
        "accesses": finding.accesses,
        "base": finding.base,
        "direction": finding.direction,
        "share": finding.share,
        "shareAtMost": finding.share_at_most,
        "saves": asdict(finding.saves) if finding.saves else None,
        "band": finding.band,
    }
    said = f"{gain(finding)}{finding.message}"
    return {
        "ruleId": finding.rule,
        "ruleIndex": RULES.index(rule(finding.rule)),
        "level": _level(finding),
        "message": {"text": said},
        "locations": [location],
        "partialFingerprints": {FINGERPRINT: fingerprint},
        "properties": {k: v for k, v in properties.items() if v is not None},
    }


def _columns(finding: Finding, text: str) -> Object:
    """The columns where a finding begins and after which it ends; empty if they are not known."""
    if finding.column is None or finding.end_column is None:
        return {}
    lines = text.split("\n")
    try:
        return {
            "startColumn": _utf16(lines[finding.line - 1], finding.column),
            "endColumn": _utf16(lines[finding.end_line - 1], finding.end_column),
        }
    except UnicodeDecodeError:
        return {}


def _utf16(line: str, column: int) -> int:
    """A column in UTF-16 code units, given that in bytes, both from 1."""
    before = encode(line)[: column - 1].decode("utf-8")
    return len(before.encode("utf-16-le")) // 2 + 1


def _proof(proof: Proof, finding: Finding) -> Object:
    """Return the checks of a finding's file, with the gains and executions of its function."""
    own = asdict(proofs.of_function(proof, finding.function))
    return {what: own[what] for what in ("checks", "gains", "executions")}


def _location(file: str, line: int, end_line: int) -> Object:
    return {
        "physicalLocation": {
            "artifactLocation": _artifact(file),
            "region": {"startLine": line, "endLine": end_line},
        }
    }


def _related(note: Note) -> Object:
    place = _location(note.file, note.line, note.line)
    return {**place, "message": {"text": note.message}}


def _artifact(file: str) -> Object:
    return {"uri": quote(file), "uriBaseId": BASE}


def _notification(skip: Skip) -> Object:
    said: Object = {"level": WARNING, "message": {"text": f"skipped: {skip.reason}"}}
    if skip.file != ".":  # which is the whole tree
        place: Object = {"artifactLocation": _artifact(skip.file)}
        if skip.lines:
            place["region"] = {"startLine": skip.lines[0]}
        said["locations"] = [{"physicalLocation": place}]
    return said


def _fix(finding: Finding, text: str, edits: Sequence[Edit]) -> Object | None:
    """Return edits as a fix (§3.55); None for a file that is not UTF-8, which has no columns."""
    try:
        encode(text).decode("utf-8")
    except UnicodeDecodeError:
        return None
    replacements = []
    for edit in sorted(edits, key=lambda e: (e.start, e.end)):
        line, column = _at(text, edit.start)
        end_line, end_column = _at(text, edit.end)
        region = {
            "startLine": line,
            "startColumn": column,
            "endLine": end_line,
            "endColumn": end_column,
        }
        replacement: Object = {"deletedRegion": region}
        if edit.text:
            replacement["insertedContent"] = {"text": readable(edit.text)}
        replacements.append(replacement)
    change = {"artifactLocation": _artifact(finding.file), "replacements": replacements}
    return {"description": {"text": finding.message}, "artifactChanges": [change]}


def _at(text: str, offset: int) -> tuple[int, int]:
    """Line and column from 1 of an offset into a text from tree.source, the column in UTF-16 code units."""
    line = text[text.rfind("\n", 0, offset) + 1 : offset]
    return text.count("\n", 0, offset) + 1, _utf16(line, len(encode(line)) + 1)


def fingerprints(findings: Sequence[Finding], texts: Mapping[str, str]) -> list[str]:
    """Return a fingerprint for each finding, in order; ``texts`` are their files.

    It hashes the rule, the file, the function and the finding's lines without white space, but not
    line numbers. Otherwise equal findings are numbered in file order.
    """
    lines = {file: text.split("\n") for file, text in texts.items()}
    order = sorted(
        range(len(findings)), key=lambda i: (findings[i].line, findings[i].end_line)
    )
    seen: Counter[tuple[str, ...]] = Counter()
    names = [""] * len(findings)
    for index in order:
        finding = findings[index]
        parts = baseline.identity(finding, lines[finding.file], finding.end_line)
        names[index] = baseline.digest((*parts, str(seen[parts])), FINGERPRINT_LENGTH)
        seen[parts] += 1
    return names
