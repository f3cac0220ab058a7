// Package wire parses and formats the JSON-RPC messages of the wallet-connect relay: ids are echoed unchanged, and
// errors have the codes and data that clients expect.
package wire

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strconv"
	"unicode/utf8"
)

const (
	// maxID bounds an id, in bytes.
	maxID = 64
	// firstServerID is the lowest id of the relay's own requests. It has 16 digits, because clients return longer ids
	// as strings.
	firstServerID = 1_000_000_000_000_000
)

// Message is a request, or the response to a request of the relay.
type Message struct {
	// ID is the id as the client wrote it.
	ID json.RawMessage
	// Method is empty for a response.
	Method string
	Params json.RawMessage
	// Acknowledged says that the response is a result.
	Acknowledged bool
}

// Parse parses one message. The error is the response, with [Message.ID] if that could be parsed, and otherwise with
// the id 0.
func Parse(frame []byte) (Message, *Error) {
	var body struct {
		ID      json.RawMessage `json:"id"`
		JSONRPC *string         `json:"jsonrpc"`
		Method  *string         `json:"method"`
		Params  json.RawMessage `json:"params"`
		Result  json.RawMessage `json:"result"`
		Error   json.RawMessage `json:"error"`
	}
	m := Message{ID: json.RawMessage("0")}
	if !utf8.Valid(frame) || json.Unmarshal(frame, &body) != nil {
		return m, Payload(TagSerialization)
	}
	if !validID(body.ID) {
		return m, Payload(TagInvalidRequestID)
	}
	m.ID, m.Params = body.ID, body.Params
	switch {
	case body.Method != nil:
		m.Method = *body.Method
		if m.Method == "" {
			return m, Payload(TagInvalidMethod)
		}
		if body.JSONRPC == nil || *body.JSONRPC != "2.0" {
			return m, Payload(TagInvalidVersion)
		}
	case body.Result != nil:
		m.Acknowledged = true
	case body.Error == nil:
		return m, Payload(TagInvalidMethod)
	}
	return m, nil
}

// PeekID returns the id of a message of which only the start was read, or 0.
func PeekID(prefix []byte) json.RawMessage {
	_, rest, found := bytes.Cut(prefix, []byte(`"id":`))
	if found {
		rest = bytes.TrimLeft(rest, " ")
		if end := bytes.IndexAny(rest, ",}"); end > 0 && validID(bytes.TrimRight(rest[:end], " ")) {
			return bytes.TrimRight(rest[:end], " ")
		}
	}
	return json.RawMessage("0")
}

// validID reports whether an id is a whole number, or a string of digits that may end in n, as JavaScript writes a BigInt.
func validID(raw json.RawMessage) bool {
	if len(raw) == 0 || len(raw) > maxID {
		return false
	}
	digits := []byte(raw)
	if raw[0] == '"' {
		if len(raw) < 3 || raw[len(raw)-1] != '"' {
			return false
		}
		digits = bytes.TrimSuffix(raw[1:len(raw)-1], []byte("n"))
	}
	for _, c := range digits {
		if c < '0' || c > '9' {
			return false
		}
	}
	return len(digits) > 0
}

// Sequence returns the sequence number of the message whose delivery a response acknowledges. It is the inverse of
// [Subscription].
func Sequence(id json.RawMessage) (uint64, bool) {
	digits := bytes.TrimSuffix(bytes.Trim(id, `"`), []byte("n"))
	n, err := strconv.ParseUint(string(digits), 10, 64)
	return n - firstServerID, err == nil && n >= firstServerID
}

// AppendResult appends a response.
func AppendResult(b []byte, id json.RawMessage, result any) []byte {
	b = append(b, `{"id":`...)
	b = append(b, id...)
	b = append(b, `,"jsonrpc":"2.0","result":`...)
	return append(append(b, marshal(result)...), '}')
}

// AppendError appends a response with an error.
func AppendError(b []byte, id json.RawMessage, e *Error) []byte {
	b = append(b, `{"id":`...)
	b = append(b, id...)
	b = append(b, `,"jsonrpc":"2.0","error":`...)
	return append(append(b, marshal(e)...), '}')
}

// Delivery is a message in the form in which subscribers receive it.
type Delivery struct {
	Topic   string `json:"topic"`
	Message string `json:"message"`
	// PublishedAt is in Unix milliseconds.
	PublishedAt int64  `json:"publishedAt"`
	Tag         uint32 `json:"tag"`
	Attestation string `json:"attestation,omitempty"`
}

// SubscriptionID returns the id of a subscription of a client. Clients compute the same id.
func SubscriptionID(topic, client string) string {
	sum := sha256.Sum256([]byte(topic + client))
	return hex.EncodeToString(sum[:])
}

// Subscription returns the start of the request irn_subscription that delivers a message of the mailbox. The rest, which is the same for all
// subscriptions, is that of [DeliveryRest].
func Subscription(sequence uint64, subscription string) []byte {
	b := make([]byte, 0, 160)
	b = append(b, `{"id":`...)
	b = strconv.AppendUint(b, firstServerID+sequence, 10)
	b = append(b, `,"jsonrpc":"2.0","method":"irn_subscription","params":{"id":"`...)
	b = append(b, subscription...)
	return append(b, `","data":`...)
}

// DeliveryRest returns the end of the request irn_subscription that delivers d.
func DeliveryRest(d Delivery) []byte { return append(marshal(d), `}}`...) }

// marshal encodes a value that always can be encoded, without escaping HTML characters.
func marshal(v any) []byte {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		panic(err)
	}
	return bytes.TrimSuffix(out.Bytes(), []byte("\n"))
}
