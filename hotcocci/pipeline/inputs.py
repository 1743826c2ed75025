# SPDX-License-Identifier: GPL-2.0
"""Prepare kernel builds, and tell whether a file that a compilation in them reads has changed since.

That is what the file includes on any architecture (run.py), as engines define other macros than the
build, and what the build's compiler names, which knows its -I folders and the values of macros.
"""

import re
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

from hotcocci.cache import Cache, recalled
from hotcocci.engines import compiler
from hotcocci.pipeline.fingerprint import content as code_state
from hotcocci.pipeline.fingerprint import key
from hotcocci.pipeline.run import Reached
from hotcocci.pipeline.settings import Settings
from hotcocci.tree.build import Build, last_preparation, prepare
from hotcocci.tree.command import Command
from hotcocci.tree.kernel import Tree
from hotcocci.tree.select import headers_state
from hotcocci.tree.source import content
from hotcocci.tree.targets import Target

# What a preparation takes that was never made on this machine.
UNKNOWN = "about 20 MB, a minute or a few"


def prepared(tree: Tree, target: Target, settings: Settings) -> Build:
    """The build of a tree for a target, prepared first if necessary. Raises BuildError."""
    observer = settings.observer

    def announced(folder: Path) -> AbstractContextManager[object]:
        last = last_preparation(target, settings.cache_dir)
        said = UNKNOWN
        if last is not None:
            said = f"{last.size / 1e6:.0f} MB; the last one took {last.seconds:.0f} s"
        observer.warn(
            f"preparing a kernel for {target.name}, once for this tree, in {folder}: {said}"
        )
        return observer.progress(f"preparing a kernel for {target.name}")

    # Until it is known whether there is one, and while another run prepares it.
    with observer.progress(f"looking for the kernel for {target.name}"):
        return prepare(tree.root, target, settings.cache_dir, settings.jobs, announced)


Compilation = tuple[Build, Command]

_DIRECTIVE = re.compile(r"^[ \t]*#.*", re.MULTILINE)


class Inputs:
    """The state of what compilations of one tree read, looked up once per run."""

    def __init__(self, root: Path, cache: Cache, jobs: int) -> None:
        self._root = root
        self._cache = cache
        self._jobs = max(1, jobs)
        self._reached = Reached(root, root, cache, content)
        self._states: dict[Compilation, str] = {}

    def of_change(
        self, build: Build, commands: Sequence[Command], old: str, new: str
    ) -> str:
        """The state of what compilations read, both with the old text of a file and with the new one."""
        if _DIRECTIVE.findall(old) != _DIRECTIVE.findall(new):
            # The new text may include other headers.
            return headers_state(self._root, self._cache).hex()
        several = [(build, command) for command in commands]
        return " ".join(self.states(several).values())

    def states(self, wanted: Sequence[Compilation]) -> dict[Compilation, str]:
        """A text for each compilation that changes with anything that it reads but the file itself."""
        new = [each for each in wanted if each not in self._states]
        self._states |= self._found(new)
        return {each: self._states[each] for each in wanted}

    def _found(self, wanted: Sequence[Compilation]) -> dict[Compilation, str]:
        included = self._reached.states(command.file for _, command in wanted)
        keys = {each: self._key(each, included[each[1].file]) for each in wanted}

        def read(each: Compilation, row: Any) -> str:
            if self._reached.others(tuple(row["others"])) != row["state"]:
                raise ValueError(f"{each[1].file} has changed")
            return f"{included[each[1].file]} {row['state']}"

        states = recalled(self._cache, keys, read)
        unknown = [each for each in keys if each not in states]
        with ThreadPoolExecutor(self._jobs) as pool:
            found = list(pool.map(lambda each: compiler.reads(*each), unknown))
        fresh: dict[str, object] = {}
        for each, named in zip(unknown, found, strict=True):
            if named is None:
                # It does not compile, perhaps for lack of a header.
                states[each] = headers_state(self._root, self._cache).hex()
                continue
            others = tuple(sorted(named - self._known(each[1].file)))
            state = self._reached.others(others)
            fresh[keys[each]] = {"others": others, "state": state}
            states[each] = f"{included[each[1].file]} {state}"
        if fresh:
            self._cache.remember(fresh)
        return states

    def _known(self, file: str) -> set[str]:
        """The names of a file and of what it is known to include."""
        return {f"{self._root}/{path}" for path in (file, *self._reached.paths(file))}

    def _key(self, compilation: Compilation, included: str) -> str:
        build, command = compilation
        own = self._reached.own(command.file)
        parts = ("reads", str(build.out), command.file, own, included, *command.argv)
        return key(code_state(Path(compiler.__file__)), *parts)
