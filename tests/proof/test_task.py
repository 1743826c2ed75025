# SPDX-License-Identifier: GPL-2.0
"""A task gives the same result anywhere; failures count as not proven; unseen lines are named once."""

import pickle
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
import z3

from hotcocci.errors import AGAIN
from hotcocci.findings import DIFFERENT, NOT_PROVEN, PROVEN, Execution, Line
from hotcocci.proof import work as work_module
from hotcocci.proof.compiled_task import SIGN, UNMASKED, UNSIGNED, compiled_task
from hotcocci.proof.symbolic import arm64, powerpc
from hotcocci.proof.symbolic.x86 import X86
from hotcocci.proof.symbolic import equivalence, solver
from hotcocci.proof.symbolic.prover import Answer
from hotcocci.proof.task import (
    Task,
    compare_apart,
    grouped,
    nowhere,
    run_all,
    work_apart,
)
from hotcocci.proof.users import MOST
from hotcocci.proof.work import LAYOUT, stated, work
from hotcocci.tree.build import Build
from hotcocci.tree.command import Command
from hotcocci.tree.targets import TARGETS

FILE = "lib/part.c"
USERS = ("lib/user.c", "lib/other.c")
TEXTS = Path(__file__).with_name("task")
PART = (TEXTS / "part.c").read_text(encoding="utf-8")
STRUCT = "struct s {\n\tint x;\n};\n"
INCLUDE = '#include "part.c"\n'


def make(folder: Path, part: str, *users: str) -> Task:
    """A changed file that others include, in a folder that is a tree and its build."""
    texts = dict(zip((FILE, *USERS), (part, *users), strict=False))
    features = folder / "arch/x86/include/asm/cpufeatures.h"
    features.parent.mkdir(parents=True, exist_ok=True)
    features.touch()
    for file, text in texts.items():
        (folder / file).parent.mkdir(exist_ok=True)
        (folder / file).write_text(text)
    build = Build(folder, folder, TARGETS["x86-64"], ("-D__linux__",), ("--uaccess",))
    commands = tuple(Command(file, ("gcc", "-O2", "-w")) for file in texts)
    return Task(build, FILE, part, part.replace("((s)->x)", "(0 + (s)->x)"), commands)


@pytest.fixture
def task(tmp_path) -> Task:
    return make(tmp_path, STRUCT + PART)


def compared(task: Task) -> tuple[Execution, ...]:
    """The results of a task that is sent once it is compiled; nothing of the tree is left."""
    sent = pickle.dumps(compiled_task(task))
    away = task.build.tree.rename(task.build.tree.with_name("away"))
    try:
        return work(pickle.loads(sent))
    finally:
        away.rename(task.build.tree)


def test_other_files_that_cannot_run_are_reported(tmp_path):
    task = make(tmp_path, STRUCT + PART, f"{INCLUDE}odd\n", INCLUDE)
    results = {e.unit: (e.verdict, e.detail) for e in compared(task)}
    verdict, detail = results[USERS[0]]
    assert verdict == NOT_PROVEN and detail.startswith("it does not compile: ")
    assert results[FILE] == results[USERS[1]] == (PROVEN, "")


def test_files_without_changed_code_count_only_alone(tmp_path):
    idle = f"#define UNUSED\n{INCLUDE}int other(int x)\n{{\n\treturn x;\n}}\n"
    done = compared(make(tmp_path, STRUCT + PART, idle, idle))
    assert [(e.unit, e.verdict) for e in done] == [(FILE, PROVEN)]
    done = compared(make(tmp_path, f"#define UNUSED\n{PART}int own;\n", idle, idle))
    assert {e.verdict for e in done} == {NOT_PROVEN}
    assert [e.unseen for e in done] == [Line(FILE, 6, True), Line(FILE, 6, False)]


def test_a_hunk_is_left_out_only_if_no_file_compiles_it(tmp_path):
    part = f"{PART}#ifndef HALF\nint half(struct s *s)\n{{\n\treturn X(s) + 1;\n}}\n#endif\n"
    less = f"#define HALF\n{STRUCT}{INCLUDE}"
    task = make(tmp_path, part, STRUCT + INCLUDE, less)
    new = part.replace("X(s) + 1", "1 + X(s)").replace(
        "return X(s);", "return 0 + X(s);"
    )
    done = compared(replace(task, new=new))
    assert {(e.unit, e.function, e.verdict) for e in done} == {
        (USERS[0], "part", PROVEN),
        (USERS[0], "half", PROVEN),
        (USERS[1], "part", PROVEN),
    }
    task = make(tmp_path, part, less, less)
    done = compared(replace(task, new=new))
    # Before and after the change
    left = [(e.unit, e.verdict) for e in done if e.function == "half"]
    assert left == [(USERS[0], NOT_PROVEN)] * 2


LINES = (TEXTS / "lines.c").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("old", "new", "numbers", "says"),
    [
        ("\t\tfound = s->x", "\t\tfound = a", {9}, "unreachable"),
        ("== 4 && a)", "== 4)", {8}, "unreachable"),
        ("== 4 &&", "== 2 &&", {8}, "the compiler knows its value"),
        ("#ifdef NEVER\n\tfound = a;\n#endif\n", "", {10, 11, 12}, "preprocessor"),
        ("\tfound = a;\n#endif", "\tfound = 2;\n#endif", {11}, "removed"),
        ("#ifdef NEVER", "#ifdef EVER", {10}, "decided by the preprocessor"),
        ("\t\t2 +", "\t\t3 +", {16}, "removed"),
        ("\t\ts->x;", "\t\t(s->x);", set(), ""),
        ("found = 0;", "found = 0; /* none */", set(), ""),
        ("\tif (", "\t/* none */\n\tif (", set(), ""),
        ("#ifdef NEVER", "# ifdef NEVER /* never */", set(), ""),
    ],
)
def test_every_changed_line_is_seen(tmp_path, old, new, numbers, says):
    before = STRUCT + LINES
    right = "\treturn found;", "\treturn (found);"
    after = before.replace(old, new, 1).replace(*right)
    task = replace(make(tmp_path, before), new=after)
    done = compared(task)
    unseen = [e for e in done if e.unseen]
    assert {e.unseen.number for e in unseen if e.unseen and e.unseen.before} == numbers
    assert all(says in e.detail for e in unseen), unseen
    seen = [(e.function, e.verdict) for e in done if not e.unseen]
    assert seen == [("lines", PROVEN)]


WINDOWS = (TEXTS / "windows.c").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("other", "verdict"), [("1 + s->x", PROVEN), ("s->x + 2", DIFFERENT)]
)
def test_both_kinds_of_windows_are_compared(tmp_path, other, verdict):
    task = make(tmp_path, STRUCT + WINDOWS)
    new = task.old.replace("s->x + 1", other).replace("return s->x;", "return (s->x);")
    done = compared(replace(task, new=new))
    assert [(e.unit, e.verdict) for e in done] == [
        (FILE, PROVEN),
        (f"{FILE} without masked user access", verdict),
    ]


MASKS = (TEXTS / "masks.c").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("new", "left"),
    [("m->x + 2 * s->x", [UNMASKED]), ("2 * m->x + m->x", []), ("m->x + 3 * m->x", [])],
)
def test_masked_addresses_are_compared(tmp_path, new, left):
    task = make(tmp_path, STRUCT + MASKS)
    done = compared(replace(task, new=task.old.replace("m->x + 2 * m->x", new)))
    assert [e.verdict for e in done] == (
        [DIFFERENT] if "3" in new else [PROVEN, *[NOT_PROVEN] * len(left)]
    )
    assert [e.detail for e in done[1:]] == left


def test_macros_that_a_header_expands_are_used(tmp_path):
    own = '#define part_number 1\n#include "part.h"\n#define unused 2\n'
    body = "int numbers(int a)\n{\n\treturn a + expanded();\n}\n"
    task = make(tmp_path, own + body)
    header = tmp_path / "lib/part.h"
    header.write_text("#define expanded() (part_number + 1)\n")
    part = body.replace("a + expanded()", "expanded() + a")
    done = compared(replace(task, new=own.replace("number 1", "number (1)") + part))
    assert [e.verdict for e in done] == [PROVEN]
    done = compared(replace(task, new=own.replace("unused 2", "unused 3") + part))
    unseen = [e.unseen for e in done if e.unseen]
    assert unseen == [Line(FILE, 3, before) for before in (True, False)]


def test_comments_and_white_space_need_no_code(task):
    for old, new in (
        ("#endif", "#endif /* UNUSED */"),
        ("return X(s);", "/* x */\n\treturn X( s );"),
    ):
        done = compared(replace(task, new=task.old.replace(old, new)))
        assert [(e.verdict, e.detail) for e in done] == [(PROVEN, LAYOUT)]
    done = compared(replace(task, new=task.old + "#if X\n#endif\n"))
    assert [e.verdict for e in done] == [NOT_PROVEN] * 2


@pytest.mark.parametrize(
    ("reason", "says"),
    [
        (None, f"out of memory: {AGAIN}"),
        ("out of memory", f"out of memory: {AGAIN}"),
        ("max. memory exceeded", f"out of memory: {AGAIN}"),
        ("canceled", "z3 gave up: canceled"),
    ],
)
def test_a_lack_of_memory_says_nothing_about_the_code(
    tmp_path, monkeypatch, reason, says
):
    def check(*_: object) -> z3.CheckSatResult:
        if reason is None:
            raise z3.Z3Exception(b"out of memory")
        return z3.unknown

    monkeypatch.setattr(z3.Solver, "check", check)
    monkeypatch.setattr(z3.Solver, "reason_unknown", lambda _: reason)
    assert _turned(tmp_path).detail.endswith(says)


def _turned(folder: Path) -> Execution:
    """Compare a function whose condition is turned round."""
    branch = "int branch(int *x)\n{\n\treturn *x > 3 ? x[1] : x[2];\n}\n"
    task = make(folder, branch)
    new = branch.replace("*x > 3 ? x[1] : x[2]", "*x <= 3 ? x[2] : x[1]")
    (found,) = compared(replace(task, new=new))
    return found


@pytest.mark.parametrize(
    ("peaks", "says"),
    [
        ((0.5, 2.0), "too much work: z3 needs over 1 MB"),
        # Another function took it before: now the machine may have no more.
        ((2.0, 2.0), f"out of memory: {AGAIN}"),
        ((0.5, 0.5), f"out of memory: {AGAIN}"),
    ],
)
def test_what_needs_too_much_memory_needs_it_again(tmp_path, monkeypatch, peaks, says):
    left = iter(peaks)
    with monkeypatch.context() as patched:
        patched.setattr(equivalence, "MEGABYTES", 1)
        patched.setattr(equivalence, "_peak", lambda: next(left))
        found = _turned(tmp_path)
    assert found.detail == says
    assert _turned(tmp_path).verdict == PROVEN


@pytest.mark.parametrize(
    ("module", "says"),
    [
        (solver, rf"over 0 s after 1 step: {AGAIN}"),
        (work_module, rf"other functions took over 0 s: {AGAIN}"),
    ],
)
def test_what_was_compared_is_said_before_time_is_over(
    tmp_path, monkeypatch, module, says
):
    monkeypatch.setattr(module, "deadline", lambda: 0.0)
    found = _turned(tmp_path)
    assert (found.function, found.verdict) == ("branch", NOT_PROVEN)
    assert found.detail == says


@pytest.fixture
def compiled_by(task, program) -> Callable[[str], Task]:
    """The task, with a shell script as its compiler."""
    return lambda script: replace(
        task, commands=(Command(FILE, (str(program("gcc", script)),)),)
    )


@pytest.mark.parametrize(
    ("compiler", "seconds", "says"),
    [
        ("sleep 60", 0.3, "did not end in 3 s"),
        ("kill -SEGV $PPID", 60.0, "was killed by SIGSEGV"),
    ],
)
def test_a_failed_child_proves_nothing(compiled_by, compiler, seconds, says):
    (result,) = work_apart(compiled_by(compiler), seconds)
    said = f"the comparison's python {says}: try again"
    assert (result.verdict, result.detail) == (NOT_PROVEN, said)


def test_an_error_in_a_child_is_reported(task):
    (task.build.tree / FILE).unlink()
    (result,) = work_apart(task)
    assert result.verdict == NOT_PROVEN
    assert result.detail.startswith("it failed: FileNotFoundError: ")


def test_several_tasks_are_compared_as_each_alone(tmp_path):
    todo = [make(tmp_path / f"{n}", STRUCT + PART) for n in range(4)]
    (todo[1].build.tree / FILE).unlink()
    found = [each for _, each in run_all(todo, 1)]
    assert found == [work_apart(each) for each in todo]
    assert [each.verdict for (each,) in found].count(PROVEN) == 3
    assert found[1][0].detail.startswith("it failed: FileNotFoundError: ")


def test_a_child_whose_result_nobody_wants_ends(compiled_by):
    slow = pickle.dumps(compiled_by("sleep 60"))
    start = time.monotonic()
    (result,) = compare_apart(slow, "x86-64", FILE, wanted=lambda: False)
    assert time.monotonic() - start < 30
    assert result.detail == "the comparison's python is not wanted any more: try again"


def test_processors_can_be_sent(task):
    for processor in (
        X86(task.build.tree),
        arm64.Arm64(1 << 48, 8),
        powerpc.PowerPC32(1 << 31, 1 << 31, 32),
    ):
        sent = pickle.loads(pickle.dumps(processor))
        assert (type(sent), sent.layout) == (type(processor), processor.layout)
        assert sent.step(0, bytes(16)) == processor.step(0, bytes(16))


@pytest.mark.parametrize(
    ("left", "said"),
    [
        (2, "2 users of what it changes not compiled for x86-64"),
        (MOST, "not all users of what it changes are compiled for x86-64"),
    ],
)
def test_users_that_are_not_compiled_are_counted(task, left, said):
    done = compared(replace(task, left=left))
    assert [(e.verdict, e.detail) for e in done] == [(PROVEN, ""), (NOT_PROVEN, said)]


def test_a_proof_has_its_assumptions():
    answer = Answer("proven", paths=3, permitted=("a",), assumed=("so",))
    found = stated("x86-64", "a.c", "f", answer)
    assert (found.verdict, found.detail, found.paths) == (PROVEN, "", 3)
    assert (found.permitted, found.assumed) == (("a",), ("so",))


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (Answer("proven", paths=3, turns=3), "proven only up to 3 loop iterations"),
        (
            Answer("differs", "the result was 1, now 2"),
            "may differ: the result was 1, now 2",
        ),
        # The cache drops an answer whose reason ends so.
        (Answer("unknown", f"out of memory: {AGAIN}"), f"out of memory: {AGAIN}"),
    ],
)
def test_all_else_is_not_proven(answer, says):
    found = stated("x86-64", "a.c", "f", answer)
    assert (found.verdict, found.detail) == (NOT_PROVEN, says)


HEADER, USER = "lib/a.h", "lib/user.c"
PROVEN_ONE = Execution("x86-64", USER, "f", PROVEN)


def unseen(
    number: int, target: str = "x86-64", file: str = HEADER, before: bool = False
) -> Execution:
    line = Line(file, number, before)
    return Execution(target, USER, "f", NOT_PROVEN, "why", unseen=line)


def test_a_line_that_one_compilation_sees_is_seen():
    first = (unseen(1), unseen(2), PROVEN_ONE)
    second = (unseen(2, "i386"),)
    assert nowhere(HEADER, [first, second]) == [unseen(2), PROVEN_ONE]
    assert nowhere(HEADER, [first, ()]) == [PROVEN_ONE]
    assert nowhere(HEADER, [first]) == list(first)
    failed = replace(PROVEN_ONE, function="", verdict=NOT_PROVEN)
    assert nowhere(HEADER, [first, (failed,)]) == [*first, failed]


def test_lines_with_one_reason_are_one_result():
    lines = [unseen(n) for n in (7, 3, 4, 5)]
    found = grouped(HEADER, [*lines, PROVEN_ONE, unseen(9, before=True)])
    assert [each.detail for each in found] == [
        "line 9 before the change is not compared: why",
        "lines 3 to 5, 7 are not compared: why",
        "",
    ]
    (other,) = grouped(HEADER, [unseen(3, file=USER)])
    assert other.detail == f"line 3 of {USER} is not compared: why"


DECLARED = "#ifndef A_H\n#define A_H\nstruct s {\n\tint x;\n\tint y;\n};\n#endif\n"
OTHER_HEADER = '#include "a.h"\n#ifdef NEVER\nstatic inline int other(struct s *s)\n{\n\treturn s->x;\n}\n#endif\n'


@pytest.mark.parametrize("headers", [(), ("lib/b.h",)])
def test_removed_code_of_other_headers_uses_what_changes(tmp_path, headers):
    task = make(
        tmp_path, '#include "b.h"\nint user(struct s *s)\n{\n\treturn s->y;\n}\n'
    )
    for name, text in (("a", DECLARED), ("b", OTHER_HEADER)):
        (tmp_path / f"lib/{name}.h").write_text(text)
    new = DECLARED.replace("int x;", "unsigned x;")
    changed = replace(task, file=HEADER, old=DECLARED, new=new, headers=headers)
    unseen = [e.unseen.file for e in compared(changed) if e.unseen]
    assert ("lib/b.h" in unseen) is bool(headers), unseen


@pytest.mark.parametrize(
    ("new", "verdict"), [("s->x << 1", PROVEN), ("s->x * 3", DIFFERENT)]
)
def test_functions_of_a_header_have_code(tmp_path, new, verdict):
    """None of its users has any."""
    task = make(tmp_path, '#include "a.h"\nint user;\n')
    old = "struct s {\n\tint x;\n};\nstatic inline int twice(struct s *s)\n{\n\treturn s->x * 2;\n}\n"
    (tmp_path / HEADER).write_text(old)
    of_header = {"file": HEADER, "old": old, "new": old.replace("s->x * 2", new)}
    (found,) = compared(replace(task, **of_header, functions=("twice",)))
    assert (found.unit, found.function, found.verdict) == (FILE, "twice", verdict)


# A function is compared as if it were called with values that nobody knows.
ASKING = """#define half(n) (__builtin_constant_p(n) ? (n) / 2 + !(n) : known(n))
#define room(p) (__builtin_object_size(p, 1) == -1 ? 8 : __builtin_object_size(p, 1))
extern int known(int n);
static inline int doubled(int n)
{
	return __builtin_constant_p(n) ? 2 * n : n + n;
}
static inline int asks(int n, char *p, int a, int b)
{
	int more = n + 1, twice = doubled(a);
	if (n > 5)
		return room(p);
	return __builtin_constant_p(b) ? more : twice + half(n);
}
"""


@pytest.mark.parametrize(
    ("old", "new", "verdict"),
    [
        ("n > 5", "5 < n", PROVEN),
        ("half(n)", "half((n))", NOT_PROVEN),
        ("half(n)", "known(n)", NOT_PROVEN),
        ("n + 1", "n + 2", NOT_PROVEN),
        ("room(p)", "8", NOT_PROVEN),
        ("doubled(a)", "a + a", NOT_PROVEN),
        ("doubled(a)", "(doubled(a))", PROVEN),
    ],
)
def test_what_a_function_of_a_header_asks_is_unknown(tmp_path, old, new, verdict):
    task = make(tmp_path, '#include "a.h"\nint user;\n')
    (tmp_path / HEADER).write_text(ASKING)
    both = {"file": HEADER, "old": ASKING, "new": ASKING.replace(old, new, 1)}
    done = compared(replace(task, **both, functions=("asks",)))
    assert {each.verdict for each in done} - {PROVEN} == {verdict} - {PROVEN}, done


@pytest.mark.parametrize(
    ("user", "verdicts"), [("TWICE(n)", [PROVEN]), ("n", [NOT_PROVEN] * 2)]
)
def test_the_same_code_with_a_macro_of_a_header_is_proven(tmp_path, user, verdicts):
    task = make(tmp_path, f'#include "a.h"\nint f(int n)\n{{\n\treturn {user};\n}}\n')
    old = "#define TWICE(n) (n * 2)\n"
    (tmp_path / HEADER).write_text(old)
    new = old.replace("n * 2", "(n) * 2")
    done = compared(replace(task, file=HEADER, old=old, new=new))
    assert [each.verdict for each in done] == verdicts, done


CHAR = "int f(const signed char *p)\n{\n\tsigned char c = *p;\n\n\treturn c;\n}\n"


@pytest.mark.parametrize(
    ("new", "flags", "says"),
    [
        ("char", (), SIGN),
        ("char", (UNSIGNED,), "another"),
        ("short", (), ""),
    ],
)
def test_char_has_a_sign_on_some_architectures(tmp_path, new, flags, says):
    task = make(tmp_path, CHAR)
    command = Command(FILE, ("gcc", "-O2", "-w", *flags))
    after = CHAR.replace("\tsigned char", f"\t{new}")
    task = replace(task, new=after, commands=(command,), spreads=True)
    details = [e.detail for e in compared(task) if e.verdict != PROVEN]
    assert bool(details) == bool(says), details
    if says == SIGN:
        assert details == [SIGN]
