#include <a.h>

static int a;
static int
f(int x)
{
	x = 1;

out:
	return x;
}

#define M(x) \
	do { x } \
	while (0)
M(
  1)

/* Why. */
int g(void)
{
}
