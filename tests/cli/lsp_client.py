# SPDX-License-Identifier: GPL-2.0
"""An LSP client for tests: pygls' client and a real server process."""

import asyncio
from contextlib import asynccontextmanager

from lsprotocol import types
from pygls.lsp.client import LanguageClient

from tests.shared import PROGRAM

SECONDS = 60.0

CAPABILITIES = types.ClientCapabilities(
    workspace=types.WorkspaceClientCapabilities(
        workspace_edit=types.WorkspaceEditClientCapabilities(document_changes=True)
    ),
    text_document=types.TextDocumentClientCapabilities(
        code_action=types.CodeActionClientCapabilities(disabled_support=True)
    ),
)


class Editor:
    """A connection: notifications from the server, and requests of an editor."""

    def __init__(self):
        """Create a client; it is not connected yet."""
        self.client = LanguageClient("editor", "1")
        self.published = asyncio.Queue()
        self.messages = []

        @self.client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        def published(params):
            self.published.put_nowait(params)

        @self.client.feature(types.WINDOW_SHOW_MESSAGE)
        def message(params):
            self.messages.append(params.message)

    @property
    def process(self):
        """The server."""
        return self.client._server

    def open(self, path, text=None):
        """Open a file with this text, by default its contents on disk."""
        text = path.read_text(encoding="utf-8") if text is None else text
        item = types.TextDocumentItem(path.as_uri(), "c", 1, text)
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))

    def change(self, path, version, text):
        """Edit the text without saving it."""
        item = types.VersionedTextDocumentIdentifier(version, path.as_uri())
        whole = [types.TextDocumentContentChangeWholeDocument(text)]
        params = types.DidChangeTextDocumentParams(item, whole)
        self.client.text_document_did_change(params)

    def save(self, path):
        """Notify the server that the file was saved."""
        item = types.TextDocumentIdentifier(path.as_uri())
        self.client.text_document_did_save(types.DidSaveTextDocumentParams(item))

    def close(self, path):
        """Close the file."""
        item = types.TextDocumentIdentifier(path.as_uri())
        self.client.text_document_did_close(types.DidCloseTextDocumentParams(item))

    async def diagnostics(self):
        """Wait for the next diagnostics."""
        params = await asyncio.wait_for(self.published.get(), SECONDS)
        return list(params.diagnostics)

    async def actions(self, path, line):
        """Request the code actions at a line."""
        item, at = types.TextDocumentIdentifier(path.as_uri()), types.Position(line, 0)
        context = types.CodeActionContext([])
        params = types.CodeActionParams(item, types.Range(at, at), context)
        found = await self.client.text_document_code_action_async(params)
        return [each for each in found or () if isinstance(each, types.CodeAction)]

    async def hover(self, path, line):
        """Request the hover text at a line."""
        item, at = types.TextDocumentIdentifier(path.as_uri()), types.Position(line, 0)
        found = await self.client.text_document_hover_async(types.HoverParams(item, at))
        if found is None:
            return ""
        assert isinstance(found.contents, types.MarkupContent)
        return found.contents.value

    async def leave(self):
        """Shut the server down; returns its exit code."""
        await asyncio.wait_for(self.client.shutdown_async(None), SECONDS)
        self.client.exit(None)
        return await asyncio.wait_for(self.process.wait(), SECONDS)


@asynccontextmanager
async def connected(*options):
    """Run a server with these options; it always ends."""
    editor = Editor()
    await editor.client.start_io(*PROGRAM, "lsp", *map(str, options))
    try:
        params = types.InitializeParams(CAPABILITIES)
        await asyncio.wait_for(editor.client.initialize_async(params), SECONDS)
        editor.client.initialized(types.InitializedParams())
        yield editor
    finally:
        if editor.process.returncode is None:
            editor.process.kill()
            await editor.process.wait()
        await editor.client.stop()


def in_editor(work, *options):
    """Do this in an editor whose server has these options."""

    async def run():
        async with connected(*options) as editor:
            await work(editor)

    asyncio.run(run())


def edited(text, edits):
    """Apply edits to an ASCII text as the protocol specifies."""
    starts = [0]
    for line in text.split("\n"):
        starts.append(starts[-1] + len(line) + 1)

    def offset(at):
        return starts[at.line] + at.character

    for edit in sorted(edits, key=lambda e: offset(e.range.start), reverse=True):
        start, end = offset(edit.range.start), offset(edit.range.end)
        text = text[:start] + edit.new_text + text[end:]
    return text
