
struct hc_pair {
	u32 first;
	u32 second;
};

int hc_read(struct hc_pair *to, struct hc_pair __user *from);
int hc_write(struct hc_pair __user *to, u32 first, u32 second);
void hc_elsewhere(void);
