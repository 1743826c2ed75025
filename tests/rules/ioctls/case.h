#define CASE_NAME 12
#define CASE_BASE 'c'
#define CASE_RW(nr, type) _IOWR(CASE_BASE, nr, type)
#ifdef __KERNEL__
typedef unsigned int case_handle_t;
#else
typedef unsigned long case_handle_t;
#endif
struct case_plain { __u8 a; __u64 b; __u16 c; };
struct case_packed { __u8 a; __u64 b; } __attribute__((packed));
struct case_bits { __u32 a : 3; __u32 b : 30; __u8 c; };
struct case_union {
	union {
		__u8 name[CASE_NAME + 1];
		__u32 word;
	};
	struct { __u16 x, y; } pair[3];
	void *pointer;
	int (*call)(int);
#define CASE_FLAG (1 << 0)
	__u32 flags;
};
struct case_aligned { __u32 a; __u64 b __attribute__((aligned(16))); };
typedef struct case_named { case_handle_t handle; __u8 tail[]; } case_named_t;
enum case_kind { CASE_ONE };
struct case_matrix { enum case_kind kind; __u16 rows[2][3]; };
#define CASE_RESET _IO(CASE_BASE, 0)
#define CASE_PLAIN _IOR('c', 1, struct case_plain)
#define CASE_PACKED _IOW(CASE_BASE, 2, struct case_packed)
#define CASE_BITS CASE_RW(3, struct case_bits)
#define CASE_UNION CASE_RW(0x04, struct case_union)
#define CASE_ALIGNED CASE_RW(5, struct case_aligned)
#define CASE_TYPEDEF CASE_RW(6, case_named_t)
#define CASE_MATRIX CASE_RW(7, struct case_matrix)
#define CASE_ARRAY CASE_RW(8, __u8[CASE_NAME])
#define CASE_ALIAS CASE_MATRIX
