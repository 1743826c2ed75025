typedef struct { unsigned long w[1]; } word_t;
