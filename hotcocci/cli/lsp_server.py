# SPDX-License-Identifier: GPL-2.0
"""The language server's request handlers, over standard input and output."""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import Callable
from typing import Any

from lsprotocol import types
from pygls.io_ import StdoutWriter, run_async
from pygls.lsp.server import LanguageServer

from hotcocci import __version__
from hotcocci.cli.lsp_session import Session
from hotcocci.errors import UserError
from hotcocci.output import lsp
from hotcocci.output.sarif_results import Result
from hotcocci.pipeline.settings import Settings

# Seconds without a keystroke after which edited text is analysed
PAUSE = 0.3
# Merges the editor's initializationOptions into the settings
Settle = Callable[[Any], Settings]


def serve(settings: Settings, settle: Settle) -> int:
    """Serve one editor until it exits; returns the exit code."""
    return asyncio.run(_serve(settings, settle))


async def _serve(settings: Settings, settle: Settle) -> int:
    # Full text sync: with incremental sync, pygls takes a form feed for the end of a line.
    server = LanguageServer("hotcocci", __version__, types.TextDocumentSyncKind.Full)
    session = Session(server, settings)
    _answer(server, session, settle)
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


def _answer(server: LanguageServer, session: Session, settle: Settle) -> None:
    """Register the request handlers."""

    @server.feature(types.INITIALIZE)
    def initialize(params: types.InitializeParams) -> None:
        try:
            session.settings = settle(params.initialization_options)
        except UserError as error:
            session.complain(f"{error}; ignoring initializationOptions")

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
    async def shutdown(_: None) -> None:
        await session.end()


def _actions(session: Session, uri: str, result: Result) -> list[types.CodeAction]:
    """Return the code actions for a finding in the editor's text."""
    shown = session.shown(uri)
    found = []
    if session.admits(result):
        tier = f"tier {result.tier}, " if result.tier is not None else ""
        title = f"{result.rule}: rewrite ({tier}not compiled)"
        if session.is_current(uri):
            edit = _edit(session, uri, lsp.rewriting(result, shown))
            found.append(_action(result, shown, title, edit))
        elif _disabling(session):
            why = "the text was just edited: wait a moment"
            found.append(
                types.CodeAction(
                    title,
                    types.CodeActionKind.QuickFix,
                    disabled=types.CodeActionDisabled(why),
                )
            )
    allowing = lsp.allowing(result, shown)
    if allowing:
        title = f"{result.rule}: suppress with a comment"
        edit = _edit(session, uri, allowing)
        found.append(_action(result, shown, title, edit))
    return found


def _action(
    result: Result, shown: lsp.View, title: str, edit: types.WorkspaceEdit
) -> types.CodeAction:
    return types.CodeAction(
        title,
        types.CodeActionKind.QuickFix,
        diagnostics=[lsp.diagnostic(result, shown)],
        edit=edit,
    )


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
