int l(int n) { return four(n) + BYTES(n); }
