// SPDX-License-Identifier: GPL-2.0-only
/// User access that is opened in an older or wider form than it needs: a window for
/// both directions that is used in one, a begin and an end where the tree has scopes,
/// access_ok() before accesses that check their range themselves or could.
///
// Confidence: Moderate
// Copyright: (C) 2026 the hotcocci developers. GPLv2.
// URL: https://docs.kernel.org/dev-tools/coccinelle.html
// Comments: SmPL matches begins, range checks and accesses; Python modules read the
// statements around them, follow the paths and print the patch of "hotcocci patch".
// Options: --no-includes
// Keywords: user_access_begin, scoped_user_access, access_ok

virtual patch, context, org, report

// The package is in the checkout that this script is in, or is linked from.

@initialize:python@
@@
import os, sys
sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.realpath(cocci.cocci_file))))
from hotcocci.cli.script import Script
matches = Script(cocci, coccilib)

// What makes a function worth reading: it opens a window, or checks a range.

@begin@
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
access_ok@a(ES)
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
scoped_user_rw_access@a(ES) S
|
scoped_user_rw_access_size@a(ES) S
)

@script:python@
a << begin.a;
@@
matches.note(a[0])

@script:python@
a << scope.a;
@@
matches.note(a[0])

// The other calls in such functions that access user memory, or end a window.

@access depends on begin || scope@
expression list ES;
position a : script:python() { matches.is_kept(a) };
@@
(
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
|
get_user@a(ES)
|
put_user@a(ES)
|
__get_user@a(ES)
|
__put_user@a(ES)
|
copy_from_user@a(ES)
|
copy_to_user@a(ES)
|
__copy_from_user@a(ES)
|
__copy_to_user@a(ES)
)

@script:python@
a << access.a;
@@
matches.note(a[0])

// The files are done. hotcocci takes the facts and decides itself; coccicheck prints what
// needs no preparation, and with -D tier=prepared the rest.
// -D api=classic|masked|scoped overrides what the tree offers.

@script:python depends on (ever begin || ever scope)@
@@
matches.done()
