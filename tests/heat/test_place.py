# SPDX-License-Identifier: GPL-2.0
"""How often a line runs, from how often its function does."""

from __future__ import annotations

import time

import pytest

from hotcocci.findings import Finding
from hotcocci.heat import heats
from hotcocci.heat.entries import HOT, SYSTEM_CALLS, Entry
from hotcocci.heat.graph import Heat, derive
from hotcocci.heat.heats import Heats, at_line
from hotcocci.heat.index import index, spelled

PLAIN = Heat(0.5, "per ioctl()")


@pytest.mark.parametrize(
    ("body", "factor", "per"),
    [
        ("\tif (put_user(x, p))\n\t\treturn -EFAULT;\n", 1, "per ioctl()"),
        ("\tif (x)\n\t\tput_user(x, p);\n", 0.5, "per ioctl()"),
        ("\tif (x)\n\t\tstop();\n\telse\n\t\tput_user(x, p);\n", 0.5, "per ioctl()"),
        ("\tif (unlikely(put_user(x, p)))\n\t\treturn -EFAULT;\n", 1, "per ioctl()"),
        ("\tif (unlikely(x))\n\t\tput_user(x, p);\n", 0.011, "seldom per ioctl()"),
        ("\tif (x) {\n\t\tput_user(x, p);\n\t\treturn -EINVAL;\n\t}\n", 0.011, "seldom per ioctl()"),
        ("\twhile (x--)\n\t\tput_user(x, p);\n", 1, "in a loop per ioctl()"),
        ("\tswitch (x) {\n" + "\tcase A:\n\t\tgo();\n" * 35 + "\tcase B:\n\t\tput_user(x, p);\n\t}\n", 1 / 6, "on some paths per ioctl()"),
        ("\tswitch (x) {\n\tcase VIDIOC_DQBUF:\n\t\tput_user(x, p);\n\t}\n", 0.6, "per video frame"),
        ("\tif (x) /* put_user(x, p) */\n\t\tcopy_to_user(p, &x, 4);\n", 0.5, "per ioctl()"),
        # Another way through the function is taken before; a check that returns at once is not.
        ("\tif (!(x & F)) {\n\t\tgo(x);\n\t\treturn 0;\n\t}\n\tput_user(x, p);\n", 0.5, "per ioctl()"),
        (2 * "\tif (x & F) {\n\t\tif (y)\n\t\t\tgo(x);\n\t\treturn;\n\t}\n" + "\tput_user(x, p);\n", 0.25, "on some paths per ioctl()"),
        ("\tif (!x)\n\t\treturn 0;\n\tput_user(x, p);\n", 1, "per ioctl()"),
        ("\tif (x) {\n\t\tgo(x);\n\t\treturn -EINVAL;\n\t}\n\tput_user(x, p);\n", 1, "per ioctl()"),
        ("\tif (x) {\n\t\tgo();\n\t\treturn 0;\n\t} else {\n\t\tput_user(x, p);\n\t}\n", 0.5, "per ioctl()"),
        ("\tpr_emerg(x);\n\tput_user(x, p);\n", 1, "per ioctl()"),
    ],
)  # fmt: skip
def test_what_stands_around_an_access_counts(
    body: str, factor: float, per: str
) -> None:
    text = f"int other(int x)\n{{\n\tput_user(x, q);\n}}\n\nint f(int x)\n{{\n{body}\treturn 0;\n}}\n"
    lines = text.split("\n")
    line = next(
        n
        for n, code in enumerate(lines, 1)
        if n > 5 and "_user(" in code.partition("*/")[2] + code.partition("/*")[0]
    )
    found = at_line(PLAIN, text, line)
    assert found is not None
    assert (found.value / PLAIN.value, found.per) == (
        pytest.approx(factor, rel=0.1),
        per,
    )


@pytest.mark.parametrize(
    ("before", "per"),
    [
        ("\tswitch (x) {\n\tcase VIDIOC_DQBUF:\n", "per video frame"),
        ("\tswitch (x) {\n\tcase VIDIOC_DQBUF ... VIDIOC_QBUF:\n", "per video frame"),
        ("\tif (x == SNDRV_PCM_IOCTL_SYNC_PTR32) {\n", "per sound period of a 32-bit program"),
        ("\tswitch (x) {\n\tcase VIDIOC_OTHER:\n", None),
        # Neither is the label of a case.
        ("\tif (x & SNDRV_PCM_SYNC_PTR_HWSYNC) {\n", None),
        ("\tif (KVM_RUN(x)) {\n\tout:\n", None),
    ],
)  # fmt: skip
def test_the_reader_is_needed_for_commands_alone_where_nothing_is_known(
    before: str, per: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []
    monkeypatch.setattr(heats, "index", lambda text: asked.append(text) or index(text))
    text = f"int f(int x)\n{{\n{before}\t\tput_user(x, p);\n\t}}\n}}\n"
    found = at_line(None, text, text.count("\n", 0, text.index("put_user")) + 1)
    assert (found.per if found else None, bool(asked)) == (per, per is not None)


@pytest.mark.parametrize(
    ("guard", "expected", "per"),
    [
        ("CONFIG_X86_X32_ABI", 0.004, "per read() of an x32 program"),
        ("CONFIG_X86_X32", 0.004, "per read() of an x32 program"),
        ("CONFIG_COMPAT", 0.4, "per read()"),
    ],
)
def test_code_that_distributions_leave_out(
    guard: str, expected: float, per: str
) -> None:
    text = f"#ifdef {guard}\nint f(int __user *p)\n{{\n\treturn put_user(1, p);\n}}\n#endif\n"
    found = Finding(
        "UA101", "a.c", 4, 4, "f", "", 1, "p", "write", "rewrite", "safe", None
    )
    known = Heats({"a.c": {"f": Heat(0.4, "per read()")}}).on(found, text)
    assert (known.heat, known.per) == (pytest.approx(expected), per)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("llseek", Entry(HOT / 2, "32-bit llseek()")),
        ("futex_time32", Entry(HOT / 2, "32-bit futex_time32()")),
        ("lseek", Entry(HOT, "lseek()")),
    ],
)
def test_calls_of_32_bit_programs(name: str, expected: Entry) -> None:
    assert SYSTEM_CALLS[name] == expected


def test_of_two_calls_of_one_name_each_has_its_own() -> None:
    call = "SYSCALL_DEFINE1(read, int __user *, p)\n{\n\treturn put_user(1, p);\n}\n"
    text = f"{call}\nCOMPAT_{call}"
    known = Heats(dict(derive({"a.c": spelled(text.encode())})))
    found = [
        known.on(
            Finding(*("UA101", "a.c", n, n, "read", "", 1, "p", "write", "rewrite", "safe", None)),
            text,
        ).per
        for n in (3, 8)
    ]  # fmt: skip
    assert found == ["per read()", "per 32-bit read()"]


def test_a_system_call_has_not_the_heat_of_a_function_of_its_name() -> None:
    """sigprocmask() of kernel/signal.c, which rt_sigprocmask() calls."""
    text = (
        "int old(int __user *p)\n{\n\treturn put_user(2, p);\n}\n"
        "SYSCALL_DEFINE1(read, int __user *, p)\n{\n\treturn old(p);\n}\n"
        "SYSCALL_DEFINE1(old, int __user *, p)\n{\n\treturn put_user(1, p);\n}\n"
    )
    known = Heats(dict(derive({"a.c": spelled(text.encode())})))
    found = [
        known.on(
            Finding(*("UA101", "a.c", n, n, "old", "", 1, "p", "write", "rewrite", "safe", None)),
            text,
        ).per
        for n in (3, 11)
    ]  # fmt: skip
    assert found == ["per read()", "per old()"]


@pytest.mark.parametrize("word", ["x" * 400_000, "_user" * 80_000])
def test_a_long_name_takes_no_longer_than_others(word: str) -> None:
    begun = time.process_time()
    at_line(None, f"void f(void)\n{{\n\tput_user(1, p);\n\t{word};\n}}\n", 3)
    at_line(None, f"void f(void)\n{{\n\t{word}; put_user(1, p);\n}}\n", 3)
    assert time.process_time() - begun < 5
