package names

import (
	"encoding/hex"
	"errors"
	"strings"

	"github.com/hawser-dev/hawser/services/names/signature"
)

// ErrOther says that the signed text speaks of another name.
var ErrOther = errors.New("the signed text is about another name")

// NameError says what is wrong with a name.
type NameError struct {
	Name string
	Err  error
}

// Error names the name.
func (e *NameError) Error() string { return e.Name + ": " + e.Err.Error() }

// Unwrap returns what is wrong.
func (e *NameError) Unwrap() error { return e.Err }

// about says of which name the store speaks.
func about(name Name, err error) error {
	if errors.Is(err, ErrTaken) || errors.Is(err, ErrUnregistered) {
		return &NameError{string(name), err}
	}
	return err
}

// readSignature reads 0x and hex digits. It fails with [signature.ErrMalformed].
func readSignature(text string) ([]byte, error) {
	digits, ok := strings.CutPrefix(text, "0x")
	if !ok || len(digits) > 2*signature.MaxSize {
		return nil, signature.ErrMalformed
	}
	b, err := hex.DecodeString(digits)
	if err != nil {
		return nil, signature.ErrMalformed
	}
	return b, nil
}
