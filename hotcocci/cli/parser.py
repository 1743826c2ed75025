# SPDX-License-Identifier: GPL-2.0
"""The parser of the command line: errors in one line, with a suggestion."""

from __future__ import annotations

import argparse
import re
from typing import NoReturn

from hotcocci.errors import UserError

_WRONG = re.compile(r"invalid choice: '([^']*)'|unrecognized arguments: (\S+)")
_CHOICE = re.compile(r" \(choose from (.*)\)")


class Parser(argparse.ArgumentParser):
    """A parser that reports errors in one line, as the rest of the command line does."""

    def error(self, message: str) -> NoReturn:
        """Raise UserError instead of printing the usage."""
        raise UserError(
            f"{message}{self._suggestion(message)}: see '{self.prog} --help'"
        )

    def parse_known_args(  # type: ignore[override]
        self, args: list[str] | None = None, namespace: argparse.Namespace | None = None
    ) -> tuple[argparse.Namespace, list[str]]:
        """Parse, and report what a command does not know with that command's options at hand."""
        parsed, unknown = super().parse_known_args(args, namespace)
        if unknown:
            self.error(f"unrecognized arguments: {' '.join(unknown)}")
        return parsed, unknown

    def _suggestion(self, message: str) -> str:
        """The known word nearest to one that is wrong, as a question."""
        wrong = _WRONG.search(message)
        if wrong is None:
            return ""
        import difflib

        choices = _CHOICE.search(message)
        known = (
            re.findall(r"'([^']*)'", choices[1])
            if choices
            else re.findall(r"--[\w-]+", self.format_help())
        )
        near = difflib.get_close_matches(wrong[1] or wrong[2], known, 1, 0.7)
        return f" (did you mean {near[0]}?)" if near else ""
