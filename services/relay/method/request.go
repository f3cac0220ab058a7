package method

import (
	"github.com/hawser-dev/hawser/services/relay/mailbox"
	"github.com/hawser-dev/hawser/services/relay/wire"
)

// Request is a frame that was parsed. It does not keep the bytes of the frame.
type Request struct {
	wire.Message
	// Acknowledges says that the frame is the answer to a request of the relay.
	Acknowledges bool
	// failure is what is wrong with the frame, or with the name of its method.
	failure *wire.Error
	// name is the canonical name of the method, or "unknown".
	name   string
	method method
	// publication is the message of irn_publish; nil for other methods, and if it is malformed.
	publication *publication
}

// Parse parses a frame.
func Parse(frame []byte) Request {
	m, failure := wire.Parse(frame)
	r := Request{Message: m, Acknowledges: failure == nil && m.Method == "", failure: failure, name: canonical(m.Method)}
	known := false
	if r.method, known = methods[r.name]; !known {
		r.name = "unknown"
		if failure == nil {
			r.failure = wire.Payload(wire.TagInvalidMethod)
		}
	}
	if p := new(publication); r.failure == nil && r.name == publishMethod && decode(m.Params, p) == nil {
		r.publication = p
	}
	return r
}

// Publishes returns the topic to which the request publishes one message, and does nothing else; false for other requests.
func (r Request) Publishes() (mailbox.Topic, bool) {
	if r.publication == nil {
		return mailbox.Topic{}, false
	}
	return mailbox.ParseTopic(r.publication.Topic)
}
