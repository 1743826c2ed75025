#define sum(a, b) ((a) + (b))
#define locked(p) spin_lock(p)
#define twice(x) sum(x, x)
#define fenced(x) ({ barrier(); x; })
static inline int plain(int a)
{
	return twice(a);
}
static inline int logs(int a)
{
	return printk(a);
}
#ifdef CONFIG_A
int either(int a);
#else
static inline int either(int a) { return a; }
#endif
void spin_lock(int *p);
