package session

import (
	"sync"

	"github.com/hawser-dev/hawser/services/relay/mailbox"
	"github.com/hawser-dev/hawser/services/relay/wire"
)

// Delivery is a message for sessions, which share the bytes of its frame.
type Delivery struct {
	mailbox.Message
	// rest returns the frame without its start, encoded by the first call.
	rest func() []byte
}

// NewDelivery returns the delivery of a stored message.
func NewDelivery(m mailbox.Message) *Delivery {
	return &Delivery{m, sync.OnceValue(func() []byte {
		return wire.DeliveryRest(wire.Delivery{
			Topic: m.Topic.String(), Message: m.Body, PublishedAt: m.PublishedAt.UnixMilli(), Tag: m.Tag, Attestation: m.Attestation,
		})
	})}
}
