# SPDX-License-Identifier: GPL-2.0
"""Each operation is a program that compiles and says what it measures."""

import os
import platform
import shutil
from pathlib import Path

import pytest

from hotcocci.bench.catalogue import (
    FLAGS,
    FOLDER,
    MACHINES,
    X86_64,
    Operation,
    catalogue,
    chosen,
    of_machine,
    program,
    require,
)
from hotcocci.bench.run import native
from hotcocci.errors import UserError

LONGEST = 60


def test_each_operation_describes_itself():
    for operation in catalogue():
        assert operation.unit and operation.reaches
        assert {*operation.machines} <= MACHINES.keys()
        assert all(size > 0 for size in operation.sizes)
        assert len(operation.source.read_text().splitlines()) <= LONGEST
    for source in FOLDER.glob("*.[ch]"):
        # Its files are where it runs, which is removed.
        assert '"/tmp/' not in source.read_text(), source


def test_a_machine_has_its_own_operations():
    assert of_machine(X86_64) == catalogue()
    for machine in MACHINES.values():
        names = {operation.name for operation in of_machine(machine)}
        assert "epoll_wait" in names and "pcm_sync_ptr" in names
        assert ("stat_32" in names) == (machine is X86_64)
        assert ("poll" in names) == (machine.target != MACHINES["arm64"].target)


def test_functions_that_an_operation_must_call_have_other_names_elsewhere():
    reaches = ("sys_rseq", "old|new", "__ia32_compat_sys_times")
    operation = Operation("f", "call", (1,), reaches, ())
    here = {"__x64_sys_rseq", "new", "__ia32_compat_sys_times"}
    there = {"__arm64_sys_rseq", "__do_sys_rseq", "old"}
    assert operation.missed(here) == []
    assert operation.missed(there) == ["__ia32_compat_sys_times"]
    assert operation.missed(here - {"__x64_sys_rseq", "new"}) == ["sys_rseq", "old|new"]


@pytest.mark.parametrize("machine", MACHINES.values(), ids=MACHINES)
def test_what_a_machine_lacks_here_is_said_with_its_packages(
    machine, monkeypatch, tmp_path
):
    monkeypatch.setenv("PATH", str(tmp_path))
    qemu, packages = machine.qemu[0], machine.target.packages
    with pytest.raises(UserError, match=f"needs {qemu}, .*: apt install {packages}$"):
        require(machine)


def test_a_compiler_without_a_static_c_library_is_not_enough(
    monkeypatch, tmp_path, program
):
    monkeypatch.setenv("PATH", str(tmp_path))
    for name in (X86_64.qemu[0], "gcc", "cpio", *X86_64.target.programs):
        program(name, "echo libc.a")
    (tmp_path / "setpriv").symlink_to(shutil.which("setpriv", path=os.defpath) or "")
    with pytest.raises(UserError, match=r"needs libc\.a: apt install .*libc6-dev"):
        require(X86_64)
    program("gcc", "echo /usr/lib/libc.a")
    require(X86_64)


@pytest.mark.build
@pytest.mark.slow
def test_all_operations_compile_without_warnings(tmp_path, monkeypatch):
    strict = (*FLAGS[:-1], "-Wall", "-Wextra", "-Wno-unused-parameter", "-Werror")
    monkeypatch.setattr("hotcocci.bench.catalogue.FLAGS", strict)
    assert program(catalogue(), tmp_path, X86_64).is_file()


def test_a_compiler_that_warns_of_more_compiles_them(tmp_path, monkeypatch):
    # As gcc of Ubuntu does by default
    monkeypatch.setattr(
        "hotcocci.bench.catalogue.FLAGS", (*FLAGS, "-D_FORTIFY_SOURCE=2")
    )
    operations = chosen(["recvmsg_control_32"], catalogue())
    assert program(operations, tmp_path, X86_64).is_file()


@pytest.mark.build
@pytest.mark.skipif(platform.machine() != X86_64.native, reason="programs of x86-64")
def test_a_run_on_this_machine_leaves_nothing_behind():
    def left():
        return [Path("/proc/sysvipc", kind).read_text() for kind in ("sem", "shm")]

    before = left()
    names = ["semtimedop", "shmctl_stat", "readlink"]
    table = native(X86_64, chosen(names, catalogue()), 60.0)
    assert len(table.counts) == 4 and not table.missing
    assert left() == before


def test_an_operation_that_does_not_compile_is_named(tmp_path, monkeypatch):
    (tmp_path / "broken.c").write_text("int broken(void) { return 1 }\n")
    monkeypatch.setattr("hotcocci.bench.catalogue.FOLDER", tmp_path)
    with pytest.raises(UserError, match=r"do not compile: .*broken\.c"):
        program([Operation("broken", "call", (1,), ("f",), ())], tmp_path, X86_64)
