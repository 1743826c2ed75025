#include <uapi/records.h>
