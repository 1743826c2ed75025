#if defined(FRAME_ORDER)
struct frame { __u32 low; __u32 high; };
#endif
