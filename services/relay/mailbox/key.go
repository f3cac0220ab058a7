package mailbox

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"

	"github.com/nats-io/nats.go/jetstream"
)

const (
	// bucketName is the key-value bucket of the relay's settings, and keyName the key of accounts in it.
	bucketName = "RELAY_SETTINGS"
	keyName    = "account-key"
	keyBytes   = 32
)

// openKey returns the key of accounts. The first process of an installation makes it.
func openKey(ctx context.Context, js jetstream.JetStream, replicas int) (accountKey, error) {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	bucket, err := js.CreateOrUpdateKeyValue(ctx, jetstream.KeyValueConfig{Bucket: bucketName, Description: "settings of the wallet-connect relay", Replicas: replicas})
	if err != nil {
		return nil, fmt.Errorf("bucket %s: %w", bucketName, err)
	}
	key := make([]byte, keyBytes)
	_, _ = rand.Read(key) // It never fails.
	_, err = bucket.Create(ctx, keyName, key)
	if err == nil {
		return key, nil
	}
	if !errors.Is(err, jetstream.ErrKeyExists) {
		return nil, fmt.Errorf("bucket %s: %w", bucketName, err)
	}
	entry, err := bucket.Get(ctx, keyName)
	if err != nil {
		return nil, fmt.Errorf("bucket %s: %w", bucketName, err)
	}
	return entry.Value(), nil
}
