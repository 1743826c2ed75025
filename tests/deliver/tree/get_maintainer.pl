
open my $file, '<', $ARGV[-1];
my $patch = join '', <$file>;
my $lists = grep { $_ eq '--nom' } @ARGV;
my @found;
if ($patch =~ m{^\+\+\+ b/drivers/lamp\.c$}m) {
	push @found, $lists ? ('Bob <bob@lamps.example>', 'lamps@lists.example')
		: 'Ada Lüders <ada@lamps.example>';
}
if ($patch =~ m{^\+\+\+ b/sound/}m && !$lists) {
	push @found, 'Eve <eve@sound.example>';
}
push @found, $lists ? 'kernel@lists.example' : 'Zoe <zoe@example.org>';
print map { "$_\n" } @found;
