// SPDX-License-Identifier: GPL-2.0-only
/// Several get_user() or put_user() in a row on one user object, or one in a loop,
/// each open and close user access. One user access window does it once.
///
// Confidence: Moderate
// Copyright: (C) 2026 the hotcocci developers. GPLv2.
// URL: https://docs.kernel.org/dev-tools/coccinelle.html
// Comments: SmPL matches the accesses; Python modules read the types and the
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

// Each access and the function it is in.

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
a << access.a;
@@
matches.note(a[0])

// The files are done. hotcocci takes the facts and decides itself; coccicheck prints what
// needs no preparation, and with -D tier=prepared the rest.
// -D api=classic|masked|scoped and -D min_run=N override what the tree offers.

@script:python depends on ever access@
@@
matches.done()
