// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a label that only removed code jumps to, moved
 * Verdict: not proven
 * Says: is not reached as before
 */
int use(int value);
int changed(int a);

int changed(int a)
{
#ifdef CONFIG_HOTCOCCI
	if (use(a))
		goto done;
#endif
	use(1);
done:
	use(2);
	return use(3);
}
