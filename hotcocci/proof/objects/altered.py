# SPDX-License-Identifier: GPL-2.0
"""Find what a change alters beyond the lines that it touches.

A declaration, a case label, an initialiser that is folded, a preprocessor condition, a member of a
struct: none has code of its own, but the code of other lines depends on it. So the machine code of
every function is compared, and the data of the whole object.
"""

from collections import Counter
from collections.abc import Mapping

from hotcocci.machine.elf import COLD, X86_64, Relocation
from hotcocci.proof.objects.image import NUMBERED, Function, Image
from hotcocci.proof.objects.processor import Processor, listing

# Bytes of a field that can differ between addresses of one object.
LOW = 4


def other_data(old: Image, new: Image, name: str) -> str:
    """Name a data section used by a function that changed; empty if there is none.

    Data that the function loads itself is compared when it runs, as are literals passed as arguments. Data that a
    callee would find at an address is not, nor the initial value of the object's variables.
    """
    waiting = sorted(_referred(old, name) & _referred(new, name))
    seen = set(waiting)
    while waiting:
        base = waiting.pop()
        if not _is_same(old, new, base):
            return old.sections[base]
        for section, _ in old.pointers(base).values():
            known = section in old.sections and section in new.sections
            if known and section not in seen:
                seen.add(section)
                waiting.append(section)
    return ""


def _referred(image: Image, name: str) -> set[int]:
    """The data sections that a function refers to, including from its .cold part."""
    own = image.parts(name)
    return {
        base
        for place, (base, _) in image.references.items()
        if base in image.sections and any(f.start <= place < f.end for f in own)
    }


def _is_same(old: Image, new: Image, base: int) -> bool:
    """Whether a section is unchanged, apart from the addresses of literals and code."""
    data = bytearray(old.segments[base]), bytearray(new.segments[base])
    before, after = old.pointers(base), new.pointers(base)
    if before.keys() != after.keys():
        return False
    for place, (_, was) in before.items():
        _, now = after[place]
        if (_named(old, was) or was) != (_named(new, now) or now):
            return False
        for each in data:
            each[place - base : place - base + LOW] = bytes(LOW)
    return data[0] == data[1]


def _named(image: Image, address: int) -> str | None:
    function = image.function_at(address)
    return image.text(address) if function is None else function.name


# Where a function's code may be placed at gcc's own choice (-freorder-functions)
PLACED = (".text", ".text.unlikely", ".text.hot", ".text.startup", ".text.exit")
# Relocations of fields relative to their place: the addend counts from there (x86-64).
RELATIVE = (2, 4, 24)
# Calls and jumps, whose distance depends on where they are (x86)
JUMPS = (b"\xe8", b"\xe9")
# The printk index (include/linux/printk.h)
PRINTK = ".rodata._entry"


def altered(processor: Processor, old: Image, new: Image) -> set[str]:
    """The functions of both objects whose code differs, by name."""
    functions = [{f.name: f for f in image.functions} for image in (old, new)]
    names = functions[0].keys() & functions[1].keys()
    found = {
        name
        for name in names
        if _code(processor, old, functions[0][name])
        != _code(processor, new, functions[1][name])
    }
    # A cold part may be new.
    found |= {
        name for name in functions[0].keys() ^ functions[1].keys() if COLD in name
    }
    return {name.removesuffix(COLD) for name in found}


def _code(processor: Processor, image: Image, function: Function) -> list[object]:
    """The code of a function, the same wherever it and what it refers to are placed."""
    found: list[object] = []
    start = function.start
    base, data = _section_of(image, start)
    for at, step in listing(processor, image, function):
        end = at + max(step.length, 1)
        inside = start <= step.target < function.end
        if step.target and not inside and image.function_at(step.target):
            # The assembler resolves calls within a section.
            found.append((step.rest, _place(image, step.target)))
        else:
            found.append(data[at - base : end - base])
            found += [
                (n - at, _meant(image, n, image.fields[n]))
                for n in range(at, end)
                if n in image.fields
            ]
        label, fixup = image.labels.get(at), image.fixups.get(at)
        if label is not None:
            target = _near(image, label.target, start)
            found.append((label.key, label.taken, target))
        if fixup is not None:
            target = _near(image, fixup.target, start)
            found.append((fixup.kind, fixup.data, target))
        if at in image.warnings:
            found.append(image.warnings[at])
    return found


def noted(image: Image, name: str) -> set[tuple[str, int, object]]:
    """The facts known of a function's instructions beyond their code, by part and offset.

    Volatile accesses, bounds on speculation, argument registers of calls, and where windows begin and end.
    """
    return {
        (function.name, at - function.start, what)
        for function in image.parts(name)
        for places in (
            dict.fromkeys(image.volatile, "volatile"),
            dict.fromkeys(image.bounds, "bound"),
            image.uses,
            image.marks,
        )
        for at, what in places.items()
        if function.start <= at < function.end
    }


def _section_of(image: Image, address: int) -> tuple[int, bytes]:
    """The section of the tested object that contains an address, before relocation."""
    return next(
        (base, data)
        for base, data in image.before.items()
        if base <= address < base + len(data)
    )


def _meant(image: Image, place: int, found: Relocation, deep: bool = True) -> object:
    """The symbol that a relocated field refers to.

    Fields that mean the same may look different where the layout of sections differs, never the
    reverse. With ``deep``, constants of one function count by contents.
    """
    section, address = image.references.get(place, (0, 0))
    if not section or found.symbol.function:
        return found.kind, found.symbol.name, found.addend
    if _is_numbered(image, section):
        name = NUMBERED.sub("", image.sections[section])
        meant = _contents(image, section) if deep else name
        return found.kind, meant, address - section
    if not (image.machine == X86_64 and found.kind in RELATIVE):
        if image.function_at(address) is not None:
            return found.kind, _place(image, address)
        text = image.text(address)
        if text is not None:
            return found.kind, text
    return found.kind, section, address


def _near(image: Image, address: int, start: int) -> object:
    """An address relative to a function's start, or by name if it is not in that function."""
    function = image.function_at(address)
    near = function is not None and function.start == start
    return address - start if near else _place(image, address)


def _place(image: Image, address: int) -> object:
    function = image.function_at(address)
    return (function.name, address - function.start) if function else address


def misplaced(old: Image, new: Image) -> Mapping[str, str]:
    """Functions that moved to another kind of section (__init), or are traced, with what changed."""
    found = {}
    for name in old.kinds.keys() & new.kinds.keys():
        was, now = old.kinds[name], new.kinds[name]
        sections = [_section(kind.section, name) for kind in (was, now)]
        if sections[0] != sections[1]:
            found[name] = f"it was in section {sections[0]}, now in {sections[1]}"
        elif was.traced != now.traced:
            found[name] = "it is now traced" if now.traced else "it is no longer traced"
    # Of functions that only one side has, one may have taken another's place.
    alone = old.kinds.keys() - new.kinds.keys(), new.kinds.keys() - old.kinds.keys()
    both = [
        [n for n in sorted(names) if image.kinds[n].traced is (image is new)]
        for names, image in zip(alone, (old, new))
    ]
    if all(both):
        found[both[1][0]] = f"it is traced, and {both[0][0]}() was not"
    return found


def elsewhere(old: Image, new: Image) -> str:
    """The change that other files see: a function may replace a weak one; empty if they see none."""
    for name in sorted(old.defined - new.defined):
        return f"{name} is no longer defined for other files"
    for name in sorted(new.defined - old.defined):
        return (
            f"{name} is now defined for other files, and may replace another definition"
        )
    return ""


def specialised(old: Image, new: Image) -> str:
    """A function of which processors with other features now run other code; empty if there is none."""
    was, now = _alternatives(old), _alternatives(new)
    shared = sorted(old.kinds.keys() & new.kinds.keys())
    return next((name for name in shared if was.get(name) != now.get(name)), "")


def _alternatives(image: Image) -> dict[str, set[tuple[int, bytes]]]:
    """The code of each function that other processors run, however often, without addresses."""
    found: dict[str, set[tuple[int, bytes]]] = {}
    for site, several in image.alternatives.items():
        function = image.function_at(site)
        for each in several if function else ():
            assert function is not None
            base, data = _section_of(image, each.start)
            text = data[each.start - base : each.end - base]
            found.setdefault(function.name.removesuffix(COLD), set()).add(
                (each.feature, text[:1] if text[:1] in JUMPS else text)
            )
    return found


def _section(section: str, name: str) -> str:
    plain = section.removesuffix(f".{name}")
    return ".text" if plain in PLACED else plain


def altered_data(old: Image, new: Image) -> str:
    """Name a data section that changed; empty if there is none.

    Sections that only one side has are left to the code that refers to them, except for those that
    the kernel itself reads.
    """
    tables = _tables(old), _tables(new)
    for base, name in sorted((old.sections | tables[0]).items()):
        known = new.sections.get(base) or tables[1].get(base)
        if _is_numbered(old, base) or known is None and base not in tables[0]:
            continue
        if known is None:
            return name
        if not _is_same(old, new, base):
            return name
    numbered = [
        Counter(
            _contents(image, base)
            for base in image.sections
            if _is_numbered(image, base)
        )
        for image in (old, new)
    ]
    left = numbered[0] - numbered[1]
    if left:
        return min(name for name, _, _ in left)
    return next((tables[1][b] for b in sorted(tables[1].keys() - tables[0].keys())), "")


def _tables(image: Image) -> dict[int, str]:
    """The tables, without those of places within functions, as exception tables are."""
    found = {}
    for base, name in image.tables.items():
        targets = [at for _, at in image.pointers(base).values()]
        inside = ((image.function_at(at), at) for at in targets)
        if not any(f is not None and f.start != at for f, at in inside):
            found[base] = name
    return found


def _is_numbered(image: Image, base: int) -> bool:
    """Whether a section has constants of gcc's or of one function, which gcc counts up in the file."""
    name = image.sections.get(base, "")
    return NUMBERED.search(name) is not None and not image.is_variable(base)


def _contents(image: Image, base: int) -> tuple[str, bytes, tuple[object, ...]]:
    """The contents of a section with constants, without its number.

    Those of other such sections that it points to count by name, as they may point back.
    """
    name, data = NUMBERED.sub("", image.sections[base]), image.before[base]
    if name == PRINTK:
        # struct pi_entry: three pointers, then the line
        line = 3 * image.registry.layout.pointer
        data = data[:line] + bytes(4) + data[line + 4 :]
    fields = tuple(
        (at, _meant(image, base + at, image.fields[base + at], deep=False))
        for at in range(len(data))
        if base + at in image.fields
    )
    return name, data, fields
