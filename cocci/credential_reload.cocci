// SPDX-License-Identifier: GPL-2.0-only
/// A function reads current->cred again behind each call, as a compiler cannot
/// know that the call leaves it alone. A local holds the credentials for all.
///
// Confidence: Moderate
// Copyright: (C) 2026 the hotcocci developers. GPLv2.
// URL: https://docs.kernel.org/security/credentials.html
// Comments: SmPL matches the loads and their types; Python modules read the statements
// around them, follow the paths, look for what changes credentials, and print the
// patch of "hotcocci patch".
// Options: --no-includes
// Keywords: current_cred, current_user_ns, current_fsuid, override_creds

virtual patch, context, org, report

// The package is in the checkout that this script is in, or is linked from.

@initialize:python@
@@
import os, sys
sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.realpath(cocci.cocci_file))))
from hotcocci.cli.script import Script
matches = Script(cocci, coccilib)

// Each load: the accessors of include/linux/cred.h, and the members themselves.

@access@
expression X, P;
identifier F;
symbol current, cred, real_cred;
position a;
iterator name scoped_guard, scoped_cond_guard, scoped_class;
iterator name scoped_with_creds, scoped_with_kernel_creds, scoped_with_init_fs;
iterator name with_ovl_creds;
@@
(
current_cred@a()
|
current_user_ns@a()
|
current_uid@a()
|
current_gid@a()
|
current_euid@a()
|
current_egid@a()
|
current_suid@a()
|
current_sgid@a()
|
current_fsuid@a()
|
current_fsgid@a()
|
current_cap@a()
|
current_user@a()
|
current_ucounts@a()
|
current_cred_xxx@a(F)
|
current_real_cred@a()
|
get_current_cred@a()
|
get_current_user@a()
|
current_uid_gid@a(X, P)
|
current_euid_egid@a(X, P)
|
current_fsuid_fsgid@a(X, P)
|
current@a->cred
|
current@a->real_cred
)

@script:python@
a << access.a;
@@
matches.note(a[0])

// The files are done. hotcocci takes the facts and decides itself; coccicheck prints what
// needs no preparation, and with -D tier=prepared the rest.

@script:python depends on ever access@
@@
matches.done()
