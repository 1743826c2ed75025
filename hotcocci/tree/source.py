# SPDX-License-Identifier: GPL-2.0
"""Read and write source files byte-exactly, lay an overlay of a tree, and tell whether files have changed since an earlier run.

A stamp is taken without reading the file, and may also change when the file does not: a hard link to it
changes its inode (``cp -al``, ``rsync --link-dest``). Then its content tells.
"""

import atexit
import errno
import hashlib
import os
import re
import secrets
import shutil
import stat
import tempfile
import time
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path

from hotcocci.errors import UserError, is_of_machine, told

# One character per byte: spatch counts columns in bytes, and any encoding is preserved.
ENCODING = "latin-1"
# Bytes. The largest file of 7.2, a generated header, has 24 million.
MOST = 64 << 20

# Without groups, as the search for one of a few first characters is fast.
COMMENT_OR_STRING = re.compile(
    rb"""/\*.*?\*/|//[^\n]*|"[^"\\\n]*(?:\\.[^"\\\n]*)*"|'(?:\\[^\n][^'\n]{0,3}|[^'\\\n])'""",
    re.DOTALL,
)
_COMMENT = re.compile(rb"/(?:\*[^*]*\*+(?:[^/*][^*]*\*+)*/|/[^\n]*)")
# What begins a comment, perhaps within a string or a character.
_QUOTED = (re.compile(rb'"[^"\n]*/[/*]'), re.compile(rb"'\\[^\n]{0,3}/"))
_SLASH = ord("/")


def without_comments(data: bytes) -> bytes:
    """A source file with blanks for comments, on the same lines."""

    def blank(found: re.Match[bytes]) -> bytes:
        if found[0][0] != _SLASH:
            return found[0]
        return b"\n".join(b" " * len(line) for line in found[0].split(b"\n"))

    return COMMENT_OR_STRING.sub(blank, data)


def uncommented(data: bytes) -> bytes:
    """A source file, whose lines were joined at backslashes, with one blank for each comment."""
    if any(each.search(data) for each in _QUOTED):
        return COMMENT_OR_STRING.sub(
            lambda found: b" " if found[0][0] == _SLASH else found[0], data
        )
    # Without a call for each comment and string it takes a fifth of the time.
    return _COMMENT.sub(b" ", data)


def read(path: str | Path, most: int = MOST) -> bytes:
    """The contents of a regular file of at most ``most`` bytes.

    Raises OSError, also for anything else: a pipe would block, and a device never end.
    """
    _check(os.stat(path), path, most)
    return read_listed(path, most)


def read_listed(path: str | Path, most: int = MOST) -> bytes:
    """The same of a file that was just seen to be a regular one: to open a device may do something."""
    handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    # Not a stream, which takes as long as the rest: a tree has 60,000 files.
    try:
        status = os.fstat(handle)
        _check(status, path, most)
        # Those of /proc have no size, and to read one may fail, or do something.
        return os.read(handle, status.st_size + 1) if status.st_size else b""
    finally:
        os.close(handle)


def read_named(path: Path, most: int = MOST) -> bytes:
    """The contents of a file that the caller named, which may be a pipe.

    Raises OSError, also for more than ``most`` bytes: some devices never end.
    """
    with path.open("rb") as stream:
        data = stream.read(most + 1)
    _check_size(len(data), path, most)
    return data


def _check(status: os.stat_result, path: str | Path, most: int) -> None:
    if not stat.S_ISREG(status.st_mode):
        raise OSError(errno.EINVAL, "it is not a regular file", str(path))
    _check_size(status.st_size, path, most)


def _check_size(size: int, path: str | Path, most: int) -> None:
    if size > most:
        limit = f"{most >> 20} MB" if most >> 20 else f"{most >> 10} KB"
        raise OSError(errno.EINVAL, f"it has more than {limit}", str(path))


def read_text(path: Path) -> str:
    """The text of a file whose other bytes than UTF-8 do not matter, with line ends of Unix.

    Raises OSError like read().
    """
    found = read(path).decode("utf-8", "surrogateescape")
    if "\r" not in found:
        return found
    return found.replace("\r\n", "\n").replace("\r", "\n")


def text_beside(path: Path) -> str:
    """The text of a file by which others are judged; empty if nobody can read it, as if there were none.

    Raises OSError if that is due to the machine: the next attempt may succeed.
    """
    try:
        return read_text(path)
    except OSError as error:
        if is_of_machine(error):
            raise
        return ""


def decode(data: bytes) -> str:
    """The text of a source file, one character per byte."""
    return data.decode(ENCODING)


def encode(text: str) -> bytes:
    """The bytes of a text from decode()."""
    return text.encode(ENCODING)


def readable(text: str) -> str:
    """A text from decode() as UTF-8, for display."""
    return encode(text).decode("utf-8", "replace")


def replace(path: Path, before: str, after: str) -> None:
    """Atomically replace the contents ``before`` of a file by ``after``.

    The file keeps its mode. Raises UserError, and leaves the file unchanged, if its contents
    are no longer ``before`` or it cannot be written.
    """
    with told(f"write {path}", "the file is unchanged"):
        if read(path) != encode(before):
            raise UserError(
                f"{path} was changed in the meantime and is left alone: run the command again"
            )
        put(path, encode(after))


def put(path: Path, data: bytes, prefix: str = ".new.") -> None:
    """Write a file atomically, or leave it as it was. One that is there keeps its mode; a new one has the umask's.

    ``prefix`` begins the name of what a killed run leaves. Raises OSError.
    """
    name = path.with_name(f"{prefix}{secrets.token_hex(8)}")
    try:
        with name.open("xb") as stream:
            if path.exists():
                os.fchmod(stream.fileno(), path.stat().st_mode & 0o7777)
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        os.replace(name, path)
    except BaseException:
        name.unlink(missing_ok=True)
        raise


def lay(tree: Path, texts: Mapping[str, str], place: Path) -> None:
    """Fill the folder ``place`` with links to the tree, and with the changed files.

    It is new, or was filled before; a file that has its new contents already is not written. ``texts`` maps files,
    relative to the tree, to their new contents. Only parents of changed files become real folders; all other
    entries are links. So an #include of a changed file, relative to the source or through -I, finds the changed
    one. (A "../" through a linked folder leads into the tree itself.) Raises OSError if the disk is full.
    """
    made: set[Path] = set()
    for file in texts:
        for folder in reversed(Path(file).parents):
            if folder not in made:
                made.add(folder)
                _mirror(tree / folder, place / folder)
    for file, text in texts.items():
        target, data = place / file, encode(text)
        if target.is_symlink() or not target.is_file() or target.read_bytes() != data:
            target.unlink(missing_ok=True)
            target.write_bytes(data)


def _mirror(original: Path, place: Path) -> None:
    """Create a folder whose entries are links to the entries of the original."""
    if place.is_symlink():
        place.unlink()
    place.mkdir(parents=True, exist_ok=True)
    if original.is_dir():
        present = {entry.name for entry in os.scandir(place)}
        links = _kept_links(original, tempfile.gettempdir())
        for entry in os.scandir(original):
            if entry.name not in present:
                link = f"{place}/{entry.name}"
                try:
                    os.link(f"{links}/{entry.name}", link, follow_symlinks=False)
                except OSError:
                    # It is new, or the file system has no such links.
                    os.symlink(entry.path, link)


def keep_links(tree: Path, file: str) -> None:
    """Have `lay` make links sooner in the folders that a file is in, also in processes that are forked from now on."""
    for folder in Path(file).parents:
        if (tree / folder).is_dir():
            _kept_links(tree / folder, tempfile.gettempdir())


@lru_cache(maxsize=256)
def _kept_links(original: Path, where: str) -> str:
    """A folder with links to the entries of another one, to make hard links of.

    A symbolic link takes ten times as long, and fifty times where many were removed a moment ago.
    """
    place = tempfile.mkdtemp(dir=_all_links(where))
    for entry in os.scandir(original):
        os.symlink(entry.path, f"{place}/{entry.name}")
    return place


@lru_cache(maxsize=1)
def _all_links(where: str) -> str:
    folder = tempfile.mkdtemp(prefix="hotcocci-links-", dir=where)
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def moved(argv: Sequence[str], tree: Path, place: Path) -> list[str]:
    """A command with all names in the tree replaced by those in the overlay.

    This includes -fmacro-prefix-map=TREE/=, so __FILE__ stays the same.
    """
    changed = []
    for word in argv:
        before, found, after = word.partition(str(tree))
        # "-I/mnt/usr/src/linux/include" and "/usr/src/linux-2/x.h" are not in /usr/src/linux.
        if found and "/" not in before and after[:1] in ("", "/"):
            word = f"{before}{place}{after}"
        changed.append(word)
    return changed


# Nanoseconds. A younger file may change again with the same times.
SETTLED_NS = 2_000_000_000
MISSING = "-"

# Modification time and status change time in ns, size in bytes
Times = tuple[int, int, int]

# The files that this process has read, or an earlier one that kept their hash, by path.
_contents: dict[str, tuple[Times, str]] = {}
# The hash of what is left of a file without comments, by the hash of all of it.
_codes: dict[str, str] = {}


def stamp(path: str) -> str:
    """A text that changes when a file or folder is written, replaced, created or removed.

    With a slash at the end of the path, it changes when the list of names in the folder does.
    A file younger than `SETTLED_NS` is read.
    """
    if path.endswith("/"):
        return _names(path)
    try:
        times = times_of(os.stat(path))
    except OSError:
        return MISSING
    # The status change time also shows a file that was replaced by one of the same size and time.
    if times[1] >= settled_before():
        return content(path)
    return " ".join(map(str, times))


def content(path: str, times: Times | None = None) -> str:
    """A hash of what a file contains; like `stamp` for a folder and for a file that does not exist.

    It does not depend on the path. A file is read again if its times or its size have changed.
    ``times`` are those of a regular file that was just looked at.
    """
    if path.endswith("/"):
        return _names(path)
    try:
        if times is None:
            status = os.stat(path)
            if stat.S_ISDIR(status.st_mode):
                return "a folder"
            _check(status, path, MOST)
            times = times_of(status)
        known = _contents.get(path)
        if known is not None and known[0] == times:
            return known[1]
        before = settled_before()
        found = hashed(read_listed(path))
    except FileNotFoundError:
        return MISSING
    except OSError as error:
        return str(error.strerror)
    if times[1] < before:
        keep(path, times, found)
    return found


def code(path: str) -> str:
    """A hash of what a compiler reads of a file: comments, and blanks at the end of lines, do not count.

    Like `content` for a folder and for a file that cannot be read.
    """
    found = content(path)
    if found not in _codes:
        try:
            _codes[found] = code_of(read(path))
        except OSError:
            return found
    return _codes[found]


def code_of(data: bytes) -> str:
    """The hash that `code` has for a file with these contents."""
    # As compilers do, lines are joined first: a comment may go on after a backslash.
    if b"\\" in data:
        data = data.replace(b"\\\n", b"")
    bare = uncommented(data)
    return hashed(b"\n".join(filter(None, map(bytes.rstrip, bare.split(b"\n")))))


def know_codes(codes: Mapping[str, str]) -> None:
    """Take hashes of code as known, by the hash of the contents."""
    _codes.update(codes)


def keep(path: str, times: Times, found: str) -> None:
    """Keep the hash of a file that was settled when it was read."""
    _contents[path] = times, found


def hashed(data: bytes) -> str:
    """The hash of a file's contents."""
    return hashlib.sha256(data).hexdigest()[:32]


def times_of(status: os.stat_result) -> Times:
    """The times and the size of a file."""
    return status.st_mtime_ns, status.st_ctime_ns, status.st_size


def settled_before() -> int:
    """The status change time in ns before which a file cannot be written from now on and keep it."""
    return time.time_ns() - SETTLED_NS


def stamps(paths: Iterable[str]) -> str:
    """A hash that changes with the stamp of any of the paths."""
    digest = hashlib.sha256()
    for path in paths:
        digest.update(f"{path}\0{stamp(path)}\n".encode("utf-8", "surrogateescape"))
    return digest.hexdigest()


def entries(folder: str, suffix: str) -> list[str]:
    """The sorted paths of the entries of a folder with this suffix; none if it cannot be read."""
    try:
        names = os.listdir(folder)
    except OSError:
        return []
    return sorted(f"{folder}/{name}" for name in names if name.endswith(suffix))


def _names(folder: str) -> str:
    names = [os.path.basename(entry) for entry in entries(folder[:-1], "")]
    return hashlib.sha256(repr(names).encode()).hexdigest()
