#include "a.h"
int k;
