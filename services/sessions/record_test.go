package sessions

import (
	"crypto/rand"
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hawser-dev/hawser/services/evm"
	"github.com/hawser-dev/hawser/services/evm/account"
	"github.com/hawser-dev/hawser/services/platform/seal"
	"github.com/hawser-dev/hawser/services/platform/store"
	"github.com/hawser-dev/hawser/services/platform/store/storetest"
	"github.com/hawser-dev/hawser/services/sessions/record"
)

func TestAReplicaWhoseClockIsAheadKeepsTheProofsThatOthersAccept(t *testing.T) {
	s, err := record.New(t.Context(), storetest.Open(t, storetest.SQLite(t)), nil)
	if err != nil {
		t.Fatal(err)
	}
	now := time.Now()
	account, nonce, deadline := evm.Address{1}, [32]byte{2}, now.Add(10*time.Second)
	if err := s.UseProof(t.Context(), account, nonce, deadline); err != nil {
		t.Fatal(err)
	}
	if err := s.DeleteExpired(t.Context(), now.Add(30*time.Second)); err != nil {
		t.Fatal(err)
	}
	if err := s.UseProof(t.Context(), account, nonce, deadline); !errors.Is(err, record.ErrUsed) {
		t.Errorf("a proof that was used: %v", err)
	}
	if err := s.DeleteExpired(t.Context(), now.Add(2*time.Minute)); err != nil {
		t.Fatal(err)
	}
	if err := s.UseProof(t.Context(), account, nonce, deadline); err != nil {
		t.Errorf("a proof that was deleted: %v", err)
	}
}

func TestADamagedKeyDoesNotKeepOthersFromTheRewrap(t *testing.T) {
	db := storetest.Open(t, storetest.SQLite(t))
	keys := make([]seal.KEK, 2)
	for i := range keys {
		path := filepath.Join(t.TempDir(), "key")
		if err := seal.CreateAge(path); err != nil {
			t.Fatal(err)
		}
		opened, err := seal.OpenAge(path)
		if err != nil {
			t.Fatal(err)
		}
		keys[i] = opened
	}
	before, err := record.New(t.Context(), db, seal.New(keys[0]))
	if err != nil {
		t.Fatal(err)
	}
	for _, pci := range []string{"damaged", "other"} {
		key, err := account.NewKey(rand.Reader)
		if err != nil {
			t.Fatal(err)
		}
		if err := before.Add(t.Context(), record.Session{PCI: pci, CreatedAt: time.Now()}, key); err != nil {
			t.Fatal(err)
		}
	}
	if err := db.InTx(t.Context(), func(tx *store.Tx) error {
		_, err := tx.ExecContext(t.Context(), `UPDATE sessions_sessions SET sealed_key = 'damaged' WHERE pci = 'damaged'`)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	after, err := record.New(t.Context(), db, seal.New(keys[1], keys[0]))
	if err != nil {
		t.Fatal(err)
	}
	if n, err := after.Rewrap(t.Context()); n != 1 || err == nil || !strings.Contains(err.Error(), "session damaged") {
		t.Errorf("%d keys, %v", n, err)
	}
}
