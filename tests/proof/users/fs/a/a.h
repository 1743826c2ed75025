#define SHIFT	9
#define BYTES(n)	((n) << SHIFT)
struct inner {
	int first;
	int (*call)(void *);
};
extern int limit;
int declared(int a);
#define MODE_fast_BIT	1
#define MODE(name)	(1 << MODE_##name##_BIT)
#define MODE_FAST	MODE(fast)
static inline int twice(int n)
{
	return 2 * n;
}
static inline int four(int n)
{
	return twice(twice(n));
}
/* the end */
