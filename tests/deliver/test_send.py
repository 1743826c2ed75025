# SPDX-License-Identifier: GPL-2.0
"""Sending to a real SMTP server on loopback, confirmed on a real terminal."""

import os
import pty
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email import message_from_bytes, policy
from email.message import EmailMessage

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session

QUESTION = b"anything else to cancel: "
EVERYONE = {
    *("ada@lamps.example", "bob@lamps.example", "lamps@lists.example"),
    *("eve@sound.example", "zoe@example.org", "kernel@lists.example"),
}
LAMP = EVERYONE - {"eve@sound.example"}
PLAYER = {"eve@sound.example", "zoe@example.org", "kernel@lists.example"}

Send = Callable[..., tuple[int, str]]


@dataclass
class Handler:
    """The server: accepts mails, rejects an address, or hangs up after some mails."""

    taken: list[Envelope] = field(default_factory=list)
    refused: str = ""
    hangs_up_behind: int = -1

    async def handle_RCPT(
        self, _: SMTP, __: Session, envelope: Envelope, address: str, ___: list[str]
    ) -> str:
        if address == self.refused:
            return f"550 5.1.1 <{address}>: no such user"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: SMTP, _: Session, envelope: Envelope) -> str:
        if len(self.taken) == self.hangs_up_behind:
            server.transport.abort()
            return "421 going down"
        self.taken.append(envelope)
        return "250 OK"

    @property
    def mails(self) -> list[EmailMessage]:
        """The accepted mails, in order of arrival."""
        return [
            message_from_bytes(bytes(one.content or b""), policy=policy.default)  # type: ignore[misc]
            for one in self.taken
        ]


@pytest.fixture
def server(git) -> Iterator[Handler]:
    """The server, configured for git send-email in the user's settings."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    handler = Handler()
    controller = Controller(handler, hostname="127.0.0.1", port=port)
    controller.start()
    git("config", "--global", "sendemail.smtpServer", "127.0.0.1")
    git("config", "--global", "sendemail.smtpServerPort", str(port))
    # User settings must not add recipients.
    git("config", "--global", "sendemail.to", "else@example.org")
    for command in ("ccCmd", "toCmd"):
        git("config", "--global", f"sendemail.{command}", "echo else@example.org; true")
    yield handler
    controller.stop()


@pytest.fixture
def signed(git, run) -> None:
    """A reviewed, signed-off branch."""
    assert run("--branch", "hot") == 0
    git("rebase", "-q", "--signoff", "master", "hot")
    git("switch", "-q", "master")


@pytest.fixture
def send(run, signed, server, monkeypatch) -> Send:
    """Run the command on a terminal; returns its exit code and output."""

    def start(answer: str, *arguments: str) -> tuple[int, str]:
        terminal, slave = pty.openpty()
        output: list[bytes] = []
        user = threading.Thread(target=answering, args=(terminal, answer, output))
        user.start()
        try:
            with (
                open(slave, "r", closefd=False) as typed,
                open(slave, "w", buffering=1, closefd=False) as shown,
                monkeypatch.context() as here,
            ):
                here.setenv("TERM", "dumb")
                here.setattr(sys, "stdin", typed)
                here.setattr(sys, "stderr", shown)
                code = run("--branch", "hot", "--send", *arguments)
        finally:
            os.close(slave)
            user.join()
            os.close(terminal)
        return code, b"".join(output).decode().replace("\r", "")

    return start


def answering(terminal: int, answer: str, output: list[bytes]) -> None:
    """The user: reads the output, and answers when asked."""
    asked = False
    while True:
        try:
            output.append(os.read(terminal, 4096))
        except OSError:  # Linux raises it once the other end is closed.
            return
        if not asked and QUESTION in b"".join(output):
            asked = True
            os.write(terminal, f"{answer}\n".encode())


def test_every_mail_arrives_once_below_the_cover_letter(git, server, send):
    code, output = send("3")
    assert code == 0, output
    assert "3 mails to 6 addresses via 127.0.0.1, from " in output
    cover, *patches = server.mails
    assert [str(mail["Subject"]) for mail in server.mails] == [
        "[PATCH 0/2] Use user access windows",
        "[PATCH 1/2] light: lamp: use user access windows",
        "[PATCH 2/2] ALSA: player: Use user access windows in player_get()",
    ]
    assert [set(one.rcpt_tos) for one in server.taken] == [EVERYONE, LAMP, PLAYER]
    assert len({mail["Message-ID"] for mail in server.mails}) == 3
    for mail in patches:
        assert mail["In-Reply-To"] == mail["References"] == cover["Message-ID"]
        assert "Signed-off-by: Päul Tester <paul@example.org>" in mail.get_content()
    assert "In-Reply-To" not in cover
    # The current date, not that of the commits.
    assert {mail["Date"].datetime.year for mail in server.mails} == {
        datetime.now(UTC).year
    }
    assert all(len(mail.get_all("Date")) == 1 for mail in server.mails)
    assert "4 rewrites in 2 files" not in patches[0].get_content()
    # Applying the mails recreates the branch.
    git("switch", "-q", "-c", "taken")
    for one in server.taken[1:]:
        git("am", "-q", stdin=bytes(one.content or b"").decode())
    assert git("diff", "hot", "taken") == ""
    git("switch", "-q", "master")
    code, output = send("3")
    assert code == 0
    assert "nothing to send: 3 mails already sent" in output
    assert len(server.taken) == 3


@pytest.mark.parametrize("answer", ["", "03"])
def test_nothing_is_sent_without_the_number(git, server, send, answer):
    code, output = send(answer)
    assert code == 2
    assert output.endswith("hotcocci: nothing was sent: the answer was not 3\n")
    assert server.taken == []
    assert git("for-each-ref", "refs/hotcocci/sent") == ""


def test_nothing_is_sent_without_a_terminal(server, run, capsys):
    assert run("--branch", "hot", "--send") == 2
    output = capsys.readouterr().err
    assert "needs a terminal" in output
    assert output.count("\n") == 1
    assert server.taken == []


def test_after_a_lost_connection_the_rest_is_sent_later(server, send):
    server.hangs_up_behind = 1
    code, output = send("3")
    assert code == 2
    last = output.splitlines()[-1]
    assert "hotcocci: [PATCH 1/2] light: lamp: use user access windows was" in last
    assert "1 mail sent before it" in last
    server.hangs_up_behind = -1
    code, output = send("2")
    assert code == 0, output
    assert "2 mails to 6 addresses" in output
    assert "1 already sent" in output
    assert [str(m["Subject"])[:11] for m in server.mails] == [
        *("[PATCH 0/2]", "[PATCH 1/2]", "[PATCH 2/2]")
    ]
    assert server.mails[2]["In-Reply-To"] == server.mails[0]["Message-ID"]


def test_a_bcc_from_user_settings_is_shown(git, server, send):
    git("config", "--global", "sendemail.bcc", "paul@example.org")
    code, output = send("3")
    assert code == 0, output
    shown = "    also to paul@example.org (git send-email configuration)\n"
    assert output.count(shown) == 3
    assert "3 mails to 7 addresses" in output
    assert set(server.taken[2].rcpt_tos) == PLAYER | {"paul@example.org"}


def test_a_new_version_needs_its_number(git, server, send):
    assert send("3")[0] == 0
    git("switch", "-q", "hot")
    git("commit", "-q", "--amend", "-m", "ALSA: player: Mine", "--signoff")
    git("switch", "-q", "master")
    code, output = send("3")
    assert code == 2
    assert "send it as a new version with --reroll-count 2" in output
    code, output = send("3", "--reroll-count", "2")
    assert code == 0, output
    assert server.mails[-1]["Subject"] == "[PATCH v2 2/2] ALSA: player: Mine"
    code, output = send("3")
    assert code == 2
    assert "version 2 of the series was already sent" in output
    assert len(server.taken) == 6


def test_patches_without_sign_off_are_not_sent(git, server, send):
    git("switch", "-q", "hot")
    git("commit", "-q", "--amend", "-m", "ALSA: player: Mine")
    git("switch", "-q", "master")
    code, output = send("3")
    assert code == 2
    assert "1 of 2 patches lack a Signed-off-by" in output
    assert "git rebase --signoff HEAD hot" in output
    assert server.taken == []


def test_a_dry_run_lists_mails_and_recipients(git, server, run, tmp_path, capsys):
    out = tmp_path / "mails"
    third = ("--output", out, "--reroll-count", "3")
    assert run(*third, "--not-to", "zoe@example.org") == 0
    output = capsys.readouterr().err
    head = "[PATCH v3 0/2] Use user access windows\n    to ada@lamps.example, "
    assert head in output
    assert output.endswith("3 mails to 5 addresses: not sent, use --send\n")
    mail = out / "v3-0001-light-lamp-use-user-access-windows.patch"
    assert "zoe" not in mail.read_text()
    assert server.taken == []


@pytest.mark.parametrize(
    ("line", "output"),
    [
        ("--output mails --send", "name it with --branch"),
        ("--branch hot --b4 --send", "omit --send"),
        ("--branch hot --reroll-count 0", "is not a positive number"),
    ],
)
def test_conflicting_options(run, capsys, line, output):
    assert run(*line.split()) == 2
    assert output in capsys.readouterr().err
