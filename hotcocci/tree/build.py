# SPDX-License-Identifier: GPL-2.0
"""Prepare out-of-tree builds once and keep them: configured, with generated headers.

Nothing is written into the kernel tree. A build is kept under a name that hashes what it depends on: the tree's
path, its Makefiles and Kconfig files, the sources of objtool, the target, and the compiler and linker. Headers are
left out: every proof compares two compilations with the same headers, and what is generated from them
(asm-offsets.h) concerns assembly.
"""

import fcntl
import hashlib
import json
import os
import re
import shutil
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TextIO

from hotcocci.errors import TryAgain, UserError, unwritable
from hotcocci.tree.process import Outcome, complaint, run
from hotcocci.tree.source import put, read
from hotcocci.tree.targets import Target

# Seconds. An allyesconfig takes 4 s and the preparation 6 s on two idle cores.
PREPARE_TIMEOUT = 1800.0
# Seconds, for a make that compiles a batch of files.
MAKE_TIMEOUT = 3600.0
READY = "ready.json"
# Bytes. With less free space, a program that fails may have failed for that, whatever it says.
FULL_BELOW = 1 << 20
BUILD_FILES = ("Makefile", "Kconfig", "Kbuild")
# A line of make without -s: a command in short (CC, GEN), or what a script says.
_STEP = r"  [A-Z]+ "

# What marks the builds of this run as used until it ends, whether make runs in them or not.
_used: dict[Path, TextIO] = {}


class BuildError(UserError):
    """The kernel tree cannot be built out of tree here; the message says what to do."""


@dataclass(frozen=True)
class Preparation:
    """The cost of a preparation: seconds, and bytes on disk."""

    seconds: float
    size: int


@dataclass(frozen=True)
class Build:
    """A prepared build of one tree for one target.

    ``out`` is kbuild's O= folder, in which saved commands run. ``checkflags`` is what kbuild passes to sparse
    before the compiler's flags, empty if kbuild says that no usable sparse is installed. ``objtool`` are the
    arguments it passes to objtool before the object, empty if the target has no objtool.
    """

    tree: Path
    out: Path
    target: Target
    checkflags: tuple[str, ...]
    objtool: tuple[str, ...]

    @property
    def lock(self) -> Path:
        """The lock to hold while running make in ``out``."""
        return self.out.parent.with_suffix(".lock")


def prepare(
    tree_root: Path,
    target: Target,
    cache: Path,
    jobs: int | None = None,
    around: Callable[[Path], AbstractContextManager[object]] = nullcontext,
) -> Build:
    """The build of this tree for this target, prepared first if necessary.

    A second caller waits for the first. Nobody removes it until this process ends. An interrupted preparation is never taken for complete.
    ``around`` is entered with the build's folder while it is prepared. Raises BuildError.
    """
    tree = tree_root.resolve()
    jobs = jobs or os.cpu_count() or 1
    folder = cache.resolve() / "builds" / f"{target.name}-{_key(tree, target)}"
    for path, remedy in (
        (tree, "move the tree"),
        (folder, "name another cache folder"),
    ):
        # As the kernel's Makefile says of the tree; in O= they end it with another message.
        if re.search(r"[\s:]", str(path)):
            raise BuildError(f"kbuild takes no blank or colon in {path}: {remedy}")
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        # kbuild writes absolute names into O= (tools/objtool/**/.*.cmd), so it cannot be prepared
        # elsewhere and moved. READY is written last and marks it as complete.
        with locked(folder.with_suffix(".lock")):
            build = _ready(tree, folder, target)
            if build is None:
                try:
                    with around(folder):
                        _remove_incomplete(folder)
                        build = _prepare(tree, folder, target, jobs)
                except Exception:
                    # Not after Ctrl-C, which does not wait: the next preparation removes it.
                    shutil.rmtree(folder, ignore_errors=True)
                    raise
            _used[folder] = (folder / READY).open()
            fcntl.flock(_used[folder], fcntl.LOCK_SH)
            return build
    except OSError as error:
        raise BuildError(
            f"cannot prepare a build in {folder.parent}: "
            + unwritable(error, "name another cache folder")
        ) from error


def is_used(folder: Path) -> bool:
    """Whether a run that has not ended has prepared this build; the caller holds the build's lock."""
    try:
        with (folder / READY).open("r+") as stream:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except FileNotFoundError:
        return False
    except BlockingIOError:
        return True
    return False


def last_preparation(target: Target, cache: Path) -> Preparation | None:
    """The cost of the most recent preparation for a target, None if unknown."""
    ready = cache.resolve().glob(f"builds/{target.name}-*/{READY}")
    for file in sorted(ready, key=lambda file: file.stat().st_mtime, reverse=True):
        try:
            saved = json.loads(file.read_text())
            return Preparation(float(saved["seconds"]), int(saved["size"]))
        except (OSError, ValueError, KeyError):
            continue  # prepared by another version
    return None


def make(
    build: Build, arguments: Iterable[str], timeout: float = MAKE_TIMEOUT
) -> Outcome:
    """Run make in a prepared build; the caller holds ``build.lock``."""
    return _make(build, ["-k", *arguments], timeout=timeout)


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold an exclusive lock, which the kernel drops when this process exits."""
    with path.open("w") as stream:
        fcntl.flock(stream, fcntl.LOCK_EX)
        yield


def _key(tree: Path, target: Target) -> str:
    """A hash of what a build depends on."""
    digest = hashlib.sha256(
        "\0".join((str(tree), repr(target), *versions(target))).encode(
            "utf-8", "surrogateescape"
        )
    )
    above = len(str(tree)) + 1
    for name in _build_files(tree):
        digest.update(f"\0{name[above:]}\0".encode("utf-8", "surrogateescape"))
        # kbuild says what it cannot read; a pipe is not to be waited for.
        with suppress(OSError):
            digest.update(read(name))
    return digest.hexdigest()[:20]


def _build_files(tree: Path) -> Iterator[str]:
    """Makefiles and Kconfig files, and all of objtool, in a fixed order."""
    # There are five thousand: a Path for each would take longer than reading them.
    for folder, folders, files in os.walk(tree):
        # A build does not use Documentation, and only objtool of tools/.
        skipped = (".git", "Documentation", "tools") if folder == str(tree) else ()
        folders[:] = sorted(f for f in folders if f not in skipped)
        for file in sorted(files):
            if file.startswith(BUILD_FILES):
                yield f"{folder}/{file}"
    objtool = (tree / "tools/objtool").rglob("*")
    yield from map(str, sorted(p for p in objtool if p.is_file()))


def versions(target: Target) -> list[str]:
    """The first line of --version of make, the compiler and the linker.

    Raises BuildError, which names all missing programs.
    """
    compiler = target.cc or f"{target.cross_compile}gcc"
    always = ["make", compiler, f"{target.cross_compile}ld"]
    needed = dict.fromkeys([*always, *target.programs])
    missing = [p for p in needed if shutil.which(p) is None]
    if missing:
        raise BuildError(
            f"cannot compile for {target.name} without {', '.join(missing)}: "
            f"install them (Debian: apt install {target.packages})"
        )
    return [run([p, "--version"], Path("/"), 60).out.split("\n", 1)[0] for p in always]


def compiled_by(target: Target) -> str:
    """The compiler, architecture and configuration of a target's code, in words.

    Raises BuildError without a compiler.
    """
    line = versions(target)[1]
    # gcc (Debian 12.2.0-14+deb12u1) 12.2.0; Debian clang version 19.1.7 (++…)
    number = re.search(r"(?<![\w.(-])\d+(?:\.\d+)+(?![\w.-])", line)
    version = f" {number[0]}" if number else ""
    name = f"{'clang' if target.cc else 'gcc'}{version} for {target.name}"
    return f"{name} with {target.config}" if target.config else name


def _ready(tree: Path, folder: Path, target: Target) -> Build | None:
    """The build in a folder, or None if its preparation was not completed."""
    try:
        saved = json.loads((folder / READY).read_text())
        return Build(
            tree,
            folder / "out",
            target,
            tuple(saved["checkflags"]),
            tuple(saved["objtool"]),
        )
    except (FileNotFoundError, ValueError, KeyError):
        # Missing, or truncated by a full disk: prepare it again.
        return None


def _remove_incomplete(folder: Path) -> None:
    """Remove this build and others that were interrupted; the caller holds this one's lock."""
    shutil.rmtree(folder, ignore_errors=True)
    for other in folder.parent.glob("*/"):
        if other != folder and not (other / READY).exists():
            with other.with_suffix(".lock").open("w") as stream:
                try:
                    fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except BlockingIOError:
                    continue  # It is being prepared.
                if not (other / READY).exists():
                    shutil.rmtree(other, ignore_errors=True)


def _prepare(tree: Path, folder: Path, target: Target, jobs: int) -> Build:
    start = time.monotonic()
    out = folder / "out"
    out.mkdir(parents=True)
    build = Build(tree, out, target, target.checkflags, ())
    if target.config:
        _configure(build, jobs)
        build = Build(tree, out, target, *_flags(build))
    size = sum(path.lstat().st_blocks * 512 for path in folder.rglob("*"))
    took = Preparation(time.monotonic() - start, size)
    saved = asdict(build) | asdict(took) | {"tree": str(tree)}
    put(folder / READY, json.dumps(saved, default=str).encode())
    return build


def _configure(build: Build, jobs: int) -> None:
    """Write the .config and run modules_prepare."""
    out, target = build.out, build.target
    fragment = out.parent / "forced.config"
    fragment.write_text(
        "".join(f"CONFIG_{name}=y\n" for name in target.on)
        + "".join(f"# CONFIG_{name} is not set\n" for name in target.off)
    )
    # allyesconfig and the like take forced symbols from this file (Documentation/kbuild/
    # kconfig.rst). For a defconfig they are appended: the last value of a symbol counts.
    _must(build, ["-s", target.config], {"KCONFIG_ALLCONFIG": str(fragment)})
    if not target.config.startswith("all"):
        with (out / ".config").open("a") as stream:
            stream.write(fragment.read_text())
        _must(build, ["-s", "olddefconfig"])
    _must(build, [f"-j{jobs}", "modules_prepare"])


def _flags(build: Build) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The flags of sparse and objtool, from a dry run of make on one file. Raises BuildError."""
    target = build.target
    probed = target.probe.removesuffix(".c") + ".o"
    dry_run = _must(build, ["-n", "C=2", "CHECK=sparse", "KBUILD_VERBOSE=1", probed])
    check = re.search(r"; *sparse (?P<flags>-D__linux__ .*?) -Wp,-MMD,", dry_run.out)
    # scripts/checker-valid.sh of newer trees turns C=2 off if sparse is missing or too old.
    checkflags = tuple(check["flags"].split()) if check else ()
    if not target.objtool:
        return checkflags, ()
    found = re.search(
        # Flags, after a subcommand before 5.18 ("orc generate --uaccess"); not what is only echoed.
        rf"; *\S*tools/objtool/objtool (?P<flags>(?:[^\s;']+ +)+){re.escape(probed)}",
        dry_run.out,
    )
    if found is None or not (build.out / "tools/objtool/objtool").exists():
        raise BuildError(
            f"this tree's kbuild does not run objtool on {target.probe}: "
            "report this with the version of the tree"
        )
    # With these flags, checks are delayed to vmlinux.o and skipped for single objects.
    delayed = ("--link", "--ibt")
    return checkflags, tuple(f for f in found["flags"].split() if f not in delayed)


def _make(
    build: Build,
    arguments: Iterable[str],
    settings: Mapping[str, str] | None = None,
    timeout: float = PREPARE_TIMEOUT,
) -> Outcome:
    target = build.target
    given = {
        "ARCH": target.arch,
        "CROSS_COMPILE": target.cross_compile,
        "CC": target.cc,
    }
    argv = ["make", "-C", str(build.tree), f"O={build.out}"]
    argv += [f"{name}={value}" for name, value in given.items() if value]
    return run([*argv, *arguments], build.out, timeout, extra=settings)


def _must(
    build: Build, arguments: list[str], settings: Mapping[str, str] | None = None
) -> Outcome:
    """Run make; raise BuildError with the one relevant line if it fails."""
    outcome = _make(build, arguments, settings)
    if outcome.status == 0:
        return outcome
    step = f"make {arguments[-1]} for {build.target.name}"
    if shutil.disk_usage(build.out).free < FULL_BELOW:
        raise TryAgain(f"{step}: no space left in {build.out.parents[1]}: free some")
    raise BuildError(_explained(step, build, outcome.out + outcome.err))


def _explained(step: str, build: Build, said: str) -> str:
    """A message about a failed make that says what to do."""
    if "source tree is not clean" in said:
        return (
            f"{build.tree} was built in place, so it cannot be built out of tree: "
            "run 'make mrproper' in it, or name a clean tree"
        )
    if re.search(r"gelf\.h|libelf", said):
        return f"{step} needs libelf: install it (Debian: apt install libelf-dev)"
    if re.search(r"openssl/\w+\.h", said):
        return f"{step} needs OpenSSL: install it (Debian: apt install libssl-dev)"
    check = f"check with 'make O=... {build.target.config}' in {build.tree}"
    return f"{step} failed: {complaint(said, _STEP)}: {check}"
