package wire

import "encoding/json"

// Lenient is an element of a list in JSON: if it cannot be decoded, Err says why, and the other elements are decoded nevertheless.
type Lenient[T any] struct {
	Is  T
	Err error
}

// UnmarshalJSON decodes an element, or notes why that failed.
func (l *Lenient[T]) UnmarshalJSON(raw []byte) error {
	l.Err = json.Unmarshal(raw, &l.Is)
	return nil
}
