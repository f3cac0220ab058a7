package heads

import (
	"encoding/json"
	"errors"

	"github.com/ethereum/go-ethereum/common"

	"github.com/hawser-dev/hawser/services/chains/rpc"
)

const (
	// queueLength is how many messages may wait for one subscriber, and queueBytes how many bytes if they are several: a log may be as long as a node's answer.
	queueLength = 1024
	queueBytes  = 8 << 20
)

// ErrSlow is why a subscription ends when its messages are not read in time.
var ErrSlow = errors.New("the subscriber reads too slowly")

// Subscription delivers blocks, or the logs that match.
type Subscription struct {
	broadcast *broadcast
	matcher   *LogMatcher
	// since is the broadcast's sequence at the start: logs that were sent before are not sent as removed.
	since    uint64
	messages chan []byte
	// sizes are the sizes of the messages that were queued last, of which those in messages are the newest.
	sizes []int
	// ended is closed when no more messages come. reason is then set.
	ended  chan struct{}
	reason error
}

func newSubscription(b *broadcast, m *LogMatcher, since uint64) *Subscription {
	return &Subscription{broadcast: b, matcher: m, since: since, messages: make(chan []byte, queueLength), ended: make(chan struct{})}
}

// Messages delivers the results of eth_subscribe as JSON: headers, or logs.
func (s *Subscription) Messages() <-chan []byte { return s.messages }

// Ended is closed when no more messages come before Close.
func (s *Subscription) Ended() <-chan struct{} { return s.ended }

// Reason returns why the subscription ended, after Ended is closed.
func (s *Subscription) Reason() error { return s.reason }

// Close ends the subscription.
func (s *Subscription) Close() { s.broadcast.unsubscribe(s) }

// offer queues a message. If the queue is full it ends the subscription and returns false.
func (s *Subscription) offer(message []byte) bool {
	// Readers take the oldest.
	s.sizes = s.sizes[max(0, len(s.sizes)-len(s.messages)):]
	queued := len(message)
	for _, size := range s.sizes {
		queued += size
	}
	if len(s.sizes) > 0 && queued > queueBytes {
		s.end(ErrSlow)
		return false
	}
	select {
	case s.messages <- message:
		s.sizes = append(s.sizes, len(message))
		return true
	default:
		s.end(ErrSlow)
		return false
	}
}

func (s *Subscription) end(reason error) {
	s.reason = reason
	close(s.ended)
}

// logEntry is a log as JSON, and the fields that a matcher reads.
type logEntry struct {
	raw     []byte
	address common.Address
	topics  []common.Hash
}

func parseLog(raw json.RawMessage) (logEntry, error) {
	var read struct {
		Address string   `json:"address"`
		Topics  []string `json:"topics"`
	}
	if err := json.Unmarshal(raw, &read); err != nil {
		return logEntry{}, err
	}
	entry := logEntry{raw: raw, topics: make([]common.Hash, len(read.Topics))}
	if err := entry.address.UnmarshalText([]byte(read.Address)); err != nil {
		return logEntry{}, err
	}
	for i, topic := range read.Topics {
		if err := entry.topics[i].UnmarshalText([]byte(topic)); err != nil {
			return logEntry{}, err
		}
	}
	return entry, nil
}

// removed returns the log as it is sent after its block left the chain.
func (e logEntry) removed() []byte {
	var fields map[string]json.RawMessage
	if json.Unmarshal(e.raw, &fields) != nil {
		return e.raw
	}
	fields["removed"] = json.RawMessage("true")
	return rpc.Encode(fields)
}

// LogMatcher selects logs by any of the addresses, and by any of the topics at each position. An empty set matches everything, as in
// eth_getLogs.
type LogMatcher struct {
	addresses map[common.Address]bool
	topics    []map[common.Hash]bool
}

// errFilterSize is returned for a filter over the limits of eth_getLogs.
var errFilterSize = errors.New("the filter names too much")

// NewLogMatcher parses 20-byte addresses and 32-byte topics in hex. It has the limits of eth_getLogs.
func NewLogMatcher(addresses []string, topics [][]string) (*LogMatcher, error) {
	if len(addresses) > rpc.LogAlternatives || len(topics) > rpc.LogTopics {
		return nil, errFilterSize
	}
	m := &LogMatcher{addresses: make(map[common.Address]bool, len(addresses)), topics: make([]map[common.Hash]bool, len(topics))}
	for _, text := range addresses {
		var address common.Address
		if err := address.UnmarshalText([]byte(text)); err != nil {
			return nil, errors.New("address: not 0x and 40 hex digits")
		}
		m.addresses[address] = true
	}
	for i, alternatives := range topics {
		if len(alternatives) > rpc.LogAlternatives {
			return nil, errFilterSize
		}
		m.topics[i] = make(map[common.Hash]bool, len(alternatives))
		for _, text := range alternatives {
			var topic common.Hash
			if err := topic.UnmarshalText([]byte(text)); err != nil {
				return nil, errors.New("topic: not 0x and 64 hex digits")
			}
			m.topics[i][topic] = true
		}
	}
	return m, nil
}

// keys returns what every log that matches has one of: an address, or, if any address matches, a first topic.
func (m *LogMatcher) keys() (addresses map[common.Address]bool, topics map[common.Hash]bool) {
	if len(m.addresses) > 0 || len(m.topics) == 0 {
		return m.addresses, nil
	}
	return nil, m.topics[0]
}

func (m *LogMatcher) matches(e logEntry) bool {
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
