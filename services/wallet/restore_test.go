package wallet_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	walletv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/wallet/v1"
	"github.com/hawser-dev/hawser/services/platform/seal"
	"github.com/hawser-dev/hawser/services/platform/store"
	"github.com/hawser-dev/hawser/services/platform/store/storetest"
	"github.com/hawser-dev/hawser/services/wallet"
	"github.com/hawser-dev/hawser/services/wallet/user"
)

func TestARestoredDatabaseDoesNotReviveWhatWasRemoved(t *testing.T) {
	path := filepath.Join(t.TempDir(), "hawser.db")
	db, err := store.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	w := newWorld(t, db)
	v, bob := w.visitor(), w.visitor()
	v.logIn(alice)
	bob.logIn("bob@example.org")
	must(bob.createWallet())(t)
	password := newFactor(walletv1.FactorKind_FACTOR_KIND_PASSWORD)
	lost := must(v.createWallet(password))(t).GetFactors()[0].GetId()
	backup := filepath.Join(t.TempDir(), "backup.db")
	// Closing merges the write-ahead log into one file.
	if err := w.db.Close(); err != nil {
		t.Fatal(err)
	}
	copyFile(t, path, backup)
	w.db = storetest.Open(t, path)
	w.start()
	if err := v.remove(lost); err != nil {
		t.Fatal(err)
	}
	if err := bob.delete(bob.sign("DeleteUser", "")); err != nil {
		t.Fatal(err)
	}

	w.db = storetest.Open(t, backup)
	w.start()
	_, err = bob.user()
	refused(t, err, faultv1.Reason_REASON_SESSION_ABSENT)
	v.again(alice)
	_, err = v.open(lost)
	refused(t, err, faultv1.Reason_REASON_FACTOR_ABSENT)
	must(v.openBy(password.GetId(), password.GetCheck()))(t)
	// One for each of them, and one for the sessions.
	if n := strings.Count(w.log.String(), "restored from a backup"); n != 3 {
		t.Errorf("%d alarms in %s", n, w.log)
	}
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	raw, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(to, raw, 0o600); err != nil {
		t.Fatal(err)
	}
}

// again signs in again by email after the session has ended.
func (v *visitor) again(email string) {
	v.w.t.Helper()
	v.w.clock.Pass(time.Minute)
	v.Caller.Device.AccessToken = ""
	v.logIn(email)
}

// backUp copies the database of a world in one file, and opens the service on the original again.
func (w *world) backUp(path string) (backup string) {
	w.t.Helper()
	backup = filepath.Join(w.t.TempDir(), "backup.db")
	// Closing merges the write-ahead log into one file.
	if err := w.db.Close(); err != nil {
		w.t.Fatal(err)
	}
	copyFile(w.t, path, backup)
	w.db = storetest.Open(w.t, path)
	w.start()
	return backup
}

func TestARestoredDatabaseRevivesNoSessionAndNoIdentity(t *testing.T) {
	for name, tt := range map[string]struct {
		// change is made after the backup.
		change func(w *world, v *visitor)
		// isIdentity reports whether the change removes the first email.
		isIdentity bool
	}{
		"all sessions are revoked": {change: func(w *world, v *visitor) {
			must(call[walletv1.RevokeAllSessionsResponse](v, walletv1.SessionService_RevokeAllSessions_FullMethodName, &walletv1.RevokeAllSessionsRequest{}))(w.t)
		}},
		"one session is revoked": {change: func(w *world, v *visitor) {
			list := must(call[walletv1.ListSessionsResponse](v, walletv1.SessionService_ListSessions_FullMethodName, &walletv1.ListSessionsRequest{}))(w.t)
			for _, s := range list.GetSessions() {
				if !s.GetCurrent() {
					must(call[walletv1.RevokeSessionResponse](v, walletv1.SessionService_RevokeSession_FullMethodName, &walletv1.RevokeSessionRequest{Id: s.GetId()}))(w.t)
				}
			}
		}},
		"an hour passes": {change: func(w *world, _ *visitor) {
			w.clock.Pass(time.Hour)
			if err := w.server.Expire(w.t.Context()); err != nil {
				w.t.Fatal(err)
			}
		}},
		"the email is changed": {isIdentity: true, change: func(w *world, v *visitor) {
			v.change(alice, newAlice)
			w.clock.Pass(24 * time.Hour)
			if err := w.server.Expire(w.t.Context()); err != nil {
				w.t.Fatal(err)
			}
		}},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "hawser.db")
			db, err := store.Open(t.Context(), path)
			if err != nil {
				t.Fatal(err)
			}
			w := newWorld(t, db)
			owner, thief := w.visitor(), w.visitor()
			id := owner.logIn(alice).GetUserId()
			w.clock.Pass(time.Minute)
			refresh := thief.logIn(alice).GetRefreshToken()
			backup := w.backUp(path)
			tt.change(w, owner)
			w.db = storetest.Open(t, backup)
			w.start()
			_, err = thief.refresh(refresh)
			refused(t, err, faultv1.Reason_REASON_SESSION_ABSENT)
			fresh := w.visitor()
			if started := must(fresh.start(alice))(t); started.GetAction() != walletv1.EmailAction_EMAIL_ACTION_VERIFY_DEVICE {
				t.Errorf("a new device: %s", started.GetAction())
			}
			if !strings.Contains(w.log.String(), "restored from a backup") {
				t.Error("no alarm")
			}
			if strings.Contains(w.log.String(), user.Key(user.Email, alice)) {
				t.Error("the log has the key of the email")
			}
			// The sessions after the restore stay.
			w.clock.Pass(time.Minute)
			fresh.logIn(alice)
			w.start()
			if u := must(fresh.user())(t); u.GetId() != id {
				t.Error("another user signs in")
			}
			// The new email is lost with the database, so the removed one is the only way to sign in: it is kept.
			if tt.isIdentity && !strings.Contains(w.log.String(), "as the last one") {
				t.Error("no alarm about the email")
			}
		})
	}
}

// The replica that removed a factor is lost together with the database; the file of the other replica still has the
// removal.
func TestTheFileOfAnyReplicaFindsWhatARestoredDatabaseRevives(t *testing.T) {
	path := filepath.Join(t.TempDir(), "hawser.db")
	db, err := store.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	key := filepath.Join(t.TempDir(), "wallet.key")
	if err := seal.CreateAge(key); err != nil {
		t.Fatal(err)
	}
	w := newWorld(t, db, func(c *wallet.Config) { c.Key.File = key })
	v := w.visitor()
	v.logIn(alice)
	lost := must(v.createWallet(newFactor(walletv1.FactorKind_FACTOR_KIND_PASSWORD)))(t).GetFactors()[0].GetId()
	backup := filepath.Join(t.TempDir(), "backup.db")
	if err := w.db.Close(); err != nil {
		t.Fatal(err)
	}
	copyFile(t, path, backup)
	w.db = storetest.Open(t, path)
	w.start()
	if err := v.remove(lost); err != nil {
		t.Fatal(err)
	}
	w.cfg.DataDir = t.TempDir()
	w.start()
	w.db = storetest.Open(t, backup)
	w.start()
	v.again(alice)
	_, err = v.open(lost)
	refused(t, err, faultv1.Reason_REASON_FACTOR_ABSENT)
	if !strings.Contains(w.log.String(), "restored from a backup") {
		t.Errorf("no alarm in %s", w.log)
	}
}

// With a backup of the database and the key on another machine, every factor of every user opens its wallet. With the
// database alone, none does.
func TestADatabaseAndItsKeyRestoreEveryWallet(t *testing.T) {
	path := filepath.Join(t.TempDir(), "hawser.db")
	db, err := store.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	w := newWorld(t, db)
	wallets := map[*visitor]*walletv1.CreateWalletRequest{}
	for _, email := range []string{alice, "bob@example.org", "carol@example.org"} {
		v := w.visitor()
		v.logIn(email)
		wallets[v] = must(v.createWallet(newFactor(walletv1.FactorKind_FACTOR_KIND_PASSKEY), newFactor(walletv1.FactorKind_FACTOR_KIND_PASSWORD)))(t)
	}
	if err := w.db.Close(); err != nil {
		t.Fatal(err)
	}
	restored, key := filepath.Join(t.TempDir(), "restored.db"), filepath.Join(w.cfg.DataDir, "wallet.key")
	copyFile(t, path, restored)
	w.db, w.cfg.DataDir = storetest.Open(t, restored), t.TempDir()
	if _, err := wallet.NewServer(t.Context(), w.cfg, wallet.Deps{Chain: noChain{}, DB: w.db, Clock: w.clock}); err == nil || !strings.Contains(err.Error(), "is missing") {
		t.Errorf("without the key: %v", err)
	}
	copyFile(t, key, filepath.Join(w.cfg.DataDir, "wallet.key"))
	w.start()
	for v, created := range wallets {
		for _, f := range created.GetFactors() {
			opened := must(v.openBy(f.GetId(), f.GetCheck()))(t)
			if !bytes.Equal(opened.GetServerHalf(), f.GetServerHalf()) || !bytes.Equal(opened.GetBlob(), created.GetBlob()) || !bytes.Equal(opened.GetRecord(), f.GetRecord()) {
				t.Errorf("%s differs after the restore", f.GetKind())
			}
		}
	}
}

// newVault returns the address of a transit engine that answers while up is true. It does not encrypt.
func newVault(t *testing.T) (address string, up *atomic.Bool) {
	up = &atomic.Bool{}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !up.Load() {
			http.Error(w, `{"errors":["sealed"]}`, http.StatusServiceUnavailable)
			return
		}
		var body struct{ Plaintext, Ciphertext string }
		_ = json.NewDecoder(r.Body).Decode(&body)
		answer := map[string]string{"ciphertext": "vault:v1:" + body.Plaintext}
		if body.Ciphertext != "" {
			answer = map[string]string{"plaintext": strings.TrimPrefix(body.Ciphertext, "vault:v1:")}
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"data": answer})
	}))
	t.Cleanup(s.Close)
	return s.URL, up
}

func TestTheServiceStartsWhileItsKeyServiceIsDown(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		address, up := newVault(t)
		w := newWorld(t, db, func(c *wallet.Config) { c.Key = seal.Config{Provider: seal.Vault, Name: "wallets", Address: address} })
		if !strings.Contains(w.log.String(), "the key encryption key is not available") {
			t.Errorf("log %s", w.log)
		}
		v := w.visitor()
		_, err := v.start(alice)
		refused(t, err, faultv1.Reason_REASON_SERVICE_UNAVAILABLE)
		up.Store(true)
		v.logIn(alice)
		factor := must(v.createWallet())(t).GetFactors()[0]

		// Opened keys stay cached while the service is down again: sessions continue, but halves cannot be opened.
		up.Store(false)
		must(v.user())(t)
		_, err = v.open(factor.GetId())
		refused(t, err, faultv1.Reason_REASON_SERVICE_UNAVAILABLE)
		up.Store(true)
		if opened := must(v.open(factor.GetId()))(t); !bytes.Equal(opened.GetServerHalf(), factor.GetServerHalf()) {
			t.Error("another half")
		}
	})
}
