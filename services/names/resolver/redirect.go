package resolver

import (
	"slices"

	"github.com/hawser-dev/hawser/services/evm"
	"github.com/hawser-dev/hawser/services/names/abi"
)

const selectorSize = 4

var (
	offchainLookup = evm.Selector("OffchainLookup(address,string[],bytes,bytes4,bytes)")
	query          = evm.Selector("query((address,string[],bytes)[])")
)

// redirect is what a contract reverts with that wants a look-up off the chain (ERC-3668).
type redirect struct {
	lookup
	// back and extra are the function that the response goes to, and what it wants to be given beside it.
	back  [selectorSize]byte
	extra []byte
}

// lookup is a question to servers off the chain.
type lookup struct {
	// sender is the contract that asks.
	sender evm.Address
	// urls are templates of where to ask, the first before the others; of very many, the first few.
	urls []string
	data []byte
}

// readRedirect reads what a contract reverted with; false where that is something else.
func readRedirect(reverted []byte) (w redirect, ok bool) {
	if len(reverted) < selectorSize || !slices.Equal(reverted[:selectorSize], offchainLookup) {
		return redirect{}, false
	}
	values := abi.Values(reverted[selectorSize:])
	w.lookup, ok = readLookup(values)
	back, hasBack := values.Word(3)
	extra, hasExtra := values.Bytes(4)
	w.back, w.extra = [selectorSize]byte(back[:]), extra
	return w, ok && hasBack && hasExtra
}

// readLookup reads (address sender, string[] urls, bytes data).
func readLookup(values abi.Values) (l lookup, ok bool) {
	sender, hasSender := values.Word(0)
	urls, count, hasURLs := values.List(1)
	data, hasData := values.Bytes(2)
	l.sender, l.data = evm.Address(sender[len(sender)-len(l.sender):]), data
	// Many may be the same long one, spelled once.
	for i := range min(count, maxURLs) {
		url, ok := urls.Bytes(i)
		if !ok || len(url) > maxAddress {
			return lookup{}, false
		}
		l.urls = append(l.urls, string(url))
	}
	return l, hasSender && hasURLs && hasData
}

// readQuery reads a call of `query(Request[])`, by which a contract has several look-ups made at once, of which there may be so many.
func readQuery(call []byte, most int) (all []lookup, ok bool) {
	if len(call) < selectorSize || !slices.Equal(call[:selectorSize], query) {
		return nil, false
	}
	requests, count, ok := abi.Values(call[selectorSize:]).List(0)
	if !ok || count > most {
		return nil, false
	}
	for i := range count {
		request, _ := requests.Struct(i)
		one, ok := readLookup(request)
		if !ok {
			return nil, false
		}
		all = append(all, one)
	}
	return all, true
}

// callback is the call that brings the contract the response.
func (w redirect) callback(response []byte) []byte {
	return append(w.back[:], abi.Encode(abi.Bytes(response), abi.Bytes(w.extra))...)
}
