// SPDX-License-Identifier: GPL-2.0-only
/// A function that runs often loads through one pointer after the other, or keeps
/// a small number in a local that each use has to mask. What a local can hold is
/// loaded once; an unsigned local as wide as a register needs no masking.
///
// Confidence: Low
// Copyright: (C) 2026 the hotcocci developers. GPLv2.
// URL: https://lore.kernel.org/lkml/BANLkTi=FwE9mR2t=jxu_4BdmiN8fTWsZGw@mail.gmail.com/
// Comments: SmPL finds the functions that are likely to be hot, and their statements; the
// Python module of the checkout this file lies in reads the chains of members and the
// types from the headers. Nothing is said of other functions. All rewrites need
// -D tier=prepared, as they are only worth their while where they save something.
// No keyword can be inferred: hot functions are known by name and file, and 543 names stand
// in most files of a kernel. Name a folder with M=; hotcocci parses only the files listed.
// A local is declared at the top of its function here; where it needs what is declared
// before it, the finding is told and only hotcocci writes it.
// Options: --no-includes
// Keywords: current, cred, umode_t, pointer chasing

virtual patch
virtual context
virtual org
virtual report

@initialize:python@
@@
import os, sys
words = open("/proc/self/cmdline").read().split("\0")
script = [w for w in words if w.endswith(".cocci")][0]
sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.realpath(script))))
from hotcocci.c import seen
from hotcocci.rewrite.loads import chain_session
from hotcocci.rules.working import decider

@script:python@
everywhere << virtual.everywhere = "";
@@
chain_session.begin(everywhere)

// The statements of every such function; its expressions and types are read from the text.

@line@
statement S;
position s : script:python() { chain_session.hot(s) };
iterator name scoped_guard, scoped_cond_guard, scoped_class;
@@
S@s

@script:python@
s << line.s;
@@
chain_session.note(s[0])

// The file is through. hotcocci takes the facts and decides itself; coccicheck gets
// what -D tier=prepared asks for.

@script:python depends on ever line@
facts << virtual.facts = "";
tier << virtual.tier = "safe";
@@
chain_session.noted()
if facts:
    seen.hand_over(cocci.files(), facts)
    found = []
else:
    found = chain_session.judge_files(decider(script), cocci.files(), tier)

@script:python depends on ever line && report@
@@
for place, message in found:
    coccilib.report.print_report(place, message)

@script:python depends on ever line && org@
@@
for place, message in found:
    coccilib.org.print_todo(place, message)

// A local of another type, and what a local takes the place of, bound to their places.

@narrow depends on ever line && (patch || context)@
type T;
identifier V;
expression E;
position v : script:python(V) { chain_session.widened(v, V) };
@@
(
T V@v = E;
|
T V@v;
)

@prefix depends on ever line && (patch || context)@
expression E;
position e : script:python() { chain_session.replaced(e) };
@@
E@e

@script:python becomes depends on prefix@
e << prefix.e;
text;
@@
chain_session.becomes(coccinelle, e[0])

@depends on narrow && context@
type narrow.T;
identifier narrow.V;
expression E;
position narrow.v;
@@
(
* T V@v = E;
|
* T V@v;
)

@depends on prefix && context@
expression E;
position prefix.e;
@@
* E@e

@depends on prefix && patch@
expression E;
identifier becomes.text;
position prefix.e;
@@
- E@e
+ text

@depends on ever narrow && patch@
type T;
identifier V;
expression E;
position v : script:python(V) { chain_session.widened(v, V) };
@@
(
- T V@v = E;
+ unsigned int V = E;
|
- T V@v;
+ unsigned int V;
)

// Positions are gone now: the local is declared in the function of that name.

@owner depends on ever becomes && patch@
identifier f;
position p;
@@
f@p(...) { ... }

@script:python hoist depends on ever becomes && patch@
f << owner.f;
declared;
@@
if not chain_session.declares(coccinelle, f):
    cocci.include_match(False)

@depends on ever becomes && patch@
identifier owner.f, hoist.declared;
position owner.p;
@@
f@p(...) {
+ declared;
...
}
