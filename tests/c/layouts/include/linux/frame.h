#define FRAME_ORDER 1
#include <uapi/linux/frame.h>
