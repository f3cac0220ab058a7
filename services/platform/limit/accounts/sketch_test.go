package accounts_test

import (
	"math/rand/v2"
	"testing"

	"github.com/hawser-dev/hawser/services/platform/limit/accounts"
)

// numbered returns the same keys in each run, which are distributed as those of a salt.
func numbered(seed uint64) func() uint64 { return rand.New(rand.NewPCG(seed, 1)).Uint64 }

// use counts a use of a key that the bucket of its limit gains in the given time.
func use(s *accounts.Sketch, key uint64, now, gain int64) {
	s.Raise(key, max(now, s.Full(key))+gain)
}

func TestASketchCountsOneCallerExactly(t *testing.T) {
	s := accounts.NewSketch(100)
	key := numbered(1)()
	for n := range int64(50) {
		use(s, key, 1000, 7)
		if got, want := s.Full(key), 1000+7*(n+1); got != want {
			t.Fatalf("after %d uses its bucket is full at %d, want %d", n+1, got, want)
		}
	}
	use(s, key, 5000, 7)
	if got := s.Full(key); got != 5007 {
		t.Errorf("once it was full again, its bucket is full at %d, want 5007", got)
	}
}

func TestASketchNeverCountsLessThanWasUsed(t *testing.T) {
	const callers = 20_000
	next := numbered(2)
	keys := make([]uint64, callers)
	for i := range keys {
		keys[i] = next()
	}
	// The least width, so that cells have twenty callers each.
	s, exact := accounts.NewSketch(1), make([]int64, callers)
	random := rand.New(rand.NewPCG(3, 3))
	for now := range int64(200_000) {
		i := random.IntN(callers)
		gain := 1 + random.Int64N(30_000)
		use(s, keys[i], now, gain)
		exact[i] = max(now, exact[i]) + gain
		if got := s.Full(keys[i]); got < exact[i] {
			t.Fatalf("the bucket of caller %d is full at %d, want %d at least", i, got, exact[i])
		}
	}
	for i, key := range keys {
		if got := s.Full(key); got < exact[i] {
			t.Errorf("the bucket of caller %d is full at %d, want %d at least", i, got, exact[i])
		}
	}
}

// Other callers that used all they may are an eighth of what a table beside the sketch has, a quarter, and a half.
func TestFewAreCountedTooHighBesideAFlood(t *testing.T) {
	const size, honest = 65_536, 200_000
	for _, part := range []int{8, 4, 2} {
		s, next := accounts.NewSketch(size), numbered(4)
		for range size / part {
			use(s, next(), 0, 1_000_000)
		}
		tooHigh := 0
		for range honest {
			if s.Full(next()) > 0 {
				tooHigh++
			}
		}
		p := 1 / float64(part)
		most := p * p * p * p * honest
		t.Logf("beside 1/%d of %d: %d of %d are counted too high, the bound is %.0f", part, size, tooHigh, honest, most)
		if float64(tooHigh) > most {
			t.Errorf("beside 1/%d of %d: %d of %d are counted too high, want at most %.0f", part, size, tooHigh, honest, most)
		}
	}
}

// A million callers use a five-hundredth of a burst each at the same time: 15 callers for each cell of a row.
func TestAFloodOfThoseWhoUseLittleRefusesNobody(t *testing.T) {
	const size, flood, burst = 65_536, 1_000_000, 500
	s, next := accounts.NewSketch(size), numbered(5)
	for range flood {
		use(s, next(), 0, 1)
	}
	worst, sum := int64(0), int64(0)
	for range 100_000 {
		full := s.Full(next())
		worst, sum = max(worst, full), sum+full
	}
	t.Logf("others are counted %d of %d too high at most, and %.1f on average", worst, burst, float64(sum)/100_000)
	if worst > burst/20 {
		t.Errorf("a caller is counted %d of %d too high, want a twentieth at most", worst, burst)
	}
}
