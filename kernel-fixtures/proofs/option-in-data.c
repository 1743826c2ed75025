// SPDX-License-Identifier: GPL-2.0
/*
 * Title: data that says whether an option is built in
 * Verdict: not proven
 * Says: IS_BUILTIN\(\) may be other code
 */
#include <fixture/arguments.h>
#include <linux/kconfig.h>

int mine = IS_ENABLED(CONFIG_USB);
int changed(struct karg *k)
{
	return k->a + 1;
}
