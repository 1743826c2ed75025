# SPDX-License-Identifier: GPL-2.0
"""Run a semantic patch over many files and collect the facts it reports.

The script is started with ``-D report -D facts=FILE`` and appends one line to FILE for each source
file with matches: ``{"file": absolute path, "facts": {...}}``.

Facts are cached by the text that spatch gets: an excerpt, which most edits of a file leave unchanged.
"""

from __future__ import annotations

import hashlib
import shutil
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from hotcocci.c.excerpt import Excerpt, Wanted, excerpt, joined
from hotcocci.c.matches import renumbered
from hotcocci.cache import Cache
from hotcocci.engines.spatch_files import Outcome, run_all
from hotcocci.engines.spatch_process import Facts, Runner
from hotcocci.errors import UserError, unreadable
from hotcocci.findings import BUSY, Skip
from hotcocci.memo import recalled
from hotcocci.records import rebuilt
from hotcocci.tree.kernel import Tree
from hotcocci.tree.source import decode, read

# Why files were given up that took too long, by key.
_slow: dict[str, str] = {}

Progress = Callable[[int, int], None]


def _none(_text: str, _facts: Facts) -> list[int]:
    return []


def facts(
    tree: Tree,
    script: Path,
    files: Sequence[str],
    cache: Cache,
    jobs: int,
    timeout: int,
    progress: Progress | None = None,
    *,
    extra_inputs: Sequence[Path] = (),
    version: int | None = None,
    wanted: Wanted | None = None,
    check: Callable[[Facts], object] = bool,
    missed: Callable[[str, Facts], list[int]] = _none,
) -> tuple[dict[str, Facts], list[Skip]]:
    """Run the script over files: the facts of each by name, and the files that were skipped.

    ``files`` are relative to the tree, as are the keys of the result. ``timeout`` is in seconds
    per file, for all scripts together. ``extra_inputs`` are files, apart from the script and its
    macro file, that the result depends on; ``version`` is LINUX_VERSION_CODE. With ``wanted``,
    spatch gets excerpts, and simpler ones of wanted functions that it does not see; only wanted
    functions have facts then. ``check`` raises LookupError, TypeError or ValueError for facts
    of another shape, which the cache may have. ``missed`` are the lines of a text that its facts lack;
    they are added to the facts as "unseen". ``progress`` is called with the number of files done and their
    total. Raises UserError if spatch is missing or cannot run the script.
    """
    program = shutil.which("spatch")
    if program is None:
        raise UserError("spatch is not installed: apt-get install coccinelle")
    state = _state(program)
    common = _fingerprint(state, script, extra_inputs, version)
    found: dict[str, Facts] = {}
    skipped: dict[str, str] = {}
    texts: dict[str, bytes] = {}
    for file in files:
        try:
            texts[file] = read(tree.root / file)
        except OSError as error:
            skipped[file] = unreadable(error)

    parts = {
        file: excerpt(file, text, wanted) if wanted else Excerpt(joined(text), ())
        for file, text in texts.items()
    }
    keys = _keys(common, {file: part.text for file, part in parts.items()})

    def in_file(seen: Mapping[str, Facts]) -> dict[str, Facts]:
        """Facts with the lines of the whole files."""
        if wanted is None:
            return dict(seen)
        return {f: renumbered(each, parts[f].line) for f, each in seen.items()}

    def show() -> None:
        if progress:
            progress(len(found) + len(skipped), len(files))

    found |= in_file(_known_facts(cache, keys, check))
    rest = {file: part for file, part in parts.items() if file not in found}
    failure_keys = {file: f"failed {keys[file]}" for file in rest}
    slow_keys = _keys(b"slow %d" % timeout + state, {f: texts[f] for f in rest})
    skipped |= recalled(cache, failure_keys, lambda _, why: rebuilt(str, why))
    # A file that took too long is given up for all scripts of this run.
    skipped |= {f: _slow[key] for f, key in slow_keys.items() if key in _slow}
    show()

    def take(outcome: Outcome) -> None:
        fresh = {
            file: _with_missed(seen, parts[file].text, missed)
            for file, seen in outcome.facts.items()
        }
        found.update(in_file(fresh))
        failed = outcome.failed | outcome.slow
        skipped.update(failed)
        slow = {f: w for f, w in outcome.slow.items() if not w.startswith(BUSY)}
        _slow.update({slow_keys[file]: why for file, why in slow.items()})
        answers: dict[str, object] = {keys[file]: seen for file, seen in fresh.items()}
        cache.remember(answers | {failure_keys[f]: why for f, why in failed.items()})
        show()

    inputs = {file: part for file, part in rest.items() if file not in skipped}
    if inputs:
        with tempfile.TemporaryDirectory(prefix="hotcocci-") as folder:
            runner = Runner(program, tree, script.resolve(), timeout, Path(folder))
            run_all(runner, inputs, jobs, take, wanted.code if wanted else None)
    return found, [Skip(file, reason) for file, reason in sorted(skipped.items())]


def _with_missed(
    seen: Facts, text: bytes, missed: Callable[[str, Facts], list[int]]
) -> Facts:
    """Facts with the lines that they lack of the text they are of."""
    lines = missed(decode(text), seen)
    return seen | {"unseen": lines} if lines else seen


def _known_facts(
    cache: Cache, keys: Mapping[str, str], check: Callable[[Facts], object]
) -> dict[str, Facts]:
    def read(file: str, seen: Facts) -> Facts:
        if not isinstance(seen, dict):
            raise TypeError(f"these are no facts on {file}")
        if seen:
            check(seen)
        return seen

    return recalled(cache, keys, read)


def _keys(common: bytes, texts: Mapping[str, bytes]) -> dict[str, str]:
    """The cache key of an answer on each file; a script may look at the name."""
    before = hashlib.sha256(common).digest()
    return {
        file: hashlib.sha256(
            before
            + hashlib.sha256(file.encode("utf-8", "surrogateescape")).digest()
            + text
        ).hexdigest()
        for file, text in texts.items()
    }


def _state(program: str) -> bytes:
    """Identifies the installed spatch; asking it for its version takes longer than a known file."""
    path = Path(program).resolve()
    status = path.stat()
    return f"{path} {status.st_size} {status.st_mtime_ns}".encode(
        "utf-8", "surrogateescape"
    )


def _fingerprint(
    state: bytes, script: Path, extra_inputs: Sequence[Path], version: int | None
) -> bytes:
    """A hash of all inputs to an answer apart from the source file."""
    inputs = [script, script.parent / "macros.h", *extra_inputs]
    digest = hashlib.sha256(state)
    # It decides which accesses are missed.
    digest.update(str(version).encode())
    for file in inputs:
        try:
            data = read(file) if file != inputs[1] or file.exists() else b""
        except OSError as error:
            raise UserError(
                f"cannot read {file}: {error.strerror}: restore it"
            ) from error
        digest.update(hashlib.sha256(data).digest())
    return digest.digest()
