// SPDX-License-Identifier: GPL-2.0-only
/// A function reads current->cred again behind each call, as a compiler cannot
/// know that the call leaves it alone. A local holds the credentials for all.
///
// Confidence: Moderate
// Copyright: (C) 2026 the hotcocci developers. GPLv2.
// URL: https://docs.kernel.org/security/credentials.html
// Comments: SmPL finds the loads and the statements around them; the Python module
// of the checkout this file lies in follows the paths between them and looks for what
// changes credentials. The patch declares the local at the top of the function.
// Options: --no-includes
// Keywords: current_cred, current_user_ns, current_fsuid, override_creds

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
from hotcocci.rules.ld301_credential_reload import credential_session
from hotcocci.rules.working import decider

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
get_current_groups@a()
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
seen.note_access("", "", a[0])

// One load alone is not made again.

@script:python possible depends on access@
@@
if not session.runs_possible():
    cocci.include_match(False)

// The statements of every such function, from which its paths are read.

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
// what makes no load where there was none, -D tier=prepared adds the others.

@script:python depends on ever access@
facts << virtual.facts = "";
tier << virtual.tier = "safe";
@@
if facts:
    seen.hand_over(cocci.files(), facts)
    found = []
else:
    found = credential_session.judge_files(decider(script), cocci.files(), tier)

@script:python depends on ever access && report@
@@
for place, message in found:
    coccilib.report.print_report(place, message)

@script:python depends on ever access && org@
@@
for place, message in found:
    coccilib.org.print_todo(place, message)

// What each load becomes, bound to its place.

@script:python becomes depends on ever access && (patch || context)@
a << access.a;
text;
@@
if not credential_session.becomes(coccinelle, a[0]):
    cocci.include_match(False)

@depends on ever access && context@
position access.a;
identifier F;
symbol current, cred, real_cred;
@@
(
* current_cred@a()
|
* current_user_ns@a()
|
* current_uid@a()
|
* current_gid@a()
|
* current_euid@a()
|
* current_egid@a()
|
* current_suid@a()
|
* current_sgid@a()
|
* current_fsuid@a()
|
* current_fsgid@a()
|
* current_cap@a()
|
* current_user@a()
|
* current_ucounts@a()
|
* current_cred_xxx@a(F)
|
* current_real_cred@a()
|
* get_current_cred@a()
|
* get_current_user@a()
|
* get_current_groups@a()
|
* current@a->cred
|
* current@a->real_cred
)

@depends on ever access && patch@
position access.a;
identifier becomes.text, F;
symbol current, cred, real_cred;
@@
(
- current_cred@a()
+ text
|
- current_user_ns@a()
+ text
|
- current_uid@a()
+ text
|
- current_gid@a()
+ text
|
- current_euid@a()
+ text
|
- current_egid@a()
+ text
|
- current_suid@a()
+ text
|
- current_sgid@a()
+ text
|
- current_fsuid@a()
+ text
|
- current_fsgid@a()
+ text
|
- current_cap@a()
+ text
|
- current_user@a()
+ text
|
- current_ucounts@a()
+ text
|
- current_cred_xxx@a(F)
+ text
|
- current_real_cred@a()
+ text
|
- get_current_cred@a()
+ text
|
- get_current_user@a()
+ text
|
- get_current_groups@a()
+ text
|
- current@a->cred
+ text
|
- current@a->real_cred
+ text
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
if not credential_session.declares(coccinelle, f):
    cocci.include_match(False)

@depends on ever becomes && patch@
identifier owner.f, hoist.declared;
position owner.p;
@@
f@p(...) {
+ declared;
...
}
