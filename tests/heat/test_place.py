# SPDX-License-Identifier: GPL-2.0
"""How often a line runs, from how often its function does."""

import time

import pytest

from hotcocci.heat import heats
from hotcocci.heat.entries import HOT, SYSTEM_CALLS, Entry
from hotcocci.heat.graph import Heat, derive
from hotcocci.heat.heats import Heats, at_line
from hotcocci.heat.index import index, spelled
from tests.shared import finding

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
def test_what_stands_around_an_access_counts(body, factor, per):
    text = f"int other(int x)\n{{\n\tput_user(x, q);\n}}\n\nint f(int x)\n{{\n{body}\treturn 0;\n}}\n"
    lines = dict(enumerate(text.split("\n"), 1))
    codes = {n: s.partition("*/")[2] + s.partition("/*")[0] for n, s in lines.items()}
    line = next(n for n, code in codes.items() if n > 5 and "_user(" in code)
    found = at_line(PLAIN, text, line)
    assert found is not None and found.per == per
    assert found.value / PLAIN.value == pytest.approx(factor, rel=0.1)


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
    before, per, monkeypatch
):
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
def test_code_that_distributions_leave_out(guard, expected, per):
    text = f"#ifdef {guard}\nint f(int __user *p)\n{{\n\treturn put_user(1, p);\n}}\n#endif\n"
    known = Heats({"a.c": {"f": Heat(0.4, "per read()")}}).on(finding(line=4), text)
    assert (known.heat, known.per) == (pytest.approx(expected), per)


def test_calls_of_32_bit_programs():
    assert SYSTEM_CALLS["llseek"] == Entry(HOT / 2, "32-bit llseek()")
    assert SYSTEM_CALLS["futex_time32"] == Entry(HOT / 2, "32-bit futex_time32()")
    assert SYSTEM_CALLS["lseek"] == Entry(HOT, "lseek()")


CALL = "SYSCALL_DEFINE1(read, int __user *, p)\n{\n\treturn put_user(1, p);\n}\n"
# As sigprocmask() of kernel/signal.c, which rt_sigprocmask() calls
OF_ITS_NAME = (
    "int old(int __user *p)\n{\n\treturn put_user(2, p);\n}\n"
    "SYSCALL_DEFINE1(read, int __user *, p)\n{\n\treturn old(p);\n}\n"
    "SYSCALL_DEFINE1(old, int __user *, p)\n{\n\treturn put_user(1, p);\n}\n"
)


@pytest.mark.parametrize(
    ("text", "name", "said"),
    [
        (f"{CALL}\nCOMPAT_{CALL}", "read", {3: "per read()", 8: "per 32-bit read()"}),
        (OF_ITS_NAME, "old", {3: "per read()", 11: "per old()"}),
    ],
)
def test_of_two_functions_of_one_name_each_has_its_own(text, name, said):
    known = Heats(dict(derive({"a.c": spelled(text.encode())})))
    for line, per in said.items():
        assert known.on(finding(line=line, function=name), text).per == per


@pytest.mark.parametrize("word", ["x" * 400_000, "_user" * 80_000])
def test_a_long_name_takes_no_longer_than_others(word):
    begun = time.process_time()
    at_line(None, f"void f(void)\n{{\n\tput_user(1, p);\n\t{word};\n}}\n", 3)
    at_line(None, f"void f(void)\n{{\n\t{word}; put_user(1, p);\n}}\n", 3)
    assert time.process_time() - begun < 5
