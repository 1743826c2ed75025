# SPDX-License-Identifier: GPL-2.0
"""Compile both versions of a function to objects that the test kernel is linked with.

The whole file is compiled as kbuild does, with a caller appended. Only the caller is visible from
outside, so the compiler drops the rest of the file.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from hotcocci.engines.compiler import compile_file
from hotcocci.engines.machine.elf import ObjectFile
from hotcocci.proof.boot.arguments import Argument, NotCallable, constants
from hotcocci.proof.boot.folders import header_flags
from hotcocci.proof.boot.functions import Function
from hotcocci.tree.build import Build, BuildError
from hotcocci.tree.command import Command
from hotcocci.tree.overlay import lay
from hotcocci.tree.process import MissingProgram, run

SIDES = ("before", "after")
# Keep only what the tested function needs; uninitialised variables must not cause differences.
FLAGS = ("-fwhole-program", "-ftrivial-auto-var-init=zero")
# Macros that register a file's code (include/linux/{init,module,export}.h). They expand where they
# are used, so they can be redefined after the headers.
_SILENCED = (
    "___define_initcall(fn, id, sec)",
    "__define_initcall(fn, id)",
    "__exitcall(fn)",
    "__exitused",
    "__setup_param(string, name, fn, early)",
    "__EXPORT_SYMBOL(name, section, namespace)",
    "___EXPORT_SYMBOL(name, license, namespace)",
    "ALLOW_ERROR_INJECTION(name, type)",
    "__MODULE_INFO(tag, name, info)",
    "MODULE_DEVICE_TABLE(type, name)",
    "__module_param_call(prefix, name, ops, arg, perm, level, flags)",
)
# Symbols that a tested function may use: their results depend only on the arguments, and they have
# no side effects.
HARMLESS = re.compile(
    # arch/x86/lib/{getuser,putuser,usercopy_64,copy_user_64}.S, lib/usercopy.c
    r"__(?:get|put)_user_(?:nocheck_)?(?:1|2|4|8)|__(?:get|put)_user_bad|_?_?_?copy_(?:to|from)_user(?:_nofault)?"
    r"|_inline_copy_(?:to|from)_user|copy_user_generic\w*|rep_(?:movs|stos)_alternative|clear_user\w*|__clear_user"
    r"|strn(?:cpy|len)_(?:from_)?user|check_zeroed_user|__check_object_size|__copy_overflow"
    r"|mem(?:set|cpy|move|cmp|chr)|__mem(?:set|cpy|move)|str(?:n?len|n?cmp|n?cpy|scpy|lcpy)|sized_strscpy"
    # User address limits, patched at boot (arch/x86/kernel/vmlinux.lds.S).
    r"|USER_PTR_MAX|tlbstate_untag_mask|_?_?ref_stack_chk_guard|__stack_chk_(?:fail|guard)"
    # Added by the compiler and the build.
    r"|__fentry__|__x86_return_thunk|__x86_indirect_thunk_\w+|__might_fault|__might_sleep|__might_resched"
    r"|__cond_resched|_printk|__warn_printk|__ubsan_\w+|fortify_panic|__fortify_panic"
    # Pure conversions.
    r"|ns_to_timespec64|jiffies_to_\w+|__sw_hweight(?:32|64)|uuid_null|guid_null|[mun]secs_to_jiffies|__div64_32|div64_u64|div_s64_rem"
)
# Sections for state that persists between calls.
_STATE = re.compile(r"\.(?:data|bss)(?:$|\.(?!rel\.ro|\.ro_after_init|\.once))")


class NotCompiled(NotCallable):
    """The file does not compile in the test kernel's configuration."""


@dataclass(frozen=True)
class Caller:
    """A function and how to call it; ``symbol`` is the prefix of its callers' names."""

    function: Function
    arguments: tuple[Argument, ...]
    symbol: str


@dataclass(frozen=True)
class Subject:
    """A function that is linked in twice, called through the callers in its two ``objects``.

    Functions of one file may share the objects. ``file`` is the changed file, ``unit`` the compiled
    one.
    """

    file: str
    unit: str
    caller: Caller
    objects: tuple[Path, Path]


def compile_both(
    build: Build,
    command: Command,
    texts: Sequence[Mapping[str, str]],
    callers: Sequence[Caller],
    place: Path,
) -> tuple[Path, Path]:
    """Compile the functions before and after; return the two objects.

    ``texts`` are the files that differ from the tree, before and after, including the compiled one.
    Raises NotCallable if either does not compile or uses other symbols than allowed, BuildError if
    a program is missing, and OSError if there is no room.
    """
    objects = []
    for side, files in zip(SIDES, texts, strict=True):
        called = _silenced(files[command.file]) + "".join(
            _caller(caller, side) for caller in callers
        )
        tree = place / side / "tree"
        lay(build.tree, {**files, command.file: called}, tree)
        output = place / side / "subject.o"
        flags = (*FLAGS, *header_flags(build.tree, tree, command.file))
        compiled = compile_file(build, command, tree, output, flags)
        if compiled.object is None:
            raise NotCompiled(
                f"it does not compile in the test kernel: {compiled.error}"
            )
        _check(output, command.file)
        _hide(build, output, [f"{caller.symbol}_{side}" for caller in callers])
        objects.append(output)
    return objects[0], objects[1]


def _caller(caller: Caller, side: str) -> str:
    """C source that calls a function with words as arguments."""
    function, symbol = caller.function, f"{caller.symbol}_{side}"
    passed = ", ".join(
        f"({argument.type})arguments[{number}]"
        for number, argument in enumerate(caller.arguments)
    )
    call = f"{function.name}({passed})"
    nothing = function.returns.split() == ["void"]
    body = f"{call};\n\treturn 0;" if nothing else f"return (unsigned long){call};"
    sizes = ", ".join(argument.size for argument in caller.arguments) or "0"
    named = ", ".join(f"(unsigned long){name}" for name in constants(function)) or "0"
    visible = "__attribute__((externally_visible))"
    return f"""
const unsigned long {symbol}_sizes[] {visible} = {{ {sizes} }};
const unsigned long {symbol}_constants[] {visible} = {{ {named} }};
unsigned long {visible} {symbol}(const unsigned long *arguments)
{{
	{body}
}}
"""


def _silenced(text: str) -> str:
    """The source with registration macros disabled."""
    define = "".join(
        f"#undef {macro.split('(')[0]}\n#define {macro}\n" for macro in _SILENCED
    )
    at = _behind_headers(text)
    line = text.count("\n", 0, at) + 1
    return f"{text[:at]}{define}#line {line}\n{text[at:]}"


def _behind_headers(text: str) -> int:
    """The offset after the #includes at the head of a file, outside any #if."""
    depth = at = 0
    inside = False
    for line in re.finditer(r"^([^\n]*)\n", text, re.MULTILINE):
        if line[1] == "{":
            break
        word = re.match(r"\s*#\s*(if|endif|include)", line[1])
        kind = word[1] if word else ""
        depth += (kind == "if") - (kind == "endif")
        inside = inside or kind == "include"
        if kind and depth == 0 and inside:
            at, inside = line.end(), False
    return at


def _check(output: Path, file: str) -> None:
    """Raise NotCallable if an object has state or uses other symbols than allowed."""
    read = ObjectFile(output)
    needed = sorted(
        s.name
        for s in read.symbols
        # The first symbol names the file.
        if s.address is None
        and s.name not in ("", Path(file).name)
        and not HARMLESS.fullmatch(s.name)
    )
    if needed:
        more = f" and {len(needed) - 3} more" if len(needed) > 3 else ""
        raise NotCallable(f"it uses {', '.join(needed[:3])}{more}")
    for number, name in enumerate(read.section_names):
        if _STATE.match(name) and read.data(number):
            raise NotCallable("its file has static variables")


def _hide(build: Build, output: Path, symbols: Sequence[str]) -> None:
    """Make all symbols local except those of the callers."""
    seen = [f"{name}{end}" for name in symbols for end in ("", "_sizes", "_constants")]
    keep = [f"--keep-global-symbol={name}" for name in seen]
    said = tool(build, ["objcopy", *keep, str(output)])
    if said:
        raise NotCallable(f"objcopy refuses its object: {said}")


def tool(build: Build, argv: Sequence[str]) -> str:
    """Run one of the binutils; return its error message, empty on success."""
    try:
        outcome = run(argv, build.out, 60)
    except MissingProgram as error:
        raise BuildError(
            f"{error} is missing: install it (Debian: apt install binutils)"
        ) from error
    return "" if outcome.status == 0 else outcome.err.strip() or "no message"
