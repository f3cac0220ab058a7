package pubsub

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/mr-tron/base58"
)

// The subscription methods of Solana's WebSocket API.
const (
	methodAccount   = "accountSubscribe"
	methodLogs      = "logsSubscribe"
	methodProgram   = "programSubscribe"
	methodSignature = "signatureSubscribe"
	methodSlot      = "slotSubscribe"
)

// unsubscribeMethods maps each method to the one that ends its subscriptions.
var unsubscribeMethods = map[string]string{
	methodAccount: "accountUnsubscribe", methodLogs: "logsUnsubscribe", methodProgram: "programUnsubscribe",
	methodSignature: "signatureUnsubscribe", methodSlot: "slotUnsubscribe",
}

const (
	addressSize, signatureSize = 32, 64
	// maxFilters is how many filters a node accepts.
	maxFilters = 4
	// maxBytes bounds the bytes that a filter compares, in base 58 or base 64.
	maxBytes = 180
)

// crowded are the programs that own nearly all accounts. Subscriptions to their accounts require a filter on their
// data.
var crowded = []string{
	"11111111111111111111111111111111", "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA", "TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb",
}

// TopicError is the error of a topic that cannot be subscribed to. Its text is for callers.
type TopicError struct{ reason string }

// Error returns the reason.
func (e *TopicError) Error() string { return e.reason }

func refuse(format string, args ...any) error { return &TopicError{fmt.Sprintf(format, args...)} }

// Topic is the subject of a subscription. Equal subscriptions have equal topics.
type Topic struct {
	method string
	// params is a JSON array.
	params string
}

// isBrief reports whether a topic is one of those that sending a transaction needs: the slot, of which there is one, and signatures, which end.
func (t Topic) isBrief() bool { return t.method == methodSlot || t.method == methodSignature }

// options are the second parameter of every method except slotSubscribe. Options that a method does not have are nil.
type options struct {
	Commitment *string    `json:"commitment,omitempty"`
	Encoding   *string    `json:"encoding,omitempty"`
	DataSlice  *dataSlice `json:"dataSlice,omitempty"`
	Filters    []filter   `json:"filters,omitempty"`
}

type dataSlice struct {
	Offset uint32 `json:"offset"`
	Length uint32 `json:"length"`
}

// filter is one condition on accounts of a program.
type filter struct {
	DataSize *uint64     `json:"dataSize,omitempty"`
	Memcmp   *comparison `json:"memcmp,omitempty"`
}

type comparison struct {
	Offset   uint64 `json:"offset"`
	Bytes    string `json:"bytes"`
	Encoding string `json:"encoding,omitempty"`
}

// ParseTopic parses the parameters of a method, a JSON array. The error is a [*TopicError].
func ParseTopic(method string, params []byte) (Topic, error) {
	var list []json.RawMessage
	if len(params) > 0 && json.Unmarshal(params, &list) != nil {
		return Topic{}, refuse("params are a list")
	}
	if _, ok := unsubscribeMethods[method]; !ok {
		return Topic{}, refuse("%s is not a subscription", method)
	}
	if method == methodSlot {
		if len(list) > 0 {
			return Topic{}, refuse("slotSubscribe has no params")
		}
		return Topic{method, "[]"}, nil
	}
	if len(list) == 0 || len(list) > 2 {
		return Topic{}, refuse("params are what to subscribe to, and options")
	}
	subject, name, err := subjectOf(method, list[0])
	if err != nil {
		return Topic{}, err
	}
	o := options{}
	if len(list) == 2 {
		if err := decodeStrict(list[1], &o); err != nil {
			return Topic{}, refuse("the options are not ones of %s", method)
		}
	}
	if err := o.check(method, name); err != nil {
		return Topic{}, err
	}
	text, err := json.Marshal([]any{subject, o})
	return Topic{method, string(text)}, err
}

// mentions is the subject of logsSubscribe.
type mentions struct {
	Mentions []string `json:"mentions"`
}

// subjectOf parses the first parameter: an address, a signature, or a filter of logs.
func subjectOf(method string, raw json.RawMessage) (subject any, name string, err error) {
	if method == methodLogs {
		var m mentions
		if decodeStrict(raw, &m) != nil || len(m.Mentions) != 1 || !isBase58(m.Mentions[0], addressSize) {
			return nil, "", refuse("logs can be subscribed to by one address that they mention: {\"mentions\": [address]}")
		}
		return m, m.Mentions[0], nil
	}
	size, what := addressSize, "an address"
	if method == methodSignature {
		size, what = signatureSize, "a signature"
	}
	if json.Unmarshal(raw, &name) != nil || !isBase58(name, size) {
		return nil, "", refuse("%s begins with %s: %d bytes in base 58", method, what, size)
	}
	return name, name, nil
}

func (o options) check(method, subject string) error {
	hasAccounts := method == methodAccount || method == methodProgram
	switch {
	case o.Commitment != nil && !slices.Contains([]string{"processed", "confirmed", "finalized"}, *o.Commitment):
		return refuse("the commitment is processed, confirmed or finalized")
	case !hasAccounts && (o.Encoding != nil || o.DataSlice != nil):
		return refuse("%s has no encoding", method)
	case o.Encoding != nil && !slices.Contains([]string{"base58", "base64", "base64+zstd", "jsonParsed"}, *o.Encoding):
		return refuse("the encoding is base58, base64, base64+zstd or jsonParsed")
	case method != methodProgram && o.Filters != nil:
		return refuse("%s has no filters", method)
	case len(o.Filters) > maxFilters:
		return refuse("there are at most %d filters", maxFilters)
	}
	compares := false
	for _, f := range o.Filters {
		if (f.DataSize == nil) == (f.Memcmp == nil) {
			return refuse("a filter has either dataSize or memcmp")
		}
		if f.Memcmp != nil && (f.Memcmp.Bytes == "" || len(f.Memcmp.Bytes) > maxBytes || !slices.Contains([]string{"", "base58", "base64"}, f.Memcmp.Encoding)) {
			return refuse("memcmp compares at most 128 bytes in base58 or base64")
		}
		compares = compares || f.Memcmp != nil
	}
	if method == methodProgram && slices.Contains(crowded, subject) && !compares {
		return refuse("accounts of this program can be subscribed to with a filter memcmp only")
	}
	return nil
}

// decodeStrict decodes an object and refuses unknown members.
func decodeStrict(raw json.RawMessage, into any) error {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return err
	}
	if d.More() {
		return errors.New("there is more than one value")
	}
	return nil
}

// isBase58 reports whether a text is size bytes in base 58.
func isBase58(text string, size int) bool {
	if len(text) > 2*size {
		return false
	}
	raw, err := base58.Decode(text)
	return err == nil && len(raw) == size
}
