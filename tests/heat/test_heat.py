# SPDX-License-Identifier: GPL-2.0
"""How often functions run, from who calls them: each twin differs in what makes it more or less often."""

from contextlib import contextmanager
from pathlib import Path

import pytest

from hotcocci.cache import Cache
from hotcocci.errors import is_unanswered, leave_unanswered
from hotcocci.heat import heats as heats_module
from hotcocci.heat.graph import Heat, derive
from hotcocci.heat.heats import HOT, Heats, heats, latest, with_changed
from hotcocci.heat.index import index, spelled
from hotcocci.pipeline.ranking import UNKNOWN, heats_of
from hotcocci.pipeline.settings import Settings
from hotcocci.tree.select import hashes
from tests.shared import finding

READ = "SYSCALL_DEFINE1(read, int, fd)\n{\n%s\treturn 0;\n}\n"
WAIT = "SYSCALL_DEFINE1(epoll_wait, int, x)\n{\n%s\treturn 0;\n}\n"
WORK = "static int work(int x)\n{\n\treturn put_user(x, p);\n}\n"


def derived(**files):
    """The heat of each function by name, of files whose names have _ for the slash and the dot."""
    named = {f"fs/{name}.c": spelled(text.encode()) for name, text in files.items()}
    return {name: heat for _, found in derive(named) for name, heat in found.items()}


def reading(body):
    """The heat of what read() calls so, relative to a plain call."""
    plain = derived(a=WORK + READ % "\twork(fd);\n")["work"]
    return derived(a=WORK + READ % body)["work"].value / plain.value


@pytest.mark.parametrize(
    ("body", "factor"),
    [
        ("\tif (work(fd))\n\t\treturn -EIO;\n", 1),
        ("\tif (fd)\n\t\twork(fd);\n", 0.5),
        ("\tif (fd &&\n\t    work(fd))\n\t\tstop();\n", 1),
        ("\tif (fd) {\n\t\tif (more)\n\t\t\twork(fd);\n\t}\n", 0.25),
        ("\tif (unlikely(fd))\n\t\twork(fd);\n", 0.011),
        ("\tif (likely(fd))\n\t\twork(fd);\n", 1),
        ("\tif (unlikely(fd))\n\t\tstop();\n\telse\n\t\twork(fd);\n", 1),
        ("\tif (fd) {\n\t\twork(fd);\n\t\treturn -EINVAL;\n\t}\n", 0.011),
        ("\tif (fd) {\n\t\tpr_err(x);\n\t\twork(fd);\n\t}\n", 0.011),
        ("\tfor (i = 0; i < fd; i++)\n\t\twork(fd);\n", 4),
        ("\tlist_for_each_entry(a, b, c)\n\t\twork(fd);\n", 4),
        ("\tdo {\n\t\twork(fd);\n\t} while (--fd);\n", 4),
        ("\tdo {\n\t\twork(fd);\n\t} while (0);\n", 1),
        ("\tfor (;;) {\n\t\twork(fd);\n\t}\n", 1),
        ("\twhile (a)\n\t\twhile (b)\n\t\t\twhile (c)\n\t\t\t\twork(fd);\n", 8),
        ("\tswitch (fd) {\n\tcase 1:\n\t\twork(fd);\n\tcase 2:\n\tcase 3:\n\t\tstop();\n\tcase 4:\n\t\tgo();\n"
         "\tdefault:\n\t\tgo();\n\t}\n", 0.5),
        ("\treturn 0;\nout:\n\twork(fd);\n", 0.18),
        ("\tgo(work, fd);\n", 0.5),
        ("\t/* a loop:\n\t */ work(fd);\n", 1),
        ("#ifdef A\n\tif (fd) {\n#else\n\tif (x) {\n#endif\n\t\tstop();\n\t}\n\twork(fd);\n", 1),
    ],
)  # fmt: skip
def test_what_stands_around_a_call_counts(body, factor):
    assert reading(body) == pytest.approx(factor, rel=0.1)


def slot(kind, name, function="work"):
    return f"static const struct {kind} x = {{\n\t.{name}\t= {function},\n}};\n"


IOCTL = (
    "static long all(int cmd)\n{\n\tswitch (cmd) {\n\tcase SNDRV_PCM_IOCTL_SYNC_PTR:\n\t\treturn often(1);\n"
    "\tcase SNDRV_PCM_IOCTL_INFO:\n\t\treturn seldom(1);\n\t}\n\treturn -ENOTTY;\n}\n"
)
TWO = "int often(int x)\n{\n\treturn 0;\n}\nint seldom(int x)\n{\n\treturn 0;\n}\n"


@pytest.mark.parametrize(
    ("text", "hot", "per"),
    [
        (WORK + slot("file_operations", "read_iter"), True, "per read()"),
        (WORK + slot("file_operations", "read"), False, "per read() of its file"),
        (WORK + slot("some_driver", "probe"), False, "per device"),
        (WORK + slot("some_driver", "other"), None, ""),
        (WORK.replace("static int", "static int __init"), False, "per boot"),
        (WORK + "SYSCALL_DEFINE1(mount, int, x)\n{\n\twork(x);\n}\n", False, "per mount()"),
        (WORK + "COMPAT_SYSCALL_DEFINE1(read, int, x)\n{\n\twork(x);\n}\n", True, "per 32-bit read()"),
        (WORK + "COMPAT_SYSCALL_DEFINE0(x32_rt_sigreturn)\n{\n\twork(1);\n}\n", False, "per 32-bit signal"),
        (WORK + WAIT % "\twhile (x--)\n\t\twork(x);\n", True, "per epoll event"),
        (WORK + WAIT % "\tif (unlikely(x)) {\n\t\twhile (x--)\n\t\t\twork(x);\n\t}\n", False, "on some paths per epoll event"),
        (WORK + "static int go(void)\n{\n\topen_softirq(X, work);\n}\n", True, "per softirq"),
        (WORK, None, ""),
    ],
)  # fmt: skip
def test_entry_points(text, hot, per):
    found = derived(a=text).get("work")
    if hot is None:
        assert found is None
    else:
        assert (found.value >= HOT, found.per) == (hot, per)


def test_the_command_of_an_ioctl_counts():
    found = derived(a=TWO + IOCTL + slot("file_operations", "unlocked_ioctl", "all"))
    assert found["often"].value >= HOT > 0.001 > found["seldom"].value
    assert found["often"].per == "per sound period"
    of_32 = IOCTL.replace("SYNC_PTR:", "SYNC_PTR32:")
    found = derived(a=TWO + of_32 + slot("file_operations", "unlocked_ioctl", "all"))
    assert found["often"].per == "per sound period of a 32-bit program"
    # A function of all commands that one of them calls is not hot for the others.
    common = IOCTL.replace("all(", "outer(").replace("often(1)", "all(1)")
    found = derived(a=TWO + IOCTL.replace("often(1)", "0") + common)
    assert found["all"].value >= HOT and found["seldom"].value < 0.01


def test_the_word_of_a_command():
    for commands, word in (
        ("SNDRV_PCM_IOCTL_SYNC_PTR __SNDRV_PCM_IOCTL_SYNC_PTR64", "SYNC_PTR"),
        ("__SNDRV_PCM_IOCTL_SYNC_PTR32 SNDRV_PCM_IOCTL_SYNC_PTR_X32", "SYNC_PTR32"),
        ("VIDIOC_DQBUF_TIME32", "DQBUF32"),
        ("VIDIOC_DQEVENT32_TIME32", "DQEVENT32"),
        ("F_SETLK64", "F_SETLK"),
        ("VIDIOC_DQEVENT_INFO F_GETOWNER_UIDS SNDRV_PCM_IOCTL_INFO", ""),
    ):
        for command in commands.split():
            text = f"int f(int c)\n{{\n\tswitch (c) {{\n\tcase {command}:\n\t\treturn work();\n\t}}\n}}\n"
            said = index(text.encode()).commands.split(".")
            assert said[:2] == ([" work", word] if word else [""]), command


@pytest.mark.parametrize(
    ("table", "call"),
    [
        ("static int (*const table[])(int x) = {\n\twork,\n\tother,\n};\n", "table[fd](fd)"),
        ("static handler_t table[TYPES] = {\n\t[A] = work,\n\t[B] = other,\n};\n", "table[fd](fd)"),
        ("static const struct row table[] = {\n\t{ A, work },\n\t{ B, other },\n};\n", "run(&table[fd])"),
    ],
)  # fmt: skip
def test_one_of_an_array_of_functions_is_called(table, call):
    text = WORK + WORK.replace("work", "other") + table
    found = derived(a=text + READ % f"\t{call};\n")
    plain = derived(a=WORK + READ % "\twork(fd);\n")["work"]
    assert found["other"] == found["work"]
    assert found["work"].value / plain.value == pytest.approx(0.5**0.5, rel=0.1)
    assert "work" not in derived(a=text + READ % "\tgo(fd);\n")


def test_nobody_knows_what_the_slot_of_many_structures_runs_for():
    one = "int f%s(int x)\n{\n\treturn 0;\n}\n" + slot("ops_%s", "step", "f%s")
    for number, per in (1, "per read()"), (400, "seldom per call through ->step"):
        several = "".join(one % (n, n, n) for n in range(number))
        assert derived(a=READ % "\tops->step(fd);\n" + several)["f0"].per == per


def test_an_ioctl_is_not_that_of_another_structure():
    hot = READ % "\tclient->ioctl(fd);\n" + slot("client_ops", "ioctl", "other")
    found = derived(a=WORK + slot("posix_clock_operations", "ioctl"), b=hot)
    assert (found["work"].value, found["work"].per) == (0.01, "per ioctl")


def test_a_static_function_is_that_of_its_file_or_of_one_that_includes_it():
    call = READ % "\twork(fd);\n"
    other = '#include "a.c"\n' + call
    assert "work" not in derived(a=WORK, b=call)
    assert "work" in derived(a=WORK, b=other)
    assert "work" in derived(a=call, b='#include "a.c"\n' + WORK)


@pytest.mark.parametrize(
    ("caller", "reached"),
    [
        ("arch/x86/signal.c", "arch/x86 lib"),
        ("arch/um/signal.c", "arch/powerpc arch/x86 lib"),
        ("kernel/signal.c", "arch/powerpc arch/x86 lib"),
        ("arch/s390/signal.c", "lib"),
    ],
)
def test_an_architecture_does_not_call_another_one(caller, reached):
    """get_sigframe() of arch/powerpc and of arch/x86 in 6.12."""
    frame = spelled(WORK.replace("static ", "").encode())
    named = {f"{place}/frame.c": frame for place in ("arch/powerpc", "arch/x86", "lib")}
    read = spelled((READ % "\twork(fd);\n").encode())
    found = sorted({*dict(derive({caller: read, **named}))} - {caller})
    assert found == [f"{place}/frame.c" for place in reached.split()]


def test_what_is_registered_at_boot_is_not_called_then():
    start = "static int __init start(void)\n{\n\t%s\n\treturn 0;\n}\n"
    assert derived(a=WORK + start % "work(1);")["work"].per == "per boot"
    assert "work" not in derived(a=WORK + start % "add_handler(work);")


def test_an_error_path_is_one_for_all_that_it_calls():
    fatal = "static int oops(int x)\n{\n\tpr_alert(x);\n\treturn work(x);\n}\n"
    assert derived(a=WORK + fatal + READ % "\toops(fd);\n")["work"].value < 0.02


@contextmanager
def silent(title):
    titles.append(title)
    yield None


titles = []


def test_what_was_derived_is_remembered_by_contents(tmp_path):
    root = tmp_path / "linux"
    (root / "fs").mkdir(parents=True)
    (root / "mm").mkdir()
    (root / "mm/b.c").write_text(TWO)
    file = root / "fs/a.c"
    file.write_text(WORK + READ % "\twork(fd);\n")

    def value(whole=True):
        titles.clear()
        with Cache(tmp_path / "cache") as cache:
            found = latest(root, ["fs/a.c"], cache)
            if whole or found is None:
                found = heats(root, ["fs/a.c"], cache, 1, silent)
        heat = found.of("fs/a.c", "work")
        return heat.value if heat else 0.0

    assert (value(), len(titles)) == (0.85, 2)
    assert (value(), len(titles)) == (0.85, 0)
    file.write_text(WORK + READ % "\tif (fd)\n\t\twork(fd);\n")
    # Who names a file does not wait for all others to be looked at.
    assert (value(whole=False), len(titles)) == (0.85, 0)
    assert (value(), len(titles)) == (0.42, 2)
    # An edit that changes no call changes no heat.
    file.write_text(file.read_text().replace("\treturn 0;", "\treturn 1;"))
    assert (value(), titles) == (0.42, ["reading who calls whom"])
    # In another place the contents are as well known.
    moved = root.rename(tmp_path / "moved")
    with Cache(tmp_path / "cache") as cache:
        titles.clear()
        assert latest(moved, ["fs/a.c"], cache) is not None
        assert heats(moved, ["fs/a.c"], cache, 1, silent).hot() == {
            "fs/a.c": frozenset({"work", "read"})
        }
    assert titles == []


def test_who_names_a_file_of_a_large_tree_does_not_wait(tmp_path, monkeypatch):
    (tmp_path / "a.c").write_text(WORK + READ % "\twork(fd);\n")

    def known(whole):
        with Cache(tmp_path / "cache") as cache:
            return heats_of(tmp_path, ["a.c"], cache, Settings(), whole)

    monkeypatch.setattr("hotcocci.tree.select.WORTH_A_PROCESS", 1)
    assert known(whole=False) is UNKNOWN
    assert known(whole=True).of("a.c", "work") is not None
    assert known(whole=False).of("a.c", "work") is not None


def test_a_file_that_cannot_be_read_now_is_not_remembered(tmp_path, monkeypatch):
    """A lack of file descriptors or memory is no fact about the tree."""
    root = tmp_path / "linux"
    root.mkdir()
    (root / "a.c").write_text(WORK + READ % "\twork(fd);\n")

    def fail(_):
        raise OSError(24, "Too many open files")

    with Cache(tmp_path / "cache") as cache:
        with monkeypatch.context() as patched:
            patched.setattr(heats_module, "read_listed", fail)
            assert heats(root, ["a.c"], cache, 1, silent).of("a.c", "work") is None
        assert is_unanswered() and latest(root, ["a.c"], cache) is None
        leave_unanswered(False)
        assert heats(root, ["a.c"], cache, 1, silent).of("a.c", "work")
        assert not is_unanswered()


def test_what_is_new_may_be_called(tmp_path):
    """Only where a file is as it was does it say something that nothing leads to a function."""
    root = tmp_path / "linux"
    (root / "fs").mkdir(parents=True)
    for name in "ab":
        (root / f"fs/{name}.c").write_text(WORK)
    files = [f"fs/{name}.c" for name in "abc"]
    with Cache(tmp_path / "cache") as cache:
        assert heats(root, files[:2], cache, 1, silent).read == {*files[:2]}
        (root / "fs/b.c").write_text(f"{WORK}\n")
        (root / "fs/c.c").write_text(WORK)
        found = latest(root, files, cache)
    assert found is not None and found.read == {"fs/a.c"}
    line = WORK[: WORK.index("{")].count("\n") + 1
    places = [finding(file=f, line=line, function="work") for f in files]
    assert [found.on(each, WORK).heat for each in places] == [0.0, None, None]


@pytest.mark.parametrize(
    "per", ["per epoll event", "in a loop per read()", "seldom per read()"]
)
def test_what_is_new_in_a_changed_file_is_called_by_what_is_known(per, tmp_path):
    new = "static const struct proto_ops ops = {\n\t.recvmsg = receive,\n};\n"
    for name, body in (
        ("a.c", WORK + "int old(int x)\n{\n\treturn work(x);\n}\n"),
        ("b.c", f"static int receive(int x)\n{{\n\treturn 0;\n}}\n{new}"),
        ("c.c", "int alone(int x)\n{\n\treturn 0;\n}\n"),
    ):
        (tmp_path / name).write_text(body)
    before = Heats({"a.c": {"old": Heat(0.4, per)}}, frozenset({"a.c", "d.c"}))
    found = with_changed(before, tmp_path, ["a.c", "b.c", "c.c"])
    assert found.of("a.c", "old") == Heat(0.4, per)
    assert found.of("a.c", "work") == Heat(pytest.approx(0.34), per)
    assert found.of("b.c", "receive") == Heat(0.4, "per recvmsg()")
    assert (found.of("c.c", "alone"), found.read) == (None, {"d.c"})


def test_changed_files_of_other_folders_are_not_called_through_pointers(tmp_path):
    caller = READ % "\tfile->ops->go(fd);\n"
    table = "static const struct own ops = {\n\t.go = work,\n};\n"
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
    (tmp_path / "a/a.c").write_text(caller)
    for name in ("a/b.c", "b/b.c"):
        (tmp_path / name).write_text(WORK + table)
    found = with_changed(Heats(), tmp_path, ["a/a.c", "a/b.c", "b/b.c"])
    assert found.of("a/b.c", "work") == Heat(pytest.approx(0.85), "per read()")
    assert found.of("b/b.c", "work") is None


def test_indexes_of_another_shape_are_made_anew(tmp_path):
    root = tmp_path / "linux"
    root.mkdir()
    (root / "a.c").write_text(WORK + READ % "\twork(fd);\n")
    with Cache(tmp_path / "cache") as cache:
        contents = f"a.c {hashes(root, cache)['a.c']}"
        key = heats_module._key("index", heats_module._INDEX, contents)
        cache.remember({key: "said", "said": [["a.c", ["eleven", "strings"]]]})
        assert heats(root, ["a.c"], cache, 1, silent).of("a.c", "work")


def test_an_edit_reads_one_file(tmp_path, monkeypatch):
    root = tmp_path / "linux"
    (root / "fs").mkdir(parents=True)
    (root / "fs/a.c").write_text(WORK + READ % "\twork(fd);\n")
    (root / "fs/b.c").write_text("extern int nothing;\n")
    (root / "fs/c.c").write_text(TWO)
    opened = []

    def reading(path):
        opened.append(path.removeprefix(f"{root}/fs/"))
        return Path(path).read_bytes()

    monkeypatch.setattr(heats_module, "read_listed", reading)
    for text in (TWO, TWO + READ % "\toften(fd);\n"):
        (root / "fs/c.c").write_text(text)
        with Cache(tmp_path / "cache") as cache:
            found = heats(root, ["fs/a.c", "fs/c.c"], cache, 1, silent)
        assert found.of("fs/a.c", "work") is not None
    assert found.of("fs/c.c", "often") is not None
    assert opened == ["a.c", "b.c", "c.c", "c.c"]
