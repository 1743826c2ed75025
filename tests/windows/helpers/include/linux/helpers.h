#include <linux/lamps.h>
#define twice(x) ((x) + (x))
static inline int maybe(int x) { return x; }
static __always_inline int surely(int x)
{
	return x;
}
extern int far_away(int x);
struct ring *
no_type_on_its_line(int x);
static noinline int never(int x) { return x; }
static int hidden(int x);
int both(int x);
#define both(x) (x)
int two_ways(int x);
static inline int two_ways(int x) { return x; }
#ifdef CONFIG_TUNED
int tuned(int x);
#else
static inline int tuned(int x) { return 0; }
#endif
