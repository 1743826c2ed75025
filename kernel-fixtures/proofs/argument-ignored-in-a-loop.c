// SPDX-License-Identifier: GPL-2.0
/*
 * Title: an address that a function ignores advances by another step
 * Verdict: not proven
 * Says: not reached as before
 */
struct counter {
	int a;
};

#ifdef CONFIG_NEVER_SET
void sync_at(struct counter *c, unsigned long at);
#else
static inline void sync_at(struct counter *c, unsigned long at)
{
	c->a++;
}
#endif

void subject(struct counter *c, unsigned long at, int n)
{
	while (n--) {
		sync_at(c, at);
		at += 8;
	}
}
