
struct hc_counter {
	spinlock_t lock;
	int count;
};

int hc_next(struct hc_counter *c);

int hc_next(struct hc_counter *c)
{
%s
}
