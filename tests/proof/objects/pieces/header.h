static inline void leave(unsigned long addr, int *p)
{
	*p = 0;
}
static inline void pass(struct mm *mm, unsigned long addr, int *p)
{
	mm->addr = 0;
	leave(addr, p);
}
static inline int size(int a)
{
	return sizeof(a);
}
static inline void use(int (*size)(int), int a)
{
	size(a);
}
