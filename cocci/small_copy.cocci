// SPDX-License-Identifier: GPL-2.0-only
/// copy_from_user() and copy_to_user() of a few bytes call a routine that is made
/// for large ones. A scalar is fetched by get_user() and stored by put_user(), a
/// small structure by a user access window; where a command or a caller says how
/// many bytes, a switch over the usual sizes copies them without a call.
///
// Confidence: Moderate
// Copyright: (C) 2026 the hotcocci developers. GPLv2.
// URL: https://docs.kernel.org/dev-tools/coccinelle.html
// Comments: SmPL finds the copies and the types of the variables in them; the Python
// module of the checkout this file lies in reads the types' sizes from the headers
// and writes the access; the last rules paste it. Only rewrites that need no
// preparation are made here. A switch is only told of: its helper stands before the
// function, where SmPL does not paste.
// Options: --no-includes --smpl-spacing
// Keywords: copy_from_user, copy_to_user, get_user, put_user

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

// Each copy: the kernel's side, the user's side and the size, and the function it
// stands in. Every other rule depends on it, so that spatch infers keywords and
// skips files without one.

@copy@
expression K, P, N;
position a;
iterator name scoped_guard, scoped_cond_guard;
@@
(
copy_from_user@a(K, P, N)
|
copy_to_user@a(P, K, N)
|
__copy_from_user@a(K, P, N)
|
__copy_to_user@a(P, K, N)
)

@script:python@
K << copy.K;
P << copy.P;
N << copy.N;
a << copy.a;
@@
seen.note_access(K, P, a[0], N)

// What the variables in it are: the type of a member is read from the headers.

@variable depends on copy@
type T;
idexpression T V;
expression P, N;
position v;
@@
(
copy_from_user(<+... V@v ...+>, P, N)
|
copy_to_user(P, <+... V@v ...+>, N)
|
__copy_from_user(<+... V@v ...+>, P, N)
|
__copy_to_user(P, <+... V@v ...+>, N)
)

@script:python@
T << variable.T;
V << variable.V;
v << variable.v;
@@
seen.note_local(V, T, v[0])

@pointer depends on copy@
type T;
idexpression T *B;
expression K, N;
position b;
@@
(
copy_from_user(K, <+... B@b ...+>, N)
|
copy_to_user(<+... B@b ...+>, K, N)
|
__copy_from_user(K, <+... B@b ...+>, N)
|
__copy_to_user(<+... B@b ...+>, K, N)
)

@script:python@
T << pointer.T;
B << pointer.B;
b << pointer.b;
@@
seen.note_type(B, T, b[0])

// What is worth to be looked at closer: a scalar, a structure where that runs often, and
// a size that is only known when the kernel runs.

@script:python possible depends on copy@
everywhere << virtual.everywhere = "";
@@
if not session.copies_possible(everywhere):
    cocci.include_match(False)

// The statements of every such function. What is done with the result, and what a
// fault leads to, is read off this tree.

@line depends on copy && possible@
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

@script:python depends on ever copy@
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

@script:python depends on ever copy && report@
@@
for place, message in found:
    coccilib.report.print_report(place, message)

@script:python depends on ever copy && org@
@@
for place, message in found:
    coccilib.org.print_todo(place, message)

// What to write instead: for a scalar another call, for a structure a window, bound to
// the last of the statements that go. No match is dropped here, as that would drop
// the other kind's as well: each is found by its place.

@standing depends on ever copy && (patch || context)@
position c : script:python() { session.is_called(c) };
@@
(
copy_from_user@c(...)
|
copy_to_user@c(...)
|
__copy_from_user@c(...)
|
__copy_to_user@c(...)
)

@whole depends on ever copy && (patch || context)@
statement S;
position s : script:python() { session.is_pasted(s) };
@@
S@s

@script:python scalar@
c << standing.c;
place;
text;
@@
session.call(coccinelle, c[0])

@script:python window@
s << whole.s;
number;
text;
head;
arguments;
inner;
@@
session.paste(coccinelle, s[0])

@depends on ever copy && context@
identifier scalar.place;
position c : script:python(place) { session.stands_for(c, place) };
@@
(
* copy_from_user@c(...)
|
* copy_to_user@c(...)
|
* __copy_from_user@c(...)
|
* __copy_to_user@c(...)
)

@depends on ever copy && context@
identifier window.number;
statement S;
position m : script:python(number) { session.replaces(m, number, "shown") };
@@
* S@m

@depends on ever copy && patch@
identifier scalar.place, scalar.text;
position c : script:python(place) { session.stands_for(c, place) };
@@
(
- copy_from_user@c(...) ? -EFAULT : 0
+ text
|
- copy_to_user@c(...) ? -EFAULT : 0
+ text
|
- __copy_from_user@c(...) ? -EFAULT : 0
+ text
|
- __copy_to_user@c(...) ? -EFAULT : 0
+ text
|
- copy_from_user@c(...)
+ text
|
- copy_to_user@c(...)
+ text
|
- __copy_from_user@c(...)
+ text
|
- __copy_to_user@c(...)
+ text
)

// The statements that copied go, and the window stands where the last one stood.

@depends on ever copy && patch@
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
