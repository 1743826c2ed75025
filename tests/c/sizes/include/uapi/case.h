#ifdef CASE_NARROW
typedef unsigned int case_word_t;
#else
typedef unsigned long long case_word_t;
#endif
#ifdef __x86_64__
#define CASE_PACKED __attribute__((packed))
#else
#define CASE_PACKED
#endif
#ifdef CONFIG_CASE
typedef unsigned char case_config_t;
#define CASE_CONFIGURED __attribute__((packed))
#else
typedef unsigned short case_config_t;
#define CASE_CONFIGURED
#endif
#if defined(__i386__) && defined(CONFIG_CASE)
#define CASE_WORDS 3
#elif __BITS_PER_LONG == 64
#define CASE_WORDS 2
#else
#define CASE_WORDS 4
#endif
struct case_event { unsigned int a; case_word_t b; } CASE_PACKED;
struct case_set { unsigned long words[CASE_WORDS]; };
struct case_config { case_config_t a; };
struct case_configured { unsigned int a; unsigned long b; } CASE_CONFIGURED;
struct case_aligned { unsigned int a; } __attribute__((aligned(4 * sizeof(case_word_t))));
struct case_inside {
	unsigned int a;
#ifdef CASE_NARROW
	unsigned int b;
#endif
};
