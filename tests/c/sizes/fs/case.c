#include <uapi/case.h>
