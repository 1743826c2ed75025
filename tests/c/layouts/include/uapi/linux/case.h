#include <asm/word.h>
#ifdef __x86_64__
#define EVENT_PACKED __attribute__((packed))
#else
#define EVENT_PACKED
#endif
struct event { __u32 mask; __u64 data; } EVENT_PACKED;
struct pair { __u32 a; __u32 b[2]; };
struct packed { __u32 a; __u64 b; } __attribute__((packed));
struct either { union { __u32 a; __u8 b[4]; } u; };
struct bits { __u32 a : 3, b : 29; };
struct flexible { __u32 length; struct { } __empty; __u8 bytes[]; };
struct rows { __u32 length; __u8 bytes[][4]; };
struct nested { struct pair inner; struct { __u32 c; }; };
#ifdef CONFIG_CASE_WIDE
struct configured { __u64 a; };
#else
struct configured { __u32 a; };
#endif
struct broken { missing_t a; };
#define renamed_by_macro renamed
struct renamed_by_macro { __u32 a; };
