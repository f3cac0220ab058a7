// Package seal encrypts secrets that services store, by envelope encryption: each value with its own random key
// (AES-256-GCM), and that key with a key encryption key (KEK), which is in a file or in a key management service.
//
// A sealed value is bound to its associated data: the value of one row cannot be opened as that of another row.
package seal

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"log/slog"
	"strings"
)

const (
	// version is the prefix of every sealed value.
	version = "v1"
	// keySize is the size of a data encryption key, in bytes.
	keySize = 32
)

// ErrTampered means that a value is damaged, or sealed for another row.
var ErrTampered = errors.New("the sealed value is damaged or belongs elsewhere")

// KEK wraps data encryption keys.
type KEK interface {
	// ID identifies the key. It is stored with what the key wraps.
	ID() string
	// Wrap encrypts a data encryption key, bound to the associated data.
	Wrap(ctx context.Context, dek, aad []byte) ([]byte, error)
	// Unwrap decrypts what Wrap returned. It fails with [ErrTampered] if either argument is not that of Wrap.
	Unwrap(ctx context.Context, wrapped, aad []byte) ([]byte, error)
}

// renamed is a KEK that was stored with other ids before.
type renamed interface {
	// FormerIDs returns those ids. Other keys may have them too.
	FormerIDs() []string
}

// UnknownKeyError is the error of a value whose key encryption key is not configured.
type UnknownKeyError struct{ ID string }

// Error returns the id of the key.
func (e *UnknownKeyError) Error() string {
	return "the key encryption key " + e.ID + " is not configured"
}

// Secret is a plaintext that is redacted in logs.
type Secret []byte

// String returns a constant.
func (Secret) String() string { return "[redacted]" }

// LogValue returns a constant.
func (Secret) LogValue() slog.Value { return slog.StringValue("[redacted]") }

// Sealer seals values with one key encryption key and opens values of several. It is safe for concurrent use.
type Sealer struct {
	current KEK
	// keys has the keys of each id.
	keys map[string][]KEK
}

// New returns a sealer that seals with current, and opens what current or one of previous sealed.
func New(current KEK, previous ...KEK) *Sealer {
	s := &Sealer{current: current, keys: map[string][]KEK{}}
	for _, k := range append([]KEK{current}, previous...) {
		s.keys[k.ID()] = append(s.keys[k.ID()], k)
		if r, ok := k.(renamed); ok {
			for _, id := range r.FormerIDs() {
				s.keys[id] = append(s.keys[id], k)
			}
		}
	}
	return s
}

// Seal returns the sealed plaintext: text without spaces. The associated data is needed to open it.
func (s *Sealer) Seal(ctx context.Context, plaintext Secret, aad string) (string, error) {
	dek := make([]byte, keySize)
	_, _ = rand.Read(dek)
	defer clear(dek)
	wrapped, err := s.current.Wrap(ctx, dek, bind(aad))
	if err != nil {
		return "", fmt.Errorf("wrap a key: %w", err)
	}
	aead, err := newAEAD(dek)
	if err != nil {
		return "", err
	}
	nonce := make([]byte, aead.NonceSize())
	_, _ = rand.Read(nonce)
	return strings.Join([]string{version, encode([]byte(s.current.ID())), encode(wrapped), encode(aead.Seal(nonce, nonce, plaintext, bind(aad)))}, "."), nil
}

// Open returns the plaintext of a sealed value. It fails with [ErrTampered] or [*UnknownKeyError].
func (s *Sealer) Open(ctx context.Context, sealed, aad string) (Secret, error) {
	id, wrapped, ciphertext, err := parse(sealed)
	if err != nil {
		return nil, err
	}
	dek, err := s.unwrap(ctx, id, wrapped, bind(aad))
	if err != nil {
		return nil, err
	}
	defer clear(dek)
	aead, err := newAEAD(dek)
	if err != nil || len(ciphertext) < aead.NonceSize() {
		return nil, ErrTampered
	}
	plaintext, err := aead.Open(nil, ciphertext[:aead.NonceSize()], ciphertext[aead.NonceSize():], bind(aad))
	if err != nil {
		return nil, ErrTampered
	}
	return plaintext, nil
}

// unwrap returns the data encryption key that a key with an id wrapped.
func (s *Sealer) unwrap(ctx context.Context, id string, wrapped, aad []byte) ([]byte, error) {
	failed := error(&UnknownKeyError{id})
	for _, key := range s.keys[id] {
		dek, err := key.Unwrap(ctx, wrapped, aad)
		if err == nil {
			return dek, nil
		}
		// An outage of the right key is not hidden by the refusal of another.
		if _, unknown := errors.AsType[*UnknownKeyError](failed); unknown || errors.Is(failed, ErrTampered) {
			failed = fmt.Errorf("unwrap a key: %w", err)
		}
	}
	return nil, failed
}

// Rewrap returns the value sealed with the current key encryption key; changed is false if it already was. It fails as
// Open does.
func (s *Sealer) Rewrap(ctx context.Context, sealed, aad string) (fresh string, changed bool, err error) {
	id, _, _, err := parse(sealed)
	if err != nil {
		return "", false, err
	}
	if id == s.current.ID() {
		return sealed, false, nil
	}
	plaintext, err := s.Open(ctx, sealed, aad)
	if err != nil {
		return "", false, err
	}
	defer clear(plaintext)
	fresh, err = s.Seal(ctx, plaintext, aad)
	return fresh, true, err
}

// Check wraps and unwraps a key, so that an unusable key encryption key is detected at the start.
func (s *Sealer) Check(ctx context.Context) error {
	sealed, err := s.Seal(ctx, Secret("check"), "check")
	if err == nil {
		_, err = s.Open(ctx, sealed, "check")
	}
	if err != nil {
		return fmt.Errorf("the key encryption key %s does not work: %w", s.current.ID(), err)
	}
	return nil
}

func newAEAD(key []byte) (cipher.AEAD, error) {
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	return cipher.NewGCM(block)
}

func bind(aad string) []byte { return []byte(version + "|" + aad) }

func parse(sealed string) (id string, wrapped, ciphertext []byte, err error) {
	parts := strings.Split(sealed, ".")
	if len(parts) != 4 || parts[0] != version {
		return "", nil, nil, ErrTampered
	}
	var raw [3][]byte
	for i, part := range parts[1:] {
		if raw[i], err = base64.RawURLEncoding.Strict().DecodeString(part); err != nil {
			return "", nil, nil, ErrTampered
		}
	}
	return string(raw[0]), raw[1], raw[2], nil
}

// IsSealed reports whether a text has the form of a sealed value.
func IsSealed(text string) bool {
	_, _, _, err := parse(text)
	return err == nil
}

func encode(raw []byte) string { return base64.RawURLEncoding.EncodeToString(raw) }
