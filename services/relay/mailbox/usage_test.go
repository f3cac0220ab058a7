package mailbox

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/hawser-dev/hawser/services/platform/bus/bustest"
	"github.com/hawser-dev/hawser/services/platform/limit"
	"github.com/hawser-dev/hawser/services/platform/routine"
)

var testKey = accountKey("key")

// account is that of a network with its own address, and one of several projects.
func account(project string, n int) Account {
	return testKey.of(limit.CallerOf(project, fmt.Sprintf("10.0.%d.%d", n/256, n%256)))
}

func admit(u *usage, a Account, size int64, ttl time.Duration) error {
	_, err := u.admit(a, size, ttl)
	return err
}

// fill stores messages of an account until one is refused, and returns how many bytes it stored.
func fill(u *usage, a Account, size int64, ttl time.Duration) (stored int64) {
	for admit(u, a, size, ttl) == nil {
		stored += size
	}
	return stored
}

func TestOneNetworkTakesASmallPartOfTheStore(t *testing.T) {
	u := newUsage(1<<30, 1)
	if stored := fill(u, account("p", 1), 1<<20, LargeTTL); stored > 1<<30/32 || stored < 1<<30/64 {
		t.Errorf("it stored %d MiB of 1024", stored>>20)
	}
	if err := admit(u, account("p", 2), 1<<20, LargeTTL); err != nil {
		t.Errorf("another network: %v", err)
	}
}

func TestAProjectTakesHalfOfTheStore(t *testing.T) {
	u := newUsage(1<<30, 1)
	stored := int64(0)
	for n := range 200 {
		stored += fill(u, account("greedy", n), 8<<10, MaxTTL)
	}
	if stored > 1<<30/2 {
		t.Errorf("it stored %d MiB of 1024", stored>>20)
	}
	if err := admit(u, account("greedy", 1000), 8<<10, BriefTTL); err != nil {
		t.Errorf("a network of the project that has stored nothing: %v", err)
	}
	if err := admit(u, account("greedy", 1001), 8<<10, MaxTTL); !errors.Is(err, ErrNoRoom) {
		t.Errorf("a message of the project for %s: %v", MaxTTL, err)
	}
	if err := admit(u, account("other", 1000), 4<<20, LargeTTL); err != nil {
		t.Errorf("another project: %v", err)
	}
}

// One /48 stores what it can, in random order: networks, projects, sizes and times. Every other network, also one of the same project, still has its
// part of the store.
func TestAnIPv6SiteLeavesRoomForOthers(t *testing.T) {
	const most = 64 << 20
	for seed := range uint64(20) {
		random := rand.New(rand.NewPCG(seed, 0))
		u := newUsage(most, 1)
		pick := func(of ...int64) int64 { return of[random.IntN(len(of))] }
		for range 5000 {
			a := testKey.of(limit.CallerOf([]string{"p", "q"}[random.IntN(2)], fmt.Sprintf("2001:db8:1:%x::1", random.IntN(1<<16))))
			fill(u, a, pick(1, 600, 4<<10, SmallBytes, LargeBytes, 1<<20), time.Duration(pick(int64(time.Minute), int64(BriefTTL), int64(LargeTTL), int64(MaxTTL))))
		}
		if u.now.total > most/4 {
			t.Errorf("seed %d: the site stored %d of %d MiB", seed, u.now.total>>20, most>>20)
		}
		for i, address := range []string{"192.0.2.7", "2001:db8:2::1"} {
			if stored := fill(u, testKey.of(limit.CallerOf("p", address)), SmallBytes, MaxTTL); stored < most/64 {
				t.Errorf("seed %d: network %d stored %d KiB", seed, i, stored>>10)
			}
		}
	}
}

func TestLargeMessagesLeaveRoomForSmallOnes(t *testing.T) {
	u := newUsage(1<<30, 1)
	stored := int64(0)
	for n := range 2000 {
		stored += fill(u, account(fmt.Sprint("p", n%100), n), 32<<10, MaxTTL)
	}
	if stored > 1<<30*8/10 {
		t.Errorf("large messages take %d MiB of 1024", stored>>20)
	}
	if err := admit(u, account("new", 3000), SmallBytes, MaxTTL); err != nil {
		t.Errorf("a small message: %v", err)
	}
}

func TestLongMessagesOfANetworkLeaveRoomForBriefOnes(t *testing.T) {
	u := newUsage(1<<30, 1)
	for _, size := range []int64{1 << 20, SmallBytes, 1} {
		fill(u, account("p", 1), size, LargeTTL)
	}
	if stored := fill(u, account("p", 1), 1<<10, BriefTTL); stored < 1<<30/64 {
		t.Errorf("the network stored %d MiB of brief messages", stored>>20)
	}
}

// What was measured replaces what was counted, and what is stored meanwhile is added.
func TestAMeasurementCountsWhatIsStored(t *testing.T) {
	conn, err := bustest.Embedded(t).Relaxed()
	if err != nil {
		t.Fatal(err)
	}
	open := func() *Store {
		store, err := Open(t.Context(), conn, Config{MaxBytes: 4 << 20, Replicas: 1})
		if err != nil {
			t.Fatal(err)
		}
		return store
	}
	store := open()
	mine, other := account("p", 1), account("p", 2)
	body := strings.Repeat("x", 16<<10)
	publish := func(s *Store, a Account, i int) (uint64, error) {
		return s.Publish(t.Context(), Message{Body: fmt.Sprint(i, body), Account: a}, time.Hour)
	}
	var sequences []uint64
	for i := 0; ; i++ {
		sequence, err := publish(store, mine, i)
		if errors.Is(err, ErrNoRoom) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		sequences = append(sequences, sequence)
	}
	if len(sequences) < 4 {
		t.Fatalf("%d messages were stored", len(sequences))
	}
	// A process that has just started knows what others have stored.
	second := open()
	if err := second.measure(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := publish(second, mine, 1000); !errors.Is(err, ErrNoRoom) {
		t.Errorf("after the measurement of another process: %v", err)
	}
	if _, err := publish(second, other, 1001); err != nil {
		t.Errorf("another network: %v", err)
	}
	for _, sequence := range sequences {
		if err := store.Delete(t.Context(), sequence); err != nil {
			t.Fatal(err)
		}
	}
	if err := store.measure(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := publish(store, mine, 1002); err != nil {
		t.Errorf("after the messages were acknowledged: %v", err)
	}
}

func TestAnAccountIsReadAsItWasWritten(t *testing.T) {
	for address, networks := range map[string]int{"192.0.2.1": 1, "2001:db8::1": levels} {
		a := testKey.of(limit.CallerOf("p", address))
		if got := parseAccount(a.String()); got != a || strings.Count(a.String(), ".") != networks {
			t.Errorf("%s was read as %+v", a, got)
		}
	}
	if got := parseAccount("7.9"); got != (Account{7, [levels]uint32{9}}) {
		t.Errorf("an account of an earlier version was read as %+v", got)
	}
	if got := parseAccount(""); got != (Account{}) {
		t.Errorf("no account was read as %+v", got)
	}
}

func TestAllProcessesOfAnInstallationHaveOneKeyOfAccounts(t *testing.T) {
	conn, err := bustest.Embedded(t).Relaxed()
	if err != nil {
		t.Fatal(err)
	}
	caller := limit.CallerOf("p", "192.0.2.1")
	accounts := map[Account]bool{}
	for _, r := range routine.Collect(t.Context(), 8, func(int) (Account, error) {
		store, err := Open(t.Context(), conn, Config{MaxBytes: 64 << 20, Replicas: 1})
		if err != nil {
			return Account{}, err
		}
		return store.AccountOf(caller), nil
	}) {
		if r.Err != nil {
			t.Fatal(r.Err)
		}
		accounts[r.Value] = true
	}
	if len(accounts) != 1 {
		t.Errorf("the caller has %d accounts", len(accounts))
	}
	other, _ := openFollowed(t)
	if accounts[other.AccountOf(caller)] {
		t.Error("another installation has the same key")
	}
}

func TestTheCountsOfNetworksAreBounded(t *testing.T) {
	const counted = 1 << countedBits
	c := newCounts(1)
	for i := range uint32(3 * counted) {
		c.add(Account{Networks: [levels]uint32{1 + i*2654435761}}, 1)
	}
	if len(c.networks) > 2*counted {
		t.Errorf("%d networks are counted", len(c.networks))
	}
	sum := int64(0)
	for _, n := range c.networks {
		sum += n
	}
	if sum != 3*counted {
		t.Errorf("%d bytes are counted", sum)
	}
}

// A message that is published again, or refused, takes no share of the store.
func TestAMessageThatIsNotStoredDoesNotCount(t *testing.T) {
	store, _ := openFollowed(t)
	a := account("p", 1)
	publish := func(m Message) error {
		m.Account, m.Tag = a, 1
		_, err := store.Publish(t.Context(), m, time.Minute)
		return err
	}
	counted := func() int64 { return store.own()[0].usage.now.network(a.Networks[0]) }
	for range subjectLimit {
		if err := publish(Message{Body: fmt.Sprint(counted())}); err != nil {
			t.Fatal(err)
		}
	}
	before := counted()
	if err := publish(Message{Body: "0"}); err != nil || counted() != before {
		t.Errorf("a message that was published before: %v, %d bytes are counted, %d before", err, counted(), before)
	}
	if err := publish(Message{Body: "one more"}); !errors.Is(err, ErrFull) || counted() != before {
		t.Errorf("a message for a full mailbox: %v, %d bytes are counted, %d before", err, counted(), before)
	}
}

// A message may be refused while the store is being measured, or afterwards.
func TestAMessageIsGivenBackOnce(t *testing.T) {
	a := account("p", 1)
	for name, between := range map[string]func(*usage){
		"no measurement":                  func(*usage) {},
		"during a measurement":            func(u *usage) { u.begin() },
		"after a measurement":             func(u *usage) { u.begin(); u.end(newCounts(1)) },
		"after a measurement that failed": func(u *usage) { u.begin(); u.begin() },
	} {
		u := newUsage(1<<30, 1)
		giveBack, err := u.admit(a, 1000, time.Minute)
		if err != nil {
			t.Fatal(err)
		}
		between(u)
		giveBack()
		if u.now.total != 0 || u.now.network(a.Networks[0]) != 0 {
			t.Errorf("%s: %d bytes are counted", name, u.now.total)
		}
		u.end(newCounts(1))
		if u.now.total != 0 || u.now.network(a.Networks[0]) != 0 {
			t.Errorf("%s, and measured again: %d bytes are counted", name, u.now.total)
		}
	}
	u := newUsage(1<<30, 1)
	u.begin()
	giveBack, err := u.admit(a, 1000, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	u.end(newCounts(1))
	if giveBack(); u.now.total != 0 || u.recent.total != 0 {
		t.Errorf("counted during a measurement: %d bytes are counted", u.now.total)
	}
}
