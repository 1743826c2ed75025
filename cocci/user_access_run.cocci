// SPDX-License-Identifier: GPL-2.0-only
/// Several get_user() or put_user() in a row on one user object each open and
/// close user space. One user access window does it once.
///
// Confidence: Moderate
// Copyright: (C) 2026 the hotcocci developers. GPLv2.
// URL: https://docs.kernel.org/dev-tools/coccinelle.html
// Comments: SmPL finds the accesses, their types and the statements around them;
// the Python module of the checkout this file lies in links them into runs and
// writes the window; the last rule pastes it. Only rewrites that need no
// preparation are made here.
// Options: --no-includes --smpl-spacing
// Keywords: get_user, put_user, user_access_begin, unsafe_put_user

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
from hotcocci.rewrite import session
from hotcocci.rules.working import decider

// Each access: the value and the pointer, and the function it stands in. Every other
// rule depends on it, so that spatch infers keywords and skips files without one.

@access@
expression X, P;
position a;
iterator name scoped_guard, scoped_cond_guard;
@@
(
get_user@a(X, P)
|
put_user@a(X, P)
|
__get_user@a(X, P)
|
__put_user@a(X, P)
)

@script:python@
X << access.X;
P << access.P;
a << access.a;
@@
seen.note_access(X, P, a[0])

// Only a function with two accesses can hold a run. hotcocci asks for those with a loop
// as well: what SmPL sees of them is what the rule of loops needs.

@script:python possible depends on access@
facts << virtual.facts = "";
@@
if not session.runs_possible(bool(facts)):
    cocci.include_match(False)

// What the pointers in it point to: __user or not tells the base.

@pointer depends on access@
type T;
idexpression T *B;
expression X;
position access.a, b;
@@
(
get_user@a(X, <+... B@b ...+>)
|
put_user@a(X, <+... B@b ...+>)
|
__get_user@a(X, <+... B@b ...+>)
|
__put_user@a(X, <+... B@b ...+>)
)

@script:python@
T << pointer.T;
B << pointer.B;
b << pointer.b;
@@
seen.note_type(B, T, b[0])

// Where a value goes: only a local variable is dead after the return of a fault.

@variable depends on access@
type T;
local idexpression T V;
expression P;
position access.a, v;
@@
(
get_user@a(<+... V@v ...+>, P)
|
__get_user@a(<+... V@v ...+>, P)
)

@script:python@
T << variable.T;
V << variable.V;
v << variable.v;
@@
seen.note_local(V, T, v[0])

// The statements of every such function. What lies between two of
// them, and what a fault leads to, is read off this tree.

@line depends on access && possible@
statement S;
position s : script:python() { seen.has_access(s) };
@@
S@s

@script:python@
s << line.s;
@@
seen.note_statement(s[0])

// The file is through. hotcocci takes the facts and decides itself; coccicheck gets
// what can be rewritten without preparation, -D tier=prepared adds what needs some.
// -D api=classic|masked|scoped and -D min_run=N override what the tree offers.

@script:python depends on ever access@
facts << virtual.facts = "";
api << virtual.api = "";
min_run << virtual.min_run = "";
tier << virtual.tier = "safe";
@@
if facts:
    seen.hand_over(cocci.files(), facts)
    found = []
else:
    found = session.judge_files(decider(script), cocci.files(), api, min_run, tier)

@script:python depends on ever access && report@
@@
for place, message in found:
    coccilib.report.print_report(place, message)

@script:python depends on ever access && org@
@@
for place, message in found:
    coccilib.org.print_todo(place, message)

// What to write instead, bound to the last of the statements that go.

@script:python window depends on ever access && (patch || context)@
s << line.s;
number;
text;
head;
arguments;
inner;
@@
if not session.paste(coccinelle, s[0]):
    cocci.include_match(False)

@depends on ever access && context@
identifier window.number;
statement S;
position m : script:python(number) { session.replaces(m, number, "shown") };
@@
* S@m

// The only rule that changes anything: the statements of a run go, and the window
// stands where the last one stood.

@depends on ever access && patch@
iterator window.head;
identifier window.number, window.text, window.arguments, window.inner;
statement S;
position t : script:python(number) { session.replaces(t, number, "text") };
position s : script:python(number) { session.replaces(s, number, "scope") };
position b : script:python(number) { session.replaces(b, number, "both") };
position m : script:python(number) { session.replaces(m, number, "member") };
@@
(
- S@t
+ text;
|
- S@s
+ head(arguments) {
+	inner;
+ }
|
- S@b
+ text;
+ head(arguments) {
+	inner;
+ }
|
- S@m
)
