// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a value set after removed code that may leave the loop
 * Verdict: not proven
 * Says: is not reached as before
 */
int use(int value);
int changed(int count);

int changed(int count)
{
	int last = 0;
	int i;

	for (i = 0; i < count; i++) {
		last = i;
#ifdef CONFIG_HOTCOCCI
		if (use(i))
			break;
#endif
		use(last);
	}
	return last;
}
