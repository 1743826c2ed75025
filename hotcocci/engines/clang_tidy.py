# SPDX-License-Identifier: GPL-2.0
"""Run clang-tidy with the project's plugin on one file, for rules that need types and sizes."""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

import yaml

from hotcocci.engines.clang_plugin import CLANG_TIDY, HOME, INCLUDE, STAMP, plugin
from hotcocci.engines.messages import garbled
from hotcocci.errors import EngineError
from hotcocci.findings import CLANG_TIDY as ENGINE, Edit, Note, Report
from hotcocci.engines.call_names import OPENS, SLEEPS
from hotcocci.tree.kernel import probe
from hotcocci.tree.process import MissingProgram, run
from hotcocci.tree.source import ENCODING
from hotcocci.tree.unit import Unit

TIMEOUT = 300.0
CHECKS = "-*,hotcocci-*"
# "/tree/file.c:12:3: warning: UW05 in f(): text [hotcocci-uw05]"; notes name no check.
SAID = re.compile(
    r"^(?P<file>/[^:\n]*|[^:\s][^:\n]*):(?P<line>\d+):\d+: (?P<kind>warning|note|error): "
    r"(?P<text>.*?)(?: \[(?P<check>[\w.,-]+)\])?$"
)
RULE = re.compile(r"^(?P<rule>UW\d\d) in (?P<function>\w+)\(\): (?P<what>.*)$")


class ClangTidyError(EngineError):
    """The file could not be checked; the message says why and what to do."""


def program() -> bytes:
    """Identify the clang-tidy and the plugin, for cache keys. Raises EngineMissing."""
    return plugin().with_name(STAMP).read_bytes() + b"".join(
        header.read_bytes() for header in sorted(INCLUDE.rglob("*.h"))
    )


def check(
    unit: Unit, home: Path = HOME, timeout: float = TIMEOUT
) -> tuple[Report, ...]:
    """Check one file and the headers that it includes from its tree.

    The unit must be from a clang build, the plugin from the sources in ``home``. Raises
    ClangTidyError, and EngineMissing if there is no plugin for this clang-tidy.
    """
    library = plugin(home)
    with tempfile.TemporaryDirectory(prefix="hotcocci-clang-tidy-") as folder:
        fixes = Path(folder) / "fixes.yaml"
        argv = [
            CLANG_TIDY,
            "--quiet",
            f"--load={library}",
            f"--checks={CHECKS}",
            f"--config={_configuration(unit)}",
            "--header-filter=.*",
            f"--export-fixes={fixes}",
            str(unit.source),
            "--",
            *_flags(unit.command.argv),
        ]
        try:
            outcome = run(argv, unit.build.out, timeout)
        except MissingProgram as error:
            raise ClangTidyError(f"{CLANG_TIDY} is not installed") from error
        exported = fixes.read_text(encoding=ENCODING) if fixes.exists() else ""
    said = [found for line in outcome.out.splitlines() if (found := SAID.match(line))]
    errors = [found for found in said if found["kind"] == "error"]
    if errors or outcome.status != 0:
        why = errors[0]["text"] if errors else _first(outcome.err + outcome.out)
        raise ClangTidyError(
            f"it does not compile with {unit.command.argv[0]}: {why}: "
            f"check with 'make CC={unit.command.argv[0]} {unit.command.file.removesuffix('.c')}.o'"
        )
    why = garbled(outcome.out)
    if why:
        raise ClangTidyError(f"{CLANG_TIDY}: {why}")
    return _reports(unit, said, _fixes(unit, exported))


def _configuration(unit: Unit) -> str:
    """The options of the checks for this tree, as clang-tidy's configuration."""
    eight = probe(unit.build.tree).arm_get_u64
    options = {
        "hotcocci-uw07.Others": ";".join(sorted(OPENS | SLEEPS)),
        "hotcocci-uw19.EightBytes": str(eight).lower(),
    }
    return json.dumps({"InheritParentConfig": False, "CheckOptions": options})


def _flags(argv: Sequence[str]) -> list[str]:
    """The compiler's flags without warning options, after the path of the shadow headers."""
    kept = [
        word for word in argv[1:] if not word.startswith("-W") or word[2:3] in ",apl"
    ]
    kept = [
        word
        for word in kept
        if not re.match(r"-W(?:all|pedantic|error|p?edantic)", word)
    ]
    return [f"-I{INCLUDE}", "-w", *kept]


def _first(said: str) -> str:
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    relevant = [line for line in lines if "rror" in line]
    return (relevant or lines or ["no message"])[0]


def _name(unit: Unit, file: str) -> str | None:
    """A file's name relative to the tree, or None if it is outside."""
    path = Path(file)
    path = path if path.is_absolute() else unit.build.out / path
    for root in (unit.root, unit.build.tree):
        if path.is_relative_to(root):
            return str(path.relative_to(root))
    return None


def _reports(
    unit: Unit,
    said: Iterable[re.Match[str]],
    fixes: dict[tuple[str, str], tuple[Edit, ...]],
) -> tuple[Report, ...]:
    """The plugin's warnings, each with the notes that follow it."""
    reports: dict[tuple[str, str, int], Report] = {}
    open_key: tuple[str, str, int] | None = None
    for found in said:
        name = _name(unit, found["file"])
        line = int(found["line"])
        parsed = RULE.match(found["text"])
        if found["kind"] == "warning":
            open_key = None
            if parsed is None or name is None:
                continue
            key = (parsed["rule"], name, line)
            if key in reports:
                continue
            open_key = key
            reports[key] = Report(
                rule=parsed["rule"],
                file=name,
                line=line,
                function=parsed["function"],
                message=parsed["what"],
                engine=ENGINE,
                fix=fixes.get((found["text"], name), ()),
            )
        elif open_key is not None and name is not None:
            report = reports[open_key]
            if found["text"].startswith("expanded from macro"):
                continue
            note = Note(name, line, found["text"])
            reports[open_key] = replace(report, notes=(*report.notes, note))
    return tuple(sorted(reports.values(), key=lambda r: (r.file, r.line, r.rule)))


def _fixes(unit: Unit, exported: str) -> dict[tuple[str, str], tuple[Edit, ...]]:
    """The edits of each message and file, from the output of --export-fixes."""
    loaded = yaml.safe_load(exported) or {}
    fixes: dict[tuple[str, str], tuple[Edit, ...]] = {}
    for diagnostic in loaded.get("Diagnostics", ()):
        message = diagnostic["DiagnosticMessage"]
        file = _name(unit, message["FilePath"])
        edits = tuple(
            Edit(
                part["Offset"],
                part["Offset"] + part["Length"],
                part["ReplacementText"],
            )
            for part in message["Replacements"]
            if _name(unit, part["FilePath"]) == file
        )
        if file is not None and edits:
            fixes.setdefault((message["Message"], file), edits)
    return fixes
