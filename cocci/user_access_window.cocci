// SPDX-License-Identifier: GPL-2.0-only
/// User access windows that are opened, used or ended wrongly: an end that is
/// missing or one too many, an access outside any window or against its direction,
/// a scope that is left or labelled in a way that does not do what it seems to.
///
// Confidence: High
// Copyright: (C) 2026 the hotcocci developers. GPLv2.
// URL: https://docs.kernel.org/dev-tools/coccinelle.html
// Comments: SmPL finds what belongs to windows and the statements around it; the
// Python module of the checkout this file lies in follows the paths, the ones of
// faults as well, which no unsafe accessor shows to SmPL's own control flow.
// Options: --no-includes --smpl-spacing
// Keywords: user_access_begin, unsafe_get_user, unsafe_put_user, scoped_user_access

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
from hotcocci.rules import window_session as session

// Everything that opens, uses or ends a window. The functions it stands in are looked at.

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
seen.note_access("", "", a[0])

@script:python@
a << scope.a;
@@
seen.note_access("", "", a[0])

// The statements of these functions: their control flow is read off this tree.

@line depends on access || scope@
statement S;
position s : script:python() { seen.has_access(s) };
@@
S@s

@script:python@
s << line.s;
@@
seen.note_statement(s[0])

// The file is through. hotcocci takes the facts and judges itself; coccicheck gets reports.

@script:python depends on access || scope@
facts << virtual.facts = "";
@@
if facts:
    seen.hand_over(cocci.files(), facts)
    found = []
else:
    found = session.judge_files(cocci.files())

@script:python depends on (ever access || ever scope) && report@
@@
for place, message in found:
    coccilib.report.print_report(place, message)

@script:python depends on (ever access || ever scope) && org@
@@
for place, message in found:
    coccilib.org.print_todo(place, message)

// The statements that are wrong, with a number for each and, where it is mechanical, the
// end that belongs there.

@script:python wrong depends on (ever access || ever scope) && (patch || context)@
s << line.s;
number;
end;
@@
if not session.note(coccinelle, s[0]):
    cocci.include_match(False)

@depends on (ever access || ever scope) && context@
identifier wrong.number;
statement S;
position s : script:python(number) { session.takes(s, number, "shown") };
@@
* S@s

// The only rule that changes anything: an end of another flavour, one that a scope has
// made needless, and one that is missing before a return.

@depends on (ever access || ever scope) && patch@
identifier wrong.number, wrong.end;
statement S;
position r : script:python(number) { session.takes(r, number, "replace") };
position d : script:python(number) { session.takes(d, number, "drop") };
position b : script:python(number) { session.takes(b, number, "before") };
@@
(
- S@r
+ end();
|
- S@d
|
+ end();
  S@b
)
