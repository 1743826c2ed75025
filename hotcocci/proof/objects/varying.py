# SPDX-License-Identifier: GPL-2.0
"""Changed names that a configuration or an architecture defines: PAGE_SIZE, SOCK_STREAM, i_size_read(), pte_val().

A number in the place of such a constant, one that is 0 here left out, or what such a macro or inline function does
here in its place, is the same code as compiled, and wrong elsewhere. So is what others do that use them, as
memcpy_to_page(), and an attribute such as __meminit, which is none here.
"""

import bisect
import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

from hotcocci.c.flow import closure
from hotcocci.c.source import (
    DIRECTIVE,
    NAME,
    NUMBER,
    STRING,
    Token,
    bare,
    called,
    closing,
    closing_at,
    split,
    tokenize,
)
from hotcocci.proof.known import PASSED_OVER, SAME_MEANING
from hotcocci.proof.objects.elsewhere import Body
from hotcocci.proof.objects.conditional import (
    ENUMERATION,
    ENUMERATOR,
    IF,
    TYPE,
    declared_otherwise,
    functions,
    header,
    is_conditional,
    is_counted_otherwise,
)
from hotcocci.proof.objects.idle import NO_CALL
from hotcocci.proof.objects.silent import (
    ASM,
    ASSEMBLY,
    CONVERTS,
    NAMES,
    SILENT,
    Applied,
    attributes,
)

VARYING = " in another configuration, or on another architecture"
VARIES = f"{{}} may have another value{VARYING}"
OTHER_CODE = f"{{}}() may be other code{VARYING}"
OTHER_MEANING = f"{{}} may mean something else{VARYING}"

# Documentation/process/coding-style.rst: "Names of macros defining constants ... are capitalized".
_CAPITAL = re.compile(r"_*[A-Z][A-Z0-9_]+")
_ATTRIBUTE = re.compile(r"__[a-z_]\w*")
# Of which an alternative changes the value (arch/x86/include/asm/uaccess.h)
_TAGGED = re.compile(r"untagged_addr\w*")
# A type
_TYPEDEF = re.compile(r"[a-z]\w*_t")
# Types of one width, which have other names on some architectures
_FIXED = re.compile(r"(?:__)?[us](?:8|16|32|64)")
_BOUND = re.compile(r"(?:min|max|clamp)(?:_t)?")
# What a body uses: what it is another name for, what it calls, or has a macro call, constants, and options
_USED = re.compile(
    r"\A[A-Za-z_]\w*\Z|\b[A-Za-z_]\w*(?=\s*\()|(?<=\()[A-Za-z_]\w*(?=\s*,)|\b_*[A-Z][A-Z0-9_]+\b"
)
_LINE = re.compile(
    r'#(?<=^#)(?: \d+ "(?P<file>[^"]*)"|define (?P<name>\w+)(?P<called>\(?)(?P<body>.*))',
    re.MULTILINE,
)
_CALLED = re.compile(r"\b\w+(?=\s*\()")
_TESTED = re.compile(r"\bif\s*\(\s*!?\s*(\w+)|\b(\w+)\s*\?")
_STRING = re.compile(r'"[^"]*"')
# What is in a constant beside numbers and other constants
_TYPE = re.compile(
    r"(?:un)?signed|long|int|short|char|(?:__)?[us](?:8|16|32|64)|\w+_t|__force|sizeof|_*alignof_*"
    # Suffixes, and macros with parameters, as BIT(), _AC() and powerpc's ASM_CONST()
    r"|_*[A-Z][A-Z0-9_]*"
)
_ALL_BITS = re.compile(r"~\s*\(?\s*(?:0U?L|UL\(0\))(?!L)")
_MARKER = re.compile(r"^#.*", re.MULTILINE)
# Headers of which each architecture takes its own or the general one
_OF_ARCH = re.compile(r"(?:^|/)arch/|(?<!uapi)/asm-generic/")
# A driver may have a memcpy_hw() of its own.
_OF_KERNEL = re.compile(
    r"/include/(?:generated/)?(?:uapi/)?(?:linux|asm|asm-generic|vdso|net|crypto|trace|scsi|sound|media|drm|acpi|xen|kvm|rdma|video)/"
)
# Most architectures take these as they are: errno, ioctl, signals. All take errno-base.h, and alpha changes one of it.
_OF_MOST = re.compile(r"uapi/asm-generic/(?!errno-base)")
_OF_ALPHA = "EAGAIN"
# A variable or a member; *p is an element
_OPERAND = re.compile(r"(?:[^*].*(?:->|\.)\s*)?([A-Za-z_]\w*)")
# What is a number by the size of an array
COUNTS = frozenset(("ARRAY_SIZE", "sizeof"))
# What compilers differ in, and macros that ask for options
_COMPILERS, _OPTIONS = "/linux/compiler", "/linux/kconfig.h"


def named(
    tokens: Sequence[Token],
    changed: Iterable[Token],
    again: Callable[[str, int], int] = lambda name, number: 0,
) -> Counter[str]:
    """The names of constants, attributes, and of what is called, in changed tokens of a text, and how often.

    ``again`` says how often more a macro has an argument.
    """
    calls = {token.start for token in called(tokens)}
    found: Counter[str] = Counter()
    changed = [*changed]
    for token in (*changed, *_repeated(tokens, changed, again)):
        if token.kind == DIRECTIVE:
            inside = tokenize(token.text.replace("#", " ", 1))
            found += named(inside, inside)
        elif token.start in calls or _is_noted(token.text):
            found[token.text] += 1
    return found


def plain(tokens: Iterable[Token]) -> Counter[str]:
    """All names in tokens, however they are written."""
    return Counter(token.text for token in tokens if token.kind == NAME)


def _repeated(
    code: Sequence[Token], changed: Iterable[Token], again: Callable[[str, int], int]
) -> Iterator[Token]:
    """The constants in changed calls that what is written out has more often: a comparison, for min(), has each twice."""
    starts = {token.start for token in changed}
    for at, (token, after) in enumerate(pairwise(code)):
        if token.start not in starts or after.text != "(":
            continue
        for number, part in enumerate(split(code[at + 2 : closing(code, at + 1)], ",")):
            constants = [each for each in part if is_constant(each.text)]
            twice = _BOUND.fullmatch(token.text) is not None
            if constants:
                yield from constants * (twice or again(token.text, number))


def is_value(token: Token) -> bool:
    """Whether a token is a number or a constant."""
    return token.kind == NUMBER or is_constant(token.text)


def is_constant(name: str) -> bool:
    """Whether a name is written as that of a constant."""
    return _CAPITAL.fullmatch(name) is not None


def _is_noted(name: str) -> bool:
    return is_constant(name) or any(p.fullmatch(name) for p in (_ATTRIBUTE, _TYPEDEF))


class Exchange(NamedTuple):
    """The changed names of a function on ``own`` side and the other one; ``left`` are all that the other one has.

    ``constants`` says whether the other side has numbers or constants in place of its own.
    """

    own: Counter[Applied]
    other: Counter[Applied]
    left: Set[Applied]
    constants: bool


def counts(names: Counter[Applied]) -> set[str]:
    """Which of these names are of sizes of arrays."""
    return {name for name, _ in names if name in COUNTS}


def counted(code: Sequence[Token], changed: Sequence[Token]) -> Iterator[Token]:
    """The sizes of arrays with changed tokens in them."""
    places = {token.start for token in changed}
    for at, token in enumerate(code[:-1]):
        if token.text in COUNTS and token.start not in places:
            inside = (
                code[at : closing(code, at + 1)] if code[at + 1].text == "(" else ()
            )
            if any(each.start in places for each in inside):
                yield token


class _Macro(NamedTuple):
    file: str
    body: str
    called: bool


class Definitions:
    """The output of ``gcc -E -dD`` for the ``changed`` file; ``text_of`` reads a file that it names."""

    def __init__(
        self, preprocessed: str, changed: str, text_of: Callable[[str], str]
    ) -> None:
        self.text = preprocessed
        self._changed = changed
        self.text_of = text_of

    @cached_property
    def _table(self) -> dict[str, _Macro]:
        table, file = dict[str, _Macro](), ""
        for line in _LINE.finditer(self.text):
            if line["name"] is None:
                file = line["file"]
            else:
                body = line["body"].strip()
                # "#define readl readl" says that there is such a function.
                if body != line["name"]:
                    table[line["name"]] = _Macro(file, body, bool(line["called"]))
        return table

    @cached_property
    def _functions(self) -> dict[str, re.Match[str]]:
        return functions(self.text)

    @cached_property
    def _types(self) -> dict[str, int]:
        """The place of each name of a type that is defined in the preprocessed text."""
        every = TYPE.finditer(self.text)
        return {m[1]: m.start() for m in every if not _FIXED.fullmatch(m[1])}

    @cached_property
    def _files(self) -> tuple[list[int], list[str]]:
        """The start of each part of the text, and the file that it is from."""
        parts = [(m.start(), m["file"]) for m in _LINE.finditer(self.text) if m["file"]]
        return [start for start, _ in parts], [file for _, file in parts]

    @cached_property
    def files(self) -> list[str]:
        """All files that are read."""
        return [*dict.fromkeys(f for f in self._files[1] if not f.startswith("<"))]

    def varies(self, name: str, replaced: bool = False) -> str:
        """Why a name may mean something else where the same C is compiled otherwise; empty if it does not.

        A constant that is ``replaced`` may also be one that few architectures have otherwise.
        """
        if self._is_enumerator(name):
            varies = self._differs(name) or any(map(self.varies, self._said(name)))
            return VARIES if varies else ""
        if self._is_object(name):
            made_of = self._made_of(name)
            if replaced and any(map(self._is_of_most, made_of)):
                return VARIES
            if not any(map(self._differs, made_of)):
                return ""
            if self._is_constant(name):
                return VARIES
            own = self._differs(name) and (is_constant(name) or self.is_alias(name))
            return OTHER_MEANING if own or self._is_attribute(name) else ""
        why = OTHER_MEANING if name in self._types else OTHER_CODE
        return why if self._differs(name) else ""

    def is_macro(self, name: str) -> bool:
        return name in self._table

    def promises(self, name: str) -> bool:
        """Whether a macro is made of attributes that are not compared, and no more than these."""
        macro = self._table.get(name)
        if macro is None or name.strip("_") == "inline":
            return False
        code = tokenize(macro.body.partition(")")[2] if macro.called else macro.body)
        own = {n for a, b, _ in attributes(code) for n in range(a, b + 1)}
        rest = [t for n, t in enumerate(code) if n not in own and t.text not in "()"]
        words = [
            t.text for t in rest if t.kind != STRING and not self._is_empty(t.text)
        ]
        known = all(w == "inline" or w != name and self.promises(w) for w in words)
        return known and bool(own or words)

    def _is_empty(self, name: str) -> bool:
        return name in self._table and not self._table[name].body

    def means_same(self, name: str) -> bool:
        """Whether a name means the same whatever defines it: one of the kernel's own headers, or no file in sight."""
        if SAME_MEANING.fullmatch(name) is None:
            return False
        file = self._file(name)
        return file[:1] in ("", "<") or _OF_KERNEL.search(file) is not None

    def choosing(self, name: str) -> set[int]:
        """The numbers of the parameters of a macro or function that say which barrier or the like it is."""
        body, found = self._body(name), self._functions.get(name)
        if not any(map(SILENT.fullmatch, NAMES.findall(body))):
            return set()
        header = found[0].partition("(")[2] if found else body
        tested = {*map("".join, _TESTED.findall(body))}
        parameters = header.partition(")")[0].split(",")
        return {
            n for n, p in enumerate(parameters) if tested & {*NAMES.findall(p)[-1:]}
        }

    def is_alias(self, name: str) -> bool:
        """Whether a macro or a type is another name for something."""
        macro = self._table.get(name)
        if macro is None:
            return name in self._types
        return not macro.called and bool(NAMES.fullmatch(macro.body))

    def bodies(self, name: str) -> list[Body]:
        """What a macro with parameters stands for, under each condition."""
        if name not in self._table or not self._table[name].called:
            return []
        text = bare(self.text_of(self._file(name)))
        pattern = rf"^[ \t]*#[ \t]*define[ \t]+{name}\(([^)]*)\)((?:\\\n|.)*)"
        return [Body(*found) for found in re.findall(pattern, text, re.M)]

    def again(self, name: str, number: int) -> int:
        """How often more than once a macro that `computes` has the argument of this number."""
        parameters, used = self._computed(name)
        return max(sum(map(used.count, parameters[number : number + 1])) - 1, 0)

    def computes(self, name: str) -> bool:
        """Whether a macro is arithmetic of its arguments, and no more."""
        parameters, used = self._computed(name)
        return bool(used) and {*used} <= {*parameters, "1"}

    def _computed(self, name: str) -> tuple[list[str], list[str]]:
        """The parameters of a macro and the words in its body; none if it calls others, or has several bodies."""
        macro = self._table.get(name)
        known = self.bodies(macro.body if macro and self.is_alias(name) else name)
        if len(known) != 1 or _CALLED.search(known[0].text):
            return [], []
        return re.findall(r"\w+", known[0].parameters), re.findall(
            r"\w+", known[0].text
        )

    def other_body(self, name: str) -> str:
        """The body of a macro without parameters under another condition; empty if it is the same, or there is none."""
        if not self._is_object(name):
            return ""
        text = bare(self.text_of(self._file(name)))
        found = re.findall(rf"^[ \t]*#[ \t]*define[ \t]+{name}\b(.*)", text, re.M)
        own = self._table[name].body
        return next((body.strip() for body in found if body.strip() != own), "")

    def declared_otherwise(self, names: Set[str]) -> dict[str, dict[str, bool]]:
        """Which of these variables, members and functions other conditions declare with other types, by name of the file.

        With each is said whether one condition declares a pointer.
        """
        both = ((file, declared_otherwise(self.text_of(file))) for file in self.files)
        return {
            os.path.basename(file): {n: own[n] for n in own.keys() & names}
            for file, own in both
        }

    def is_type(self, name: str) -> bool:
        """Whether a name is a type that may be another one elsewhere."""
        noted = _TYPEDEF.fullmatch(name) and name in self._types
        return bool(noted) and self._differs(name, anywhere=True)

    def may_set(self, name: str, addressed: bool) -> bool:
        """Whether a function that is given an address, or a macro of the changed file, may do otherwise elsewhere."""
        if name not in self._table:
            return addressed and self._differs(name, anywhere=True)
        used = closure([name], lambda n: self._own & {*NAMES.findall(self._body(n))})
        return name in self._own and any(self._differs(n, anywhere=True) for n in used)

    @cached_property
    def _own(self) -> frozenset[str]:
        """The macros of the changed file."""
        own = f"/{self._changed}"
        return frozenset(
            n for n, each in self._table.items() if each.file.endswith(own)
        )

    def is_stub(self, name: str) -> bool:
        """Whether a function calls no other one here, and may be another function elsewhere."""
        if name in self._table or not self._differs(name, anywhere=True):
            return False
        return self._calls_nothing(self._made(name))

    def is_value(self, name: str, call: str = "") -> bool:
        """Whether a name, or a ``call``, is a value that may be another one elsewhere, and not what a function returns."""
        if name in COUNTS:
            return bool(call) and self.is_sized(call[call.index("(") + 1 : -1])
        if (
            _TAGGED.fullmatch(name)
            or not call
            and (self.varies(name, replaced=self.is_alias(name)) == VARIES)
        ):
            return True
        macro = self._table.get(name)
        return (
            macro is not None
            and macro.called is bool(call)
            and not name.startswith("__")
            and bool(macro.body)
            and "{" not in macro.body
            and self._differs(name, anywhere=True)
            and self._calls_nothing(macro.body)
        )

    def _calls_nothing(self, body: str) -> bool:
        return all(map(NO_CALL.fullmatch, _CALLED.findall(body)))

    def differs(self, name: str, change: Exchange) -> str:
        """Why a name that the other side has less often may mean something else; empty if it does not."""
        if name in COUNTS and (change.constants or counts(change.other - change.own)):
            operands = {
                what for each, what in change.own - change.other if each == name
            }
            return VARIES if any(map(self.is_sized, operands)) else ""
        others = [other for other, _ in change.other]
        # For those with long in their names, 32 bits are compared.
        widest = "LONG" not in name and self._is_widest(name)
        if widest and not any(map(self._is_widest, others)):
            return VARIES
        why = self.varies(name, change.constants)
        kept = {each for each in change.own if each[0] == name} <= change.left
        if why or kept:
            return why
        mine = self._reached([name])
        gone = mine and mine - self._reached(o for o in others if o.isidentifier())
        if not gone:
            return ""
        return ASSEMBLY if all(map(self._is_assembly, gone)) else OTHER_CODE

    def _is_assembly(self, name: str) -> bool:
        """Whether the body of a macro or function is in sight, and has an asm statement."""
        return any(map(ASM.fullmatch, NAMES.findall(self._body(name))))

    def is_sized(self, operand: str) -> bool:
        """Whether an array, of the changed file or a member, may have another size, by its bound or an entry under a condition."""
        name = _OPERAND.fullmatch(operand)
        if name is None:
            return False
        own = self._changed if name[1] == operand else ""
        array = re.compile(rf"\b{name[1]}\s*\[([^]]*)\]\s*(?:=\s*(\{{)|[;,])")
        for text in self._texts(name[1], own):
            for found in array.finditer(text):
                end = closing_at(text, found.start(2)) if found[2] else None
                if any(map(self.varies, NAMES.findall(found[1]))):
                    return True
                if end is not None and IF.search(text, found.start(2), end):
                    return True
        return False

    def bounds(self, member: str, array: str) -> bool:
        """Whether a member says how many elements another one has."""
        said = re.compile(rf"\b{array}\s*(?:\[\s*\])?\s*__counted_by\w*\(\s*{member}\b")
        return any(map(said.search, self._texts(array)))

    def _texts(self, word: str, own: str = "") -> Iterator[str]:
        """The texts with a word of the files with names that end with ``own``."""
        for file in dict.fromkeys(f for f in self._files[1] if f.endswith(own)):
            text = "" if file.startswith("<") else self.text_of(file)
            if word in text:
                yield text

    def _reached(self, names: Iterable[str]) -> set[str]:
        """Definitions by an architecture or configuration among those that macros and functions in sight use."""
        asked, found = frozenset(names), set[str]()

        def following(each: str) -> Iterable[str]:
            same = self.means_same(each) or PASSED_OVER.fullmatch(each)
            silent = SILENT.fullmatch(each) or CONVERTS.fullmatch(each)
            if each not in asked and same and not silent or self._is_tool(each):
                return ()
            if silent or self.varies(each) or self._is_assembly(each):
                found.add(each)
                return ()
            return _USED.findall(self._body(each))

        closure(dict.fromkeys(asked), following)
        return found

    def _is_of_most(self, name: str) -> bool:
        """Whether few architectures define a constant otherwise."""
        return _OF_MOST.search(self._file(name)) is not None or name == _OF_ALPHA

    def _is_tool(self, name: str) -> bool:
        """Whether a macro is about compilers, or asks for an option, which has a name of its own."""
        file = self._file(name)
        return _COMPILERS in file or file.endswith(_OPTIONS)

    def _body(self, name: str) -> str:
        """The body of a macro, or of a function as it is written; empty if it is nowhere in sight."""
        if name in self._table:
            return self._table[name].body
        text = self.text_of(file) if (file := self._file(name)) else ""
        found = re.search(header(name), text)
        end = closing_at(text, found.end() - 1) if found else None
        return text[found.end() : end] if found and end is not None else ""

    @cached_property
    def _enumerators(self) -> dict[str, int]:
        """The place of each enumerator in the preprocessed text."""
        return {
            name[1]: block.start(1) + name.start(1)
            for block in ENUMERATION.finditer(self.text)
            for name in ENUMERATOR.finditer(block[1])
        }

    def _is_enumerator(self, name: str) -> bool:
        return name in self._enumerators and name not in self._table

    def _is_object(self, name: str) -> bool:
        """Whether a name is a macro without parameters."""
        return name in self._table and not self._table[name].called

    def _made(self, name: str) -> str:
        """The body of a macro, or of a function as the preprocessor leaves it."""
        found = self._functions.get(name)
        if name in self._table or found is None:
            return self._body(name)
        end = closing_at(self.text, found.end() - 1)
        return _MARKER.sub("", self.text[found.end() : end])

    def _said(self, name: str) -> list[str]:
        """The names in what an enumerator is set to."""
        text = bare(self.text_of(self._file(name)))
        found = re.search(rf"\b{name}\s*=([^,}}]*)", text)
        return NAMES.findall(found[1]) if found else []

    def _differs(self, name: str, anywhere: bool = False) -> bool:
        """Whether an architecture or a configuration defines a macro or a function in sight.

        ``anywhere``: also where what uses it in the changed file may be under the same condition.
        """
        if name.startswith("CONFIG_"):
            return True
        file = self._file(name)
        if "/generated/" in file or file.endswith(_OPTIONS):
            return True
        if _OF_ARCH.search(file) and not self._changed.startswith("arch/"):
            return True
        # What the compiler itself defines is in "<built-in>".
        if not file or file.startswith("<"):
            return False
        own = file.endswith(f"/{self._changed}") and not anywhere
        text = self.text_of(file)
        if self._is_enumerator(name):
            return is_counted_otherwise(name, text, own)
        return is_conditional(name, text, own)

    def _file(self, name: str) -> str:
        """The file that defines a macro, a function or an enumerator; empty if none in sight does."""
        if name in self._table:
            return self._table[name].file
        found = self._functions.get(name)
        place = found.start() if found else self._enumerators.get(name, -1)
        place = self._types.get(name, -1) if place < 0 else place
        starts, files = self._files
        part = bisect.bisect_right(starts, place) - 1
        return files[part] if part >= 0 else ""

    def _made_of(self, name: str) -> set[str]:
        """A constant, and those that it is made of."""

        def inside(each: str) -> Iterator[str]:
            return filter(self._is_object, NAMES.findall(self._table[each].body))

        return set(closure(filter(self._is_object, [name]), inside))

    def _is_widest(self, name: str) -> bool:
        """Whether all bits of a long are in a constant."""
        return any(_ALL_BITS.search(self._table[n].body) for n in self._made_of(name))

    def _is_attribute(self, name: str) -> bool:
        """Whether a macro with the name of an attribute is one, or nothing."""
        words = {
            word
            for each in self._made_of(name)
            for word in NAMES.findall(_STRING.sub("", self._table[each].body))
        }
        plain = all(self._is_object(word) or word.startswith("__") for word in words)
        return (
            plain
            and _ATTRIBUTE.fullmatch(name) is not None
            and _COMPILERS not in self._file(name)
        )

    def _is_constant(self, name: str) -> bool:
        """Whether a macro is made of numbers, at least one, and nothing that is not known."""
        bodies = [self._table[each].body for each in self._made_of(name)]
        words = {word for body in bodies for word in NAMES.findall(body)}
        return any(re.search(r"\b\d|alignof", body) for body in bodies) and all(
            self._is_object(word) or _TYPE.fullmatch(word) for word in words
        )
