# SPDX-License-Identifier: GPL-2.0
"""Read debug information: source lines and inlined functions of instructions; names, types and sizes."""

import bisect
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import takewhile
from typing import Any

from hotcocci.machine.elf import Address, ElfError, ObjectFile

# Type qualifiers, which do not matter here.
QUALIFIERS = {
    "DW_TAG_const_type",
    "DW_TAG_volatile_type",
    "DW_TAG_typedef",
    "DW_TAG_restrict_type",
    "DW_TAG_atomic_type",
}

POINTER = "DW_TAG_pointer_type"
ENUMERATION = "DW_TAG_enumeration_type"
RECORDS = {"DW_TAG_structure_type", "DW_TAG_union_type"}


def origin(
    die: Any,
    attribute: str = "DW_AT_type",
    links: tuple[str, ...] = ("DW_AT_abstract_origin",),
) -> Any:
    """The first DIE, from this one on along links, that has an attribute; the last one if none has."""
    while attribute not in die.attributes:
        link = next((each for each in links if each in die.attributes), None)
        if link is None:
            break
        die = die.get_DIE_from_attribute(link)
    return die


def name_of(die: Any) -> str:
    """The name of an entry, or of the one that it is a copy of; empty if it has none."""
    found = origin(die, "DW_AT_name").attributes.get("DW_AT_name")
    return found.value.decode() if found is not None else ""


def type_of(die: Any) -> Any:
    """The type of an entry; None for void."""
    if "DW_AT_type" in die.attributes:
        return die.get_DIE_from_attribute("DW_AT_type")
    return None


def bare(die: Any) -> tuple[Any, bool]:
    """A type without qualifiers, and whether one of them was const."""
    constant = False
    while die is not None and die.tag in QUALIFIERS:
        constant = constant or die.tag == "DW_TAG_const_type"
        die = type_of(die)
    return die, constant


def size_of(die: Any) -> int:
    """The size of a type in bytes; 0 for incomplete types and functions."""
    found = die.attributes.get("DW_AT_byte_size")
    if found is not None:
        return int(found.value)
    if die.tag == "DW_TAG_array_type":
        element, _ = bare(type_of(die))
        count = 1
        for child in die.iter_children():
            last = child.attributes.get("DW_AT_upper_bound")
            count *= int(last.value) + 1 if last and isinstance(last.value, int) else 0
        return count * size_of(element) if element is not None else 0
    return 0


def alignment_of(die: Any) -> int:
    """What the address of a variable, or of what is of a type, is a multiple of in bytes: that of its members, or its own."""
    own = die.attributes.get("DW_AT_alignment")
    known = [1 if own is None else int(own.value)]
    inner = type_of(die)
    if die.tag in RECORDS:
        known += (
            alignment_of(type_of(child))
            for child in die.iter_children()
            if child.tag == "DW_TAG_member"
        )
    elif inner is not None and die.tag not in (POINTER, ENUMERATION):
        known.append(alignment_of(inner))
    else:
        known.append(width_of(die))
    return max(known)


def width_of(type_: Any) -> int:
    """The size of a type in bytes; 8 for a pointer without a size of its own."""
    return size_of(type_) or (8 if type_.tag == POINTER else 0)


def members(record: Any) -> Iterator[tuple[str, Any, int, int]]:
    """The members of a structure or union: name, type, offset and size in bytes."""
    for child in record.iter_children():
        if child.tag != "DW_TAG_member":
            continue
        inner, _ = bare(type_of(child))
        if inner is None:
            continue
        place = child.attributes.get("DW_AT_data_member_location")
        bits = child.attributes.get("DW_AT_data_bit_offset")
        start = place.value if place is not None else bits.value // 8 if bits else 0
        yield name_of(child), inner, int(start), width_of(inner)


def variables(die: Any) -> Iterator[Any]:
    """The variables and parameters of a function, including those of inlined functions."""
    for child in die.iter_children():
        if child.tag in ("DW_TAG_variable", "DW_TAG_formal_parameter"):
            yield child
        elif child.has_children:
            yield from variables(child)


def extent(die: Any) -> tuple[int, int]:
    """The code of an entry, from its first address up to its end; nothing if that has several parts."""
    high = die.attributes.get("DW_AT_high_pc")
    if high is None or "DW_AT_low_pc" not in die.attributes:
        return 0, 0
    low = int(die.attributes["DW_AT_low_pc"].value)
    # An address, or since DWARF 4 a size.
    return low, int(high.value) + (0 if high.form == "DW_FORM_addr" else low)


def read_signed(code: list[int]) -> int | None:
    """The signed number that these bytes are, in LEB128; None if they are not exactly one."""
    value = 0
    for number, byte in enumerate(code):
        value |= (byte & 0x7F) << 7 * number
        if not byte & 0x80:
            if number != len(code) - 1:
                return None
            return value - (1 << 7 * len(code)) if byte & 0x40 else value
    return None


# A row of the line table: address, file and line.
Row = tuple[int, str, int]


@dataclass(frozen=True)
class Frame:
    """A line and the function that contains it.

    ``file`` is the name passed to the compiler. ``instance`` distinguishes the inlined copies of
    a function; it is 0 for a function with code of its own.
    """

    file: str
    line: int
    function: str
    instance: int


@dataclass(frozen=True)
class _Scope:
    """A range of code, its function, and the line it was inlined at.

    ``home`` is the file that defines the function, ``begin`` the line where it begins.
    """

    low: int
    high: int
    depth: int
    function: str
    instance: int
    call: tuple[str, int]
    home: str
    begin: int


class Lines:
    """The line table and inlined functions of an object compiled with at least -g1."""

    def __init__(self, obj: ObjectFile) -> None:
        self._bases = obj.bases
        dwarf = obj.linked().get_dwarf_info(relocate_dwarf_sections=False)
        self._rows: list[Row] = rows(dwarf)
        self._scopes: list[_Scope] = []
        self._known: dict[Address, tuple[Frame, ...]] = {}
        for unit in dwarf.iter_CUs():
            self._scopes += _scopes(dwarf, unit, _files(dwarf, unit))
        self._at = [row[0] for row in self._rows]
        self._scopes.sort(key=lambda s: (s.low, s.depth))
        self._lows = [s.low for s in self._scopes if s.depth == 0]
        self._outer = [n for n, s in enumerate(self._scopes) if s.depth == 0]
        if not self._rows:
            raise ElfError("the object has no line table")

    def rows(self, address: Address) -> tuple[Row, ...]:
        """The rows at an address, in the order of the source's statements.

        Statements without code have rows too; the last row belongs to the instruction itself.
        """
        at = self._bases[address.section] + address.offset
        low, high = bisect.bisect_left(self._at, at), bisect.bisect_right(self._at, at)
        return tuple(self._rows[low if low < high else max(low - 1, 0) : high])

    def on(self, files: frozenset[str], lines: frozenset[int]) -> list[Address]:
        """The starts of code for these lines, or inlined there."""
        own = [(at, (file, line)) for at, file, line in self._rows]
        every = own + [(scope.low, scope.call) for scope in self._scopes]
        found = {at for at, (file, line) in every if line in lines and file in files}
        return [self._address(at) for at in sorted(found)]

    def stretches(self, function: str) -> dict[int, list[tuple[Address, int]]]:
        """The code of a function by `Frame.instance`, as pieces with start and size in bytes."""
        found: dict[int, list[tuple[Address, int]]] = {}
        for scope in self._scopes:
            if scope.function == function and scope.high > scope.low:
                piece = (self._address(scope.low), scope.high - scope.low)
                found.setdefault(scope.instance, []).append(piece)
        return found

    def written(self, files: frozenset[str]) -> frozenset[str]:
        """The functions with code that one of these files defines."""
        return frozenset(s.function for s in self._scopes if s.home in files)

    def owners(self, files: frozenset[str], line: int) -> frozenset[str]:
        """The functions with code that contain a line of one of these files.

        A macro may define several on one line. Code shared by functions, such as an error path, has
        the line of one of them.
        """
        begins = {(s.begin, s.function) for s in self._scopes if s.home in files}
        last = max((begin for begin, _ in begins if begin <= line), default=0)
        return frozenset(function for begin, function in begins if begin == last)

    @property
    def files(self) -> frozenset[str]:
        """The names of the files that code comes from."""
        return frozenset(row[1] for row in self._rows)

    def frames(self, address: Address) -> tuple[Frame, ...]:
        """The frames of an instruction: innermost first, the function it belongs to last."""
        if address not in self._known:
            self._known[address] = self._frames(address)
        return self._known[address]

    def names(self, address: Address) -> tuple[str, ...]:
        """The functions that contain an instruction, innermost first."""
        return tuple(frame.function for frame in self.frames(address))

    def _address(self, at: int) -> Address:
        section, base = max(
            ((n, b) for n, b in self._bases.items() if b <= at), key=lambda x: x[1]
        )
        return Address(section, at - base)

    def _frames(self, address: Address) -> tuple[Frame, ...]:
        rows = self.rows(address) if address.section in self._bases else ()
        frames: list[Frame] = []
        if rows:
            _, file, line = rows[-1]
            for scope in self._around(self._bases[address.section] + address.offset):
                frames.append(Frame(file, line, scope.function, scope.instance))
                file, line = scope.call
        return tuple(frames)

    def _around(self, at: int) -> list[_Scope]:
        """The scopes that contain an address, innermost first."""
        index = bisect.bisect_right(self._lows, at) - 1
        if index < 0:
            return []
        begun = takewhile(lambda s: s.low <= at, self._scopes[self._outer[index] :])
        return sorted((s for s in begun if at < s.high), key=lambda s: -s.depth)


def rows(dwarf: Any) -> list[Row]:
    """The whole line table, by address."""
    found: list[Row] = []
    for unit in dwarf.iter_CUs():
        files = _files(dwarf, unit)
        for entry in dwarf.line_program_for_CU(unit).get_entries():
            state = entry.state
            if state is not None:
                ends = state.end_sequence
                place = ("", 0) if ends else (files[state.file], state.line)
                found.append((state.address, *place))
    return sorted(found, key=lambda row: row[0])


def _files(dwarf: Any, unit: Any) -> list[str]:
    """The names of the line table's files by number, starting at 1."""
    header = dwarf.line_program_for_CU(unit).header
    folders = [_text(f) for f in header["include_directory"]]
    names = [""]
    for entry in header["file_entry"]:
        name, folder = _text(entry.name), entry.dir_index
        inside = folder and not name.startswith("/")
        names.append(f"{folders[folder - 1]}/{name}" if inside else name)
    return names


def _scopes(dwarf: Any, unit: Any, files: list[str]) -> list[_Scope]:
    found: list[_Scope] = []
    ranges = dwarf.range_lists()
    # The base of range lists: 0 if the unit is in several sections.
    base = _number(unit.get_top_DIE(), "DW_AT_low_pc")

    def stretches(die: Any) -> list[tuple[int, int]]:
        if "DW_AT_ranges" in die.attributes:
            listed = ranges.get_range_list_at_offset(
                die.attributes["DW_AT_ranges"].value, cu=unit
            )
            return [(base + e.begin_offset, base + e.end_offset) for e in listed]
        return [extent(die)] if "DW_AT_high_pc" in die.attributes else []

    def visit(die: Any, depth: int) -> None:
        for child in die.iter_children():
            inlined = child.tag == "DW_TAG_inlined_subroutine"
            owns = inlined or child.tag == "DW_TAG_subprogram"
            if owns:
                # Without these, files[0] is empty.
                file = _number(child, "DW_AT_call_file")
                line = _number(child, "DW_AT_call_line")
                name, home, begin = _name(child)
                instance, call = child.offset if inlined else 0, (files[file], line)
                own = depth, name, instance, call, files[home], begin
                found.extend(_Scope(low, high, *own) for low, high in stretches(child))
            if child.has_children:
                visit(child, depth + owns)

    visit(unit.get_top_DIE(), 0)
    return found


def _number(die: Any, attribute: str) -> int:
    found = die.attributes.get(attribute)
    return int(found.value) if found else 0


def _name(die: Any) -> tuple[str, int, int]:
    """A function's name, and the file number and line of its declaration."""
    links = ("DW_AT_abstract_origin", "DW_AT_specification")
    die = origin(die, "DW_AT_name", links)
    if "DW_AT_name" not in die.attributes:
        return "", 0, 0
    name = _text(die.attributes["DW_AT_name"].value)
    return name, _number(die, "DW_AT_decl_file"), _number(die, "DW_AT_decl_line")


def _text(name: Any) -> str:
    return name.decode(errors="replace") if isinstance(name, bytes) else str(name)
