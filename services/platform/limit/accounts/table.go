package accounts

const (
	// Looked is how many accounts [Table.Open] looks at for those that can be forgotten.
	Looked = 8
	// groupPart is the part of a table that one group may take, as a divisor.
	groupPart = 2
	// blockSize is how many accounts are allocated at once.
	blockSize = 256
)

// Groups are what a caller belongs to: its project and its site. 0 is none.
type Groups [2]uint64

// Table has a bounded number of accounts, of which the callers of one project, and those of one site, take at most half. It is not safe for concurrent use.
type Table[T any] struct {
	most  int
	index map[uint64]int
	// blocks hold the accounts, without gaps.
	blocks [][]account[T]
	n      int
	// members counts the accounts of each group.
	members map[uint64]int
	// hand is the account that is looked at next.
	hand int
}

type account[T any] struct {
	key    uint64
	groups Groups
	value  T
}

// NewTable returns an empty table for at most this many accounts.
func NewTable[T any](most int) *Table[T] {
	return &Table[T]{most: most, index: map[uint64]int{}, members: map[uint64]int{}}
}

// Len returns how many accounts there are.
func (t *Table[T]) Len() int { return t.n }

// Find returns the account of a key, or nil. It is valid until the next call of Open or Remove.
func (t *Table[T]) Find(key uint64) *T {
	i, ok := t.index[key]
	if !ok {
		return nil
	}
	return &t.at(i).value
}

// Open returns a new account for a key that has none, or nil if there is no room for it. Where the table is full, or one of the groups has its part, it looks
// at the next [Looked] accounts, and first forgets those that are idle. It is valid until the next call of Open or Remove.
func (t *Table[T]) Open(key uint64, groups Groups, isIdle func(*T) bool) *T {
	if !t.hasRoom(groups) {
		t.forget(isIdle)
		if !t.hasRoom(groups) {
			return nil
		}
	}
	if t.n == len(t.blocks)*blockSize {
		t.blocks = append(t.blocks, make([]account[T], min(blockSize, t.most-t.n)))
	}
	opened := t.at(t.n)
	opened.key, opened.groups = key, groups
	t.index[key] = t.n
	t.n++
	for _, g := range groups {
		if g != 0 {
			t.members[g]++
		}
	}
	return &opened.value
}

// Remove removes the account of a key, if there is one.
func (t *Table[T]) Remove(key uint64) {
	if i, ok := t.index[key]; ok {
		t.remove(i)
	}
}

func (t *Table[T]) hasRoom(groups Groups) bool {
	if t.n >= t.most {
		return false
	}
	for _, g := range groups {
		if g != 0 && t.members[g] >= max(1, t.most/groupPart) {
			return false
		}
	}
	return true
}

// forget removes those of the next accounts that are idle.
func (t *Table[T]) forget(isIdle func(*T) bool) {
	for range min(Looked, t.n) {
		if t.hand >= t.n {
			t.hand = 0
		}
		if isIdle(&t.at(t.hand).value) {
			// The last account takes its place, and is looked at next.
			t.remove(t.hand)
		} else {
			t.hand++
		}
	}
}

func (t *Table[T]) remove(i int) {
	removed := t.at(i)
	delete(t.index, removed.key)
	for _, g := range removed.groups {
		if g == 0 {
			continue
		}
		if t.members[g]--; t.members[g] == 0 {
			delete(t.members, g)
		}
	}
	t.n--
	last := t.at(t.n)
	if i != t.n {
		*removed = *last
		t.index[removed.key] = i
	}
	*last = account[T]{}
}

func (t *Table[T]) at(i int) *account[T] { return &t.blocks[i/blockSize][i%blockSize] }
