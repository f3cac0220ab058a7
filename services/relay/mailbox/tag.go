package mailbox

// Tags of messages that the relay publishes for a client, or keeps until their TTL.
const (
	TagSessionPropose      = 1100
	TagSessionApprove      = 1101
	TagSessionSettle       = 1102
	tagSessionAuthenticate = 1116
)

// StaysUntilTTL reports whether a message is kept even if it is acknowledged, because a second wallet may scan the same
// code, and a deep link may be opened again.
func (m Message) StaysUntilTTL() bool {
	return m.Tag == TagSessionPropose || m.Tag == tagSessionAuthenticate
}
