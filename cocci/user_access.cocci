// SPDX-License-Identifier: GPL-2.0-only
/// Several get_user() or put_user() in a row on one user object, or one in a loop,
/// each open and close user access. One user access window does it once.
///
// Confidence: Moderate
// Copyright: (C) 2026 the hotcocci developers. GPLv2.
// URL: https://docs.kernel.org/dev-tools/coccinelle.html
// Comments: SmPL matches the accesses and their types; Python modules read the
// statements around them, decide which become a window, and print the patch of "hotcocci patch".
// Loops need preparation, so they need -D tier=prepared.
// Options: --no-includes
// Keywords: get_user, put_user, user_access_begin, unsafe_put_user

virtual patch, context, org, report

// The package is in the checkout that this script is in, or is linked from.

@initialize:python@
@@
import os, sys
sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.realpath(cocci.cocci_file))))
from hotcocci.cli.script import Script
matches = Script(cocci, coccilib)

// Each access: its value, its pointer and the function it is in. Every other rule
// depends on this one, so that spatch infers keywords and skips files without one.

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
matches.note_access(X, P, a[0])

// The types that the pointers in an access point to: the base is the __user pointer.

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
matches.note_type(B, T, b[0])

// Local variables that receive a value: they are dead after the return on a fault.

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
matches.note_local(V, T, v[0])

// The files are done. hotcocci takes the facts and decides itself; coccicheck prints what
// needs no preparation, and with -D tier=prepared the rest.
// -D api=classic|masked|scoped and -D min_run=N override what the tree offers.

@script:python depends on ever access@
@@
matches.done()
