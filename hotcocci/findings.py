# SPDX-License-Identifier: GPL-2.0
"""The data types shared by all stages: frozen dataclasses; and what several engines report is one violation.

Lines count from 1, columns from 0, as spatch counts them; offsets are characters
into the text of the file as it was read.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

REWRITE = "rewrite"
REPORT = "report"

SAFE = "safe"
PREPARED = "prepared"
MANUAL = "manual"
TIERS = (SAFE, PREPARED, MANUAL)

# How much a rewrite is worth to a maintainer, in the order in which they are shown
WORTH = "worth it"
PERHAPS = "perhaps"
# In lines that a change adds, whose author has them in hand
NEW = "new code"
COLD = "cold"
BANDS = (WORTH, PERHAPS, NEW, COLD)
# The words for them in options; a word shows the bands up to its own, the last one reports, too
SHOWS = {"worth": WORTH, "perhaps": NEW, "cold": COLD, "all": COLD}

# The fewest accesses of a window. Whether two are worth one is estimated.
MIN_RUN = 2

READ = "read"
WRITE = "write"
READ_WRITE = "rw"

# The engines, in the order in which the table of docs/rules/ lists them
SPATCH = "spatch"
SMATCH = "smatch"
CLANG_TIDY = "clang-tidy"
OBJTOOL = "objtool"
OBJECTS = "objects"
ENGINES = (SPATCH, SMATCH, CLANG_TIDY, OBJTOOL, OBJECTS)


@dataclass(frozen=True)
class Access:
    """One get_user, put_user or ``__`` variant, or another call a rule looks for, as SmPL found it.

    ``line`` and ``column`` are where its name begins, ``end_line`` is the last one of the function.
    """

    name: str
    function: str
    end_line: int
    line: int
    column: int


@dataclass(frozen=True)
class Facts:
    """The matches of a semantic patch in a file; the input of every decision."""

    file: str
    accesses: tuple[Access, ...] = ()


@dataclass(frozen=True)
class Saves:
    """The cycles that a rewrite saves on a path, as a range over processors; negative if it costs.

    ``typical`` is the median over the processors that most kernels run on. ``dearer`` are targets
    that it costs cycles on, whatever the processor.
    """

    least: float
    most: float
    typical: float
    dearer: tuple[str, ...] = ()


@dataclass(frozen=True)
class Finding:
    """A finding: a rule, a location, a message and a verdict.

    ``file`` is relative to the kernel tree. ``base`` is the pointer that the accesses share, ``direction`` is
    read, write or rw. A ``rewrite`` has a tier, a ``report`` a reason from the rulebook; the other one is None.
    ``share`` is the function's share of a profile's samples, in percent. ``share_at_most`` is an upper bound if
    the profile only has functions that it may have been inlined into. Both are None without a profile, or if the
    profile has neither. ``saves`` are the estimated cycles that the rewrite saves, None without one or if they are
    unknown. ``band`` is how much a rewrite is worth, None for a report that does not advise on new code.
    ``record`` is the structure of which the accesses read or write all members, three or more, or, with [], the
    kernel object that has them or the array of which a loop does all elements; None if there is none. ``lines``
    are the lines of code that a rewrite adds, negative if there are fewer. ``heat`` is how often the function
    runs, where 1 is once per read() of a busy program, and ``per`` what it runs once for; 0 if nothing in the tree
    is known to call it, None if the tree was not read as a whole since its file changed. ``counted`` tells that
    ``saves`` are of compiled code. ``benched`` is what the rewrite alone does to system calls in a booted kernel,
    a sentence for each that runs it, None if nobody measured it. ``column`` and ``end_column`` are where the code
    begins and after its end, in bytes from 1.
    """

    rule: str
    file: str
    line: int
    end_line: int
    function: str | None
    message: str
    accesses: int | None = None
    base: str | None = None
    direction: str | None = None
    verdict: str = REPORT
    tier: str | None = None
    reason: str | None = None
    share: float | None = None
    share_at_most: float | None = None
    saves: Saves | None = None
    band: str | None = None
    record: str | None = None
    lines: int = 0
    heat: float | None = None
    per: str | None = None
    counted: bool = False
    benched: tuple[str, ...] | None = None
    column: int | None = None
    end_column: int | None = None


@dataclass(frozen=True)
class Edit:
    """Replace the characters from ``start`` up to, but not including, ``end`` by ``text``."""

    start: int
    end: int
    text: str


@dataclass(frozen=True)
class Note:
    """A location that explains a report: where a window was opened, where a pointer comes from."""

    file: str
    line: int
    message: str


@dataclass(frozen=True)
class Report:
    """One engine's report on a user access window.

    ``file`` is relative to the kernel tree; ``fix`` has the edits if the fix is mechanical.
    """

    rule: str
    file: str
    line: int
    function: str | None
    message: str
    engine: str
    notes: tuple[Note, ...] = ()
    fix: tuple[Edit, ...] = ()


@dataclass(frozen=True)
class Addition:
    """Edits of another file that a rewrite needs, such as a helper in a header.

    All rewrites of a tree that need one need the same.
    """

    file: str
    edits: tuple[Edit, ...]


@dataclass(frozen=True)
class Other:
    """A changed file, before and after; as one of ``others``, a file that the change of another one needs."""

    file: str
    old: str
    new: str


@dataclass(frozen=True)
class Change(Other):
    """A changed file, and the others that it needs changed, such as a header with a new helper."""

    others: tuple[Other, ...] = ()

    @property
    def files(self) -> tuple[Other, ...]:
        """All files that it changes, itself first."""
        return Other(self.file, self.old, self.new), *self.others


@dataclass(frozen=True)
class Rewrite:
    """A finding with the edits that rewrite it.

    ``notes`` are sentences for the reviewer: what was hoisted, what may differ on a fault. ``rounds``
    is how often the rewritten accesses are made, None for a loop whose bound is not a number.
    ``additions`` are edits of other files, without which the rewritten code does not compile.
    """

    finding: Finding
    edits: tuple[Edit, ...]
    shape: str
    api: str
    notes: tuple[str, ...] = ()
    rounds: int | None = 1
    additions: tuple[Addition, ...] = ()


# The start of a reason for skipping that says nothing about the file
BUSY = "busy machine"


@dataclass(frozen=True)
class Skip:
    """A file, or a part of one, that was skipped, and why.

    ``lines`` are in the parts that were skipped; none if that is the whole file.
    """

    file: str
    reason: str
    lines: tuple[int, ...] = ()


# The check that says nothing about behaviour
STYLE = "checkpatch"


# The check that counts the instructions of system calls; skipped if none reaches the rewritten function.
BENCH = "bench"


@dataclass(frozen=True)
class Seen:
    """The reports of engines on some files, and the files skipped; ``failure`` is why one could not be examined.

    ``conditional`` are files and functions whose windows conditions balance, if anything does; ``helped`` those
    that call functions which open or end windows.
    """

    reports: tuple[Report, ...] = ()
    skipped: tuple[Skip, ...] = ()
    failure: str = ""
    conditional: tuple[tuple[str, str], ...] = ()
    helped: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Check:
    """A check of a rewritten file and its outcome.

    ``outcome`` is passed, failed or skipped; ``detail`` explains it: the first lines of the compiler's
    errors, or the reason for skipping.
    """

    name: str
    outcome: str
    detail: str = ""

    @property
    def kind(self) -> str:
        """The name without the file: "sparse (FILE)" is sparse on a file that includes the changed one."""
        return self.name.partition(" (")[0]


@dataclass(frozen=True)
class Count:
    """Counts of machine code: instructions, calls, switches, fences and loads.

    ``switches`` are opens and closes of user access, ``fences`` serialising instructions (lfence, isync,
    isb), ``loads`` reads of memory other than the stack. ``copies`` are instructions that copy or fill
    any number of bytes (rep movs), ``returns`` those that return.
    """

    instructions: int
    calls: int
    switches: int
    fences: int
    loads: int = 0
    copies: int = 0
    returns: int = 0


@dataclass(frozen=True)
class Cost:
    """The cost of a function on one target, from its machine code.

    ``success`` counts the non-faulting path from the function's entry to the end of the changed code,
    including called uaccess helpers (__get_user_4); None if that path is unknown. ``whole`` counts all
    of the function's code, wherever the compiler put it, without callees; ``size`` is in bytes.
    """

    success: Count | None
    whole: Count
    size: int


@dataclass(frozen=True)
class Cycles:
    """The core cycles of a non-faulting path before and after, as modelled for one processor.

    ``mainstream`` is whether most kernels run on such processors.
    """

    processor: str
    before: float
    after: float
    mainstream: bool = True


@dataclass(frozen=True)
class Gain:
    """The cost of a function before and after a rewrite, on one target.

    ``unit`` is the compiled file: the changed one or one that includes it. ``worse`` says what got
    worse, empty if nothing that counts did. ``cycles`` has the processors of the target, ``saves`` the
    range over them; none, and None, if the non-faulting path is unknown.
    """

    target: str
    unit: str
    function: str
    before: Cost
    after: Cost
    worse: str = ""
    cycles: tuple[Cycles, ...] = ()
    saves: Saves | None = None


# For all inputs
PROVEN = "proven"
DIFFERENT = "different"
NOT_PROVEN = "not proven"
# How the reason begins where an input shows a difference that no run confirms
MAY_DIFFER = "may differ"
# The same where only what was before a change compiles
NO_LONGER = "it no longer compiles"


@dataclass(frozen=True)
class Line:
    """A line of one version of a file: as it is ``before`` the change, or after it."""

    file: str
    number: int
    before: bool


@dataclass(frozen=True)
class Execution:
    """The result of comparing the machine code of a function before and after.

    ``verdict`` is proven, different or not proven; ``detail`` says why in one line. ``permitted`` are differences
    that the rules allow after a fault, ``assumed`` the assumptions of a proof, and ``paths`` counts the paths that
    it followed. ``traces`` are both sides of a run that differs. ``compiled`` names the compiler, architecture and
    configuration that the verdict holds for. ``unseen`` is a changed line that this compilation has no code for.
    """

    target: str
    unit: str
    function: str
    verdict: str
    detail: str = ""
    permitted: tuple[str, ...] = ()
    traces: tuple[str, ...] = ()
    paths: int = 0
    assumed: tuple[str, ...] = ()
    compiled: str = ""
    unseen: Line | None = None


@dataclass(frozen=True)
class Proof:
    """The checks, gains and executions of a rewritten file."""

    file: str
    checks: tuple[Check, ...] = ()
    gains: tuple[Gain, ...] = ()
    executions: tuple[Execution, ...] = ()

    @property
    def failed(self) -> tuple[Check, ...]:
        """The failed checks."""
        return tuple(c for c in self.checks if c.outcome == "failed")

    @property
    def compiled(self) -> bool:
        """Whether the rewritten file was compiled."""
        passed = (c.name for c in self.checks if c.outcome == "passed")
        return any(name.startswith("compile") for name in passed)


@dataclass(frozen=True)
class Violation(Finding):
    """A rule violated at a line, the engines that found it, and the message of the first.

    ``also`` are further lines where the same cause violates it.
    """

    engines: tuple[str, ...] = ()
    notes: tuple[Note, ...] = ()
    fix: tuple[Edit, ...] = ()
    also: tuple[Note, ...] = ()


def violated(
    rule: str,
    file: str,
    line: int,
    function: str | None,
    message: str,
    engines: tuple[str, ...],
    notes: tuple[Note, ...] = (),
    fix: tuple[Edit, ...] = (),
) -> Violation:
    """A violation, which has one line."""
    found = Violation(rule, file, line, line, function, message, engines=engines)
    return replace(found, notes=notes, fix=fix)


def merge(reports: Iterable[Report]) -> list[Violation]:
    """Merge reports into one violation per file, line and rule, sorted in that order.

    The message is that of the first engine in the order of the rulebook's table, which sees
    most of the source; function, notes and fix come from the first engine that has them.
    """
    places: dict[tuple[str, int, str], list[Report]] = {}
    for report in reports:
        places.setdefault((report.file, report.line, report.rule), []).append(report)
    merged = []
    for (file, line, rule), said in sorted(places.items()):
        ordered = sorted(said, key=lambda r: (ENGINES.index(r.engine), r.message))
        first = ordered[0]
        engines = tuple(dict.fromkeys(r.engine for r in ordered))
        function = next((r.function for r in ordered if r.function), None)
        notes = next((r.notes for r in ordered if r.notes), ())
        fix = next((r.fix for r in ordered if r.fix), ())
        merged.append(
            violated(rule, file, line, function, first.message, engines, notes, fix)
        )
    return merged
