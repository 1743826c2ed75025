#include <linux/types.h>
#include <uapi/linux/case.h>
#include <linux/frame.h>
struct own { __u32 a; __u32 b; };
