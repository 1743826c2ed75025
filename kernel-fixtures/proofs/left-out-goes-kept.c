// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a label that only removed code jumps to, with another statement after it
 * Verdict: proven
 */
int use(int value);
int changed(int a);

int changed(int a)
{
	int found;

#ifdef CONFIG_HOTCOCCI
	if (use(a))
		goto done;
#endif
	use(1);
done:
	found = use(3);
	return found;
}
