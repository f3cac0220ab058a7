package heads

import (
	"github.com/ethereum/go-ethereum/common"
)

// index finds the subscriptions that may match a log: by its address, by its first topic, or those to all logs.
type index struct {
	byAddress map[common.Address]map[*Subscription]struct{}
	byTopic   map[common.Hash]map[*Subscription]struct{}
	rest      map[*Subscription]struct{}
}

func newIndex() index {
	return index{byAddress: map[common.Address]map[*Subscription]struct{}{}, byTopic: map[common.Hash]map[*Subscription]struct{}{}, rest: map[*Subscription]struct{}{}}
}

func (i index) add(s *Subscription) {
	switch addresses, topics := s.matcher.keys(); {
	case len(addresses) > 0:
		addTo(i.byAddress, addresses, s)
	case len(topics) > 0:
		addTo(i.byTopic, topics, s)
	default:
		i.rest[s] = struct{}{}
	}
}

func (i index) remove(s *Subscription) {
	addresses, topics := s.matcher.keys()
	removeFrom(i.byAddress, addresses, s)
	removeFrom(i.byTopic, topics, s)
	delete(i.rest, s)
}

// matching calls found with each subscription that a log matches.
func (i index) matching(log logEntry, found func(*Subscription)) {
	candidates := []map[*Subscription]struct{}{i.byAddress[log.address], i.rest}
	if len(log.topics) > 0 {
		candidates = append(candidates, i.byTopic[log.topics[0]])
	}
	for _, some := range candidates {
		for s := range some {
			if s.matcher.matches(log) {
				found(s)
			}
		}
	}
}

func addTo[K comparable](all map[K]map[*Subscription]struct{}, keys map[K]bool, s *Subscription) {
	for k := range keys {
		if all[k] == nil {
			all[k] = map[*Subscription]struct{}{}
		}
		all[k][s] = struct{}{}
	}
}

func removeFrom[K comparable](all map[K]map[*Subscription]struct{}, keys map[K]bool, s *Subscription) {
	for k := range keys {
		if delete(all[k], s); len(all[k]) == 0 {
			delete(all, k)
		}
	}
}
