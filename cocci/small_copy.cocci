// SPDX-License-Identifier: GPL-2.0-only
/// copy_from_user() and copy_to_user() of a few bytes call a routine that is made
/// for large ones. A scalar is fetched by get_user() and stored by put_user(), a
/// small structure by a user access window; where a command or a caller says how
/// many bytes, a switch over the usual sizes copies them without a call.
///
// Confidence: Moderate
// Copyright: (C) 2026 the hotcocci developers. GPLv2.
// URL: https://docs.kernel.org/dev-tools/coccinelle.html
// Comments: SmPL matches the copies; Python modules read the types in the file and its
// headers, and print the patch of "hotcocci patch".
// Options: --no-includes
// Keywords: copy_from_user, copy_to_user, get_user, put_user

virtual patch, context, org, report

// The package is in the checkout that this script is in, or is linked from.

@initialize:python@
@@
import os, sys
sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.realpath(cocci.cocci_file))))
from hotcocci.cli.script import Script
matches = Script(cocci, coccilib)

// Each copy and the function it is in.

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
a << copy.a;
@@
matches.note(a[0])

// The files are done. hotcocci takes the facts and decides itself; coccicheck prints what
// needs no preparation, and with -D tier=prepared the rest.
// -D api=classic|masked|scoped and -D min_run=N override what the tree offers.

@script:python depends on ever copy@
@@
matches.done()
