# SPDX-License-Identifier: GPL-2.0
"""Run smatch with the project's checkers on one file."""

import os
import re
import shutil
from dataclasses import replace
from pathlib import Path

from hotcocci.engines.compiler import by_place, garbled, needed
from hotcocci.errors import EngineError, EngineMissing
from hotcocci.findings import SMATCH as ENGINE
from hotcocci.findings import Note, Report
from hotcocci.layout import PROGRAM
from hotcocci.tree.command import Unit
from hotcocci.tree.process import Outcome, run

# Seconds. Most files take 1 to 3, the largest 5.
TIMEOUT = 300.0
# Environment variable that names a smatch outside PATH.
VARIABLE = "SMATCH"
# The checks of checkers/smatch, without "check_".
CHECKS = tuple(
    f"user_access_{name}"
    for name in "balance call direction flavour nested outside sleep unchecked".split()
)
# sparse's machine names by kbuild's ARCH=; -m32 and -m64 from the compiler's flags do the rest.
MACHINES = {
    **{name: name for name in "arm arm64 i386 mips riscv sparc x86_64".split()},
    **{"powerpc": "ppc", "s390": "s390x", "x86": "x86_64"},
}
# Not a check: skips functions that do not concern windows.
ONLY = "user_access_only"
SAID = re.compile(
    r"^(?P<file>.+?):(?P<line>\d+) (?P<function>\w+)\(\) warn: (?P<rule>UW\d\d) (?P<text>.*)$"
)
BEGIN = re.compile(
    r"opened on line (?P<opened>\d+)|that line (?P<by>\d+) opened|failed on line (?P<failed>\d+)"
)
# What smatch says without the lists of functions that it was built with
NO_DATA = "smatch_data/ is not accessible"
# Errors after which part of the file is not parsed; sparse continues after all others.
UNREAD = re.compile(r"error: (?P<what>unable to open '[^']*'|too many errors)")


def program() -> bytes:
    """Identify the smatch in use, for cache keys. Raises EngineMissing."""
    path = found()
    with needed(EngineMissing(f"{path} cannot be run: rebuild it")):
        listing = run([path, "--show-checks"], Path.cwd(), TIMEOUT)
    listed = (listing.out + listing.err).split()
    if not {f"check_{name}" for name in (*CHECKS, ONLY)} <= set(listed):
        raise EngineMissing(
            f"{path} lacks the user access checkers, or has older ones: "
            f"run '{PROGRAM} checkers install --smatch DIR' with its source, then make"
        )
    # It warns on any input. Without the lists there, correct code is reported.
    said = run([path, "-p=kernel", os.devnull], Path("/"), TIMEOUT)
    if NO_DATA in said.out + said.err:
        raise EngineMissing(
            f"{path} does not find its directory smatch_data, and is not used: "
            "put a link to the smatch you built on PATH, not a copy"
        )
    return path.encode("utf-8", "surrogateescape") + Path(path).read_bytes()


def problem() -> str:
    """Why the smatch that was found cannot be used; empty if it can."""
    try:
        program()
    except EngineMissing as error:
        return str(error)
    return ""


def found() -> str:
    """The smatch to run: what SMATCH names, or the one on PATH. Raises EngineMissing."""
    named = os.environ.get(VARIABLE)
    path = shutil.which(named or "smatch")
    if path is None:
        where = f"{VARIABLE}={named} is no program" if named else "there is no smatch"
        raise EngineMissing(
            f"{where}: get its source from https://repo.or.cz/smatch.git, run "
            f"'{PROGRAM} checkers install --smatch DIR' and make, and put it on PATH or set "
            f"{VARIABLE}"
        )
    return str(Path(path).absolute())


def check(unit: Unit, timeout: float = TIMEOUT) -> tuple[Report, ...]:
    """Check one file and the headers that it includes from its tree.

    Raises EngineError.
    """
    smatch = found()
    machine = MACHINES.get(unit.build.target.arch)
    # In one pass, states carried by a loop are missed. The exit status must not depend on what it finds.
    argv = [smatch, "-p=kernel", "--two-passes", "--succeed"]
    argv += [f"--enable={','.join((*CHECKS, ONLY))}"]
    argv += [f"--arch={machine}"] if machine else []
    argv += [*unit.command.argv[1:], str(unit.source)]
    remedy = f"rebuild it, or set {VARIABLE} to another"
    with needed(EngineMissing(f"{smatch} cannot be run: {remedy}")):
        outcome = run(argv, unit.build.out, timeout)
    _raise_failure(smatch, outcome)
    warnings = filter(None, map(SAID.match, outcome.out.splitlines()))
    reports = (_report(unit, warning) for warning in warnings)
    return by_place(report for report in reports if report is not None)


def _raise_failure(smatch: str, outcome: Outcome) -> None:
    missing = re.search(r"^'(?P<check>user_access_\w+)' not found$", outcome.out, re.M)
    if missing:
        raise EngineMissing(
            f"{smatch} lacks the checker {missing['check']}: run "
            f"'{PROGRAM} checkers install --smatch DIR' with its source, then make"
        )
    unread = UNREAD.search(outcome.err + outcome.out)
    if unread:
        raise EngineError(
            f"smatch cannot parse it ({unread['what']}): check that the file compiles"
        )
    if outcome.status != 0:
        said = list(filter(None, (outcome.err + outcome.out).splitlines()))
        why = said[-1] if said else "no message"
        raise EngineError(f"smatch failed: {why}: rebuild it")
    why = garbled(outcome.out)
    if why:
        raise EngineError(f"smatch: {why}")


def _report(unit: Unit, found: re.Match[str]) -> Report | None:
    """A line of its output as a report; None if it is about a file outside the root."""
    path = Path(os.path.normpath(unit.build.out / found["file"]))
    root = Path(os.path.normpath(unit.root.absolute()))
    if not path.is_relative_to(root):
        return None
    file, line = str(path.relative_to(root)), int(found["line"])
    rule, function, text = found.group("rule", "function", "text")
    report = Report(rule, file, line, function, text, ENGINE)
    begin = BEGIN.search(text)
    number = int(next(filter(None, begin.groups()))) if begin else line
    if begin is None or number == line:
        return report
    said = "begin failed here" if begin["failed"] else "the window was opened here"
    return replace(report, notes=(Note(file, number, said),))
