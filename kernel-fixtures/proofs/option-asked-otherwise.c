// SPDX-License-Identifier: GPL-2.0
/*
 * Title: what is a module is not built in
 * Verdict: not proven
 * Says: IS_ENABLED\(\) may be other code
 */
#include <fixture/arguments.h>
#include <linux/kconfig.h>

int changed(struct karg *k)
{
	k->a = IS_ENABLED(CONFIG_MODULES);
	return 0;
}
