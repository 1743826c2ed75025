# SPDX-License-Identifier: GPL-2.0
"""Measure both sides of the functions that a change touches."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import capstone

from hotcocci.engines.machine.calls import noreturn
from hotcocci.engines.machine.elf import Address
from hotcocci.engines.machine.x86 import RETURN_THUNKS
from hotcocci.proof import costs
from hotcocci.proof.execution.image import Function, Image
from hotcocci.proof.execution.space import Registry
from hotcocci.proof.measure import runner
from hotcocci.proof.measure.choosing import Subject, choose
from hotcocci.proof.measure.figures import Measured, Timing, timing
from hotcocci.proof.measure.fixture import FixtureError, Variant, fixture
from hotcocci.proof.measure.machine import Machine
from hotcocci.proof.measure.objects import Linked, linked, listing
from hotcocci.proof.measure.processor import LAYOUT, NativeProcessor
from hotcocci.proof.measure.recording import Recorder, Recording
from hotcocci.proof.measure.stand_ins import STAND_INS, StandIn
from hotcocci.tree.build import Build
from hotcocci.tree.command import Command
from hotcocci.tree.unit import Unit

# Turns of each side, and the calls in one; the first calls of a turn warm the caches.
TURNS, WARM, CALLS = 200, 200, 1000
# The stand-in for variants other than stand-ins: a likely stac.
USUAL = StandIn(12)
# Left out when measured, on both sides, because a process that executes one is killed.
PRIVILEGED = frozenset(
    "cli sti hlt stac clac swapgs wrmsr rdmsr wrmsrns invlpg invpcid wbinvd invd clts "
    "in out insb insw insd outsb outsw outsd monitor mwait xsetbv vmcall vmmcall".split()
)


class Measurement:
    """Both sides of one compilation, compiled and ready to be measured.

    ``places`` are overlays of the tree before and after the change, ``lines`` the changed lines.
    Raises ExecutionError and CostsError if a side cannot be compiled or read, RunnerError if the
    runner cannot, and BuildError without a compiler.
    """

    def __init__(
        self,
        build: Build,
        command: Command,
        file: str,
        places: tuple[Path, Path],
        lines: tuple[frozenset[int], frozenset[int]],
        scratch: Path,
        machine: Machine,
    ) -> None:
        self._build, self._unit, self._scratch = build, command.file, scratch
        self._processor = NativeProcessor(build.tree, machine.features)
        self._registry = Registry(LAYOUT)
        self._program = runner.compiled(scratch)
        self._listings = [
            listing(build, command, place, scratch / f"{name}.s")
            for place, name in zip(places, ("old", "new"), strict=True)
        ]
        self._linked: dict[tuple[int, StandIn], Linked] = {}
        self._codes = [
            costs.Code(
                costs.Side(
                    Unit(build, command, place / command.file, place),
                    self._side(number, STAND_INS[0]).path,
                    changed,
                ),
                file,
            )
            for number, (place, changed) in enumerate(zip(places, lines, strict=True))
        ]

    def functions(self) -> list[str]:
        """The functions with code on changed lines that have code on both sides."""
        touched = self._codes[0].functions | self._codes[1].functions
        return sorted(f for f in touched if all(c.pieces(f) for c in self._codes))

    def measure(self, function: str) -> Measured:
        """Measure one of `functions`."""
        pieces = [code.pieces(function) for code in self._codes]
        chosen = [max(part, key=costs.rank) for part in pieces]
        holders = [piece.holder.name for piece in chosen]
        if holders[0] != holders[1]:
            return self._failed(
                function,
                f"it is inlined into {holders[0]}() before, {holders[1]}() after",
            )
        subjects = [
            self._subject(number, piece, function)
            for number, piece in enumerate(chosen)
        ]
        given = choose(subjects)
        if given is None:
            return self._failed(
                function,
                "no run of the emulator reaches the change on both sides without a fault",
            )
        recordings = [s.recorder.record(s.function, given) for s in subjects]
        found = Measured(
            self._unit,
            function,
            holders[0],
            accesses=_accesses(subjects, recordings),
            calls=(len(recordings[0].answers), len(recordings[1].answers)),
        )
        return self._timed(found, subjects, recordings)

    def _failed(self, function: str, why: str) -> Measured:
        return Measured(self._unit, function, why=why)

    def _side(self, number: int, stand_in: StandIn) -> Linked:
        """A side's object with a stand-in, assembled on first use."""
        key = number, stand_in
        if key not in self._linked:
            name = f"{('old', 'new')[number]}-{stand_in.name.replace(' ', '-')}.o"
            self._linked[key] = linked(
                self._build,
                self._listings[number],
                stand_in,
                self._scratch / name,
                self._processor,
                self._registry,
            )
        return self._linked[key]

    def _subject(self, number: int, piece: costs.Piece, function: str) -> Subject:
        """The emulator and the changed code of one side."""
        code, side = self._codes[number], self._side(number, STAND_INS[0]).side
        others = {
            f.name for f in self._side(1 - number, STAND_INS[0]).side.image.functions
        }
        own = {f.name for f in side.image.functions}
        recorder = Recorder(
            self._processor,
            side.image,
            side.signatures,
            frozenset(own - others | code.functions),
            noreturn=noreturn(self._build.tree),
            through=side.through,
        )

        def placed(address: Address) -> int:
            return side.image.bases[address.section] + address.offset

        changed = [i for i in code.code(piece.stretches) if code.touched(i)]
        return Subject(
            recorder,
            _named(side.image, piece.holder.name),
            frozenset(map(placed, piece.accesses)),
            frozenset(placed(insn.address) for insn in changed),
        )

    def _timed(
        self,
        found: Measured,
        subjects: Sequence[Subject],
        recordings: Sequence[Recording],
    ) -> Measured:
        """The timings of all stand-ins and variants."""
        timings: list[Timing] = []
        dropped: set[str] = set()
        for stand_in, variant in self._variants(recordings):
            paths = []
            try:
                for number, recording in enumerate(recordings):
                    path = self._scratch / f"fixture-{number}"
                    data, left = self._fixture(number, stand_in, recording, variant)
                    path.write_bytes(data)
                    paths.append(path)
                    dropped |= left
                turns = runner.time(self._program, paths, TURNS, WARM, CALLS)
            except (FixtureError, runner.RunnerError) as error:
                return Measured(found.unit, found.function, found.holder, str(error))
            timings.append(
                timing(stand_in.name, variant.thunks, variant.hardened, *turns)
            )
        return replace(found, dropped=tuple(sorted(dropped)), timings=tuple(timings))

    def _variants(
        self, recordings: Sequence[Recording]
    ) -> Iterator[tuple[StandIn, Variant]]:
        """The stand-ins with plain returns; the usual one also with thunks and without hardening."""
        for stand_in in STAND_INS:
            yield stand_in, Variant()
        if any(name in self._registry.symbols for name in RETURN_THUNKS):
            yield USUAL, Variant(thunks=True)
        names = {answer.name for r in recordings for answer in r.answers}
        if "__check_object_size" in names:
            yield USUAL, Variant(hardened=False)

    def _fixture(
        self, number: int, stand_in: StandIn, recording: Recording, variant: Variant
    ) -> tuple[bytes, set[str]]:
        """The fixture of one side, and the names of the privileged instructions left out."""
        side = self._side(number, stand_in).side
        image = side.image
        usual = self._side(number, STAND_INS[0]).side.image
        ran = {f.name for at in recording.instructions if (f := usual.function_at(at))}
        left = [
            (at, size, name)
            for f in image.functions
            if f.name in ran
            for at, size, name in _privileged(image, f)
        ]
        signature = side.signatures.of(recording.function.name)
        result = signature.result if signature is not None else None
        data = fixture(
            image,
            recording,
            _named(image, recording.function.name).start,
            {f.name: f.start for f in image.functions},
            variant,
            min(result.size, 8) if result is not None else 0,
            {at: b"\x90" * size for at, size, _ in left},
        )
        return data, {name for _, _, name in left}


def _named(image: Image, name: str) -> Function:
    return next(f for f in image.functions if f.name == name)


def _accesses(
    subjects: Sequence[Subject], recordings: Sequence[Recording]
) -> tuple[int, int, int, int]:
    """The changed accesses on the path and in the function, before and after."""
    reached = [
        len(s.accesses & frozenset(r.instructions))
        for s, r in zip(subjects, recordings, strict=True)
    ]
    every = [len(s.accesses) for s in subjects]
    return reached[0], every[0], reached[1], every[1]


def _privileged(image: Image, function: Function) -> Iterator[tuple[int, int, str]]:
    """The address, size and name of each privileged instruction of a function."""
    code = image.read(function.start, function.end - function.start)
    decoder = capstone.Cs(capstone.CS_ARCH_X86, capstone.CS_MODE_64)
    decoder.skipdata = True
    for address, size, name, _ in decoder.disasm_lite(code, function.start):
        if name.rpartition(" ")[2] in PRIVILEGED:
            yield address, size, name
