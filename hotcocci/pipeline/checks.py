# SPDX-License-Identifier: GPL-2.0
"""Compile and check many changes, with cached results.

Compiling a file twice takes seconds; the outcome depends on both texts, the files that
include it, the headers, the build, the programs and our own code.
"""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from hotcocci.engines.programs import PROGRAMS
from hotcocci.engines.programs import look as find_programs
from hotcocci.errors import UserError
from hotcocci.findings import Check, Cost, Count, Gain, Proof
from hotcocci.pipeline.fingerprint import fingerprint
from hotcocci.pipeline.settings import Settings
from hotcocci.proof import gate
from hotcocci.proof.task import execution
from hotcocci.tree.build import Build
from hotcocci.tree.includes import units
from hotcocci.tree.kernel import Tree
from hotcocci.tree.source import encode

# gcc, binutils and make are part of the build's name.
ASKED = ("sparse", "perl")


def check_changes(
    tree: Tree,
    wanted: Sequence[gate.Change],
    build: Build | None,
    settings: Settings,
) -> dict[str, Proof]:
    """Return the checks and costs of each change, by file; no file may occur twice.

    Raises UserError if there is no room for temporary files.
    """
    proofs: dict[str, Proof] = {}
    keys: dict[str, str] = {}
    try:
        with (
            settings.open_cache() as cache,
            settings.observer.progress("checks") as show,
        ):
            if build is not None and wanted:
                common = _fingerprint(tree, build)
                keys = {c.file: _key(common, tree, c, build) for c in wanted}
            known = cache.answers(list(keys.values()))
            for file, key in keys.items():
                proof = _from_json(file, known.get(key))
                if proof is not None:
                    proofs[file] = proof
            todo = [change for change in wanted if change.file not in proofs]
            for proof in gate.check_all(tree.root, todo, build, settings.jobs):
                proofs[proof.file] = proof
                if proof.file in keys:
                    cache.remember({keys[proof.file]: asdict(proof)})
                if show:
                    show(len(proofs), len(wanted))
    except OSError as error:
        raise UserError(
            f"cannot check the rewrites: {error.filename or tempfile.gettempdir()}: "
            f"{error.strerror}: free some space there, or set TMPDIR to another directory"
        ) from error
    return proofs


def _fingerprint(tree: Tree, build: Build) -> bytes:
    """Hash what a proof depends on, except for the change and the files that include it."""
    programs = find_programs([entry for entry in PROGRAMS if entry.name in ASKED])
    versions = [(found.path, found.version) for found in programs]
    style = tree.root / "scripts" / "checkpatch.pl"
    asked = f"proof {build.out} {versions}"
    others = [style] if style.exists() else []
    return fingerprint(asked, tree.root, Path(gate.__file__), *others)


def _key(common: bytes, tree: Tree, change: gate.Change, build: Build) -> str:
    compiled_as = units(tree.root, change.file, build.target.folder)
    others = [unit for unit in compiled_as if unit != change.file]
    digest = hashlib.sha256(common)
    for part in (change.file.encode(), encode(change.old), encode(change.new)):
        digest.update(hashlib.sha256(part).digest())
    for unit in others:
        digest.update(hashlib.sha256((tree.root / unit).read_bytes()).digest())
    return digest.hexdigest()


def _from_json(file: str, data: Any) -> Proof | None:
    if not isinstance(data, dict):
        return None
    return Proof(
        file,
        tuple(Check(**check) for check in data["checks"]),
        tuple(_gain(**gain) for gain in data["gains"]),
        tuple(execution(**each) for each in data["executions"]),
    )


def _gain(before: Any, after: Any, **others: str) -> Gain:
    return Gain(before=_cost(**before), after=_cost(**after), **others)


def _cost(success: Any, whole: Any, size: int) -> Cost:
    return Cost(Count(**success) if success else None, Count(**whole), size)
