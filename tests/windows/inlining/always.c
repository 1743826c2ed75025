#include <linux/far.h>

static inline int statement(int x) { return far_away(x); }
static inline int deeper(int x) { int y = statement(x); return y ? y : 1; }
static inline int both(int x)
{
	if (x > 3) {
		x++;
		return far_away(x);
	}
	return far_off(x);
}
static inline int otherwise(int x)
{
	if (x)
		x = far_away(x);
	else
		x = far_off(x);
	return x;
}
static inline int afterwards(int x)
{
	if (x)
		x = 4;
	while (x > 10)
		x--;
	do {
		x = far_away(x);
	} while (0);
	return x;
}
static inline int in_condition(int x) { if (far_away(x)) return 1; return 0; }
#define by_macro(x) far_away(x)
static inline int in_macro_body(int x)
{
	within_lock(x) {
		x = far_away(x);
	}
	return x;
}
