package chains

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
)

// listenerQueue is how many messages may wait for one listener.
const listenerQueue = 1024

// errSlow says that a listener did not read what it was sent.
var errSlow = errors.New("the listener reads too slowly")

// listener is one who listens to a feed: to blocks, or to the logs that match.
type listener struct {
	filter *logMatch
	// since is the feed's turn at which it joined: what was told before is not taken back from it.
	since    uint64
	messages chan []byte
	// ended is closed when nothing more comes; reason says why.
	ended  chan struct{}
	reason error
}

func newListener(filter *logMatch, since uint64) *listener {
	return &listener{filter: filter, since: since, messages: make(chan []byte, listenerQueue), ended: make(chan struct{})}
}

// offer reports whether the message found room; a listener without room is ended.
func (l *listener) offer(message []byte) bool {
	select {
	case l.messages <- message:
		return true
	default:
		l.end(errSlow)
		return false
	}
}

func (l *listener) end(reason error) {
	l.reason = reason
	close(l.ended)
}

// news is what a new block means to the listener.
func (l *listener) news(b told) [][]byte {
	if l.filter == nil {
		return [][]byte{b.header}
	}
	var matching [][]byte
	for _, log := range b.logs {
		if l.filter.matches(log) {
			matching = append(matching, log.raw)
		}
	}
	return matching
}

// takenBack is what the end of a block means to the listener: its logs again, the last first, as removed.
func (l *listener) takenBack(b told) [][]byte {
	if l.filter == nil || b.turn < l.since {
		return nil
	}
	var matching [][]byte
	for _, log := range slices.Backward(b.logs) {
		if l.filter.matches(log) {
			matching = append(matching, log.removed())
		}
	}
	return matching
}

// logEntry is one log, as JSON and as far as a filter reads it.
type logEntry struct {
	raw     []byte
	address string
	topics  []string
}

func parseLog(raw json.RawMessage) (logEntry, error) {
	var read struct {
		Address string   `json:"address"`
		Topics  []string `json:"topics"`
	}
	if err := json.Unmarshal(raw, &read); err != nil {
		return logEntry{}, err
	}
	entry := logEntry{raw: raw, address: strings.ToLower(read.Address), topics: read.Topics}
	for i, topic := range entry.topics {
		entry.topics[i] = strings.ToLower(topic)
	}
	return entry, nil
}

// removed is the log as it is told when its block left the chain.
func (e logEntry) removed() []byte {
	var fields map[string]json.RawMessage
	if json.Unmarshal(e.raw, &fields) != nil {
		return e.raw
	}
	fields["removed"] = json.RawMessage("true")
	return encode(fields)
}

// logMatch is which logs a listener wants: of any of the addresses, and with any of the topics at every place. An empty list stands for
// anything, as in eth_getLogs. Everything is in lower case.
type logMatch struct {
	addresses []string
	topics    [][]string
}

func (m *logMatch) matches(e logEntry) bool {
	if len(m.addresses) > 0 && !slices.Contains(m.addresses, e.address) {
		return false
	}
	if len(m.topics) > len(e.topics) {
		return false
	}
	for i, wanted := range m.topics {
		if len(wanted) > 0 && !slices.Contains(wanted, e.topics[i]) {
			return false
		}
	}
	return true
}
