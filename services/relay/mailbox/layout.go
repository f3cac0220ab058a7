package mailbox

import (
	"fmt"
	"hash/fnv"
	"math/bits"
	"strconv"
	"strings"
)

const (
	// MaxStreams is the largest number of streams.
	MaxStreams = 16
	// slots is how many streams may exist: those of every layout. A layout is a number of streams, which is a power of two, and its streams have the
	// slots from that number less one: slot 0 is the one stream of a layout of one, slots 3 to 6 are those of a layout of four.
	slots = 2*MaxStreams - 1
	// sequenceBits is how many bits of the number of a message are its sequence number in its stream. The slot of the stream is in those above. The ids
	// of deliveries, which have these numbers, stay below 2^53, as clients written in JavaScript need.
	sequenceBits = 46
	sequenceMask = 1<<sequenceBits - 1
	// ownBit marks the positions of messages in the streams to which this process publishes.
	ownBit = 1 << 62

	// streamName and the subjects are used only by the relay. Those of a layout of one are the ones of versions that had one stream.
	streamName  = "RELAY_MAILBOX"
	mailSubject = "relay.mail."
	liveSubject = "relay.live."
)

// IsLayout reports whether mailboxes can be distributed over this number of streams.
func IsLayout(streams int) bool {
	return streams >= 1 && streams <= MaxStreams && bits.OnesCount(uint(streams)) == 1
}

// slotOf returns the slot of a topic in a layout. It is the same in every process.
func slotOf(streams int, topic Topic) int { return streams - 1 + partOf(streams, topic) }

// partOf returns which of a number of streams a topic has, from 0.
func partOf(streams int, topic Topic) int {
	h := fnv.New64a()
	_, _ = h.Write(topic[:]) // It never fails.
	// The lowest bits of the hash depend on the lowest bits of each byte only.
	return int(h.Sum64()>>32) % streams
}

// layoutOf returns the layout that has a slot, and which of its streams it is.
func layoutOf(slot int) (streams, part int) {
	streams = 1 << (bits.Len(uint(slot+1)) - 1)
	return streams, slot + 1 - streams
}

// nameOf returns the name of the stream of a slot.
func nameOf(slot int) string {
	if slot == 0 {
		return streamName
	}
	streams, part := layoutOf(slot)
	return fmt.Sprintf("%s_%d_%d", streamName, streams, part)
}

// slotOfName is the inverse of nameOf.
func slotOfName(name string) (slot int, ok bool) {
	for slot := range slots {
		if nameOf(slot) == name {
			return slot, true
		}
	}
	return 0, false
}

// tokensOf returns what the subjects of a slot have between their prefix and the topic.
func tokensOf(slot int) string {
	if slot == 0 {
		return ""
	}
	streams, part := layoutOf(slot)
	return strconv.Itoa(streams) + "." + strconv.Itoa(part) + "."
}

// topicOfSubject returns the topic at the end of a subject.
func topicOfSubject(subject string) (Topic, bool) {
	return ParseTopic(subject[strings.LastIndexByte(subject, '.')+1:])
}

// numberOf returns the number of a message of which the slot and the sequence number in the stream are known.
func numberOf(slot int, sequence uint64) uint64 { return uint64(slot)<<sequenceBits | sequence }

// splitNumber is the inverse of numberOf.
func splitNumber(number uint64) (slot int, sequence uint64) {
	return int(number >> sequenceBits), number & sequenceMask
}
