struct pair { unsigned int a; unsigned long long b; };
struct pointers { void *a, *b[2]; };
struct inner { struct { unsigned char c[2]; } in; unsigned short s; };
struct whole { struct pair pair; unsigned char tail[]; };
union either { unsigned long long a; unsigned char b[12]; };
struct bits { unsigned int a : 30, b : 3; };
struct tight { unsigned char a; unsigned long long b; } __attribute__((packed));
struct in_place { struct { unsigned char a; unsigned int b; } __packed both; };
struct moved { unsigned char a; unsigned int b __aligned(8); };
struct line { unsigned int a; } ____cacheline_aligned;
struct member_packed { unsigned char a; unsigned int b __packed; };
typedef unsigned int triple_t[3];
struct triple { triple_t words; };
enum color { RED };
struct colored { enum color color; };

#ifdef CONFIG_COMPAT_FOR_U64_ALIGNMENT
typedef unsigned long long __attribute__((aligned(4))) compat_u64;
#else
typedef unsigned long long compat_u64;
#endif

struct by_name {
	compat_u64 a;
	struct pair in;
	int last[2];
};
