# SPDX-License-Identifier: GPL-2.0
"""What bench runs, and on what: machines/ has a data file for each machine that boots a kernel, operations/ a small C
program for each operation, whose head describes it.

The operations are compiled into one static program, which is also the only file of an initial ramdisk.
"""

import re
import shutil
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from fnmatch import filter as filter_names
from pathlib import Path

import tomllib

from hotcocci.errors import UserError
from hotcocci.records import rebuilt
from hotcocci.tree.process import MissingProgram, run
from hotcocci.tree.targets import Target

# What the kernels of all machines have, and what they do not
ON = (
    *"PRINTK TTY BINFMT_ELF BLK_DEV_INITRD PROC_FS SYSFS DEVTMPFS HIGH_RES_TIMERS".split(),
    *("BUG", "CC_OPTIMIZE_FOR_PERFORMANCE"),
    # The line of each instruction; it changes no code.
    *"DEBUG_KERNEL DEBUG_INFO_DWARF_TOOLCHAIN_DEFAULT DEBUG_INFO_REDUCED".split(),
    # modules_prepare does nothing without it.
    "MODULES",
)
OFF = (
    # A second processor would make the order of instructions depend on more than the program.
    "SMP",
    *"CC_OPTIMIZE_FOR_SIZE VT INPUT SERIO UNIX98_PTYS WERROR".split(),
    # Runs git on the tree.
    "LOCALVERSION_AUTO",
    *"DEBUG_INFO_BTF DEBUG_INFO_NONE DEBUG_MISC RUST".split(),
)


@dataclass(frozen=True)
class Machine:
    """One machine of QEMU.

    ``name`` is that on the command line and in the heads of operations, ``native`` that of uname()
    where programs for it run, ``target`` what its kernel is built for, without the
    symbols of operations. ``image`` is the file of a build that boots, ``goal`` what make is asked
    for. ``qemu`` is the emulator and its options, ``append`` are parameters of the kernel, and
    ``kernel`` is its lowest address. ``guard`` is what keeps it from user memory, which windows open. ``order`` is its place in lists. The packages of ``target`` include those of QEMU and operations.
    """

    name: str
    order: int
    native: str
    target: Target
    goal: str
    image: str
    qemu: tuple[str, ...]
    append: str
    kernel: int = 1 << 63
    guard: str = ""


def _read() -> Iterator[Machine]:
    """The machines of the data files: one each, and others with the same kernel."""
    for file in Path(__file__).parent.glob("machines/*.toml"):
        data = tomllib.loads(file.read_text("utf-8"))
        for other in ({}, *data.pop("others", ())):
            machine = rebuilt(Machine, data | other)
            target = machine.target
            target = replace(target, on=(*ON, *target.on), off=(*OFF, *target.off))
            yield replace(machine, target=target)


MACHINES = {each.name: each for each in sorted(_read(), key=lambda each: each.order)}
X86_64 = MACHINES["x86-64"]

FOLDER = Path(__file__).parent / "operations"
# What all operations share
MAIN = "main.c"
PROGRAM = "init"
RAMDISK = "init.cpio"
# What another compiler warns of is for the tests.
FLAGS = ("-O2", "-std=gnu11", "-no-pie", "-w")
_TIMEOUT = 300.0
_LIBRARY = "libc.a"
# What an architecture, and the macros that define system calls, put before their names
_ENTRY = re.compile(r"^__(?:x64|arm64|se|do)_(?=sys_)")
_FIELD = re.compile(r"^ \* (?P<name>[A-Z][a-z]+): (?P<value>.+)$", re.MULTILINE)


@dataclass(frozen=True)
class Operation:
    """One operation.

    ``unit`` is what it does once per unit of ``sizes``, ``reaches`` are functions of the kernel that it must call:
    "sys_x" is the entry of a system call, however the architecture names it, and "a|b" is a name that differs
    between kernels. ``options`` are the symbols of the configuration (without CONFIG_) that it needs, ``machines``
    those that it runs on, if not all. ``timed`` is set if it writes times, which differ between kernels.
    """

    name: str
    unit: str
    sizes: tuple[int, ...]
    reaches: tuple[str, ...]
    options: tuple[str, ...]
    machines: tuple[str, ...] = ()
    timed: bool = False

    @property
    def source(self) -> Path:
        """Its program."""
        return FOLDER / f"{self.name}.c"

    def missed(self, ran: Collection[str]) -> list[str]:
        """Which of the functions that it must call are not among those that ran."""
        known = {_ENTRY.sub("", name) for name in ran} | set(ran)
        return [name for name in self.reaches if known.isdisjoint(name.split("|"))]


def catalogue() -> tuple[Operation, ...]:
    """All operations, by name."""
    sources = sorted(path for path in FOLDER.glob("*.c") if path.name != MAIN)
    return tuple(_operation(path) for path in sources)


def of_machine(machine: Machine) -> tuple[Operation, ...]:
    """The operations that a machine can run."""
    name = machine.name
    return tuple(o for o in catalogue() if not o.machines or name in o.machines)


def chosen(
    patterns: Sequence[str], known: Sequence[Operation]
) -> tuple[Operation, ...]:
    """The known operations whose names match one of the patterns, as in a shell; all if there is none.

    Raises UserError for a pattern that no name matches.
    """
    names = [each.name for each in known]
    for pattern in patterns:
        if not filter_names(names, pattern):
            raise UserError(
                f"there is no operation {pattern}: 'bench --list' lists all"
            )
    wanted = {
        name for pattern in patterns or ["*"] for name in filter_names(names, pattern)
    }
    return tuple(each for each in known if each.name in wanted)


def _operation(path: Path) -> Operation:
    head = path.read_text("ascii").partition("*/")[0]
    said = {match["name"]: match["value"] for match in _FIELD.finditer(head)}
    words = {name: tuple(text.split()) for name, text in said.items()}
    sizes, reaches = tuple(map(int, words["Sizes"])), words["Reaches"]
    how = words.get("Options", ()), words.get("Machines", ())
    timed = said.get("Bytes") == "times"
    return Operation(path.stem, said["Unit"], sizes, reaches, *how, timed)


def program(operations: Sequence[Operation], place: Path, machine: Machine) -> Path:
    """Write the program that runs these operations into a folder, and return its path.

    Raises UserError if it does not compile here.
    """
    (place / "table.h").write_text(_table(operations), "ascii")
    compile_ = [_compiler(machine), *FLAGS, f"-I{FOLDER}", f"-I{place}"]
    objects = [f"{operation.name}.o" for operation in operations]
    for each, made in zip(operations, objects, strict=True):
        named = f"-DNAME=op_{each.name}"
        must([*compile_, named, "-c", "-o", made, str(each.source)], place)
    must([*compile_, "-static", "-o", PROGRAM, str(FOLDER / MAIN), *objects], place)
    return place / PROGRAM


def ramdisk(operations: Sequence[Operation], place: Path, machine: Machine) -> Path:
    """The same as /init of an initial ramdisk; returns its path."""
    program(operations, place, machine)
    argv = ["cpio", "--quiet", "-o", "-H", "newc", "-O", RAMDISK]
    must(argv, place, stdin=f"{PROGRAM}\n")
    return place / RAMDISK


def require(machine: Machine) -> None:
    """Raise UserError that names what building or booting a kernel of a machine lacks here."""
    compiler = _compiler(machine)
    needed = [machine.qemu[0], compiler, "gcc", "cpio", *machine.target.programs]
    missing = [each for each in dict.fromkeys(needed) if shutil.which(each) is None]
    if compiler not in missing:
        asked = run([compiler, f"-print-file-name={_LIBRARY}"], Path("/"), _TIMEOUT)
        # With a path if there is one
        if asked.out.strip() == _LIBRARY:
            missing.append(_LIBRARY)
    if missing:
        raise UserError(
            f"bench --target {machine.name} needs {', '.join(missing)}: "
            f"apt install {machine.target.packages}"
        )


def _compiler(machine: Machine) -> str:
    return f"{machine.target.cross_compile}gcc"


def _table(operations: Sequence[Operation]) -> str:
    """The header with a row for each operation and size."""
    names = [each.name for each in operations]
    sizes = [(each.name, size) for each in operations for size in each.sizes]
    lines = [
        "struct row { const char *name; int size; const struct operation *operation; };",
        *(f"extern const struct operation op_{name};" for name in names),
        "static const struct row table[] = {",
        *(f'\t{{ "{name}", {size}, &op_{name} }},' for name, size in sizes),
        "\t{ NULL, 0, NULL }",
        "};\n",
    ]
    return "\n".join(lines)


def must(argv: Sequence[str], place: Path, stdin: str | None = None) -> None:
    """Run what compiles the operations in a folder. Raises UserError if it fails or is not installed."""
    try:
        outcome = run(argv, place, _TIMEOUT, stdin=stdin)
    except MissingProgram as error:
        raise UserError(f"bench needs {argv[0]}: install it") from error
    if outcome.status != 0:
        said = outcome.err.strip().splitlines() or ["no message"]
        raise UserError(f"the operations do not compile: {said[0]}")
