#include <linux/far.h>

static inline int empty(int x) { return x; }
static inline int neighbour(int x)
{
	if (x)
		return far_away(x);
	return 0;
}
static inline int one_branch(int x)
{
	if (coldly(x))
		return far_away(x);
	return x;
}
static inline int early(int x)
{
	if (x) {
		if (x > 2)
			return 2;
		x = 3;
	}
	return far_away(x);
}
static inline int in_loop(int x) { for (; x; x = far_away(x)) x--; return x; }
static inline int short_circuit(int x) { return x && far_away(x); }
static inline int chosen(int x) { int y = x ? 1 : far_away(x); return y; }
static inline int configured(int x)
{
#ifdef CONFIG_TRACE
	far_away(x);
#endif
	return x;
}
static inline int in_case(int x)
{
	switch (x) {
	case 1:
		return far_away(x);
	}
	return x;
}
static inline int in_size(int x) { return sizeof(far_away(x)); }
