#ifndef _X_H
#define _X_H
#undef unix
#define inline inline __attribute__((gnu_inline))
#define PASTE(a, b) a##b
#define __PASTE(a, b) PASTE(a, b)
#define UNIQUE(x) __PASTE(x, __COUNTER__)
#define lock_of(name, kind) PASTE(name, _##kind##_lock)
#define LINE_OF(x) ((x) + \
	__LINE__)
#define MAKES(name) static inline int name(void) { return "}"[0] + by_made(); }
struct s {
	int a[2];
};
static inline int deepest(int a)
{
	return a * 3;
}
static inline int by_macro(int a)
{
	return deepest(a) + 1;
}
#define deep(a) by_macro(a)
static inline int by_made(void)
{
	return 7;
}
MAKES(made) MAKES(made_too)
static inline int read_spin_lock(int a) { if (a) { return 2; } return 3; }
static int UNIQUE(count);
static inline struct s *const
unused(struct s *s)
{
	return s + LINE_OF(1);
}
static inline int in_table(int a)
{
	return a;
}
static int (*table)(int) = in_table;
#endif
