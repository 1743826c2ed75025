struct case_either {
#ifdef CONFIG_CASE
	__u64 wide;
#else
	__u32 narrow;
#endif
};
struct case_twice { __u32 a; };
#ifdef CONFIG_CASE
typedef __u32 case_twice_t;
#else
typedef __u64 case_twice_t;
#endif
#define CASE_EITHER _IOR('c', 1, struct case_either)
#define CASE_TWICE _IOR('c', 2, case_twice_t)
#define CASE_NOWHERE _IOR('c', 3, struct case_nowhere)
#define CASE_NO_COMMAND (1 << 3)
