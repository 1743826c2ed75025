// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a statement that moves into the code of an option that is on
 * Verdict: not proven
 * Says: where options leave out
 */
int use(int value);
int changed(int a);

int changed(int a)
{
#ifdef CONFIG_SMP
	use(1);
#endif
	use(2);
#ifdef CONFIG_NUMA
	use(3);
#endif
	return use(a);
}
