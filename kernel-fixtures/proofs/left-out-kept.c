// SPDX-License-Identifier: GPL-2.0
/*
 * Title: code of options that are off is reached as before, wherever it stands
 * Verdict: proven
 */
#include <linux/kernel.h>

struct pair {
	int a, b;
};

void other(int n);
void whole(struct pair p);

int subject(int a, int b)
{
	static const int table[] = {
#ifdef CONFIG_NO_SUCH_OPTION
		7,
#endif
		1, 2,
	};
	struct pair p = { .a = a };
	int ret = table[a & 1];

	if (!(a >= 0))
		goto out;
#ifdef CONFIG_NO_SUCH_OPTION
	whole(p);
#endif
	if (b > 8) {
		other(a);
	}
#ifdef CONFIG_NO_SUCH_OPTION
	else if (ret)
		other(ret);
#endif
	else {
		other(b);
	}
	switch (b) {
	case 1:
#ifdef CONFIG_NO_SUCH_OPTION
	case 2:
#endif
		ret = 5;
		break;
	default:
		p.b = 3;
	}
	if (a == 3 ||
#ifdef CONFIG_NO_SUCH_OPTION
	    other(p.b) ||
#endif
	    b == 3)
		ret = p.b;
out:
#ifdef CONFIG_NO_SUCH_OPTION
	other(ret);
#endif
	return ret;
}
