# SPDX-License-Identifier: GPL-2.0
"""Parsing source files and console output, without a kernel."""

from __future__ import annotations

import os
import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest

from hotcocci.engines import qemu
from hotcocci.errors import EngineMissing
from hotcocci.findings import DIFFERENT, NOT_PROVEN, PERMITTED, SAME
from hotcocci.proof.boot.arguments import (
    Argument,
    NotCallable,
    arguments,
    collects,
    constants,
)
from hotcocci.proof.boot.folders import header_flags
from hotcocci.proof.boot.functions import Function, changed, functions
from hotcocci.proof.boot.kernel import NoKernel, prepare_kernel
from hotcocci.proof.boot.outcome import STOPS, verdict
from hotcocci.proof.boot.subject import Caller, Subject

FILE = """\
#include <linux/types.h>
#define TWICE(x) ((x) + (x))

struct pair {
	u32 a, b;
};

static const struct pair table[] = {
	{ 1, 2 },
};

static __always_inline int __printf(1, 2)
first(struct pair __user *to, const struct pair *from)
{
	return put_user(TWICE(from->a), &to->a);
}

SYSCALL_DEFINE2(second, unsigned int, cmd, struct pair __user *, to)
{
	switch (cmd) {
	case FIRST_ONE:
		return first(to, NULL);
	}
	return cmd == SECOND_ONE;
}

void third(void)
{
}
"""


def test_functions_of_a_file() -> None:
    found = functions(FILE)
    assert list(found) == ["first", "__do_sys_second", "third"]
    first, second, third = found.values()
    assert first.returns == "int"
    assert first.parameters is not None
    assert [(p.type, p.name) for p in first.parameters] == [
        ("struct pair __user *", "to"),
        ("const struct pair *", "from"),
    ]
    assert second.parameters is not None
    assert [p.type for p in second.parameters] == [
        "unsigned int",
        "struct pair __user *",
    ]
    assert constants(second) == ("FIRST_ONE", "SECOND_ONE")
    assert (third.returns, third.parameters) == ("void", ())


@pytest.mark.parametrize(
    ("before", "after", "names"),
    [
        ("&to->a)", "&to->b)", ["first"]),
        ("(x) + (x)", "2 * (x)", ["first"]),
        ("return cmd ==", "return cmd !=", ["__do_sys_second"]),
        ("void third(void)", "void fourth(void)", []),
        ("{ 1, 2 }", "{ 2, 1 }", []),
    ],
)
def test_functions_touched_by_a_change(
    before: str, after: str, names: list[str]
) -> None:
    touched = changed(FILE, FILE.replace(before, after))
    assert [function.name for function, _ in touched] == names


def test_errors_collected_by_callees_count() -> None:
    text = FILE.replace("return put_user(", "int err = 0;\n\n\terr |= put_user(")
    ((_, _), (second, _)) = changed(
        text, text.replace("->a", "->b").replace("SECOND", "X")
    )
    assert second.name == "__do_sys_second"
    assert collects(second)


def one(header: str, body: str = "") -> Function:
    return next(iter(functions(f"{header}\n{{\n{body}}}\n").values()))


@pytest.mark.parametrize(
    ("header", "body", "made"),
    [
        ("int f(u32 x)", "", Argument("SCALAR", "u32", "sizeof(u32)")),
        (
            "int f(struct pair __user *u)",
            "",
            Argument(
                "USER", "struct pair __user *", "sizeof(*(struct pair __user *)0)"
            ),
        ),
        ("int f(void __user *u)", "", Argument("USER", "void __user *", "128")),
        (
            "int f(unsigned long arg)",
            "struct pair __user *p = (struct pair __user *)arg;\n",
            Argument("USER", "unsigned long", "sizeof(struct pair)"),
        ),
        (
            "int f(const void *src)",
            "\tconst struct pair *p = src;\n",
            Argument("RECORD", "const void *", "sizeof(*(struct pair *)0)"),
        ),
    ],
)
def test_arguments(
    small_tree: Callable[[dict[str, str]], Path], header: str, body: str, made: Argument
) -> None:
    root = small_tree({"a.c": FILE})
    assert arguments(root, "a.c", one(header, body)) == (made,)


@pytest.mark.parametrize(
    ("header", "why"),
    [
        ("int f(struct pair pair)", "pair has type struct pair"),
        ("int f(unheard_of_t x)", "x has type unheard_of_t"),
        ("int f(struct pair **p)", "p points to pointers"),
        ("int f(void *p)", "the type that p points to is not known"),
        ("int f(int (*call)(void))", "its parameter list cannot be parsed"),
        ("struct pair f(u32 x)", "it returns a struct"),
        ("int f(" + ", ".join(f"int a{n}" for n in range(9)) + ")", "more than 8"),
    ],
)
def test_functions_that_cannot_be_called(
    small_tree: Callable[[dict[str, str]], Path], header: str, why: str
) -> None:
    root = small_tree({"a.c": FILE})
    with pytest.raises(NotCallable, match=why):
        arguments(root, "a.c", one(header))


def test_headers_from_an_include_path_of_the_folder(
    small_tree: Callable[[dict[str, str]], Path], tmp_path: Path
) -> None:
    makefile = (
        "ccflags-y += -I $(src) \\\n\t-I$(srctree)/drivers/x -DY\nccflags-$(A) += -Ib\n"
    )
    root = small_tree({"fs/a/Makefile": makefile})
    assert header_flags(root, tmp_path, "fs/a/b.c") == (
        f"-I{tmp_path}/fs/a",
        f"-I{tmp_path}/drivers/x",
    )
    assert header_flags(root, tmp_path, "fs/c.c") == ()


def test_a_tree_without_user_memory_in_kunit(
    small_tree: Callable[[dict[str, str]], Path], tmp_path: Path
) -> None:
    with pytest.raises(NoKernel, match="no kunit_vm_mmap"):
        prepare_kernel(small_tree({}), tmp_path, 1)


SUBJECT = Subject("a.c", "a.c", Caller(one("int f(u32 x)"), (), "h1"), (Path(), Path()))
END = "hotcocci: end h1 runs={} faults={} zeroed=0 later={} parts=0 checked=0 different={}\n"


@pytest.mark.parametrize(
    ("text", "ended", "outcome"),
    [
        ("hotcocci: begin h1\n" + END.format(9, 4, 0, 0), True, (SAME, "")),
        ("hotcocci: begin h1\n" + END.format(9, 4, 2, 0), True, (PERMITTED, "")),
        (
            "hotcocci: begin h1\n" + END.format(9, 0, 0, 0),
            True,
            (NOT_PROVEN, "no run reached a user access"),
        ),
        (
            "hotcocci: begin h1\n",
            False,
            (NOT_PROVEN, "the kernel did not finish within 5 s, in this function"),
        ),
        (
            "",
            False,
            (NOT_PROVEN, "the kernel did not finish within 5 s, before calling it"),
        ),
        (
            "Kernel panic - not syncing: no\n",
            True,
            (NOT_PROVEN, "the kernel ended before calling it"),
        ),
        (
            "hotcocci: begin h1\nOops: 0\n",
            True,
            (NOT_PROVEN, "the kernel did not finish the test"),
        ),
        (
            "hotcocci: begin h1\nhotcocci: died h1 after\n",
            True,
            (DIFFERENT, "the kernel crashes in this function"),
        ),
        (
            "hotcocci: begin h1\nhotcocci: different h1 user memory differs\n"
            + END.format(9, 4, 0, 1),
            True,
            (DIFFERENT, "user memory differs"),
        ),
        # Output of another function.
        (
            "hotcocci: begin h12\n" + END.format(9, 4, 0, 0).replace("h1", "h12"),
            True,
            (NOT_PROVEN, "the kernel ended before calling it"),
        ),
    ],
)
def test_verdicts(text: str, ended: bool, outcome: tuple[str, str]) -> None:
    result = verdict(SUBJECT, qemu.Console(text, ended), 5)
    assert (result.verdict, result.detail) == outcome
    assert result.permitted == ((STOPS,) if result.verdict == PERMITTED else ())
    if "panic" in text or "Oops" in text:
        assert result.traces[0] in text


def fake_qemu(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str) -> None:
    program = tmp_path / qemu.PROGRAM
    program.write_text("#!/bin/sh\n" + textwrap.dedent(script))
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")


def test_a_kernel_that_hangs_is_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake_qemu(tmp_path, monkeypatch, "echo 'hello\r'\nsleep 1000\n")
    assert qemu.boot(tmp_path / "image", "", 1) == qemu.Console("hello\n", False)


def test_qemu_failing_or_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake_qemu(tmp_path, monkeypatch, "echo 'no such processor' >&2\nexit 1\n")
    with pytest.raises(EngineMissing, match="does not run here: no such processor"):
        qemu.boot(tmp_path / "image", "", 5)
    monkeypatch.setenv("PATH", str(tmp_path / "nothing"))
    with pytest.raises(EngineMissing, match="apt install qemu-system-x86"):
        qemu.boot(tmp_path / "image", "", 5)
