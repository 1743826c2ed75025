a
#ifdef CONFIG_ONE
b
#if defined(CONFIG_TWO) && \
	defined(CONFIG_THREE)
c
#else
d
#endif
e
#elif FOUR
f
#endif
#ifndef CONFIG_FIVE
g
# if 1
h
# endif
#endif
COMPAT_SYSCALL_DEFINE1(name, int, i)
{
}
j
