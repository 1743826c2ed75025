#include "a.h"
int x = BYTES(1);
