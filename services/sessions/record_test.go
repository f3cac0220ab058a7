package sessions

import (
	"crypto/rand"
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	sessionsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/sessions/v1"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/evm/account"
	"github.com/hawser-dev/hawser/services/platform/seal"
	"github.com/hawser-dev/hawser/services/platform/store"
	"github.com/hawser-dev/hawser/services/platform/store/storetest"
	"github.com/hawser-dev/hawser/services/sessions/proof"
	"github.com/hawser-dev/hawser/services/sessions/record"
)

func TestAReplicaWhoseClockIsAheadKeepsTheProofsThatOthersAccept(t *testing.T) {
	s, err := record.New(t.Context(), storetest.Open(t, storetest.SQLite(t)), nil, nil)
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
	before, err := record.New(t.Context(), db, seal.New(keys[0]), nil)
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
	after, err := record.New(t.Context(), db, seal.New(keys[1], keys[0]), nil)
	if err != nil {
		t.Fatal(err)
	}
	if n, err := after.Rewrap(t.Context()); n != 1 || err == nil || !strings.Contains(err.Error(), "session damaged") {
		t.Errorf("%d keys, %v", n, err)
	}
}

// The database is restored from a backup that is older than the revocation. The file of the replica has it.
func TestARestoredDatabaseRevivesNoRevokedSession(t *testing.T) {
	db, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "hawser.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	keyFile, backup := filepath.Join(t.TempDir(), "wallet.key"), filepath.Join(t.TempDir(), "backup.db")
	w := newWorldAt(t, db, keyFile)
	p := w.newPerson()
	one, other, kept := p.granted(project, nil, native(w, 1000, day)), w.newPerson().granted(project, nil, native(w, 1000, day)), w.newPerson().granted(project, nil, native(w, 1000, day))
	if err := db.Backup(t.Context(), backup); err != nil {
		t.Fatal(err)
	}
	if _, err := w.RevokeSession(as(t, project), &sessionsv1.RevokeSessionRequest{
		Account: one.id(), Pci: one.pci, Proof: one.prove(proof.Statement{Kind: proof.Revoke, PCI: one.pci}, one.key),
	}); err != nil {
		t.Fatal(err)
	}
	if _, err := w.RevokeAllSessions(as(t, project), &sessionsv1.RevokeAllSessionsRequest{
		Account: other.id(), Proof: other.prove(proof.Statement{Kind: proof.RevokeAll}, other.key),
	}); err != nil {
		t.Fatal(err)
	}
	restored := newWorldAt(t, storetest.Open(t, backup), keyFile)
	for _, s := range []*siteSession{one, other} {
		s.w = restored
		_, err := s.prepare(pay(newKey(t).Address(), 1))
		wantReason(t, err, faultv1.Reason_REASON_SESSION_REVOKED)
	}
	kept.w = restored
	if _, err := kept.prepare(pay(newKey(t).Address(), 1)); err != nil {
		t.Errorf("a session that was not revoked: %v", err)
	}
}
