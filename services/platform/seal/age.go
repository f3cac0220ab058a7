package seal

import (
	"bytes"
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"filippo.io/age"

	"github.com/hawser-dev/hawser/services/platform/files"
)

// ageKey is an age identity (X25519) in a file.
type ageKey struct {
	id       string
	identity *age.X25519Identity
}

// OpenAge returns the KEK of an age identity file, as age-keygen writes it.
func OpenAge(path string) (KEK, error) {
	raw, err := files.ReadSecret(path)
	if err != nil {
		return nil, fmt.Errorf("read the key file: %w", err)
	}
	for line := range strings.Lines(string(raw)) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		identity, err := age.ParseX25519Identity(line)
		if err != nil {
			// The error of age may quote the key.
			return nil, fmt.Errorf("%s has no age identity (AGE-SECRET-KEY-1...)", path)
		}
		sum := sha256.Sum256([]byte(identity.Recipient().String()))
		return &ageKey{"age:" + hex.EncodeToString(sum[:8]), identity}, nil
	}
	return nil, fmt.Errorf("%s is empty", path)
}

// CreateAge writes a new age identity to a file that must not exist and that only its user can read.
func CreateAge(path string) error {
	identity, err := age.GenerateX25519Identity()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	// Processes that start at the same time must not read an incomplete file, so it is linked to its path when it is
	// complete.
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(f.Name()) }()
	_, err = fmt.Fprintf(f, "# Key of the embedded wallets: without it and a copy of the database, no wallet can be opened. Keep a copy.\n%s\n", identity)
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	if err := os.Link(f.Name(), path); !errors.Is(err, fs.ErrExist) {
		return err
	}
	return nil
}

// ID returns a hash of the public key.
func (k *ageKey) ID() string { return k.id }

// Wrap encrypts the key and a hash of the associated data, which age does not have.
func (k *ageKey) Wrap(_ context.Context, dek, aad []byte) ([]byte, error) {
	var out bytes.Buffer
	w, err := age.Encrypt(&out, k.identity.Recipient())
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(aad)
	if _, err := w.Write(append(sum[:], dek...)); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// Unwrap decrypts the key.
func (k *ageKey) Unwrap(_ context.Context, wrapped, aad []byte) ([]byte, error) {
	r, err := age.Decrypt(bytes.NewReader(wrapped), k.identity)
	if err != nil {
		return nil, ErrTampered
	}
	plain, err := io.ReadAll(io.LimitReader(r, sha256.Size+keySize+1))
	if err != nil || len(plain) != sha256.Size+keySize {
		return nil, ErrTampered
	}
	sum := sha256.Sum256(aad)
	if subtle.ConstantTimeCompare(plain[:sha256.Size], sum[:]) != 1 {
		return nil, ErrTampered
	}
	return plain[sha256.Size:], nil
}
