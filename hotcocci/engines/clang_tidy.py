# SPDX-License-Identifier: GPL-2.0
"""Run clang-tidy with the project's plugin on one file, for rules that need types and sizes."""

import hashlib
import json
import os
import re
import shutil
import tempfile
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import yaml

from hotcocci.engines.compiler import by_place, garbled, needed
from hotcocci.errors import EngineError, EngineMissing
from hotcocci.findings import CLANG_TIDY as ENGINE
from hotcocci.findings import Edit, Note, Report
from hotcocci.layout import DATA, PROGRAM
from hotcocci.tree.build import locked
from hotcocci.tree.command import Unit
from hotcocci.tree.kernel import OPENS, SLEEPS, probe
from hotcocci.tree.process import complaint, run
from hotcocci.tree.source import ENCODING, put

HOME = DATA / "checkers/clang-tidy"
INCLUDE = HOME / "include"
NAME = "hotcocci.so"
# Next to the plugin: what it was built from
STAMP = "built.json"

CLANG_TIDY = "clang-tidy-19"
CLANG = "clang++-19"
HEADERS = Path("/usr/lib/llvm-19/include")
PACKAGES = "clang-19 clang-tidy-19 libclang-19-dev llvm-19-dev g++"
SETUP = f"run '{PROGRAM} checkers build'"
# Seconds; the build takes 15 on an idle core.
BUILD_TIMEOUT = 900.0


def plugin(home: Path = HOME) -> Path:
    """The path of the plugin built from the sources in ``home``, which is up to date.

    Raises EngineMissing.
    """
    wanted = _wanted(home)
    found = home / "build" / NAME
    try:
        built = json.loads(found.with_name(STAMP).read_text(encoding="utf-8"))
    except (FileNotFoundError, ValueError) as error:
        raise EngineMissing(f"the clang-tidy plugin is not built: {SETUP}") from error
    if built.get("clang") != wanted["clang"]:
        raise EngineMissing(
            f"the clang-tidy plugin was built for clang {built.get('clang')}, "
            f"but this is clang {wanted['clang']}: {SETUP}"
        )
    if built != wanted or not found.is_file():
        raise EngineMissing(f"the clang-tidy plugin is older than its sources: {SETUP}")
    return found


def build(home: Path = HOME) -> bool:
    """Build the plugin from the sources in ``home`` unless it is up to date; True if it was built.

    Raises EngineMissing.
    """
    folder = home / "build"
    folder.mkdir(exist_ok=True)
    with locked(folder / "lock"):
        try:
            plugin(home)
            return False
        except EngineMissing:
            wanted = _wanted(home)
        stamp = folder / STAMP
        stamp.unlink(missing_ok=True)
        _compile(home, folder / NAME)
        put(stamp, json.dumps(wanted).encode())
        return True


def _compile(home: Path, library: Path) -> None:
    """Compile all sources as one unit: most of the time goes into the headers they share."""
    sources = sorted(home.glob("*.cpp"))
    with tempfile.TemporaryDirectory(dir=library.parent) as folder:
        whole = Path(folder) / "whole.cpp"
        lines = (f'#include "{source}"\n' for source in sources)
        whole.write_text("".join(lines), encoding="utf-8")
        made = Path(folder) / NAME
        argv = [CLANG, "-std=c++17", "-O1", "-fno-rtti", "-fPIC", "-shared"]
        argv += ["-isystem", str(HEADERS), str(whole), "-o", str(made)]
        remedy = f"(Debian: apt install {PACKAGES})"
        with needed(EngineMissing(f"{CLANG} is not installed {remedy}")):
            outcome = run(argv, home, BUILD_TIMEOUT)
        if outcome.status != 0:
            said = (line for line in outcome.err.splitlines() if "error" in line)
            why = next(said, "the compiler did not end").strip()
            raise EngineMissing(
                f"cannot build the clang-tidy plugin ({why}): "
                f"check that {PACKAGES} are installed"
            )
        os.replace(made, library)


def _wanted(home: Path) -> dict[str, str]:
    """The clang version and the digest of the sources to build from. Raises EngineMissing."""
    if shutil.which(CLANG_TIDY) is None:
        raise EngineMissing(
            f"{CLANG_TIDY} is not installed (Debian: apt install {PACKAGES})"
        )
    printed = run([CLANG_TIDY, "--version"], home, 60).out
    version = printed.partition("version ")[2].split("\n")[0].strip()
    digest = hashlib.sha256()
    for source in sorted([*home.glob("*.cpp"), *home.glob("*.h")]):
        digest.update(source.name.encode() + b"\0" + source.read_bytes())
    return {"clang": version or printed.strip()[:80], "sources": digest.hexdigest()}


TIMEOUT = 300.0
CHECKS = "-*,hotcocci-*"
# "/tree/file.c:12:3: warning: UW05 in f(): text [hotcocci-uw05]"; notes name no check.
SAID = re.compile(
    r"^(?P<file>/[^:\n]*|[^:\s][^:\n]*):(?P<line>\d+):\d+: (?P<kind>warning|note|error): "
    r"(?P<text>.*?)(?: \[(?P<check>[\w.,-]+)\])?$"
)
# An option about warnings; others begin with -W, too.
_WARNING = re.compile(r"-W(?:[^,apl]|all|pedantic)")
RULE = re.compile(r"^(?P<rule>UW\d\d) in (?P<function>\w+)\(\): (?P<what>.*)$")


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
    EngineError, and EngineMissing if there is no plugin for this clang-tidy.
    """
    library = plugin(home)
    with tempfile.TemporaryDirectory(prefix="hotcocci-clang-tidy-") as folder:
        fixes = Path(folder) / "fixes.yaml"
        argv = [CLANG_TIDY, "--quiet", f"--load={library}", f"--checks={CHECKS}"]
        argv += [f"--config={_configuration(unit)}", "--header-filter=.*"]
        argv += [f"--export-fixes={fixes}", str(unit.source), "--"]
        # The compiler's flags without warning options, after the path of the shadow headers
        kept = (word for word in unit.command.argv[1:] if not _WARNING.match(word))
        argv += [f"-I{INCLUDE}", "-w", *kept]
        with needed(EngineError(f"{CLANG_TIDY} is not installed")):
            outcome = run(argv, unit.build.out, timeout)
        exported = fixes.read_text(encoding=ENCODING) if fixes.exists() else ""
    said = [found for line in outcome.out.splitlines() if (found := SAID.match(line))]
    errors = [found for found in said if found["kind"] == "error"]
    if errors or outcome.status != 0:
        why = errors[0]["text"] if errors else complaint(outcome.err + outcome.out)
        raise EngineError(
            f"it does not compile with {unit.command.argv[0]}: {why}: "
            f"check with 'make CC={unit.command.argv[0]} {unit.command.file.removesuffix('.c')}.o'"
        )
    why = garbled(outcome.out)
    if why:
        raise EngineError(f"{CLANG_TIDY}: {why}")
    return _reports(unit, said, _fixes(unit, exported))


def _configuration(unit: Unit) -> str:
    """The options of the checks for this tree, as clang-tidy's configuration."""
    eight = probe(unit.build.tree).arm_get_u64
    options = {
        "hotcocci-uw07.Others": ";".join(sorted(OPENS | SLEEPS)),
        "hotcocci-uw19.EightBytes": str(eight).lower(),
    }
    return json.dumps({"InheritParentConfig": False, "CheckOptions": options})


def _name(unit: Unit, file: str) -> str | None:
    """A file's name relative to the tree, or None if it is outside."""
    path = unit.build.out / file
    roots = filter(path.is_relative_to, (unit.root, unit.build.tree))
    return next((str(path.relative_to(root)) for root in roots), None)


def _reports(
    unit: Unit,
    said: Iterable[re.Match[str]],
    fixes: dict[tuple[str, str], tuple[Edit, ...]],
) -> tuple[Report, ...]:
    """The plugin's warnings, each with the notes that follow it."""
    reports: list[Report] = []
    # Whether the last warning is one of them
    ours = False
    for found in said:
        name, line, text = _name(unit, found["file"]), int(found["line"]), found["text"]
        if found["kind"] == "warning":
            parsed = RULE.match(text)
            ours = parsed is not None and name is not None
            if parsed and name:
                rule, function, what = parsed.group("rule", "function", "what")
                fix = fixes.get((text, name), ())
                report = Report(rule, name, line, function, what, ENGINE, fix=fix)
                reports.append(report)
        elif ours and name and not text.startswith("expanded from macro"):
            notes = (*reports[-1].notes, Note(name, line, text))
            reports[-1] = replace(reports[-1], notes=notes)
    return by_place(reports)


def _fixes(unit: Unit, exported: str) -> dict[tuple[str, str], tuple[Edit, ...]]:
    """The edits of each message and file, from the output of --export-fixes."""
    loaded = yaml.safe_load(exported) or {}
    fixes: dict[tuple[str, str], tuple[Edit, ...]] = {}
    for diagnostic in loaded.get("Diagnostics", ()):
        message = diagnostic["DiagnosticMessage"]
        file = _name(unit, message["FilePath"])
        parts = (
            p for p in message["Replacements"] if _name(unit, p["FilePath"]) == file
        )
        edits = tuple(
            Edit(p["Offset"], p["Offset"] + p["Length"], p["ReplacementText"])
            for p in parts
        )
        if file is not None and edits:
            fixes.setdefault((message["Message"], file), edits)
    return fixes
