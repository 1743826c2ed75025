#define put_pair(a, b, p, label) do { \
	unsafe_put_user(a, &(p)->a, label); \
	put_other(b, p, label); \
} while (0)
#define put_other unsafe_put_user
#define asked(x) ((x)->wanted)
static __always_inline int fetched(struct pair __user *p)
{
	int a;

	unsafe_get_user(a, &p->a, efault);
	return asked(&a) + likely(a);
efault:
	return 0;
}
static inline int swapped(struct pair __user *p)
{
	put_pair(1, 2, p, efault);
	return fetched(p);
efault:
	return 0;
}
static inline void flushed(void *p)
{
	asm volatile("dcbst 0, %0" : : "r" (p));
}
static inline int through(int (*fn)(int))
{
	return (*fn)(1);
}
static inline int further(int x)
{
	return declared(x);
}
int declared(int x);
#define twice(x) once(x)
#define twice(x) flushed(x)
