# SPDX-License-Identifier: GPL-2.0
"""Mutants: kinds of mutations, reproducible names, and the log."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from mutants.compose import compose, ways
from mutants.record import Record, explained, read, table, write
from mutants.subjects import spans, subjects
from mutants.text import units

from hotcocci.proof.task import Task
from hotcocci.tree.build import Build
from hotcocci.tree.targets import TARGETS

FUNCTION = """{
	struct karg karg = {};
	int err, i;

	err = prepare(f->owner, &karg);
	if (err)
		return err;
	if (!user_read_access_begin(u, sizeof(*u)))
		return -EFAULT;
	unsafe_get_user(karg.a, &u->a, efault);
	unsafe_get_user(karg.b, &u->b,
			efault);
	user_read_access_end();
	for (i = 0; i < 4; i++) {
		if (karg.a == i)
			break;
		f->last = i;
	}
	spin_unlock(&f->lock);
	mutex_unlock(&f->mutex);
	return finish(f, f->owner);
efault:
	user_read_access_end();
	return -EFAULT;
}""".split("\n")

# A kind, and a line expected in one of its mutants.
KINDS = [
    ("order: neighbours", "\tmutex_unlock(&f->mutex);\n\tspin_unlock(&f->lock);"),
    (
        "order: call over access",
        "\terr = prepare(f->owner, &karg);\n\tunsafe_get_user(karg.b",
    ),
    (
        "operand: other variable",
        "\tunsafe_get_user(f.a, &u->a, efault);",
    ),
    ("operand: other member", "\tunsafe_get_user(karg.a, &u->b, efault);"),
    ("operand: arguments swapped", "\terr = prepare(&karg, f->owner);"),
    ("operand: offset", "\t\treturn finish(f + 1, f->owner);".removeprefix("\t")),
    ("width: cast", "\terr = (u8)(prepare(f->owner, &karg));"),
    ("width: type", "\tu16 err, i;"),
    ("width: access", "\tunsafe_get_user(karg.a, (u16 __user *)(&u->a), efault);"),
    ("constant: errno", "\t\treturn -EINVAL;"),
    ("constant: size", "\tif (!user_read_access_begin(u, (sizeof(*u) + 1)))"),
    ("path: condition", "\tif (!(err))"),
    ("path: loop bound", "\tfor (i = 0; i <= 4; i++) {"),
    ("path: no break", "\t\tif (karg.a == i)\n\t\t\t;"),
    ("path: no end", "\t\t\tefault);\n\t;\n\tfor"),
    ("path: early return", "\tif ((unsigned long)(u) == 5) {"),
    ("dropped: initialiser", "\tstruct karg karg;"),
    ("dropped: store", "\t\t\tbreak;\n\t\t;"),
    ("dropped: call", "\t;\n\tmutex_unlock(&f->mutex);"),
    ("dropped: check", "&karg);\n\t;\n\tif (!user"),
    (
        "stale: double fetch",
        "\tunsafe_get_user(karg.a, &u->a, efault);\n" * 2,
    ),
    ("stale: over call", "\tmutex_unlock(&f->mutex);\n\treturn finish(f, kept_"),
    ("window: direction", "\tif (!user_write_access_begin(u, sizeof(*u)))"),
    ("window: released early", "\tspin_unlock(&f->lock);\n\tif (!user_read"),
]


@pytest.mark.parametrize(("kind", "text"), KINDS, ids=[kind for kind, _ in KINDS])
def test_a_kind_breaks_a_function(kind: str, text: str) -> None:
    mutants = [
        "\n".join(way.applied(FUNCTION)) for way in ways(FUNCTION) if way.kind == kind
    ]
    assert mutants
    assert any(text in each for each in mutants)


def test_a_statement_includes_its_body() -> None:
    found = {unit.head.split("\n")[0]: unit for unit in units(FUNCTION)}
    loop = found["for (i = 0; i < 4; i++) {"]
    assert FUNCTION[loop.end - 1] == "\t}"
    assert found["f->last = i;"].end < loop.end
    assert "efault);" not in found


def test_a_seed_is_reproducible() -> None:
    mutants = [compose(random.Random(f"x:{n}"), FUNCTION, FUNCTION) for n in range(40)]
    again = [compose(random.Random(f"x:{n}"), FUNCTION, FUNCTION) for n in range(40)]
    assert mutants == again
    assert len(set(mutants)) > 30
    assert {len(each.kinds) for each in mutants if each} == {1, 2, 3}


def test_each_changed_function_is_a_subject(tmp_path: Path) -> None:
    text = "int a(void)\n{\n\treturn 1;\n}\n\nint b(void)\n{\n\treturn 2;\n}\n"
    build = Build(tmp_path, tmp_path, TARGETS["x86-64"], (), ())
    after = text.replace("1", "3").replace("2", "4")
    one, two = subjects(Task(build, "a.c", text, after, ()))
    assert (one.function, two.function) == ("a", "b")
    assert one.task.new == text.replace("1", "3")
    assert two.broken(["{", "}"]).new == text.replace("\treturn 2;\n", "")
    assert spans(text.split("\n")) == {"a": (1, 4), "b": (6, 9)}


def test_a_run_resumes_from_its_log(tmp_path: Path) -> None:
    log = tmp_path / "log"
    records = [
        Record("t/f.c:g", (), "survivor", "", 1.0),
        Record("t/f.c:g:1-0", ("a", "b"), "survivor", "proven", 1.0, "abc"),
        Record("t/f.c:g:1-2", ("b",), "survivor", "proven", 1.0, "other"),
        Record("t/f.c:g:1-1", ("a",), "different", "", 1.0),
    ]
    for record in records:
        write(log, record)
    with log.open("a") as stream:
        stream.write('{"name": "cut')
    assert list(read(log).values()) == records
    known = tmp_path / "explained"
    known.write_text("# name\nt/f.c:g:1-0 abc the same\nt/f.c:g:1-2 abc no more\n")
    lines = list(table(read(log).values(), explained(known)))
    assert lines[-3:] == [
        "| a | 2 | 0 | 0 | 1 | 0 | 1 | 1 |",
        "| b | 2 | 0 | 0 | 0 | 0 | 2 | 1 |",
        "| all | 3 | 0 | 0 | 1 | 0 | 2 | 1 |",
    ]


def test_explained_survivors_have_a_reason() -> None:
    assert all(why for why in explained().values())
