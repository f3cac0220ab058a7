package record_test

import (
	"errors"
	"testing"
	"time"

	"github.com/hawser-dev/hawser/services/evm"
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
