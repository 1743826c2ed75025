# SPDX-License-Identifier: GPL-2.0
"""Find the kernel tree around a path, and probe its user access API.

Features are probed in the headers; the version of the tree is not used.
"""

import re
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from hotcocci.errors import UserError, told
from hotcocci.tree.source import read_text, without_comments

UACCESS = Path("include/linux/uaccess.h")
# Without a condition after it
_NUMBER = re.compile(r"^(VERSION|PATCHLEVEL|SUBLEVEL) = (\d+)$", re.MULTILINE)
# Beginning with a literal, it is searched for at several times the speed.
_UNALIGNED = re.compile(
    r"\n[ \t]*select[ \t]+HAVE_EFFICIENT_UNALIGNED_ACCESS[ \t]*$", re.MULTILINE
)
# The names that rewrites use, with the number of arguments that they are given. user_access_begin()
# had none until 5.0 and a type before the others in stable backports (594cc251fdd0), the accessors got
# their label in 4.8 (1bd4403d86a1); one direction alone can be opened since 5.7 (999a22890cb1).
WINDOW_FORMS = {
    "user_access_begin": 2,
    "user_read_access_begin": 2,
    "user_write_access_begin": 2,
    "unsafe_get_user": 3,
    "unsafe_put_user": 3,
    "unsafe_copy_to_user": 4,
}
# One cast each, without __always_inline. The kernel calls the first in a window in
# copy_compat_iovec_from_user(), the other in unsafe_compat_save_altstack().
PRECEDENTED = frozenset({"compat_ptr", "ptr_to_compat"})
# Up to the next condition
_LEFT_OUT = re.compile(
    rb"^[ \t]*#[ \t]*if[ \t]+0[ \t]*\n(?:(?![ \t]*#[ \t]*(?:if|el|endif)).*\n)*",
    re.MULTILINE,
)
CHECK = "tools/objtool/check.c"
_LIST = re.compile(r"uaccess_safe_builtin\[\]\s*=\s*\{(.*?)\n\};", re.DOTALL)
_NAME = re.compile(r'"(\w+)"')
LANDMARKS = (Path("Kconfig"), Path("Makefile"), UACCESS)


@dataclass(frozen=True)
class Features:
    """The features of a tree's user access API.

    ``scoped``: ``scoped_user_read_access()`` and the like exist. ``masked``: ``masked_user_access_begin()``
    exists; ``masked_directed``: its read and write forms too. ``masking_arches``: the architectures that define
    it; on others it is never used. ``arm_get_u64``: arm's ``__get_user()`` supports eight bytes. ``get_u64``: so
    does sparc32's, which keeps them in a register of four in 7.2. ``gain_arches``: the architectures that define
    ``user_access_begin()``; on others it is just ``access_ok()``. ``user_inline``: ``get_user_inline()`` and
    ``put_user_inline()`` exist. ``unaligned_arches``: the architectures that always have efficient unaligned
    accesses. ``window_names``: the names of ``WINDOW_FORMS`` that take these arguments on all architectures.
    ``version``: LINUX_VERSION_CODE, for code with a branch for each version; None if it is not known.
    """

    scoped: bool
    masked: bool
    masked_directed: bool
    arm_get_u64: bool
    get_u64: bool
    gain_arches: frozenset[str]
    masking_arches: frozenset[str] = frozenset()
    user_inline: bool = False
    unaligned_arches: frozenset[str] = frozenset()
    window_names: frozenset[str] = frozenset(WINDOW_FORMS)
    version: int | None = None


@dataclass(frozen=True)
class Tree:
    """A kernel tree: its absolute root, and its features."""

    root: Path
    features: Features


def is_root(folder: Path) -> bool:
    """Whether a folder is the root of a kernel tree."""
    return all((folder / landmark).is_file() for landmark in LANDMARKS)


def find_root(path: Path) -> Path | None:
    """The absolute root of the innermost kernel tree around a path, or None."""
    path = path.resolve()
    return next((folder for folder in (path, *path.parents) if is_root(folder)), None)


def find_tree(path: Path) -> Tree:
    """The kernel tree that contains a path.

    Raises UserError if there is none, or no such path.
    """
    if not path.exists():
        file, _, line = str(path).rpartition(":")
        if line.isdigit() and Path(file).exists():
            raise UserError(f"{path} names a line: name the file, or use 'why {path}'")
        raise UserError(
            f"{path} does not exist: name a kernel tree, or a folder or file in one"
        )
    root = find_root(path)
    if root is None:
        raise UserError(
            f"{path} is not in a kernel tree (no {UACCESS} above it): name a kernel tree, or a folder or file in one"
        )
    return Tree(root, probe(root))


def find_trees(path: Path) -> list[Tree]:
    """The tree that contains a path, or else the trees directly in that folder.

    Raises UserError if there is neither.
    """
    if path.is_dir() and find_root(path) is None:
        with told(f"read the folder {path}", "make it readable"):
            below = sorted(
                folder for folder in path.resolve().iterdir() if is_root(folder)
            )
        if below:
            return [Tree(root, probe(root)) for root in below]
    return [find_tree(path)]


def architectures(root: Path) -> frozenset[str]:
    """The architectures of a tree, by their directories in arch/."""
    return frozenset(folder.name for folder in root.glob("arch/*") if folder.is_dir())


def probe(root: Path) -> Features:
    """Probe the features in the headers; a missing header has none."""
    generic = _text(root / UACCESS)
    headers = {
        path.relative_to(root).as_posix(): _text(path)
        for path in root.glob("arch/*/include/asm/uaccess*.h")
    }
    arm = headers.get("arch/arm/include/asm/uaccess.h", "")
    sparc = headers.get("arch/sparc/include/asm/uaccess_32.h", "")

    def defining(macro: str, ending: str = "") -> frozenset[str]:
        """The architectures of which a header defines a macro."""
        return frozenset(
            path.split("/")[1]
            for path, header in headers.items()
            if path.endswith(ending) and defines(header, macro)
        )

    arm_get_u64 = "case 8:" in _macro(arm, "__get_user_err")
    return Features(
        scoped=defines(generic, "scoped_user_read_access"),
        masked=defines(generic, "masked_user_access_begin"),
        masked_directed=defines(generic, "masked_user_read_access_begin"),
        arm_get_u64=arm_get_u64,
        get_u64=arm_get_u64 and "unsigned long __gu_val" not in sparc,
        gain_arches=defining("user_access_begin", "/uaccess.h"),
        masking_arches=defining("masked_user_access_begin"),
        user_inline=defines(generic, "get_user_inline")
        and defines(generic, "put_user_inline"),
        unaligned_arches=frozenset(
            kconfig.parent.name
            for kconfig in root.glob("arch/*/Kconfig")
            if _UNALIGNED.search(_text(kconfig))
        ),
        window_names=frozenset(
            name
            for name, taken in WINDOW_FORMS.items()
            if defines(generic, name)
            and all(
                _arguments(h, name) <= {taken} for h in (generic, *headers.values())
            )
        ),
        version=_version(_text(root / "Makefile")),
    )


def kernel_version(version: int, patchlevel: int, sublevel: int) -> int:
    """KERNEL_VERSION() of include/linux/version.h."""
    return (version << 16) + (patchlevel << 8) + min(sublevel, 255)


def version_name(version: int | None) -> str:
    """A LINUX_VERSION_CODE as it is written, "6.12.117"; empty if it is not known."""
    if version is None:
        return ""
    return f"{version >> 16}.{version >> 8 & 0xFF}.{version & 0xFF}"


def _version(makefile: str) -> int | None:
    """LINUX_VERSION_CODE, as the top Makefile computes it."""
    numbers = dict(_NUMBER.findall(makefile))
    if numbers.keys() != {"VERSION", "PATCHLEVEL", "SUBLEVEL"}:
        return None
    return kernel_version(
        *(int(numbers[name]) for name in ("VERSION", "PATCHLEVEL", "SUBLEVEL"))
    )


def _text(header: Path) -> str:
    with told(f"read {header}", "make it readable"), suppress(FileNotFoundError):
        return read_text(header)
    return ""


def defines(header: str, macro: str) -> bool:
    """Whether the text of a header defines a macro, in any branch of its #ifs but one of ``#if 0``."""
    defined = rf"^[ \t]*#[ \t]*(define|undef)[ \t]+{macro}\b"
    if macro not in header or not re.search(defined, header, re.MULTILINE):
        return False
    # It may be in a comment only; few headers need that search.
    code = without_comments(header.encode("utf-8", "surrogateescape"))
    code = _LEFT_OUT.sub(b"", code)
    return re.findall(defined.encode(), code, re.MULTILINE)[-1:] == [b"define"]


def _arguments(header: str, name: str) -> set[int]:
    """The number of arguments in definitions of a macro or function; a name for another one takes its."""
    found: set[int] = set()
    # Most have none of them, and are searched slowly.
    if name not in header:
        return found
    defined = rf"^[ \t]*#[ \t]*define[ \t]+{name}\b(\([^)]*\))?[ \t]*(\w*)"
    for parameters, other in re.findall(defined, header, re.MULTILINE):
        if parameters:
            found.add(_count(parameters))
        elif other != name:
            found |= _arguments(header, other) if other else set()
    function = rf"^(?!#)[^#\n(]*\b{name}(\([^()]*\))\s*\{{"
    return found | {_count(p) for p in re.findall(function, header, re.MULTILINE)}


def _count(parameters: str) -> int:
    inside = parameters[1:-1].strip()
    return inside.count(",") + 1 if inside not in ("", "void") else 0


def _macro(header: str, name: str) -> str:
    """The definition of a function-like macro with its continuation lines; empty if none."""
    found = re.search(
        rf"^[ \t]*#[ \t]*define[ \t]+{name}\((?:.*\\\n)*.*$", header, re.MULTILINE
    )
    return found.group() if found else ""


@lru_cache(maxsize=16)
def uaccess_safe(tree: Path) -> frozenset[str]:
    """The functions that may be called with user access open; none if the tree has no objtool."""
    source = tree / CHECK
    text = read_text(source) if source.is_file() else ""
    listed = _LIST.search(text)
    return frozenset(_NAME.findall(listed[1]) if listed else ())


# Functions that may sleep: UW09 instead of UW06. Includes names that only occur in objects.
SLEEPS = frozenset(
    "schedule cond_resched __cond_resched might_sleep __might_sleep __might_resched mutex_lock mutex_lock_interruptible "
    "might_fault __might_fault mutex_lock_killable down down_read down_write down_interruptible down_killable msleep msleep_interruptible "
    "usleep_range usleep_range_state ssleep wait_for_completion wait_on_bit preempt_schedule "
    "preempt_schedule_notrace preempt_schedule_thunk dynamic_cond_resched dynamic_might_resched "
    "__SCT__cond_resched __SCT__might_resched lock_page folio_lock "
    "mmap_read_lock mmap_write_lock synchronize_rcu flush_work".split()
)
SLEEPING_FAMILIES = (
    "schedule_timeout",
    "wait_event",
    "mutex_lock_",
    "down_read_",
    "down_write_",
)
# Functions that open and close user access themselves: UW10
OPENS = frozenset(
    "get_user put_user __get_user __put_user copy_from_user copy_to_user __copy_from_user __copy_to_user "
    "_copy_from_user _copy_to_user copy_in_user clear_user __clear_user strncpy_from_user strnlen_user "
    "copy_struct_from_user get_user_inline put_user_inline raw_copy_from_user raw_copy_to_user".split()
)


# String functions, each a call unless its size is constant
COPIES = frozenset("memcpy memmove memset memcmp memchr strlen strcpy strncpy".split())
# Macros that always call a function, and inline functions that do with several processors or without
# FORTIFY_SOURCE, which expands a strscpy() of a constant
CALLS = re.compile(
    r"_?printk(?:_once|_ratelimited)?|(?:pr|dev|netdev)_(?:emerg|alert|crit|err|warn|notice|info|debug|dbg)\w*|WARN(?:_ONCE)?|trace_\w+"
    r"|strscpy(?:_pad)?"
    r"|(?:raw_)?(?:spin|read|write)_(?:try|un)?lock(?:_bh|_irq|_irqsave|_irqrestore|_nested)?"
)


def may_sleep(name: str) -> bool:
    """Whether a function of this name may sleep."""
    return name in SLEEPS or name.startswith(SLEEPING_FAMILIES)
