# SPDX-License-Identifier: GPL-2.0
"""``new-rule CODE STEM``: write the skeleton of a rule; its case fails until it is filled in."""

from __future__ import annotations

import argparse
import re
import shutil
from pathlib import Path

from hotcocci.errors import UserError
from hotcocci.layout import IMPORTS, INSTALLED

CODE = re.compile(r"UA\d{3}")
STEM = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")
# Has a whole rule, the module before the semantic patch.
GUIDE = "docs/adding-a-rule.md"

BLOCK = re.compile(r"^```(?:python|c)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# What that rule says, and the calls that it is about
_SAID = re.compile(r'"[^"\n]*"|(?<=^/// ).*$', re.MULTILINE)
_CALLS = re.compile(r"clear_user|put_user")

_CASE = """// SPDX-License-Identifier: GPL-2.0
{header}#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{{
	if (put_user(k->a, &u->a)){mark}
		return -EFAULT;

	return 0;
}}
"""
_HEADER = """/*
 * Title: TODO: what the case is about
 * Row: TODO: the condition it stands for
 */
"""
_MARK = "\t/* want: {code} rewrite - - - - */"


def define(parser: argparse.ArgumentParser) -> None:
    """Add the description and options of the command to its parser."""
    parser.description = (
        "Write a module, a semantic patch and a case. The case fails until the "
        "rule is filled in: see docs/adding-a-rule.md."
    )
    parser.add_argument(
        "code", metavar="CODE", help="UA and three digits, such as UA205"
    )
    parser.add_argument(
        "stem", metavar="STEM", help="file name of the rule, such as clear_scalar"
    )
    parser.add_argument(
        "--checkout",
        type=Path,
        default=IMPORTS,
        metavar="DIR",
        help="checkout of hotcocci to write to (default: this one)",
    )


def run(options: argparse.Namespace) -> int:
    """Write the files, all or none, and print their names; returns the exit code."""
    code, stem = options.code, options.stem
    if INSTALLED and options.checkout == IMPORTS:
        raise UserError("a rule is written into a checkout: name one with --checkout")
    if not CODE.fullmatch(code):
        raise UserError(f"{code!r} is not a valid code: use UA and three digits")
    if not STEM.fullmatch(stem):
        raise UserError(
            f"{stem!r} is not a valid stem: use lower-case words joined by _"
        )
    _refuse_existing(options.checkout, code, stem)
    files = skeleton(options.checkout, code, stem)
    _write({options.checkout / name: text for name, text in files.items()})
    for name in files:
        print(name)
    return 0


def _refuse_existing(checkout: Path, code: str, stem: str) -> None:
    rules = checkout / "hotcocci/rules"
    if not rules.is_dir():
        raise UserError(
            f"{checkout} is not a checkout of hotcocci: name one with --checkout"
        )
    there = [
        *rules.glob(f"{code.lower()}_*"),
        *rules.glob(f"*_{stem}*"),
        checkout / "kernel-fixtures" / code,
        checkout / "cocci" / f"{stem}.cocci",
    ]
    for path in there:
        if path.exists():
            taken = path.relative_to(checkout)
            raise UserError(f"{taken} already exists: choose another code or stem")


def _write(files: dict[Path, str]) -> None:
    """Write new files, all or none. Raises UserError if one cannot be written."""
    made: list[Path] = []
    try:
        for path, text in files.items():
            if not path.parent.exists():
                path.parent.mkdir()
                made.append(path.parent)
            made.append(path)
            path.write_text(text, encoding="utf-8")
    except OSError as error:
        _remove(made)
        raise UserError(f"cannot write {error.filename}: {error.strerror}") from error
    except KeyboardInterrupt:
        _remove(made)
        raise


def _remove(made: list[Path]) -> None:
    for path in reversed(made):
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)


def skeleton(checkout: Path, code: str, stem: str) -> dict[Path, str]:
    """The files of a new rule, relative to the checkout; its case fails until judge() finds it."""
    guide = (checkout / GUIDE).read_text(encoding="utf-8")
    case = Path("kernel-fixtures") / code / f"{stem.replace('_', '-')}.c"
    places = (
        Path("hotcocci/rules") / f"{code.lower()}_{stem}.py",
        Path("cocci") / f"{stem}.cocci",
    )
    texts = [_SAID.sub(_to_do, text) for text in BLOCK.findall(guide)]
    texts = [_CALLS.sub("TODO", text).replace("UA205", code) for text in texts]
    return {
        **dict(zip(places, texts, strict=True)),
        case: _CASE.format(header=_HEADER, mark=_MARK.format(code=code)),
        case.with_suffix(".after"): _CASE.format(header="", mark=""),
    }


def _to_do(said: re.Match[str]) -> str:
    """TODO for a sentence, in the quotes that it is in; a single word stays."""
    return re.sub(r"[^\"]+", "TODO", said[0]) if " " in said[0] else said[0]
