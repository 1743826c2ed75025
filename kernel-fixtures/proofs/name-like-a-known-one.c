// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a macro of the file that is another function under an option, with a name like those that mean the same everywhere
 * Verdict: not proven
 * Says: memcpy_hw\(\) may be other code
 */
#include <linux/types.h>
#include <linux/string.h>
#include <linux/io.h>

#ifdef CONFIG_KCOV
#define memcpy_hw(d, s, n) memcpy_toio((void __iomem *)(d), s, n)
#else
#define memcpy_hw(d, s, n) memcpy(d, s, n)
#endif

void changed(void *d, const void *s, int n)
{
	memcpy_hw(d, s, n);
}
