package main

import (
	"math/rand/v2"
	"sync"
	"sync/atomic"
)

// acknowledged is every write that was acknowledged. It is safe for concurrent use.
type acknowledged struct {
	world    *world
	recorder *recorder
	// next numbers writes, so that no two are equal.
	next atomic.Int64

	mu       sync.Mutex
	names    []writtenName
	signedIn []writtenSignIn
	grants   []writtenGrant
	orders   []*writtenOrder
	mail     *mail
}

// writtenName is a name that was registered.
type writtenName struct{ name, bio, address string }

// writtenSignIn is the session of an account that signed in.
type writtenSignIn struct{ token, address string }

// writtenOrder is a purchase that was begun, by a wallet of its own.
type writtenOrder struct {
	wallet, id string
	// paid is true if the payment was acknowledged. A payment that was not may have been made.
	paid bool
}

// pickOne returns one of the writes at random; false if there is none.
func pickOne[T any](a *acknowledged, of *[]T) (one T, ok bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(*of) == 0 {
		return one, false
	}
	return (*of)[rand.IntN(len(*of))], true
}

// calls returns all kinds of requests of the load.
func (a *acknowledged) calls(k known) []call {
	return append(a.world.reads(k), a.nameRead(), a.identityRead(), a.sessionRead(), a.grantRead(),
		a.registerName(), a.signIn(), a.createGrant(), a.buy(), a.publish())
}

// plainText is the content type of signed texts.
const plainText = "text/plain"
