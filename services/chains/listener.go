package chains

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
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
	address logAddress
	topics  []logTopic
}

type (
	logAddress [20]byte
	logTopic   [32]byte
)

func parseLog(raw json.RawMessage) (logEntry, error) {
	var read struct {
		Address string   `json:"address"`
		Topics  []string `json:"topics"`
	}
	if err := json.Unmarshal(raw, &read); err != nil {
		return logEntry{}, err
	}
	entry := logEntry{raw: raw, topics: make([]logTopic, len(read.Topics))}
	if err := readHex(entry.address[:], read.Address); err != nil {
		return logEntry{}, err
	}
	for i, topic := range read.Topics {
		if err := readHex(entry.topics[i][:], topic); err != nil {
			return logEntry{}, err
		}
	}
	return entry, nil
}

// readHex fills into with the digits of a text, which must be as many.
func readHex(into []byte, text string) error {
	digits, ok := strings.CutPrefix(text, "0x")
	if !ok || len(digits) != hex.EncodedLen(len(into)) {
		return fmt.Errorf("not 0x and %d hex digits", hex.EncodedLen(len(into)))
	}
	_, err := hex.Decode(into, []byte(digits))
	return err
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

// logMatch is which logs a listener wants: of any of the addresses, and with any of the topics at every place. An empty set stands for
// anything, as in eth_getLogs.
type logMatch struct {
	addresses map[logAddress]bool
	topics    []map[logTopic]bool
}

// newLogMatch reads a filter. It fails where that is none, or names more than eth_getLogs may.
func newLogMatch(addresses []string, topics [][]string) (*logMatch, error) {
	if len(addresses) > logAlternatives || len(topics) > logTopics {
		return nil, errors.New("the filter names too much")
	}
	m := &logMatch{addresses: make(map[logAddress]bool, len(addresses)), topics: make([]map[logTopic]bool, len(topics))}
	for _, text := range addresses {
		var address logAddress
		if err := readHex(address[:], text); err != nil {
			return nil, fmt.Errorf("address: %w", err)
		}
		m.addresses[address] = true
	}
	for i, alternatives := range topics {
		if len(alternatives) > logAlternatives {
			return nil, errors.New("the filter names too much")
		}
		m.topics[i] = make(map[logTopic]bool, len(alternatives))
		for _, text := range alternatives {
			var topic logTopic
			if err := readHex(topic[:], text); err != nil {
				return nil, fmt.Errorf("topic: %w", err)
			}
			m.topics[i][topic] = true
		}
	}
	return m, nil
}

func (m *logMatch) matches(e logEntry) bool {
	if len(m.addresses) > 0 && !m.addresses[e.address] {
		return false
	}
	if len(m.topics) > len(e.topics) {
		return false
	}
	for i, wanted := range m.topics {
		if len(wanted) > 0 && !wanted[e.topics[i]] {
			return false
		}
	}
	return true
}
