package updates

import (
	"slices"
	"sync"
	"time"

	balancesv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/balances/v1"
)

// account is the state of an account that is being watched.
type account struct {
	key accountKey
	// due receives a value when the account should be read again; requests during a read are combined.
	due  chan struct{}
	stop func()
	// currencies counts the watchers of each currency; [hub.mu] guards it.
	currencies map[string]int

	mu    sync.Mutex
	state accountState
	// changed closes when state changes.
	changed chan struct{}
}

// accountState is a snapshot: it is replaced and never modified.
type accountState struct {
	// version counts the changes of balances; 0 means that none were read yet.
	version uint64
	// lists are those of the newest read, at readAt; block is that of the newest change.
	lists  balanceLists
	readAt time.Time
	block  uint64
	// failure is the error of a read while version is 0.
	failure error
	// activity counts the changes of the history; activityBlock is that of the newest.
	activity, activityBlock uint64
	// identity counts the changes of names and pictures; name is the one that changed last.
	identity uint64
	name     string
	orders   recentOrders
}

func newAccount(key accountKey, stop func()) *account {
	return &account{key: key, stop: stop, currencies: map[string]int{}, due: make(chan struct{}, 1), changed: make(chan struct{})}
}

// wake requests a read as soon as the one in progress has ended.
func (a *account) wake() {
	select {
	case a.due <- struct{}{}:
	default:
	}
}

func (a *account) current() accountState {
	state, _ := a.observe()
	return state
}

// observe returns the state, and a channel that closes when it changes.
func (a *account) observe() (accountState, <-chan struct{}) {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.state, a.changed
}

// change modifies the state, and wakes its observers if modify returns true.
func (a *account) change(modify func(*accountState) bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if !modify(&a.state) {
		return
	}
	close(a.changed)
	a.changed = make(chan struct{})
}

// setBalances stores the result of a read. It is a change if a token, an amount, a warning or whether a price is known
// differs. A different price is not a change, because prices change all the time. It reports whether an earlier read
// had a different result.
func (a *account) setBalances(lists balanceLists, block uint64, readAt time.Time) (changed bool) {
	a.change(func(s *accountState) bool {
		differs, isNew := s.version == 0, false
		for currency, list := range lists {
			before, known := s.lists[currency]
			isNew = isNew || !known
			differs = differs || known && (before.more != list.more || !slices.EqualFunc(before.list, list.list, sameBalance))
		}
		s.lists, s.readAt, s.failure = lists, readAt, nil
		if differs {
			changed = s.version > 0
			s.version++
			s.block = block
		}
		return differs || isNew
	})
	return changed
}

// setFailure stores the error of a read if no read has succeeded before.
func (a *account) setFailure(err error) {
	a.change(func(s *accountState) bool {
		if s.version == 0 {
			s.failure = err
		}
		return s.version == 0
	})
}

func (a *account) setActivity(block uint64) {
	a.change(func(s *accountState) bool {
		s.activity++
		s.activityBlock = block
		return true
	})
}

func (a *account) setIdentity(name string) {
	a.change(func(s *accountState) bool {
		s.identity++
		s.name = name
		return true
	})
}

func (a *account) setOrder(o orderUpdate) {
	a.change(func(s *accountState) bool {
		s.orders = s.orders.with(o)
		return true
	})
}

// setAllOrders records that any purchase of the account may have changed.
func (a *account) setAllOrders() {
	a.change(func(s *accountState) bool {
		s.orders = s.orders.withAll()
		return true
	})
}

// sameBalance reports whether a page would show two balances in the same way, apart from the price.
func sameBalance(a, b *balancesv1.Balance) bool {
	return a.GetAddress() == b.GetAddress() && a.GetQuantity().GetNumeric() == b.GetQuantity().GetNumeric() &&
		(a.PriceSource == nil) == (b.PriceSource == nil) && a.GetHidden() == b.GetHidden()
}
