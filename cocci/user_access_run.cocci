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
from hotcocci.rewrite import session

// Each access: the value and the pointer, and the function it stands in.

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
session.note_access(X, P, a[0])

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
session.note_type(B, T, b[0])

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
session.note_local(V, T, v[0])

// The statements of every function that has an access. What lies between two of
// them, and what a fault leads to, is read off this tree.

@line depends on access@
statement S;
position s : script:python() { session.has_access(s) };
@@
S@s

@script:python@
s << line.s;
@@
session.note_statement(s[0])

// The file is through: hand over the facts, or decide here.

@script:python@
facts << virtual.facts = "";
@@
if facts:
    session.hand_over(cocci.files(), facts)
