typedef struct { unsigned long w[2]; } word_t;
