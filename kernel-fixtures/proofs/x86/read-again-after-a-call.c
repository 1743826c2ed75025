// SPDX-License-Identifier: GPL-2.0
/*
 * Title: what is read again after a call may be something else
 * Verdict: not proven
 * Says: may differ
 */
#include <linux/compiler.h>
#include <linux/string.h>

struct state {
	unsigned int seq;
	char name[16];
};
int show(const char *b);
int subject(struct state *s);

int subject(struct state *s)
{
	unsigned int seq = READ_ONCE(s->seq);
	char b[16];

	strscpy(b, s->name);
	if (s->seq != seq)
		return -1;
	return show(b);
}
