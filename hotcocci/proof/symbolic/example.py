# SPDX-License-Identifier: GPL-2.0
"""Turn a counter-example into an input for the emulator, which shows both runs.

z3 assigns a value to each variable of a path. The variable's name, and the events on the path, say
which location it stands for. An input cannot express memory written by calls, and uninitialised bytes.
"""

import re
from collections import Counter
from dataclasses import dataclass, field
from itertools import combinations

import z3

from hotcocci.proof.symbolic import values as v
from hotcocci.proof.symbolic.joint import (
    Answered,
    Context,
    Different,
    Joint,
    Made,
    variables,
)
from hotcocci.proof.symbolic.memory import WORD, Place, Terms
from hotcocci.proof.symbolic.prover import Argument, Input, Memory, Origin, Result
from hotcocci.proof.symbolic.solver import Solver
from hotcocci.proof.symbolic.state import Access, Path, Routine, UnsupportedError
from hotcocci.proof.symbolic.values import Word

# User pointers are placed between this and its double: below 4 GB for compat_ptr().
USER = 1 << 29
# Where objects are placed, and the room for each.
FIRST, ROOM = 1 << 32, 1 << 20
# Names of variables: memory.py, user.py, step.py, equivalence.py.
MEMORY = re.compile(
    r"memory (\d+|constant|credentials \d+) ([\d.]*)\+(-?0x[0-9a-f]+)(?:\|\d+)?$"
)
FAULT = re.compile(r"fault (\d+) \w+ ([\d.]*)\+(-?0x[0-9a-f]+)(?: of \d+)?$")
LEFT = re.compile(r"left (\d+) ([\d.]*)\+(-?0x[0-9a-f]+) (\d+)$")
ARGUMENT = re.compile(r"argument (\d+)$")
KEY = "key "


@dataclass
class _Found:
    """Values by origin and the first fault, as read from a model."""

    model: z3.ModelRef
    terms: Terms
    values: dict[Origin, int] = field(default_factory=dict)
    keys: set[str] = field(default_factory=set)
    # Event number and address of the first fault
    fault: tuple[int, int] | None = None

    def value(self, word: Word) -> int:
        """The value of a word."""
        if isinstance(word, int):
            return word
        number = self.model.eval(word, model_completion=True)
        return int(number.as_long())

    def address(self, base: str, offset: int) -> int:
        """The address of a place, from the name of its base."""
        numbers = tuple(int(n) for n in base.split(".") if n)
        return self.value(self.terms.address(Place(numbers, offset)))


def example(context: Context, different: Different) -> Input | None:
    """Return an input that shows a difference; None if there is no model for its path."""
    joint = different.joint
    if joint is None:
        return None
    path = joint.path
    if not isinstance(different.condition, int):
        path = path.with_(different.condition)
    terms, kernel = context.terms, context.arch.layout.kernel
    path = _pinned(path, joint, terms, kernel)
    model = _modelled(path)
    if model is None:
        return None
    inside = _modelled(_inside(path, model, terms, kernel))
    found = _Found(model if inside is None else inside, terms)
    _read(found, sorted(_names(path)))
    _read_history(found, joint)
    if _overlaps(found, joint, path):
        return None
    hit = None
    if found.fault is not None:
        at = found.fault[1]
        made = [each for each in joint.history if isinstance(each, Made)]
        before = sum(0 <= at - found.value(m.address) < m.size for m in made)
        hit = (at, before + 1)
    return Input(found.values, frozenset(found.keys), hit)


def _modelled(path: Path) -> z3.ModelRef | None:
    """A model of a path; None if there is none, or if z3 gives up."""
    try:
        return Solver().model(path)
    except UnsupportedError:
        return None


def _where_possible(solver: Solver, path: Path, condition: z3.BoolRef) -> Path:
    """The path with a condition, or without it if it cannot hold or z3 gives up: what is only wanted."""
    wanted = path.with_(condition)
    try:
        return wanted if solver.possible(wanted) else path
    except UnsupportedError:
        return path


def _names(path: Path) -> set[str]:
    """The names of all variables of a path."""
    return {name for condition in path.conditions for name in variables(condition)}


def _pinned(path: Path, joint: Joint, terms: Terms, kernel: int) -> Path:
    """The path with user pointers well inside of user space, and kernel objects apart, where possible."""
    solver = Solver()
    for each in (*joint.history, *joint.events):
        address: Word = 0
        if isinstance(each, (Made, Access)):
            address = each.address
        elif isinstance(each, Routine):
            address = each.source if each.loads else each.target
        if not isinstance(address, int):
            inside = z3.LShR(address, USER.bit_length() - 1) == 1
            path = _where_possible(solver, path, inside)
    at = kernel + FIRST
    for object_ in _objects(path, joint, terms):
        pinned = _where_possible(solver, path, object_ == at)
        at += ROOM if pinned is not path else 0
        path = pinned
    return path


def _objects(path: Path, joint: Joint, terms: Terms) -> list[z3.BitVecRef]:
    """The pointers to objects of the kernel that a path depends on, or that are written."""
    matches = (MEMORY.match(name) for name in sorted(_names(path)))
    loaded = dict.fromkeys(match[2] for match in matches if match)
    bases = [int(base) for base in loaded if base and "." not in base]
    stored = (base for state in joint.states for base in state.heap.bases)
    # Negative numbers are of locals.
    bases += (base[0] for base in stored if len(base) == 1 and base[0] >= 0)
    return [terms.kept[base] for base in dict.fromkeys(bases)]


def _overlaps(found: _Found, joint: Joint, path: Path) -> bool:
    """Whether objects, apart where possible, overlap though the code does not ask for it: callers pass no such ones."""
    solver, given = Solver(), joint.path
    for one, other in combinations(_objects(path, joint, found.terms), 2):
        if abs(found.value(one) - found.value(other)) < ROOM // 2:
            apart = z3.And(z3.UGE(one - other, ROOM), z3.UGE(other - one, ROOM))
            if _where_possible(solver, given, apart) is not given:
                return True
    return False


def _inside(path: Path, model: z3.ModelRef, terms: Terms, kernel: int) -> Path:
    """The path with arguments that a model has at the end of the address space at an object, where possible.

    Of what they point to, nothing may be known; nothing is mapped at the end.
    """
    solver = Solver()
    for term in terms.kept:
        name = term.decl().name() if z3.is_const(term) else ""
        if not ARGUMENT.match(name):
            continue
        value = int(model.eval(term, model_completion=True).as_long())
        inside = z3.LShR(term - (kernel + FIRST), FIRST.bit_length()) == 0
        if value >= kernel + FIRST * ROOM:
            path = _where_possible(solver, path, inside)
    return path


def _read(found: _Found, names: list[str]) -> None:
    """Assign values by the names of variables."""
    first: dict[Origin, int] = {}
    for name in names:
        if argument := ARGUMENT.match(name):
            value = found.value(z3.BitVec(name, found.terms.width))
            found.values[Argument(int(argument[1]))] = value
        elif memory := MEMORY.match(name):
            at = found.address(memory[2], int(memory[3], 16))
            value = found.value(z3.BitVec(name, 8 * WORD))
            # Values after a call are set from the start: in a run no call changes memory.
            if memory[1] == "0":
                first[Memory(at, WORD)] = value
            else:
                found.values.setdefault(Memory(at, WORD), value)
        elif name.startswith(KEY):
            if z3.is_true(found.model.eval(z3.Bool(name))):
                found.keys.add(name.removeprefix(KEY))
        elif fault := FAULT.match(name):
            if z3.is_true(found.model.eval(z3.Bool(name))):
                at = found.address(fault[2], int(fault[3], 16))
                this = int(fault[1]), at
                found.fault = min(found.fault or this, this)
        elif left := LEFT.match(name):
            size = int(left[4])
            done = size - found.value(z3.BitVec(name, found.terms.width))
            at = found.address(left[2], int(left[3], 16)) + done
            found.fault = int(left[1]), at
    found.values.update(first)


def _read_history(found: _Found, joint: Joint) -> None:
    """Values from user memory and from calls."""
    calls: Counter[str] = Counter()
    for each in joint.history:
        if isinstance(each, Answered):
            name = each.name
            if each.target is not None:
                name = f"*{found.value(each.target):#x}"
            variable = z3.BitVec(f"result {each.moment} {each.name}", 16 * WORD)
            result = v.extract(variable, 8 * WORD - 1, 0)
            found.values[Result(name, calls[name])] = found.value(result)
            calls[name] += 1
        elif each.data is not None:
            at = found.value(each.address)
            found.values.setdefault(Memory(at, each.size), found.value(each.data))
