package accounts_test

import (
	"maps"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/hawser-dev/hawser/services/platform/limit/accounts"
)

// never is an account that is never idle, and always one that always is.
func never(*int) bool  { return false }
func always(*int) bool { return true }

func TestAFullTableOpensNoAccountWhileNoneIsIdle(t *testing.T) {
	table := accounts.NewTable[int](4)
	for key := range uint64(4) {
		if table.Open(key, accounts.Groups{}, never) == nil {
			t.Fatalf("account %d was refused", key)
		}
	}
	if table.Open(9, accounts.Groups{}, never) != nil {
		t.Error("there are more accounts than the bound")
	}
	for key := range uint64(4) {
		if table.Find(key) == nil {
			t.Errorf("account %d was forgotten", key)
		}
	}
	table.Remove(2)
	if table.Open(9, accounts.Groups{}, never) == nil {
		t.Error("the place of an account that was removed is not used")
	}
}

func TestNoAccountIsForgottenWhileThereIsRoom(t *testing.T) {
	table := accounts.NewTable[int](4)
	for key := range uint64(4) {
		table.Open(key, accounts.Groups{}, always)
	}
	if n := table.Len(); n != 4 {
		t.Errorf("%d accounts, want 4", n)
	}
}

func TestACallLooksAtEightAccountsInTurn(t *testing.T) {
	table := accounts.NewTable[int](100)
	for key := range uint64(100) {
		*table.Open(key, accounts.Groups{}, never) = int(key)
	}
	var seen []int
	for call := range 13 {
		before := len(seen)
		table.Open(1000, accounts.Groups{}, func(v *int) bool { seen = append(seen, *v); return false })
		if n := len(seen) - before; n != accounts.Looked {
			t.Errorf("call %d looked at %d accounts, want %d", call+1, n, accounts.Looked)
		}
	}
	for i, v := range seen {
		if v != i%100 {
			t.Fatalf("account %d was looked at as number %d", v, i+1)
		}
	}
}

func TestAGroupHasAtMostHalfOfTheAccounts(t *testing.T) {
	for name, groups := range map[string]func(n uint64) accounts.Groups{
		"a project of many sites": func(n uint64) accounts.Groups { return accounts.Groups{1, 100 + n} },
		"a site of many projects": func(n uint64) accounts.Groups { return accounts.Groups{100 + n, 1} },
	} {
		table := accounts.NewTable[int](10)
		for n := range uint64(20) {
			table.Open(n, groups(n), never)
		}
		if n := table.Len(); n != 5 {
			t.Errorf("%s has %d of 10 accounts, want 5", name, n)
		}
		for n := range uint64(5) {
			if table.Open(50+n, accounts.Groups{200 + n, 300 + n}, never) == nil {
				t.Errorf("%s: account %d of the other half was refused", name, n+1)
			}
		}
		table.Remove(0)
		if table.Open(60, groups(0), never) == nil {
			t.Errorf("%s has no account again after one was removed", name)
		}
	}
}

func TestAGroupThatHasItsPartGetsThePlacesOfItsIdleAccounts(t *testing.T) {
	table := accounts.NewTable[int](20)
	for n := range uint64(10) {
		table.Open(n, accounts.Groups{1}, never)
	}
	if table.Open(10, accounts.Groups{1}, always) == nil {
		t.Error("no account was opened although the others are idle")
	}
	if n := table.Len(); n != 3 {
		t.Errorf("%d accounts are left, want the 2 that were not looked at and the new one", n)
	}
}

// The model is a map, and the order in which its accounts are looked at is left out.
func TestATableIsAMapWithABound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		most := rapid.IntRange(1, 600).Draw(t, "most")
		table, model := accounts.NewTable[int](most), map[uint64]int{}
		groups := map[uint64]accounts.Groups{}
		size := func(g uint64) (n int) {
			for key := range model {
				if in := groups[key]; slices.Contains(in[:], g) {
					n++
				}
			}
			return n
		}
		for range rapid.IntRange(1, 400).Draw(t, "steps") {
			key := rapid.Uint64Range(1, 300).Draw(t, "key")
			if rapid.IntRange(0, 4).Draw(t, "remove") == 0 {
				table.Remove(key)
				delete(model, key)
				continue
			}
			if found := table.Find(key); found != nil {
				if v, ok := model[key]; !ok || v != *found {
					t.Fatalf("account %d has %d, want %d", key, *found, v)
				}
				continue
			}
			if _, ok := model[key]; ok {
				t.Fatalf("account %d is missing", key)
			}
			in := accounts.Groups{1000 + key%2, 2000 + key%7}
			opened := table.Open(key, in, func(v *int) bool {
				if *v%3 != 0 {
					return false
				}
				maps.DeleteFunc(model, func(_ uint64, of int) bool { return of == *v })
				return true
			})
			fits := len(model) < most && size(in[0]) < max(1, most/2) && size(in[1]) < max(1, most/2)
			if fits != (opened != nil) {
				t.Fatalf("account %d was opened: %v, want %v", key, opened != nil, fits)
			}
			if opened != nil {
				*opened, model[key], groups[key] = int(key), int(key), in
			}
			if table.Len() != len(model) {
				t.Fatalf("%d accounts, want %d", table.Len(), len(model))
			}
		}
	})
}
