package resolver

import (
	"slices"

	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/evm/calldata"
)

const selectorSize = 4

var (
	offchainLookup = evm.Selector("OffchainLookup(address,string[],bytes,bytes4,bytes)")
	query          = evm.Selector("query((address,string[],bytes)[])")
	// callbackArguments are those of every callback function.
	callbackArguments = calldata.Types("(bytes,bytes)")
)

// redirect is the OffchainLookup error with which a contract requests an off-chain lookup (ERC-3668).
type redirect struct {
	lookup
	// back is the callback function for the response, and extra its extra data.
	back  [selectorSize]byte
	extra []byte
}

// lookup is a request to off-chain servers.
type lookup struct {
	// sender is the contract that redirected.
	sender evm.Address
	// urls are the first URL templates, to be tried in order.
	urls []string
	data []byte
}

// readRedirect decodes the data of a revert; false if it is another error.
func readRedirect(reverted []byte) (w redirect, ok bool) {
	if len(reverted) < selectorSize || !slices.Equal(reverted[:selectorSize], offchainLookup) {
		return redirect{}, false
	}
	values := calldata.View(reverted[selectorSize:])
	w.lookup, ok = readLookup(values)
	back, hasBack := values.Word(3)
	extra, hasExtra := values.Bytes(4)
	w.back, w.extra = [selectorSize]byte(back[:]), extra
	return w, ok && hasBack && hasExtra
}

// readLookup decodes (address sender, string[] urls, bytes data).
func readLookup(values calldata.View) (l lookup, ok bool) {
	sender, hasSender := values.Word(0)
	urls, count, hasURLs := values.List(1)
	data, hasData := values.Bytes(2)
	l.sender, l.data = evm.Address(sender[len(sender)-len(l.sender):]), data
	// Entries may point to the same long text, so their number is bounded.
	for i := range min(count, maxURLs) {
		url, ok := urls.Bytes(i)
		if !ok || len(url) > maxAddress {
			return lookup{}, false
		}
		l.urls = append(l.urls, string(url))
	}
	return l, hasSender && hasURLs && hasData
}

// readQuery decodes a call of `query(Request[])`, a batch of at most `most` lookups (ENSIP-21).
func readQuery(call []byte, most int) (all []lookup, ok bool) {
	if len(call) < selectorSize || !slices.Equal(call[:selectorSize], query) {
		return nil, false
	}
	requests, count, ok := calldata.View(call[selectorSize:]).List(0)
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

// callback returns the call data that delivers the response to the contract.
func (w redirect) callback(response []byte) []byte {
	return append(w.back[:], callbackArguments.Write(response, w.extra)...)
}
