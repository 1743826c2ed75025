# SPDX-License-Identifier: GPL-2.0
"""What a language server knows of the files that are open, and the work on them."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from pathlib import Path

from lsprotocol import types
from pygls.lsp.server import LanguageServer
from pygls.uris import to_fs_path

from hotcocci.cli.lsp_runs import commands, look
from hotcocci.errors import UserError
from hotcocci.output import lsp
from hotcocci.output.sarif_results import Log, Result
from hotcocci.pipeline.settings import Settings
from hotcocci.tree.kernel import find_root
from hotcocci.tree.select import SUFFIXES
from hotcocci.tree.source import decode, readable


@dataclass
class Session:
    """The state of one connection; everything in it happens in one event loop.

    ``known`` are the text that was looked at and what was found in it, ``work`` the tasks
    that look, both by URI, and ``ending`` those that were told to stop. ``complaint`` is the last that the user was shown.
    """

    server: LanguageServer
    settings: Settings
    known: dict[str, tuple[str, Log]] = field(default_factory=dict)
    work: dict[str, asyncio.Task[None]] = field(default_factory=dict)
    ending: set[asyncio.Task[None]] = field(default_factory=set)
    complaint: str = ""
    turns: asyncio.Semaphore = field(init=False)

    def __post_init__(self) -> None:
        """Let as many files be looked at at once as the options say."""
        self.turns = asyncio.Semaphore(self.settings.jobs)

    def look_at(self, uri: str) -> None:
        """Look at a file as it is saved; whoever looks at it already stops."""
        path = self._path(uri)
        if path is None:
            return
        self._stop(uri)
        self.work[uri] = asyncio.create_task(self._look(uri, path))

    def forget(self, uri: str) -> None:
        """Stop looking at a file that was closed, and take its findings away."""
        self._stop(uri)
        if self.known.pop(uri, None) is not None:
            self._publish(uri, [])

    async def end(self) -> None:
        """End all work, and wait until it has ended."""
        for uri in list(self.work):
            self._stop(uri)
        await asyncio.gather(*self.ending, return_exceptions=True)

    def show(self, uri: str) -> None:
        """Tell the editor of the findings where they are in its text."""
        if uri in self.known:
            _, log = self.known[uri]
            self._publish(uri, lsp.diagnostics(self.results(uri), log, self.shown(uri)))

    def results(self, uri: str) -> list[Result]:
        """The findings of a file, where they are in the editor's text."""
        saved, log = self.known.get(uri, ("", Log()))
        return lsp.moved(log.results, saved, self._text(uri)) if log.results else []

    def shown(self, uri: str) -> lsp.View:
        """The text of a file in the editor."""
        return lsp.view(self._text(uri), self.server.workspace.position_codec)

    def is_saved(self, uri: str) -> bool:
        """Whether the editor's text is the one that was looked at, on which alone edits fit."""
        return uri in self.known and self.known[uri][0] == self._text(uri)

    def admits(self, result: Result) -> bool:
        """Whether the options admit the rewrite of a finding, if it has one."""
        tiers = (None, *self.settings.tiers)
        # What breaks a rule of windows has no tier.
        return bool(result.fix) and result.tier in tiers

    def complain(self, message: str) -> None:
        """Show the user what went wrong, once as long as it goes wrong."""
        if message != self.complaint:
            self.complaint = message
            self.server.window_show_message(
                types.ShowMessageParams(types.MessageType.Error, f"hotcocci: {message}")
            )

    async def _look(self, uri: str, path: Path) -> None:
        try:
            async with self.turns:
                saved = _read(path)
                log = await look(path, commands(self.settings))
                while saved != (now := _read(path)):
                    # Somebody wrote to it meanwhile.
                    saved = now
                    log = await look(path, commands(self.settings))
            self.known[uri] = (saved, log)
            self.complaint = ""
            self.show(uri)
        except (UserError, OSError) as error:
            # What was found before may be right no longer.
            self.known.pop(uri, None)
            self._publish(uri, [])
            self.complain(str(error))

    def _stop(self, uri: str) -> None:
        task = self.work.pop(uri, None)
        if task is not None:
            task.cancel()
            self.ending.add(task)
            task.add_done_callback(self.ending.discard)

    def _path(self, uri: str) -> Path | None:
        """The C file of a kernel tree that a URI names, None if it is none of these."""
        name = to_fs_path(uri)
        if name is None or not name.endswith(SUFFIXES):
            return None
        path = Path(name)
        return path if path.is_file() and find_root(path) is not None else None

    def _text(self, uri: str) -> str:
        return self.server.workspace.get_text_document(uri).source

    def _publish(self, uri: str, found: list[types.Diagnostic]) -> None:
        document = self.server.workspace.text_documents.get(uri)
        version = document.version if document is not None else None
        self.server.text_document_publish_diagnostics(
            types.PublishDiagnosticsParams(uri, found, version)
        )


def _read(path: Path) -> str:
    try:
        return readable(decode(path.read_bytes()))
    except OSError as error:
        raise UserError(f"cannot read {path}: {error.strerror}") from error
