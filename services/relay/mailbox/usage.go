package mailbox

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"log/slog"
	"math/bits"
	"strconv"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/hawser-dev/hawser/services/platform/limit"
)

const (
	// SmallBytes is the size up to which messages may use the whole store. A fifth of it is not used by larger ones.
	SmallBytes = 16 << 10
	// LargeBytes is the size above which a message may be kept for [LargeTTL] only.
	LargeBytes = 64 << 10
	// LargeTTL is the longest time that a message of more than [LargeBytes] may be kept.
	LargeTTL = 24 * time.Hour
	// networkPart is the part of the free store that the messages of one network may take. Half of it is for small messages that are kept for
	// BriefTTL at most, so that one client cannot keep its neighbours from pairing and signing for weeks.
	networkPart = 16
	// BriefTTL is the longest time that such a message is kept.
	BriefTTL = time.Hour
	// levels is how many networks are counted for a caller at most: its own, and for IPv6 the two around it. Each may store twice as much as the one
	// within it.
	levels = 3
	// ownBytes is what each network may store of small messages for BriefTTL at most, however much its project has stored.
	ownBytes = 64 << 10
	// messageBytes is about what a message takes in the store beside its body.
	messageBytes = 512
	// measureInterval is the shortest time between two measurements; one that took long is followed by a pause of measureShare times as long.
	measureInterval = 2 * time.Second
	measureShare    = 10
	measureTimeout  = 5 * time.Minute
	// emptyPart is the part of the store up to which no network has too much, so that messages are not counted.
	emptyPart = 64
	// countedBits is how many networks are counted by themselves, in bits. Those beyond share as many counts, so that neither fills the memory. Each
	// stream has an equal part of both.
	countedBits = 19

	headerAccount = "Account"
	headerSize    = "Nats-Msg-Size"
)

// ErrNoRoom means that the publisher, or all together, have stored as much as they may.
var ErrNoRoom = errors.New("the publisher has too much in the store")

// Account is whose share of the store a message takes: hashes of the publisher's project, and of the networks that count for it; 0 is no network.
type Account struct {
	Project  uint32
	Networks [levels]uint32
}

// accountKey is the key of the hashes in accounts, a secret of the installation: with it one could choose networks that count as another's.
type accountKey []byte

// of returns the account of a caller.
func (k accountKey) of(c limit.Caller) Account {
	a := Account{Project: k.hash("project " + c.Project)}
	for i, level := range c.Levels() {
		a.Networks[i] = k.hash("network " + level.Caller.Network.String())
	}
	return a
}

func (k accountKey) hash(text string) uint32 {
	h := hmac.New(sha256.New, k)
	h.Write([]byte(text))
	return max(1, binary.BigEndian.Uint32(h.Sum(nil)))
}

func (a Account) String() string {
	text := strconv.FormatUint(uint64(a.Project), 10)
	for _, network := range a.Networks {
		if network != 0 {
			text += "." + strconv.FormatUint(uint64(network), 10)
		}
	}
	return text
}

// parseAccount reads the text of String. Earlier versions wrote one network, and hashes without a key, which count for no caller.
func parseAccount(text string) (a Account) {
	_, _ = fmt.Sscanf(text, "%d.%d.%d.%d", &a.Project, &a.Networks[0], &a.Networks[1], &a.Networks[2])
	return a
}

// counts are bytes in the store.
type counts struct {
	total              int64
	projects, networks map[uint32]int64
	// bits is how many networks are counted by themselves, in bits.
	bits int
}

// newCounts returns the counts of one of a number of streams.
func newCounts(streams int) counts {
	return counts{projects: map[uint32]int64{}, networks: map[uint32]int64{}, bits: countedBits + 1 - bits.Len(uint(streams))}
}

func (c *counts) add(a Account, size int64) {
	c.total += size
	c.projects[a.Project] += size
	for _, network := range a.Networks {
		if network != 0 {
			c.networks[c.slot(network)] += size
		}
	}
}

// network returns what is counted for a network.
func (c *counts) network(hash uint32) int64 { return c.networks[c.slot(hash)] }

// slot returns the key of a network in networks.
func (c *counts) slot(hash uint32) uint32 {
	if _, known := c.networks[hash]; known || len(c.networks) < 1<<c.bits {
		return hash
	}
	return hash >> (32 - c.bits)
}

// usage counts what is stored for each account in the topics of one stream: what was measured, and what this process has stored since. Each stream has an
// equal part of the store and is shared by the same rule, so that the parts together are what the rule gives of the whole, and one who chooses topics
// of one stream takes no more of it than of the others.
type usage struct {
	max     int64
	streams int

	mu  sync.Mutex
	now counts
	// recent is what was stored since a measurement began.
	recent counts
	// begun and ended number the last measurement that began, and the one that made `now`.
	begun, ended int
}

// newUsage returns the usage of one of a number of streams, which may have `most` bytes.
func newUsage(most int64, streams int) *usage {
	return &usage{max: most, streams: streams, now: newCounts(streams), recent: newCounts(streams)}
}

// admit counts a message, or returns ErrNoRoom. Call giveBack if the message is not stored. A network may store a part of what is free, and a project as much as is free: the more is
// stored, the less may each have, so that there is always room for those who have little. A network that has little may store small messages for a
// while even if its project has stored too much.
func (u *usage) admit(a Account, size int64, ttl time.Duration) (giveBack func(), err error) {
	size += messageBytes
	u.mu.Lock()
	defer u.mu.Unlock()
	free := u.max - u.now.total - size
	small := size <= SmallBytes+messageBytes
	if !small {
		free -= u.max / 5
	}
	part := free / networkPart
	brief := small && ttl <= BriefTTL
	if !brief {
		part /= 2
	}
	for i, network := range a.Networks {
		if network != 0 && u.now.network(network)+size > part<<i {
			return nil, ErrNoRoom
		}
	}
	exempt := brief && u.now.network(a.Networks[0])+size <= ownBytes
	if !exempt && u.now.projects[a.Project]+size > free {
		return nil, ErrNoRoom
	}
	u.now.add(a, size)
	u.recent.add(a, size)
	begun := u.begun
	return func() { u.giveBack(a, size, begun) }, nil
}

// giveBack takes back what was counted for a message, which was admitted after this many measurements had begun. Later ones have not found it.
func (u *usage) giveBack(a Account, size int64, begun int) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if begun >= u.ended {
		u.now.add(a, -size)
	}
	if begun == u.begun {
		u.recent.add(a, -size)
	}
}

// begin begins a measurement.
func (u *usage) begin() {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.recent = newCounts(u.streams)
	u.begun++
}

// end replaces the counts by measured ones.
func (u *usage) end(measured counts) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.now, u.ended = measured, u.begun
	for project, n := range u.recent.projects {
		u.now.projects[project] += n
	}
	for network, n := range u.recent.networks {
		u.now.networks[u.now.slot(network)] += n
	}
	u.now.total += u.recent.total
}

// bytes returns what is counted.
func (u *usage) bytes() int64 {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.now.total
}

// Used returns the part of the store that has messages, from 0 to 1.
func (s *Store) Used() float64 {
	total := int64(0)
	for _, one := range s.own() {
		total += one.usage.bytes()
	}
	return float64(total) / float64(s.cfg.MaxBytes)
}

// UsedByStream returns the part of each stream that has messages, from 0 to 1, by its name. Messages of its topics in streams of other layouts count.
func (s *Store) UsedByStream() map[string]float64 {
	used := map[string]float64{}
	for _, one := range s.own() {
		used[one.name] = float64(one.usage.bytes()) / float64(one.usage.max)
	}
	return used
}

// Measure counts what is stored, again and again until ctx ends. Without it, messages that were acknowledged or that other processes stored are not
// known.
func (s *Store) Measure(ctx context.Context) error {
	for ctx.Err() == nil {
		begun := time.Now()
		if err := s.measure(ctx); err != nil && ctx.Err() == nil {
			slog.WarnContext(ctx, "relay: the store is not measured", "error", err)
		}
		s.pause(ctx, max(measureInterval, measureShare*time.Since(begun)))
	}
	return nil
}

func (s *Store) measure(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, measureTimeout)
	defer cancel()
	own := s.own()
	measured, bytes := make([]counts, len(own)), make([]int64, len(own))
	for i, one := range own {
		one.usage.begin()
		measured[i] = newCounts(len(own))
	}
	for _, one := range s.all() {
		total, err := one.measure(ctx, measured, own[0].usage.max)
		switch _, part := layoutOf(one.slot); {
		case one.isGone(err):
		case err != nil:
			return err
		case one.config != nil:
			bytes[part] += total
		default:
			for i := range bytes {
				bytes[i] += total / int64(len(bytes))
			}
		}
	}
	for i, one := range own {
		// What messages take is known by the streams, not by their sizes.
		measured[i].total = bytes[i]
		one.usage.end(measured[i])
	}
	return nil
}

// measure returns the bytes of a stream, and adds its messages to the counts of the topics' streams in the layout of this process, if the stream has more
// than a small part of what one of those may have.
func (s *stream) measure(ctx context.Context, into []counts, most int64) (int64, error) {
	info, err := s.info(ctx)
	if err != nil {
		return 0, err
	}
	total := int64(info.State.Bytes)
	if total <= most/emptyPart {
		return total, nil
	}
	return total, s.readHeaders(ctx, func(msg jetstream.Msg) {
		if topic, ok := topicOfSubject(msg.Subject()); ok {
			into[partOf(len(into), topic)].add(parseAccount(msg.Headers().Get(headerAccount)), sizeOf(msg.Headers())+messageBytes)
		}
	})
}

// readHeaders calls each with every message that is stored now, without its body.
func (s *stream) readHeaders(ctx context.Context, each func(jetstream.Msg)) error {
	info, err := s.info(ctx)
	if err != nil || info.State.Msgs == 0 {
		return err
	}
	opened, err := s.open(ctx)
	if err != nil {
		return err
	}
	reader, err := opened.OrderedConsumer(ctx, jetstream.OrderedConsumerConfig{HeadersOnly: true})
	if err != nil {
		return err
	}
	messages, err := reader.Messages()
	if err != nil {
		return err
	}
	defer messages.Stop()
	for {
		msg, err := messages.Next(jetstream.NextContext(ctx))
		if err != nil {
			return err
		}
		each(msg)
		meta, err := msg.Metadata()
		if err != nil {
			return err
		}
		if meta.NumPending == 0 {
			return nil
		}
	}
}

// sizeOf returns the size of a body of which only the headers were read.
func sizeOf(header nats.Header) int64 {
	n, _ := strconv.ParseInt(header.Get(headerSize), 10, 64)
	return n
}
