// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a test of a static key, which only an option declares, is written out
 * Verdict: not proven
 * Says: static_branch_tcp_md5\(\) may be other code
 */
#include <net/tcp.h>

int subject(int a, int b);
int subject(int a, int b)
{
	return static_branch_tcp_md5() ? a : b;
}
