package registry

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// maxMessage bounds a signed text, in bytes.
const maxMessage = 8 << 10

// ErrMessage means that a signed text is not in the expected form.
var ErrMessage = errors.New("the signed text is not of the expected form")

// ErrOtherInstallation means that a signed text is for another installation.
var ErrOtherInstallation = errors.New("the signed text is for another installation")

// Signed texts are sentences, see [sentence], or JSON of one of these forms.
type (
	registration struct {
		Name       *string    `json:"name"`
		Attributes Attributes `json:"attributes"`
		Timestamp  *uint64    `json:"timestamp"`
	}
	attributesChange struct {
		Name       *string     `json:"name"`
		Attributes *Attributes `json:"attributes"`
		Timestamp  *uint64     `json:"timestamp"`
	}
	addressChange struct {
		Name      *string   `json:"name"`
		CoinType  *CoinType `json:"coin_type"`
		Address   *string   `json:"address"`
		Timestamp *uint64   `json:"timestamp"`
	}
	release struct {
		Name      *string `json:"release"`
		Timestamp *uint64 `json:"timestamp"`
	}
	transfer struct {
		Name      *string   `json:"transfer"`
		To        *string   `json:"to"`
		CoinType  *CoinType `json:"coin_type"`
		Timestamp *uint64   `json:"timestamp"`
	}
)

// signed is a message of one of these forms.
type signed interface {
	// missing returns the first required member that is absent.
	missing() string
	timestamp() uint64
	// take fills the message from a sentence. It fails with [ErrMessage] for another action.
	take(s sentence) error
}

func (m *registration) missing() string {
	return firstMissing(member{"name", m.Name == nil}, member{"timestamp", m.Timestamp == nil})
}

func (m *attributesChange) missing() string {
	return firstMissing(member{"attributes", m.Attributes == nil}, member{"timestamp", m.Timestamp == nil})
}

func (m *addressChange) missing() string {
	return firstMissing(member{"coin_type", m.CoinType == nil}, member{"address", m.Address == nil}, member{"timestamp", m.Timestamp == nil})
}

func (m *release) missing() string {
	return firstMissing(member{"release", m.Name == nil}, member{"timestamp", m.Timestamp == nil})
}

func (m *transfer) missing() string {
	return firstMissing(member{"transfer", m.Name == nil}, member{"to", m.To == nil}, member{"coin_type", m.CoinType == nil},
		member{"timestamp", m.Timestamp == nil})
}

func (m *registration) timestamp() uint64     { return *m.Timestamp }
func (m *attributesChange) timestamp() uint64 { return *m.Timestamp }
func (m *addressChange) timestamp() uint64    { return *m.Timestamp }
func (m *release) timestamp() uint64          { return *m.Timestamp }
func (m *transfer) timestamp() uint64         { return *m.Timestamp }

type member struct {
	name   string
	absent bool
}

func firstMissing(members ...member) string {
	for _, m := range members {
		if m.absent {
			return m.name
		}
	}
	return ""
}

// readMessage parses a signed text in JSON. It fails with [ErrMessage].
func readMessage(text string, into signed) error {
	if len(text) > maxMessage {
		return fmt.Errorf("%w: it is over %d bytes", ErrMessage, maxMessage)
	}
	d := json.NewDecoder(strings.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil || !json.Valid([]byte(text)) {
		return fmt.Errorf("%w: it is not JSON of the expected members and types", ErrMessage)
	}
	if name := into.missing(); name != "" {
		return fmt.Errorf("%w: missing field `%s`", ErrMessage, name)
	}
	if !hasUniqueMembers(json.NewDecoder(strings.NewReader(text))) {
		return fmt.Errorf("%w: a field stands twice", ErrMessage)
	}
	return nil
}

// hasUniqueMembers reports whether no object has duplicate members: of two equal members a wallet might show one while
// this service uses the other.
func hasUniqueMembers(d *json.Decoder) bool {
	token, err := d.Token()
	if err != nil {
		return errors.Is(err, io.EOF)
	}
	open, isOpen := token.(json.Delim)
	if !isOpen {
		return true
	}
	seen := map[string]bool{}
	for d.More() {
		if open == '{' {
			key, err := d.Token()
			name, _ := key.(string)
			name = strings.ToLower(strings.ToUpper(name)) // so that letters are equal which encoding/json takes for equal, such as s and ſ
			if err != nil || seen[name] {
				return false
			}
			seen[name] = true
		}
		if !hasUniqueMembers(d) {
			return false
		}
	}
	_, err = d.Token()
	return err == nil
}
