# SPDX-License-Identifier: GPL-2.0
"""The language server's request handlers, over standard input and output."""

import asyncio
import os
import sys
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from lsprotocol import types
from pygls.io_ import StdoutWriter, run_async
from pygls.lsp.server import LanguageServer
from pygls.uris import to_fs_path

from hotcocci import __version__
from hotcocci.cli.lsp import commands
from hotcocci.errors import UserError
from hotcocci.layout import IMPORTS
from hotcocci.output import lsp
from hotcocci.output.lsp import Log, Result
from hotcocci.pipeline.settings import Settings
from hotcocci.tree.kernel import find_root
from hotcocci.tree.select import SUFFIXES


@dataclass
class Session:
    """The state of one connection, used by one event loop only.

    By URI, ``known`` has the analysed text and its findings, ``work`` the running analyses.
    ``ending`` are cancelled analyses, ``complaint`` is the last error shown to the user,
    ``outside`` are the C files, named or not, in no kernel tree.
    """

    server: LanguageServer
    settings: Settings
    known: dict[str, tuple[str, Log]] = field(default_factory=dict)
    work: dict[str, asyncio.Task[None]] = field(default_factory=dict)
    ending: set[asyncio.Task[None]] = field(default_factory=set)
    complaint: str = ""
    outside: set[str] = field(default_factory=set)
    turns: asyncio.Semaphore = field(init=False)

    def __post_init__(self) -> None:
        """Limit concurrency to --jobs."""
        self.turns = asyncio.Semaphore(self.settings.jobs)

    def look_at(self, uri: str, pause: float = 0.0) -> None:
        """Analyse the editor's text after ``pause`` seconds; cancels an analysis that still runs."""
        path = self._path(uri)
        if path is None:
            return
        self._stop(uri)
        self.work[uri] = asyncio.create_task(self._look(uri, path, pause))

    def forget(self, uri: str) -> None:
        """Cancel the analysis of a closed file and clear its findings."""
        self._stop(uri)
        if self.known.pop(uri, None) is not None:
            self._publish(uri, [])

    def stop(self) -> None:
        """Cancel all analyses."""
        for uri in list(self.work):
            self._stop(uri)

    async def end(self) -> None:
        """Cancel all analyses and wait for them to stop."""
        self.stop()
        await asyncio.gather(*self.ending, return_exceptions=True)

    def show(self, uri: str) -> None:
        """Publish the findings at their positions in the editor's text."""
        if uri in self.known:
            _, log = self.known[uri]
            self._publish(uri, lsp.diagnostics(self.results(uri), log, self.shown(uri)))

    def results(self, uri: str) -> list[Result]:
        """Return the findings of a file at their positions in the editor's text."""
        seen, log = self.known.get(uri, ("", Log()))
        return lsp.moved(log.results, seen, self._text(uri)) if log.results else []

    def shown(self, uri: str) -> lsp.View:
        """Return the editor's text of a file."""
        return lsp.view(self._text(uri), self.server.workspace.position_codec)

    def is_current(self, uri: str) -> bool:
        """Whether the editor's text is the analysed one, which alone the edits apply to."""
        return uri in self.known and self.known[uri][0] == self._text(uri)

    def admits(self, result: Result) -> bool:
        """Whether a finding has a rewrite that the options allow."""
        # A violation has no tier.
        return bool(result.fix) and result.tier in (None, *self.settings.tiers)

    def complain(self, message: str) -> None:
        """Show an error to the user, unless it is the one shown last."""
        if message != self.complaint:
            self.complaint = message
            self._say(types.MessageType.Error, message)

    def _say(self, kind: types.MessageType, message: str) -> None:
        self.server.window_show_message(
            types.ShowMessageParams(kind, f"hotcocci: {message}")
        )

    async def _look(self, uri: str, path: Path, pause: float) -> None:
        try:
            # The next edit cancels this.
            await asyncio.sleep(pause)
            async with self.turns:
                text = self._text(uri)
                log = await look(path, text, commands(self.settings))
            self.known[uri] = (text, log)
            self.complaint = ""
            self.show(uri)
        except (UserError, OSError) as error:
            # Earlier findings may be stale.
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
        """Return the path of a URI that names a C file of a kernel tree, saved or not, else None.

        Says the first time why C code is not analysed.
        """
        if not uri.startswith("file:"):
            document = self.server.workspace.text_documents.get(uri)
            if document is not None and document.language_id == "c":
                self._inform(uri, f"{uri} has no file name: save it into a kernel tree")
            return None
        name = to_fs_path(uri)
        if name is None or not name.endswith(SUFFIXES):
            return None
        path = Path(name)
        if find_root(path) is None:
            self._inform(uri, f"{name} is in no kernel tree: not analysed")
            return None
        return path

    def _inform(self, uri: str, message: str) -> None:
        """Say something of a file once."""
        if uri not in self.outside:
            self.outside.add(uri)
            self._say(types.MessageType.Info, message)

    def _text(self, uri: str) -> str:
        return self.server.workspace.get_text_document(uri).source

    def _publish(self, uri: str, found: list[types.Diagnostic]) -> None:
        document = self.server.workspace.text_documents.get(uri)
        version = document.version if document is not None else None
        self.server.text_document_publish_diagnostics(
            types.PublishDiagnosticsParams(uri, found, version)
        )


START = "import sys; from hotcocci.cli.main import main; sys.exit(main())"
# Seconds between SIGTERM and SIGKILL.
PATIENCE = 5.0
# Seconds without a keystroke after which edited text is analysed
PAUSE = 0.3


def serve(settings: Settings) -> int:
    """Serve one editor until it exits; returns the exit code."""
    return asyncio.run(_serve(settings))


async def _serve(settings: Settings) -> int:
    # Full text sync: with incremental sync, pygls takes a form feed for the end of a line.
    server = LanguageServer("hotcocci", __version__, types.TextDocumentSyncKind.Full)
    session = Session(server, settings)
    _answer(server, session)
    loop = asyncio.get_running_loop()
    # Not server.start_io(): its thread would still wait for input after a signal.
    reader = asyncio.StreamReader()
    protocol = asyncio.StreamReaderProtocol(reader)
    await loop.connect_read_pipe(lambda: protocol, sys.stdin)
    server.protocol.set_writer(StdoutWriter(sys.stdout.buffer))
    try:
        await run_async(
            threading.Event(),
            reader,
            server.protocol,
            error_handler=server.report_server_error,
        )
    except asyncio.IncompleteReadError:
        pass  # The editor exited within a message.
    finally:
        await session.end()
    # The editor exited without a shutdown request.
    return 1


def _answer(server: LanguageServer, session: Session) -> None:
    """Register the request handlers."""

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def opened(params: types.DidOpenTextDocumentParams) -> None:
        session.look_at(params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_SAVE)
    def saved(params: types.DidSaveTextDocumentParams) -> None:
        session.look_at(params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def changed(params: types.DidChangeTextDocumentParams) -> None:
        session.show(params.text_document.uri)
        session.look_at(params.text_document.uri, PAUSE)

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def closed(params: types.DidCloseTextDocumentParams) -> None:
        session.forget(params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_HOVER)
    def hover(params: types.HoverParams) -> types.Hover | None:
        results = session.results(params.text_document.uri)
        return lsp.hover(results, params.position.line)

    @server.feature(
        types.TEXT_DOCUMENT_CODE_ACTION,
        types.CodeActionOptions(code_action_kinds=[types.CodeActionKind.QuickFix]),
    )
    def actions(params: types.CodeActionParams) -> list[types.CodeAction]:
        only = params.context.only
        if only is not None and types.CodeActionKind.QuickFix not in only:
            return []
        first, last = params.range.start.line, params.range.end.line
        return [
            action
            for result in session.results(params.text_document.uri)
            if result.line <= last and first <= result.end_line
            for action in _actions(session, params.text_document.uri, result)
        ]

    @server.feature(types.SHUTDOWN)
    def shutdown(_: None) -> None:
        # Answered at once, as some editors send "exit" without waiting for the answer.
        session.stop()


def _actions(session: Session, uri: str, result: Result) -> list[types.CodeAction]:
    """Return the code actions for a finding in the editor's text."""
    shown = session.shown(uri)
    # Without edits, it is shown as disabled.
    offered: list[tuple[str, list[types.TextEdit]]] = []
    if session.admits(result):
        tier = f"tier {result.tier}, " if result.tier is not None else ""
        title = f"{result.rule}: rewrite ({tier}not compiled)"
        if session.is_current(uri):
            offered.append((title, lsp.rewriting(result, shown)))
        elif _disabling(session):
            offered.append((title, []))
    allowing = lsp.allowing(result, shown)
    if allowing:
        offered.append((f"{result.rule}: suppress with a comment", allowing))
    kind = types.CodeActionKind.QuickFix
    about = [lsp.diagnostic(result, shown)]
    why = types.CodeActionDisabled("the text was just edited: wait a moment")
    return [
        types.CodeAction(title, kind, about, edit=_edit(session, uri, edits))
        if edits
        else types.CodeAction(title, kind, disabled=why)
        for title, edits in offered
    ]


def _edit(
    session: Session, uri: str, edits: list[types.TextEdit]
) -> types.WorkspaceEdit:
    """Return edits of the editor's current text, tied to its version if the client supports that."""
    workspace = session.server.client_capabilities.workspace
    able = workspace.workspace_edit if workspace is not None else None
    if able is None or not able.document_changes:
        return types.WorkspaceEdit(changes={uri: edits})
    version = session.server.workspace.get_text_document(uri).version
    document = types.OptionalVersionedTextDocumentIdentifier(uri, version)
    return types.WorkspaceEdit(
        document_changes=[types.TextDocumentEdit(document, list(edits))]
    )


def _disabling(session: Session) -> bool:
    """Whether the editor can show disabled code actions."""
    document = session.server.client_capabilities.text_document
    able = document.code_action if document is not None else None
    return able is not None and bool(able.disabled_support)


async def look(path: Path, text: str, asked: Sequence[list[str]]) -> Log:
    """Run these commands on a file with this text, saved or not, and merge their findings.

    Raises UserError with the error of a command that fails. On cancellation all processes, including
    their children, are stopped before this returns.
    """
    tasks = [asyncio.create_task(_run(path, text, command)) for command in asked]
    try:
        logs = await asyncio.gather(*tasks)
    finally:
        # If one fails, or we are cancelled, stop the others.
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    found = (result for log in logs for result in log.results)
    return Log(
        tuple(sorted(found, key=lambda result: result.line)),
        tuple(dict.fromkeys(reason for log in logs for reason in log.skipped)),
    )


async def _run(path: Path, text: str, command: list[str]) -> Log:
    # hotcocci need not be installed: run.py works from a checkout.
    # But nothing is imported from the folder that the editor has opened, which may be a tree.
    given = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    paths = [str(IMPORTS), *filter(os.path.isabs, given)]
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-P", "-c", START, *command, str(path)),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
    )
    try:
        # Half of a character in UTF-16 has no bytes.
        out, err = await process.communicate(text.encode("utf-8", "replace"))
    finally:
        await _end(process)
    if process.returncode not in (0, 1):
        said = err.decode("utf-8", "replace").strip().splitlines()
        reason = (
            said[-1]
            if said
            else f"{command[0]} exited with status {process.returncode}"
        )
        raise UserError(reason.removeprefix("hotcocci: "))
    try:
        return lsp.read(out.decode("utf-8"), path.resolve().as_uri())
    except ValueError as error:
        raise UserError(
            f"cannot parse the output of {command[0]} for {path}: {error}"
        ) from error


async def _end(process: asyncio.subprocess.Process) -> None:
    if process.returncode is not None:
        return
    # On SIGTERM it stops its own workers and programs.
    process.terminate()
    try:
        await asyncio.wait_for(process.wait(), PATIENCE)
    except asyncio.TimeoutError:
        process.kill()
        await process.wait()
