package balances

import (
	"slices"
	"sync"
)

// watched is an account that somebody watches.
type watched struct {
	key cacheKey
	// due holds a sign while a reading is to be made; signs that come meanwhile are one.
	due  chan struct{}
	stop func()
	// watchers is how many there are; the owner of the account's map guards it.
	watchers int

	mu    sync.Mutex
	state accountState
	// changed closes when state is another.
	changed chan struct{}
}

// accountState is what is known of a watched account.
type accountState struct {
	// version counts the changes of holdings; 0: none was read yet.
	version  uint64
	holdings []Holding
	block    uint64
	// failure is why nothing is known; nil once something is.
	failure error
	// activity counts the changes of the account's history; activityBlock is that of the newest.
	activity      uint64
	activityBlock uint64
	// identity counts how often the account may have got another name or picture.
	identity uint64
	orders   movedOrders
}

func newWatched(key cacheKey, stop func()) *watched {
	return &watched{key: key, stop: stop, due: make(chan struct{}, 1), changed: make(chan struct{})}
}

// wake has the account read as soon as the reading under way is done.
func (a *watched) wake() {
	select {
	case a.due <- struct{}{}:
	default:
	}
}

func (a *watched) current() accountState {
	state, _ := a.observe()
	return state
}

// observe returns the state, and what closes when it is another.
func (a *watched) observe() (accountState, <-chan struct{}) {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.state, a.changed
}

// change alters the state, if alter says that it did, and wakes those who observe it.
func (a *watched) change(alter func(*accountState) bool) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if !alter(&a.state) {
		return false
	}
	close(a.changed)
	a.changed = make(chan struct{})
	return true
}

// noteHoldings takes a reading; true when it differs in amounts from the one before.
func (a *watched) noteHoldings(holdings []Holding, block uint64) bool {
	moved := false
	a.change(func(s *accountState) bool {
		moved = s.version > 0 && !slices.EqualFunc(s.holdings, holdings, sameAmount)
		if s.version > 0 && !moved && slices.EqualFunc(s.holdings, holdings, sameStanding) {
			return false
		}
		s.version++
		s.holdings, s.block, s.failure = holdings, block, nil
		return true
	})
	return moved
}

// noteFailure takes a reading that failed; what was known before stays.
func (a *watched) noteFailure(err error) {
	a.change(func(s *accountState) bool {
		if s.version == 0 {
			s.failure = err
		}
		return s.version == 0
	})
}

func (a *watched) noteActivity(block uint64) {
	a.change(func(s *accountState) bool {
		s.activity++
		s.activityBlock = block
		return true
	})
}

func (a *watched) noteIdentity() {
	a.change(func(s *accountState) bool {
		s.identity++
		return true
	})
}

func (a *watched) noteOrder(id, proof string) {
	a.change(func(s *accountState) bool {
		s.orders = s.orders.with(id, proof)
		return true
	})
}

// noteAnyOrder notes that any purchase of the account may have moved.
func (a *watched) noteAnyOrder() {
	a.change(func(s *accountState) bool {
		s.orders = s.orders.withAny()
		return true
	})
}

// sameAmount says whether two readings of a token count the same.
func sameAmount(a, b Holding) bool { return a.Address == b.Address && a.Units.Cmp(b.Units) == 0 }

// sameStanding says whether a page would list a token as before: prices drift all the time and are not news, but a price that was not
// known is.
func sameStanding(a, b Holding) bool { return a.Priced == b.Priced && a.Hidden == b.Hidden }
