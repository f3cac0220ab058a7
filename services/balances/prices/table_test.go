package prices

import (
	"encoding/binary"
	"math/big"
	"testing"
	"time"

	"github.com/hawser-dev/hawser/services/onchain/devnet"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/tokens"
)

// now is a clock that the test sets.
type now struct{ at time.Time }

func (n *now) Now() time.Time { return n.at }

var blockTime = time.Unix(1_700_000_000, 0)

var (
	ether  = Asset{"eip155:1", evm.Native}
	usdc   = Asset{"eip155:1", evm.MustAddress("0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48")}
	aurora = Asset{"eip155:1313161554", evm.Native}
	xdai   = Asset{"eip155:100", evm.Native}
)

func newTable(t *testing.T, cfg Config) (*Table, *now) {
	t.Helper()
	local := devnet.Open("", nil)
	lists, err := tokens.Load(tokens.Config{}, local)
	if err != nil {
		t.Fatal(err)
	}
	clock := &now{blockTime}
	b, err := NewTable(cfg, lists, local, clock)
	if err != nil {
		t.Fatal(err)
	}
	return b, clock
}

func word(n int64) []byte {
	b := make([]byte, 32)
	big.NewInt(n).FillBytes(b)
	return b
}

// rounds encodes the answer of latestRoundData.
func rounds(answer []byte, updated time.Time) evm.Answer {
	data := append(word(7), answer...)
	data = append(append(data, word(0)...), word(updated.Unix())...)
	return evm.Answer{OK: true, Data: append(data, word(7)...)}
}

func text(s string) evm.Answer {
	b := append(word(32), word(int64(len(s)))...)
	return evm.Answer{OK: true, Data: append(append(b, s...), make([]byte, 32-len(s)%32)...)}
}

// store stores valid answers to a batch: 2,000 dollars for every feed, 1.5 for every oracle price. change may edit them first.
func store(t *testing.T, b *Table, chainID string, change func(answers [][]evm.Answer)) {
	t.Helper()
	batch := b.Due(chainID)
	if len(batch.Queries) == 0 {
		t.Fatalf("nothing is due on %s", chainID)
	}
	answers := make([][]evm.Answer, len(batch.Queries))
	for i, q := range batch.Queries {
		for k := range q.Targets {
			answer := evm.Answer{OK: true, Data: word(150_000_000)}
			if i < feedQueryCount && len(batch.feeds) > 0 {
				answer = []evm.Answer{rounds(word(2000_00000000), blockTime), {OK: true, Data: word(8)}, text(batch.feeds[k].descriptions[0])}[i]
			}
			answers[i] = append(answers[i], answer)
		}
	}
	if change != nil {
		change(answers)
	}
	b.Store(batch, answers, blockTime)
}

func TestPricesComeFromFeedsAndOracles(t *testing.T) {
	b, _ := newTable(t, Config{})
	if price, ok := b.Price(ether, "usd", Demand{}); ok {
		t.Errorf("before anything was read: got %v", price)
	}
	store(t, b, "eip155:1", nil)
	store(t, b, "eip155:100", nil)
	for asset, want := range map[Asset]float64{ether: 2000, usdc: 1.5, aurora: 2000, xdai: 1.5} {
		if price, ok := b.Price(asset, "usd", Demand{}); !ok || price.Amount != want {
			t.Errorf("%v: got %v %v, want %v", asset, price, ok, want)
		}
	}
	if price, ok := b.Price(usdc, "eth", Demand{}); !ok || price.Amount != 1.5/2000 {
		t.Errorf("in ether: got %v %v, want %v", price, ok, 1.5/2000)
	}
	if price, ok := b.Price(usdc, "inr", Demand{}); ok {
		t.Errorf("in a currency without a rate: got %v", price)
	}
}

func TestInvalidFeedAnswerGivesNoPrice(t *testing.T) {
	minus := make([]byte, 32)
	binary.BigEndian.PutUint64(minus, 1<<63)
	cases := map[string]func(a [][]evm.Answer){
		"stale":            func(a [][]evm.Answer) { a[0][0] = rounds(word(2000_00000000), blockTime.Add(-3*time.Hour)) },
		"zero":             func(a [][]evm.Answer) { a[0][0] = rounds(word(0), blockTime) },
		"negative":         func(a [][]evm.Answer) { a[0][0] = rounds(minus, blockTime) },
		"reverted":         func(a [][]evm.Answer) { a[0][0] = evm.Answer{} },
		"too short":        func(a [][]evm.Answer) { a[0][0].Data = a[0][0].Data[:64] },
		"of another pair":  func(a [][]evm.Answer) { a[2][0] = text("DOGE / USD") },
		"without decimals": func(a [][]evm.Answer) { a[1][0] = evm.Answer{} },
		"of 200 decimals":  func(a [][]evm.Answer) { a[1][0].Data = word(200) },
	}
	for name, change := range cases {
		t.Run(name, func(t *testing.T) {
			b, _ := newTable(t, Config{})
			store(t, b, "eip155:1", change)
			if price, ok := b.Price(ether, "usd", Demand{}); ok {
				t.Errorf("got %v, want no price", price)
			}
			if _, ok := b.Price(usdc, "usd", Demand{}); !ok {
				t.Error("the prices of other tokens must stay known")
			}
		})
	}
}

func TestFeedPricesAreCachedFor30Seconds(t *testing.T) {
	b, clock := newTable(t, Config{})
	store(t, b, "eip155:1", nil)
	clock.at = clock.at.Add(29 * time.Second)
	if batch := b.Due("eip155:1"); len(batch.Queries) != 0 {
		t.Error("after 29 s the feeds are to be read again, want after 30 s")
	}
	clock.at = clock.at.Add(2 * time.Second)
	if batch := b.Due("eip155:1"); len(batch.Queries) == 0 {
		t.Error("after 31 s the feeds are not to be read again")
	}
	clock.at = clock.at.Add(time.Minute)
	if price, ok := b.Price(ether, "usd", Demand{}); ok {
		t.Errorf("a price of 91 s ago is still returned: %v", price)
	}
}

func TestConfiguredPricesOverrideFeeds(t *testing.T) {
	b, _ := newTable(t, Config{
		Static: map[string]float64{"eip155:1:0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48": 3},
		Rates:  map[string]float64{"inr": 0.0125},
	})
	store(t, b, "eip155:1", nil)
	if price, ok := b.Price(usdc, "usd", Demand{}); !ok || price.Amount != 3 {
		t.Errorf("got %v %v, want 3", price, ok)
	}
	if price, ok := b.Price(usdc, "inr", Demand{}); !ok || price.Amount != 240 {
		t.Errorf("got %v %v, want 240", price, ok)
	}
	for _, static := range []map[string]float64{{"usdc": 1}, {"eip155:1:0x12": 1}, {"eip155:1:" + usdc.Address.String(): -1}} {
		if _, err := NewTable(Config{Static: static}, b.tokens, b.local, b.clock); err == nil {
			t.Errorf("%v: want an error", static)
		}
	}
}

func TestOtherChainsListsOnlyNeededChains(t *testing.T) {
	b, _ := newTable(t, Config{Rates: map[string]float64{"eur": 1.1}})
	cases := []struct {
		chainID, currency string
		want              int
	}{
		{"eip155:10", "usd", 0}, {"eip155:10", "eur", 0}, {"eip155:10", "eth", 0},
		{"eip155:10", "gbp", 1}, {"eip155:1", "gbp", 0}, {"eip155:1313161554", "usd", 1}, {"eip155:1313161554", "gbp", 1},
	}
	for _, c := range cases {
		if got := b.OtherChains(c.chainID, c.currency); len(got) != c.want {
			t.Errorf("%s in %s: got %v, want %d chains", c.chainID, c.currency, got, c.want)
		}
	}
}

func TestPricesHaveSourceAndAge(t *testing.T) {
	b, clock := newTable(t, Config{Static: map[string]float64{"eip155:10:" + usdc.Address.String(): 3}})
	store(t, b, "eip155:1", func(a [][]evm.Answer) { a[0][0] = rounds(word(2000_00000000), blockTime.Add(-100*time.Second)) })
	clock.at = clock.at.Add(7 * time.Second)
	cases := map[Asset]struct {
		source string
		age    uint32
		ages   bool
	}{
		ether:                       {SourceFeed, 107, true},
		usdc:                        {SourceFeed, 7, true}, // an oracle gives no time, so that of the read counts
		aurora:                      {SourceFeed, 107, true},
		{"eip155:10", usdc.Address}: {SourceStatic, 0, false},
	}
	for asset, want := range cases {
		price, ok := b.Price(asset, "usd", Demand{})
		if age, ages := price.Age(clock.at); !ok || price.Source != want.source || age != want.age || ages != want.ages {
			t.Errorf("%v: got %+v %v, of %d s %v, want %+v", asset, price, ok, age, ages, want)
		}
	}
}
