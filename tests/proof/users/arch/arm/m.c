#include <fs/a/a.h>
int m(int n) { return four(n); }
