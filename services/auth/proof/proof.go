// Package proof parses what a visitor signed to sign in: a text, or a message in parts.
package proof

import (
	"fmt"
	"reflect"

	"github.com/hawser-dev/hawser/proto/siwe"
)

// Proof is a signed message.
type Proof struct {
	Message siwe.Message
	// Texts are the texts that the wallet may have signed. The signature must match one of them.
	Texts     []string
	Signature string
}

// Read parses a signed text. It fails with [siwe.ErrMessage].
func Read(text, sig string) (Proof, error) {
	m, err := siwe.Parse(text)
	return Proof{Message: m, Texts: []string{text}, Signature: sig}, err
}

// reread parses a message that was assembled from parts. It fails with [siwe.ErrMessage] if a part has a line feed,
// which could make it look like another message.
func reread(m siwe.Message) (siwe.Message, error) {
	parsed, err := siwe.Parse(m.String())
	if err != nil {
		return m, err
	}
	if !reflect.DeepEqual(parsed, m) {
		return m, fmt.Errorf("%w: a field holds a line feed", siwe.ErrMessage)
	}
	return m, nil
}
