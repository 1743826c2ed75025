# SPDX-License-Identifier: GPL-2.0
"""Compile the code of a task, so that any machine can compare it: no tree, no build, no compiler."""

import re
import struct
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from pathlib import Path

from hotcocci.engines import compiler
from hotcocci.engines.compiler import ERROR, clang, compile_file
from hotcocci.errors import EngineError, TryAgain
from hotcocci.findings import Execution
from hotcocci.machine.elf import ObjectFile
from hotcocci.proof.changed import Changed, aligned, changed_lines, is_layout
from hotcocci.proof.objects import marks
from hotcocci.proof.objects.compiled import (
    Compilation,
    CompiledUnit,
    ExecutionError,
    NotCompiledError,
    compiled_unit,
)
from hotcocci.proof.objects.placed import optional, outlined, placed, unknown
from hotcocci.proof.objects.seen import (
    Preprocessed,
    Unseen,
    definitions,
    expanded,
    preprocessed,
    unseen,
    wrong,
)
from hotcocci.proof.objects.unlike import unlike
from hotcocci.proof.objects.varying import VARYING
from hotcocci.proof.objects.variants import ASKED, Variant, asked, variants
from hotcocci.proof.symbolic import arm64, powerpc
from hotcocci.proof.symbolic.architecture import Architecture
from hotcocci.proof.symbolic.x86 import X86
from hotcocci.proof.task import NO_MORE, Task
from hotcocci.proof.users import meant_otherwise
from hotcocci.tree.build import Build, BuildError
from hotcocci.tree.command import Command, commands
from hotcocci.tree.source import lay, moved
from hotcocci.tree.targets import X86_64

POWERPC = ("TASK_SIZE", "PAGE_OFFSET")
KUAP = "offsetof(struct task_struct, thread.kuap)"
ARM64 = ("TASK_SIZE_MAX", "offsetof(struct thread_info, ttbr0)")
# Like include/linux/kbuild.h, but the values are read from data symbols.
_HEAD = "#include <linux/sched.h>\n#include <linux/uaccess.h>\n"


def processor_for(build: Build) -> Architecture | None:
    """Return the processor for a build's target, None if there is none.

    clang builds have none: the compiler flags for the emulator are gcc's. Raises ExecutionError if
    constants of the tree cannot be read, and BuildError if there is no compiler.
    """
    name = build.target.name
    if name == "x86-64":
        return X86(build.tree)
    if name == "powerpc-8xx":
        return powerpc.PowerPC32(*_numbers(build, POWERPC))
    if name in powerpc.SEGMENTS:
        return powerpc.PowerPC32(*_numbers(build, (*POWERPC, KUAP)))
    if name == "arm64":
        return arm64.Arm64(*_numbers(build, ARM64))
    return None


@lru_cache(maxsize=16)
def _numbers(build: Build, expressions: tuple[str, ...]) -> tuple[int, ...]:
    """Return the values of constant C expressions in a build's configuration.

    Raises ExecutionError if they do not compile, and BuildError if there is no compiler.
    """
    file = build.target.probe
    command = commands(build, [file]).get(file)
    if command is None:
        raise ExecutionError(f"{file} is not compiled")
    names = [f"hotcocci_number_{n}" for n in range(len(expressions))]
    lines = (
        f"const unsigned long long {name} = {each};\n"
        for name, each in zip(names, expressions, strict=True)
    )
    with tempfile.TemporaryDirectory(prefix="hotcocci-") as folder:
        place = Path(folder)
        lay(build.tree, {file: _HEAD + "".join(lines)}, place / "tree")
        compiled = compile_file(build, command, place / "tree", place / "numbers.o")
        if compiled.object is None:
            raise ExecutionError(f"constants do not compile: {compiled.error}")
        obj = ObjectFile(compiled.object)
    found = {s.name: s.address for s in obj.symbols if s.address is not None}
    numbers = []
    for name in names:
        section, at = found[name]
        (number,) = struct.unpack_from(f"{obj.order}Q", obj.data(section), at)
        numbers.append(number)
    return tuple(numbers)


# What the comparison with moved addresses shows
UNMASKED = "not every access uses the address that is masked for it, as before"

SAID = "clang, which compiles kernels, too, says: {}"

# Before 6.2, char has a sign on some architectures only.
SIGN, UNSIGNED = "char has no sign on another architecture", "-funsigned-char"

MEANT = "it may be other code beside what {} defines"

# Lines of preprocessed text that compile to nothing: places, definitions, and blank ones
_NO_CODE = re.compile(r"^(?:#(?! ?pragma).*)?\n", re.MULTILINE)

# Why a file cannot be compared
Failure = EngineError | BuildError | TryAgain


@dataclass(frozen=True)
class Code:
    """One compilation of a file, and a NOT_PROVEN result for each changed line without code in it."""

    unit: CompiledUnit
    unseen: tuple[Execution, ...]


@dataclass(frozen=True)
class CompiledFile:
    """A .c file that is compiled with a change, or why it is not.

    ``classic`` is the same without masked user access, if only that has code for some lines.
    ``otherwise`` are compilations of other kinds that the change asks for, each with what it means if only that one
    differs. ``unlike`` are functions that are not alike elsewhere, whatever a comparison says, and why.
    """

    file: str
    code: Code | Failure
    classic: Code | None = None
    otherwise: tuple[tuple[str, CompiledUnit | Failure], ...] = ()
    unlike: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class CompiledTask:
    """A changed file, and each .c file that is compiled with it.

    ``missing`` are those for which kbuild has no rule; ``left`` counts users of what changes in a
    header that are not compiled.
    """

    target: str
    file: str
    old: str
    new: str
    files: tuple[CompiledFile, ...]
    missing: tuple[str, ...]
    left: int


def compiled_task(task: Task) -> CompiledTask:
    """Compile the files of a task before and after the change, unless only its layout differs.

    Raises OSError if there is no room for temporary files.
    """
    build = task.build
    changed = changed_lines(task.file, task.old, task.new)
    files: list[CompiledFile] = []
    if not is_layout(changed.aligned):
        with tempfile.TemporaryDirectory(prefix="hotcocci-run-") as folder:
            scratch = Path(folder)
            places = (scratch / "before", scratch / "after")
            # The including files are copied too, so that they find the changed file next to them.
            padded = [aligned(o.file, o.old, o.new) for o in task.others]
            for side, (place, texts) in enumerate(
                zip(places, task.texts(), strict=True)
            ):
                same = {e.file: e.texts[side] for e in (*padded, changed.aligned)}
                lay(build.tree, {**texts, **same}, place)
            files = [
                _compiled(task, command, places, scratch, changed)
                for command in task.commands
            ]
    return CompiledTask(
        *(build.target.name, task.file, task.old, task.new),
        *(tuple(files), task.missing, task.left),
    )


def _compiled(
    task: Task,
    command: Command,
    places: tuple[Path, Path],
    scratch: Path,
    changed: Changed,
) -> CompiledFile:
    try:
        processor = processor_for(task.build)
        if processor is None:
            why = f"code for {task.build.target.name} is not compared"
            raise ExecutionError(why)
    except (EngineError, BuildError, TryAgain) as error:
        return CompiledFile(command.file, error)
    of_task = task.build, command, places, scratch, processor, changed
    how = Compilation(*of_task, headers=task.headers, functions=task.functions)
    if task.functions:
        given = changed.aligned
        try:
            said = expanded(how, 1, given.sides[1], "-dD")
        except EngineError as error:
            return CompiledFile(command.file, error)
        tree, folder = task.build.tree, task.build.target.folder
        names = tree, task.file, folder, task.functions, given.names
        always = [word for word in command.argv if word.endswith(".h")]
        other = meant_otherwise(*names, always, said)
        if other:
            return CompiledFile(command.file, ExecutionError(MEANT.format(other)))
    # What other files change may be seen in any function.
    own = how if task.others else how.alone()
    # Users of a header are not asked for what its functions name.
    return compiled_file(own, task.spreads, stops=not task.functions)


def compiled_file(how: Compilation, spreads: bool, stops: bool = False) -> CompiledFile:
    """Compile a file before and after a change, and otherwise, where that may show a difference.

    ``spreads`` is that of the task; ``stops``: not otherwise if it is not proven anyway.
    """

    changed, said = how.changed, preprocessed(how)
    try:
        unit = compiled_unit(how)
        # Before another compilation writes other dumps
        others = (*unlike(how, unit), *_of_clang(how)) if spreads else ()
        left = unseen(how, unit, said)
        varies = any(each.detail.endswith(VARYING) for each in left.all)
        if spreads and stops and (others or varies):
            others, spreads = (*others, ("", NO_MORE)), False
        masked = bool(left.all) and marks.MASKED in changed.aligned.texts[1]
        return CompiledFile(
            how.command.file,
            Code(unit, left.all),
            _classic(how, said, unit, left) if masked else None,
            tuple((v.why, _otherwise(how, v)) for v in _variants(how, spreads, said)),
            others,
        )
    except (EngineError, BuildError, TryAgain) as error:
        if how.left and isinstance(error, NotCompiledError):
            # What is left need not compile: a macro may make a variable static that is declared before.
            return compiled_file(replace(how, left={}), spreads, stops)
        return CompiledFile(how.command.file, error)


def _of_clang(how: Compilation) -> Iterable[tuple[str, str]]:
    """What clang says of the new side alone, for x86-64, with the function that it is in."""
    if how.build.target.name != X86_64.name:
        return
    command = how.command

    def said(side: int) -> tuple[compiler.Message, ...]:
        place = how.places[side]
        argv = moved(command.argv, how.build.tree, place)
        return clang(how.build, argv, place / command.file, place)

    new = said(1)
    old = said(0) if new else ()
    # What is written for gcc alone says nothing.
    if any(message.kind == ERROR for message in old):
        return
    text = how.changed.aligned.sides[1]
    lines = text.lines()
    for message in compiler.new(old, new):
        own = lines.get(message.line, ()) if message.file == text.file else ()
        functions = filter(None, map(text.function, own))
        yield next(functions, ""), SAID.format(message.text)


def _classic(
    how: Compilation, said: Preprocessed, usual: CompiledUnit, left: Unseen
) -> Code:
    """The compilation without masked user access; the old side is the ``usual`` one if it has none."""
    command = replace(how.command, argv=(*how.command.argv, marks.CLASSIC))
    own = replace(how, command=command)
    old = how.changed.aligned.sides[0]
    both = definitions(own, 0, old), said.definitions(0, old)
    codes = [_NO_CODE.sub("", each.text) for each in both]
    same = codes[0] == codes[1]
    unit = compiled_unit(own, usual.sides[0] if same else None)
    return Code(unit, unseen(own, unit, said, left).all)


def _variants(how: Compilation, spreads: bool, said: Preprocessed) -> Iterable[Variant]:
    given, own = how.changed.aligned, partial(asked, names=how.functions)
    texts = map(said.expanded, (0, 1), given.sides) if how.functions else ()
    if any(own(text) != text for text in texts):
        yield Variant(ASKED, rewritten=own)
    if _has_masks(how.changed):
        yield Variant(UNMASKED, (marks.SHIFTED,))
    if spreads:
        if UNSIGNED not in how.command.argv:
            yield Variant(SIGN, (UNSIGNED,))
        yield from variants(given, said.definitions(1, given.sides[1]))
        made = placed(given, said.expanded, said.definitions)
        yield from [made] if made is not None else ()
        made = outlined(given)
        yield from [made] if made is not None else ()
        yield from optional(given, said.expanded, partial(wrong, how))
        made = unknown(given, said.definitions, partial(wrong, how))
        yield from [made] if made is not None else ()


def _otherwise(how: Compilation, variant: Variant) -> CompiledUnit | Failure:
    try:
        return compiled_unit(replace(how, variant=variant))
    except ExecutionError as error:
        return ExecutionError(
            f"it cannot be said whether {variant.why}: compiled for that, {error}"
        )
    except EngineError as error:
        return error


def _has_masks(changed: Changed) -> bool:
    """Whether both sides mask as many addresses.

    If the change brings masks, the addresses of the other side are not masked; UW14 compares the names.
    """
    old, new = (len(marks.MASKS.findall(text)) for text in changed.aligned.texts)
    return 0 < old == new
