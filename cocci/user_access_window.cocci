// SPDX-License-Identifier: GPL-2.0-only
/// User access windows that are opened, used or ended wrongly: an end that is
/// missing or one too many, an access outside any window or against its direction,
/// a scope that is left or labelled in a way that does not do what it seems to.
///
// Confidence: High
// Copyright: (C) 2026 the hotcocci developers. GPLv2.
// URL: https://docs.kernel.org/dev-tools/coccinelle.html
// Comments: SmPL matches what belongs to windows; Python modules read the statements
// around it and follow the paths, including those of faults, which no unsafe accessor shows
// to SmPL's own control flow.
// Options: --no-includes
// Keywords: user_access_begin, unsafe_get_user, unsafe_put_user, scoped_user_access

virtual patch, context, org, report

// The package is in the checkout that this script is in, or is linked from.

@initialize:python@
@@
import os, sys
sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.realpath(cocci.cocci_file))))
from hotcocci.cli.script import Script
matches = Script(cocci, coccilib)

// Everything that opens, uses or ends a window.

@access@
expression list ES;
position a;
iterator name scoped_guard, scoped_cond_guard;
iterator name scoped_user_read_access, scoped_user_read_access_size;
iterator name scoped_user_write_access, scoped_user_write_access_size;
iterator name scoped_user_rw_access, scoped_user_rw_access_size;
@@
(
user_access_begin@a(ES)
|
user_read_access_begin@a(ES)
|
user_write_access_begin@a(ES)
|
masked_user_access_begin@a(ES)
|
masked_user_read_access_begin@a(ES)
|
masked_user_write_access_begin@a(ES)
|
masked_user_rw_access_begin@a(ES)
|
user_access_end@a(ES)
|
user_read_access_end@a(ES)
|
user_write_access_end@a(ES)
|
user_access_save@a(ES)
|
user_access_restore@a(ES)
|
unsafe_get_user@a(ES)
|
unsafe_put_user@a(ES)
|
unsafe_copy_to_user@a(ES)
|
unsafe_copy_from_user@a(ES)
|
unsafe_try_cmpxchg_user@a(ES)
|
unsafe_atomic_store_release_user@a(ES)
)

@scope@
expression list ES;
statement S;
position a;
iterator name scoped_guard, scoped_cond_guard;
iterator name scoped_user_read_access, scoped_user_read_access_size;
iterator name scoped_user_write_access, scoped_user_write_access_size;
iterator name scoped_user_rw_access, scoped_user_rw_access_size;
@@
(
scoped_user_read_access@a(ES) S
|
scoped_user_read_access_size@a(ES) S
|
scoped_user_write_access@a(ES) S
|
scoped_user_write_access_size@a(ES) S
|
scoped_user_rw_access@a(ES) S
|
scoped_user_rw_access_size@a(ES) S
)

@script:python@
a << access.a;
@@
matches.note(a[0])

@script:python@
a << scope.a;
@@
matches.note(a[0])

// The files are done. hotcocci takes the facts and judges itself; coccicheck prints reports,
// and a patch of what can be fixed mechanically: an end of another flavour, one that a scope
// makes unnecessary, and one that is missing before a return.

@script:python depends on (ever access || ever scope)@
@@
matches.done()
