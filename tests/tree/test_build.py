# SPDX-License-Identifier: GPL-2.0
"""Preparing a build: once, by one process at a time, all or nothing; its compile commands are queried once."""

import errno
import os
import re
import signal
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from hotcocci.cli.cache import parts, remove
from hotcocci.tree import build as build_module
from hotcocci.tree.build import Build, BuildError, prepare
from hotcocci.tree.command import commands
from hotcocci.tree.targets import CLANG_KERNELS, TARGETS
from tests.shared import build_of, wait_for

X86_64, ARM64 = TARGETS["x86-64"], TARGETS["arm64"]


def started(fake_make):
    """Count the runs of make that build something."""
    lines = (fake_make / "started").read_text().splitlines()
    return sum("--version" not in line for line in lines)


def left(cache):
    """List the leftovers of a preparation, except locks."""
    return [p.name for p in (cache / "builds").iterdir() if p.suffix != ".lock"]


def test_prepared_once_and_again_when_an_input_changes(fake_make, small_tree, tmp_path):
    tree = small_tree({"fs/Makefile": "obj-y += a.o\n", "fs/a.c": "int a;\n"})
    cache = tmp_path / "cache"
    build = prepare(tree, X86_64, cache)
    assert build.checkflags == ("-D__linux__", "-m64")
    # Skip objtool's separate run on vmlinux.o.
    assert build.objtool == ("--orc", "--uaccess")
    runs = started(fake_make)
    assert prepare(tree, X86_64, cache) == build
    (tree / "fs/a.c").write_text("int b;\n")
    assert prepare(tree, X86_64, cache) == build
    assert started(fake_make) == runs

    (tree / "fs/Makefile").write_text("obj-y += a.o b.o\n")
    assert prepare(tree, X86_64, cache).out != build.out
    assert started(fake_make) > runs


def test_objtool_with_a_subcommand(small_tree, fake_make, tmp_path):
    """As in 5.10, which also echoes the command."""
    (fake_make / "behaviour").write_text(
        'case "$*" in *init/main.o) echo "set -e; '
        "echo '   ./tools/objtool/objtool orc generate  --no-fp init/main.o'; "
        'true; ./tools/objtool/objtool orc generate  --no-fp --uaccess init/main.o" ;; esac\n'
    )
    script = fake_make / "make"
    script.write_text(script.read_text().replace("objtool --orc", "objtool.old --orc"))
    build = prepare(small_tree({}), X86_64, tmp_path / "cache")
    assert build.objtool == ("orc", "generate", "--no-fp", "--uaccess")


def test_a_build_is_kept_while_a_run_uses_it(small_tree, fake_make, tmp_path):
    cache = tmp_path / "cache"
    # Twice: the second time it is only looked up.
    for _ in range(2):
        build_module._used.clear()
        build = prepare(small_tree({}), X86_64, cache)
        (part,) = parts(cache)
        assert not remove(part) and build.out.exists()
    build_module._used.clear()
    assert remove(part) and not build.out.exists()


@pytest.mark.parametrize(
    ("output", "advice"),
    [
        ("*** The source tree is not clean, run 'make mrproper'", "make mrproper"),
        ("elf.h:4: fatal error: gelf.h: No such file or directory", "libelf-dev"),
        ("certs.c:9: fatal error: openssl/bio.h: No such file", "libssl-dev"),
        ("something else\n*** it broke.  Stop.", "it broke"),
        ("", "no message"),
    ],
)
def test_a_failed_preparation_gives_advice_and_is_cleaned_up(
    fake_make, small_tree, tmp_path, output, advice
):
    (fake_make / "behaviour").write_text(f"cat >&2 <<'END'\n{output}\nEND\nexit 2\n")
    with pytest.raises(BuildError, match=advice) as caught:
        prepare(small_tree({}), X86_64, tmp_path / "cache")
    assert "\n" not in str(caught.value)
    assert left(tmp_path / "cache") == []


def test_all_missing_programs_are_listed(small_tree, tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path / "empty"))
    with pytest.raises(BuildError, match=r"without make, gcc.*flex.*apt install gcc"):
        prepare(small_tree({}), X86_64, tmp_path / "cache")


def test_what_to_do_is_of_the_error(fake_make, small_tree, tmp_path, monkeypatch):
    tree, cache = small_tree({}), tmp_path / "cache"
    cache.write_text("a file, not a folder")
    with pytest.raises(BuildError, match="directory: name another cache folder"):
        prepare(tree, X86_64, cache)
    for number, said in (
        (errno.ENOSPC, "free some space there, or"),
        (errno.EFBIG, "raise the limit on file sizes (ulimit -f), or"),
        (errno.EROFS, "make it writable, or"),
        (errno.ENOTDIR, "Not a directory:"),
    ):

        def fail(*_, number=number, **__):
            raise OSError(number, os.strerror(number))

        monkeypatch.setattr(build_module, "locked", fail)
        with pytest.raises(BuildError, match=re.escape(f"{said} name another cache")):
            prepare(tree, X86_64, tmp_path / "other")


def test_an_interrupted_build_is_removed_by_the_next_preparation(
    fake_make, small_tree, tmp_path
):
    tree, cache = small_tree({}), tmp_path / "cache"
    begun = fake_make / "begun"
    (fake_make / "behaviour").write_text(f": > '{begun}'; exec sleep 1000\n")
    code = (
        "import sys; from pathlib import Path; from hotcocci.tree.build import prepare; "
        "from hotcocci.tree.targets import TARGETS; "
        "prepare(Path(sys.argv[1]), TARGETS['x86-64'], Path(sys.argv[2]))"
    )
    home = Path(__file__).parents[2]
    with subprocess.Popen(
        [sys.executable, "-c", code, tree, cache], cwd=home, stderr=subprocess.PIPE
    ) as process:
        wait_for(begun.exists)
        process.send_signal(signal.SIGINT)
        _, output = process.communicate(timeout=60)
    assert b"KeyboardInterrupt" in output
    interrupted = left(cache)
    assert len(interrupted) == 1
    # By that of another kernel, too.
    (fake_make / "behaviour").write_text("")
    (tree / "Kconfig").write_text("# other")
    prepare(tree, X86_64, cache)
    assert len(left(cache)) == 1 and left(cache) != interrupted


def test_two_processes_prepare_once(fake_make, small_tree, tmp_path):
    (fake_make / "behaviour").write_text("sleep 0.2\n")
    tree = small_tree({})
    with ProcessPoolExecutor(2) as pool:
        both = [pool.submit(_stamp, tree, tmp_path / "cache") for _ in range(2)]
        assert both[0].result() == both[1].result()
    runs = started(fake_make)
    prepare(tree, X86_64, tmp_path / "other")
    assert started(fake_make) == 2 * runs


def test_the_configuration_of_a_kernel(linux_tree):
    build = build_of(linux_tree)
    assert "--uaccess" in build.objtool
    assert not {"--ibt", "--link"} & set(build.objtool)
    config = (build.out / ".config").read_text()
    assert "CONFIG_COMPAT=y" in config
    assert "CONFIG_X86_X32_ABI=y" in config
    assert "CONFIG_X86_KERNEL_IBT=y" not in config
    assert "CONFIG_WERROR=y" not in config


def _stamp(tree, cache):
    build = prepare(tree, X86_64, cache, 1)
    return build.out, (build.out.parent / "ready.json").stat().st_mtime_ns


CLANG = replace(CLANG_KERNELS[0], config="")


@pytest.mark.parametrize(
    ("target", "line", "named"),
    [
        (ARM64, "aarch64-linux-gnu-gcc (Debian 12.2.0-14+deb12u1) 12.2.0", "gcc 12.2.0 for arm64 with defconfig"),
        (ARM64, "gcc (GCC) 15.1.1 20250425", "gcc 15.1.1 for arm64 with defconfig"),
        (CLANG, "Debian clang version 19.1.7 (++20250114103320+cd708029e0b2)", "clang 19.1.7 for x86-64-clang"),
    ],
)  # fmt: skip
def test_compiled_code_has_a_name(monkeypatch, target, line, named):
    said = ["GNU Make 4.3", line, "ld"]
    monkeypatch.setattr(build_module, "versions", lambda _: said)
    assert build_module.compiled_by(target) == named


# Shortened output of make -n KBUILD_VERBOSE=1 for two files, with a quoted define, and the same
# command again in quotes for the .cmd file.
TOLD = r"""
set -e; echo '# CC      fs/a.o'; echo '  gcc -Wp,-MMD,fs/.a.o.d -O2 -c -o fs/a.o /t/fs/a.c '; gcc -Wp,-MMD,fs/.a.o.d -O2 -DKBUILD_MODFILE='"fs/a"' -c -o fs/a.o /t/fs/a.c   ; ./tools/objtool/objtool --uaccess fs/a.o; scripts/basic/fixdep fs/.a.o.d fs/a.o 'gcc -O2 -c -o fs/a.o /t/fs/a.c' > fs/.a.o.cmd; rm -f fs/.a.o.d
set -e; trap 'rm -f fs/b.o; trap - HUP; kill -s HUP $$' HUP; gcc -O1 -c -o fs/b.o /t/fs/b.c; true
echo 'it is not finished
gcc -O3 -c -o fs/other.o /t/fs/other.c
"""


def build_in(folder):
    (folder / "b/out").mkdir(parents=True)
    return Build(folder, folder / "b/out", TARGETS["x86-64"], (), ())


@pytest.fixture
def prints(fake_make):
    """Let make print a text, and fail."""

    def prints(text):
        (fake_make / "printed").write_bytes(os.fsencode(text))
        (fake_make / "behaviour").write_text(f"cat {fake_make}/printed; exit 2\n")

    return prints


def test_make_runs_once_for_all_files(tmp_path, fake_make, prints):
    build = build_in(tmp_path)
    prints(TOLD)
    found = commands(build, ["fs/b.c", "fs/a.c", "fs/unknown.c"])
    assert {file: known.argv for file, known in found.items()} == {
        "fs/a.c": ("gcc", "-O2", '-DKBUILD_MODFILE="fs/a"'),
        "fs/b.c": ("gcc", "-O1"),
    }
    (call,) = (fake_make / "started").read_text().splitlines()
    assert "-n" in call.split()
    assert call.endswith(" fs/a.o fs/b.o fs/unknown.o")
    assert commands(build, ["fs/a.c", "fs/b.c"]) == found
    assert started(fake_make) == 1


def test_a_truncated_saved_command_is_queried_again(tmp_path, prints):
    build = build_in(tmp_path)
    prints(TOLD)
    found = commands(build, ["fs/b.c"])
    (saved,) = (build.out.parent / "commands").rglob("*.json")
    saved.write_text(saved.read_text()[:5])
    assert commands(build, ["fs/b.c"]) == found


@pytest.mark.parametrize("prefix", ["savedcmd_", "cmd_"])
def test_the_command_of_a_compiled_file_is_the_saved_one(tmp_path, prints, prefix):
    build = build_in(tmp_path)
    folder = build.out / "fs"
    folder.mkdir()
    (folder / "a.o").touch()
    # Shortened output of scripts/basic/fixdep, with its two escapes.
    (folder / ".a.o.cmd").write_text(
        f"{prefix}fs/a.o := gcc -Wp,-MMD,fs/.a.o.d -O2 -DAT='\"$(pound)here$$\"' "
        "-c -o fs/a.o /t/fs/a.c   ; ./tools/objtool/objtool --uaccess fs/a.o\n\n"
        "source_fs/a.o := /t/fs/a.c\n"
    )
    prints("make: 'fs/a.o' is up to date.")
    assert commands(build, ["fs/a.c"])["fs/a.c"].argv == ("gcc", "-O2", '-DAT="#here$"')


def test_any_folder_name(tmp_path, prints):
    build = build_in(tmp_path)
    (build.out / "fs").mkdir()
    (build.out / "fs/kept.o").touch()
    line = "gcc -I/home/jürgen/t -c -o fs/{0}.o /home/jürgen/t/fs/{0}.c\n"
    (build.out / "fs/.kept.o.cmd").write_bytes(
        f"savedcmd_fs/kept.o := {line.format('kept')}".encode()
    )
    prints(line.format("a"))
    for file in ("fs/a.c", "fs/kept.c"):
        found = commands(build, [file])[file]
        assert os.fsencode(found.argv[1]) == "-I/home/jürgen/t".encode()
