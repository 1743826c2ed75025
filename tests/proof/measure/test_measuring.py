# SPDX-License-Identifier: GPL-2.0
"""Functions of a real tree run natively on this machine."""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from hotcocci.proof import costs
from hotcocci.proof.measure import runner
from hotcocci.proof.measure.figures import Measured
from hotcocci.proof.measure.files import measure_file
from hotcocci.proof.measure.machine import machine
from hotcocci.proof.measure.measuring import Measurement
from hotcocci.proof.measure.stand_ins import STAND_INS
from hotcocci.proof.task import tasks
from hotcocci.tree.build import Build
from hotcocci.tree.command import commands
from hotcocci.tree.overlay import lay
from hotcocci.tree.source import decode

FILE = "lib/usercopy.c"
pytestmark = pytest.mark.skipif(machine() is None, reason="needs an x86-64 machine")

GETS = """
int hc_read(u32 *to, u32 __user *from);
int hc_read(u32 *to, u32 __user *from)
{
	if (get_user(to[0], &from[0]) ||
	    get_user(to[1], &from[1]) ||
	    get_user(to[2], &from[2]))
		return -EFAULT;
	return hc_elsewhere(to);
}
"""

PUTS = """
int hc_write(u32 __user *to, u32 *from);
int hc_write(u32 __user *to, u32 *from)
{
	if (put_user(from[0], &to[0]) ||
	    put_user(from[1], &to[1]) ||
	    put_user(from[2], &to[2]) ||
	    put_user(from[3], &to[3]))
		return -EFAULT;
	return hc_elsewhere(from);
}
"""

WINDOW = """
int hc_write(u32 __user *to, u32 *from);
int hc_write(u32 __user *to, u32 *from)
{
	if (!user_write_access_begin(to, 16))
		return -EFAULT;
	unsafe_put_user(from[0], &to[0], efault);
	unsafe_put_user(from[1], &to[1], efault);
	unsafe_put_user(from[2], &to[2], efault);
	unsafe_put_user(from[3], &to[3], efault);
	user_write_access_end();
	return hc_elsewhere(from);

efault:
	user_write_access_end();
	return -EFAULT;
}
"""

HEAD = "#include <linux/uaccess.h>\nint hc_elsewhere(u32 *);\n"
PRIVILEGED = "	native_irq_disable();\n"


def measured(build: Build, old: str, new: str) -> dict[str, Measured]:
    found = machine()
    assert found is not None
    text = decode((build.tree / FILE).read_bytes()) + HEAD
    (task,) = tasks(build, [(FILE, text + old, text + new)])
    return {each.function: each for each in measure_file(task, found)}


def test_a_window_is_timed_with_every_stand_in(prepared_build: Build) -> None:
    found = measured(prepared_build, GETS + PUTS, GETS + WINDOW)
    assert set(found) == {"hc_write"}
    write = found["hc_write"]
    assert not write.why
    assert write.accesses == (4, 4, 4, 4)
    assert write.calls == (1, 1)
    kinds = [(t.stand_in, t.thunks) for t in write.timings]
    assert kinds[: len(STAND_INS)] == [(s.name, False) for s in STAND_INS]
    assert ("12 cycles", True) in kinds
    # How long they took is for benchmarks: another process may have run at any moment.
    assert all(t.before != t.after and t.ratio > 0 for t in write.timings)


def test_privileged_instructions_are_left_out(prepared_build: Build) -> None:
    changed = PUTS.replace("	if (put", PRIVILEGED + "	if (put", 1)
    found = measured(prepared_build, changed, changed.replace("from[3]", "from[2]"))
    assert found["hc_write"].dropped == ("cli",)
    assert not found["hc_write"].why


def test_what_cannot_be_reached_has_the_reason(prepared_build: Build) -> None:
    never = PUTS.replace("	if (put", "	*(volatile u32 *)8 = 1;\n	if (put", 1)
    found = measured(prepared_build, never, never.replace("= 1;", "= 2;"))
    assert "no run of the emulator" in found["hc_write"].why


@pytest.fixture
def measurement(prepared_build: Build, tmp_path: Path) -> Measurement:
    found = machine()
    assert found is not None
    text = decode((prepared_build.tree / FILE).read_bytes()) + HEAD
    places = (tmp_path / "old", tmp_path / "new")
    texts = (text + PUTS, text + WINDOW)
    for place, each in zip(places, texts, strict=True):
        lay(prepared_build.tree, {FILE: each}, place)
    command = commands(prepared_build, [FILE])[FILE]
    return Measurement(
        prepared_build,
        command,
        FILE,
        places,
        costs.changed(*texts),
        tmp_path,
        found,
    )


def altered(
    monkeypatch: pytest.MonkeyPatch, number: int, alter: Callable[[bytes], bytes]
) -> None:
    """Alter the fixture of one side before it is run."""
    whole = runner.time

    def time(program: Path, fixtures: Sequence[Path], *rest: int) -> object:
        path = fixtures[number]
        path.write_bytes(alter(path.read_bytes()))
        return whole(program, fixtures, *rest)

    monkeypatch.setattr(runner, "time", time)


def test_a_run_that_differs_is_no_figure(
    measurement: Measurement, monkeypatch: pytest.MonkeyPatch
) -> None:
    def other_value(data: bytes) -> bytes:
        # The last words: one call, which answers with a value and writes nothing.
        count, value, written = struct.unpack("<3Q", data[-24:])
        assert (count, written) == (2, 0)
        return data[:-24] + struct.pack("<3Q", count, value ^ 1, written)

    altered(monkeypatch, 0, other_value)
    found = measurement.measure("hc_write")
    assert found.why == "it returns another value than in the emulator"
    assert not found.timings


def test_a_crash_is_one_line(
    measurement: Measurement, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The first argument points nowhere.
    user, nowhere = (struct.pack("<Q", at) for at in (0x2010_0000, 0x1234_5000))
    altered(monkeypatch, 1, lambda data: data.replace(user, nowhere))
    found = measurement.measure("hc_write")
    assert found.why.startswith("signal 11 at ")
    assert "\n" not in found.why
    assert not found.timings


def test_the_processor_is_described(tmp_path: Path) -> None:
    file = tmp_path / "cpuinfo"
    file.write_text(
        "model name\t: A B\ncpu family\t: 25\nmodel\t\t: 1\nflags\t\t: lm fsrm\n"
    )
    found = machine(file)
    assert found is not None
    assert found.name == "A B (family 25, model 1)"
    assert found.features == ("ALWAYS", "FSRM")
    file.write_text("model name\t: A B\nflags\t\t: fpu\n")
    assert machine(file) is None


def test_code_of_the_tree_can_make_no_system_call(
    measurement: Measurement, monkeypatch: pytest.MonkeyPatch
) -> None:
    # In place of stac: syscall, with any number but those of read(), write() and exit_group().
    altered(monkeypatch, 1, lambda data: data.replace(b"\x90" * 3, b"\x0f\x05\x90"))
    found = measurement.measure("hc_write")
    assert found.why == "the process was killed by signal 31"
    assert not found.timings
