typedef unsigned int u32;
typedef unsigned long long __u64;
typedef __u64 my_wide;
typedef my_wide my_wider;
typedef struct { int x; my_wide y; } __packed pair_t;
typedef struct named named_t;
enum color { RED };
struct named { short s; };
struct flex {
	int n;
	struct { char c; long long w; } inner;
	u32 last[];
};
struct zero { int n; int tail[0]; };
struct declared {
	int n;
	union {
		__DECLARE_FLEX_ARRAY(u32, words);
		DECLARE_FLEX_ARRAY(char, bytes);
	};
};
