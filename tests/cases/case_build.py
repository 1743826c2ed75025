# SPDX-License-Identifier: GPL-2.0
"""Compile a text in a miniature tree, and run it as a program."""

import functools
import subprocess
from dataclasses import dataclass

from case_files import FIXTURES

HARNESS = FIXTURES / "harness"
PARTS = ("memory", "credentials", "cred_2011", "driver")


class BuildError(Exception):
    """The text does not compile."""


class ViolationError(Exception):
    """The simulated user memory stopped the program, or it crashed."""


@dataclass(frozen=True)
class Call:
    """One line of the driver's output: how subject() was called, and the result."""

    situation: str
    fields: dict[str, str]

    @property
    def without_fault(self):
        """Whether all user memory was accessible."""
        return self.situation.startswith("good ") and self.situation.endswith(
            " fault=0"
        )

    @property
    def injected(self):
        """Whether one access was made to fault."""
        return not self.situation.endswith(" fault=0")


@functools.cache
def options(tree, name):
    """The compiler's options in the tree's Makefile."""
    command = ["make", "-s", "--no-print-directory", name]
    return tuple(in_tree(tree, command).stdout.split())


def in_tree(tree, command):
    """Run a command in a tree's directory."""
    return subprocess.run(
        command,
        check=False,
        cwd=FIXTURES / tree,
        capture_output=True,
        text=True,
        timeout=60,
    )


def includes(tree, header):
    """The -I options of a tree, in which ``header`` is include/linux/uaccess.h."""
    own = [f"-I{header.parents[1]}"] if header else []
    return [*own, *options(tree, "includes")]


def compile_text(tree, source, header=None, *, library=False):
    """The object file of a source file, or a library, next to it."""
    target = source.with_name("libsubject.so") if library else source.with_suffix(".o")
    flags = [*includes(tree, header), *options(tree, "warnings")]
    # The driver has brought libc; looking for it takes the linker as long as all else.
    kind = ("-shared", "-fPIC", "-nostdlib") if library else ("-c",)
    done = in_tree(tree, ["gcc", *flags, *kind, "-o", str(target), str(source)])
    if done.returncode:
        raise BuildError(done.stderr)
    return target


def syntax_complaints(tree, source):
    """The messages of the compiler on a text that is not run; a third of the time of an object."""
    flags = [*includes(tree, None), *options(tree, "warnings")]
    return in_tree(tree, ["gcc", *flags, "-fsyntax-only", str(source)]).stderr


def sparse_complaints(tree, source, header=None):
    """The messages of sparse on a source file."""
    done = in_tree(tree, ["sparse", *includes(tree, header), str(source)])
    return done.stdout + done.stderr


def build_harness(tree, folder):
    """The driver and the simulation, a program that calls subject() of a library: linking libc takes longest."""
    program, stub = folder / tree / "driver", folder / tree / "stub.c"
    stub.parent.mkdir()
    stub.write_text("void subject(void)\n{\n}\n")
    sources = [str(HARNESS / f"{name}.c") for name in PARTS]
    argv = [*options(tree, "includes"), *options(tree, "warnings"), "-rdynamic"]
    compile_text(tree, stub, library=True)
    linked = ["-L", str(stub.parent), "-lsubject"]
    done = in_tree(tree, ["gcc", *argv, "-o", str(program), *sources, *linked])
    if done.returncode:
        raise BuildError(done.stderr)
    return program


def written_header(text, folder):
    """A file for include/linux/uaccess.h, None without a text."""
    if text is None:
        return None
    header = folder / "include/linux/uaccess.h"
    header.parent.mkdir(parents=True, exist_ok=True)
    header.write_text(text, encoding="utf-8")
    return header


def run_text(tree, text, harness, folder, name, header=None):
    """Compile a text, run it with the driver, and parse the output.

    ``header`` is include/linux/uaccess.h, if it is not the tree's own.
    """
    source = folder / name / f"{name}.c"
    source.parent.mkdir(parents=True, exist_ok=True)
    source.write_text(text, encoding="utf-8")
    compile_text(tree, source, written_header(header, folder), library=True)
    done = subprocess.run(
        [str(harness)],
        check=False,
        capture_output=True,
        text=True,
        timeout=60,
        env={"LD_LIBRARY_PATH": str(source.parent)},
    )
    if done.returncode:
        raise ViolationError(done.stderr or f"ended with {done.returncode}")
    return [read_call(line) for line in done.stdout.splitlines()]


def read_call(line):
    """``situation | name value | name value …``"""
    situation, *fields = line.split(" | ")
    pairs = (field.partition(" ") for field in fields)
    return Call(situation, {name: value for name, _, value in pairs})


def merged(trace):
    """Merge the accesses to adjacent bytes in a trace, as a copy makes them."""
    parts = []
    for word in trace.split():
        kind, _, rest = word.partition(":")
        place, _, content = rest.partition(":")
        if kind not in ("load", "store") or content.startswith("fault"):
            parts.append((word, 0, ""))
            continue
        at = int(place, 16)
        last, start, known = parts[-1] if parts else ("", 0, "")
        if last == kind and start + len(known) // 2 == at:
            parts[-1] = (kind, start, known + content)
        else:
            parts.append((kind, at, content))
    return " ".join(f"{k}:{at:#x}:{c}" if c else k for k, at, c in parts)


def copied_differences(before, after, strict):
    """The differences in behaviour between copies and the accesses that replace them.

    Without a fault everything must be the same except the number of accesses to the
    same bytes. As there may be more accesses than copies, a fault in one of them is
    compared with faults in the copies of the same call: the return value must be one of
    theirs, and in a strict comparison the contents of memory as well.
    """
    found = []
    old = {call.situation: call for call in before}
    faulted = {}
    for call in before:
        if call.injected:
            faulted.setdefault(_place(call), set()).add(_left(call, strict))
    for new in after:
        same = old.get(new.situation)
        if new.injected:
            if _left(new, strict) not in faulted.get(_place(new), set()):
                found.append(f"{new.situation}: it leaves {_left(new, strict)}")
            continue
        names = list(new.fields) if new.without_fault else ["ret"]
        for name in names:
            values = [call.fields[name] for call in (same, new)]
            if name == "trace":
                values = [merged(value) for value in values]
            if values[0] != values[1]:
                found.append(f"{new.situation}: {name} {values[0]} became {values[1]}")
    return found


def _left(call, strict):
    """The return value of a call and the resulting contents of memory."""
    names = [n for n in call.fields if n != "trace"] if strict else ["ret"]
    return tuple(call.fields[name] for name in names)


def _place(call):
    """The situation of a call, whichever access faulted."""
    return call.situation.rpartition(" fault=")[0]


def differences(before, after, strict, decided=False):
    """The differences in behaviour between two forms of a case.

    Without a fault everything must be the same: return value, accesses and calls in
    order, kernel-side and user-side values. With a fault, the return value must be the
    same, and in a strict comparison the rest as well, except accesses through a pointer
    that is not a user address at all, which a window refuses before the first of them.
    What such a pointer does is not compared if a person ``decided`` on that.
    """
    if [c.situation for c in before] != [c.situation for c in after]:
        return ["the number of accesses differs"]
    found = []
    for old, new in zip(before, after):
        if decided and not old.without_fault and not old.injected:
            continue
        names = ["ret"]
        if old.without_fault:
            names = list(old.fields)
        elif strict:
            names = [n for n in old.fields if old.injected or n != "trace"]
        for name in names:
            if old.fields[name] != new.fields[name]:
                found.append(
                    f"{old.situation}: {name} {old.fields[name]} became {new.fields[name]}"
                )
    return found
