#ifndef _LINUX_SAMPLE_H
#define _LINUX_SAMPLE_H
#define ALWAYS 7
#ifdef CONFIG_SAMPLE
#define SOMETIMES 1
#endif
#define DOUBLED (2 * SOMETIMES)
#ifndef OVERRIDDEN
#define OVERRIDDEN 3
#endif
#define plain(x) ((x) + 1)
#ifdef CONFIG_SAMPLE
#define __sometimes __section("sample")
#endif
#define user_of(x) ((x) + ALWAYS + by_option(x))
static inline int asks(int x)
{
	return IS_ENABLED(CONFIG_OTHER) ? plain(x) : 0;
}
enum first { BEFORE_IT,
#ifdef CONFIG_SAMPLE
	OPTIONAL, /* by one */
#endif
	COUNTED, FROM_HERE = 7, NOT_COUNTED };
#ifndef HAS_TYPES
enum second { DEFAULT = 1 };
#endif
enum { LIBRARY, plain_enumerator };
#define readl readl
static inline int by_option(int x)
{
#ifdef CONFIG_SAMPLE
	return x;
#else
	return 0;
#endif
}
static inline int always(int x)
{
	return x;
}
#endif
