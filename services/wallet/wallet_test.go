package wallet_test

import (
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common/hexutil"

	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	walletv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/wallet/v1"
	evmaccount "github.com/hawser-dev/hawser/services/onchain/evm/account"
	"github.com/hawser-dev/hawser/services/platform/seal"
	"github.com/hawser-dev/hawser/services/platform/store"
	"github.com/hawser-dev/hawser/services/platform/store/storetest"
	"github.com/hawser-dev/hawser/services/wallet"
	"github.com/hawser-dev/hawser/services/wallet/account"
)

func random(n int) []byte {
	raw := make([]byte, n)
	_, _ = rand.Read(raw)
	return raw
}

func newID() string { return hex.EncodeToString(random(16)) }

// newFactor returns a factor with a random half.
func newFactor(kind walletv1.FactorKind) *walletv1.NewFactor {
	f := &walletv1.NewFactor{Id: newID(), Kind: kind, Label: "A factor", ServerHalf: random(32)}
	if kind != walletv1.FactorKind_FACTOR_KIND_DEVICE {
		f.Record = random(64)
	}
	if kind == walletv1.FactorKind_FACTOR_KIND_PASSWORD {
		f.Parameters, f.Check = []byte(`{"salt":"c2FsdA==","memory":65536,"passes":3}`), random(32)
	}
	return f
}

// evmKey returns a random key of eip155.
func evmKey(t testing.TB) evmaccount.Key {
	t.Helper()
	key, err := evmaccount.NewKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

// newWallet returns a request for a wallet with the address of a key.
func (v *visitor) newWallet(key evmaccount.Key, factors ...*walletv1.NewFactor) *walletv1.CreateWalletRequest {
	r := &walletv1.CreateWalletRequest{
		WalletId: newID(), Version: 1, Blob: random(60), Factors: append([]*walletv1.NewFactor{newFactor(walletv1.FactorKind_FACTOR_KIND_DEVICE)}, factors...),
		Accounts: []*walletv1.Account{{Namespace: "eip155", Address: key.Address().Hex()}},
	}
	if u, err := v.user(); err == nil {
		r.OwnerProof = hexutil.Encode(key.Sign(account.OwnerHash(v.w.cfg.FrameOrigin, u.GetId(), key.Address())))
	}
	return r
}

// createWallet stores a wallet with a factor of the visitor's device.
func (v *visitor) createWallet(factors ...*walletv1.NewFactor) (*walletv1.CreateWalletRequest, error) {
	v.wallet = evmKey(v.w.t)
	r := v.newWallet(v.wallet, factors...)
	_, err := call[walletv1.CreateWalletResponse](v, walletv1.WalletService_CreateWallet_FullMethodName, r)
	if err == nil {
		v.w.wallets[must(v.user())(v.w.t).GetId()] = v.wallet
	}
	return r, err
}

func (v *visitor) open(factor string) (*walletv1.GetSealedWalletResponse, error) {
	return v.openBy(factor, nil)
}

// openBy opens the wallet with the check of a password.
func (v *visitor) openBy(factor string, check []byte) (*walletv1.GetSealedWalletResponse, error) {
	return call[walletv1.GetSealedWalletResponse](v, walletv1.WalletService_GetSealedWallet_FullMethodName,
		&walletv1.GetSealedWalletRequest{FactorId: factor, Check: check})
}

// add adds a factor to the opened wallet.
func (v *visitor) add(f *walletv1.NewFactor) error {
	return v.addWith(f, "", v.sign("AddFactor", f.GetId()))
}

func (v *visitor) addWith(f *walletv1.NewFactor, replaces string, proof *walletv1.ChangeProof) error {
	_, err := call[walletv1.AddFactorResponse](v, walletv1.WalletService_AddFactor_FullMethodName, &walletv1.AddFactorRequest{Factor: f, Replaces: replaces, Proof: proof})
	return err
}

// remove removes a factor of the opened wallet.
func (v *visitor) remove(factor string) error {
	return v.removeWith(factor, v.sign("RemoveFactor", factor))
}

func (v *visitor) removeWith(factor string, proof *walletv1.ChangeProof) error {
	_, err := call[walletv1.RemoveFactorResponse](v, walletv1.WalletService_RemoveFactor_FullMethodName, &walletv1.RemoveFactorRequest{Id: factor, Proof: proof})
	return err
}

func TestAWalletIsReleasedToItsFactors(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w := newWorld(t, db)
		v := w.visitor()
		v.logIn(alice)
		_, err := v.open(newID())
		refused(t, err, faultv1.Reason_REASON_WALLET_ABSENT)
		passkey := newFactor(walletv1.FactorKind_FACTOR_KIND_PASSKEY)
		created := must(v.createWallet(passkey))(t)
		for _, f := range created.GetFactors() {
			opened := must(v.open(f.GetId()))(t)
			if !bytes.Equal(opened.GetServerHalf(), f.GetServerHalf()) || !bytes.Equal(opened.GetBlob(), created.GetBlob()) || !bytes.Equal(opened.GetRecord(), f.GetRecord()) {
				t.Errorf("%s: %v", f.GetKind(), opened)
			}
		}
		u := must(v.user())(t)
		if u.GetWalletId() != created.GetWalletId() || u.GetDeviceFactorId() != created.GetFactors()[0].GetId() || !u.GetHasBackupFactor() || len(u.GetAccounts()) != 1 {
			t.Errorf("user %v", u)
		}
		_, err = v.createWallet()
		refused(t, err, faultv1.Reason_REASON_WALLET_EXISTS)

		// The user's other device has the passkey, but not the first device's half.
		second := w.visitor()
		second.logIn(alice)
		_, err = second.open(created.GetFactors()[0].GetId())
		refused(t, err, faultv1.Reason_REASON_FACTOR_ABSENT)
		must(second.open(passkey.GetId()))(t)

		// Another user has neither.
		mallory := w.visitor()
		mallory.logIn("mallory@example.org")
		must(mallory.createWallet())(t)
		_, err = mallory.open(passkey.GetId())
		refused(t, err, faultv1.Reason_REASON_FACTOR_ABSENT)
		refused(t, mallory.remove(passkey.GetId()), faultv1.Reason_REASON_FACTOR_ABSENT)
	})
}

func TestARemovedFactorOpensNothing(t *testing.T) {
	w := newWorld(t, storetest.Open(t, storetest.SQLite(t)))
	v := w.visitor()
	v.logIn(alice)
	created := must(v.createWallet())(t)
	first := created.GetFactors()[0].GetId()
	refused(t, v.remove(first), faultv1.Reason_REASON_FACTOR_LAST)
	must(v.open(first))(t)
	password := newFactor(walletv1.FactorKind_FACTOR_KIND_PASSWORD)
	if err := v.add(password); err != nil {
		t.Fatal(err)
	}
	refused(t, v.add(password), faultv1.Reason_REASON_PARAMETER_INVALID)
	if err := v.remove(first); err != nil {
		t.Fatal(err)
	}
	_, err := v.open(first)
	refused(t, err, faultv1.Reason_REASON_FACTOR_ABSENT)
	must(v.openBy(password.GetId(), password.GetCheck()))(t)
	list := must(call[walletv1.ListFactorsResponse](v, walletv1.WalletService_ListFactors_FullMethodName, &walletv1.ListFactorsRequest{}))(t).GetFactors()
	if len(list) != 1 || !bytes.Equal(list[0].GetParameters(), password.GetParameters()) || len(list[0].GetRecord()) > 0 || list[0].GetUsedAt() == 0 {
		t.Errorf("factors %v", list)
	}
}

func TestADeviceHasOneFactor(t *testing.T) {
	w := newWorld(t, storetest.Open(t, storetest.SQLite(t)))
	v := w.visitor()
	v.logIn(alice)
	first := must(v.createWallet())(t).GetFactors()[0].GetId()
	second := newFactor(walletv1.FactorKind_FACTOR_KIND_DEVICE)
	if err := v.add(second); err != nil {
		t.Fatal(err)
	}
	_, err := v.open(first)
	refused(t, err, faultv1.Reason_REASON_FACTOR_ABSENT)
	must(v.open(second.GetId()))(t)
}

func TestTheServerTakesBothHalvesOnlyWhereItIsConfiguredTo(t *testing.T) {
	w := newWorld(t, storetest.Open(t, storetest.SQLite(t)))
	v := w.visitor()
	v.logIn(alice)
	login := newFactor(walletv1.FactorKind_FACTOR_KIND_LOGIN)
	_, err := v.createWallet(login)
	refused(t, err, faultv1.Reason_REASON_PARAMETER_INVALID)
	w.cfg.Recovery = "login"
	w.start()
	must(v.createWallet(login))(t)
	fresh := w.visitor()
	fresh.logIn(alice)
	opened := must(fresh.open(login.GetId()))(t)
	if !bytes.Equal(opened.GetRecord(), login.GetRecord()) {
		t.Error("the record of the login factor differs")
	}
}

func TestTheServiceRefusesToStartWithoutItsKey(t *testing.T) {
	w := newWorld(t, storetest.Open(t, storetest.SQLite(t)))
	file := filepath.Join(w.cfg.DataDir, "wallet.key")
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Fatalf("the key file: %v, %v", info, err)
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	_, err := wallet.NewServer(t.Context(), w.cfg, wallet.Deps{Chain: noChain{}, DB: w.db, Clock: w.clock})
	if err == nil || !strings.Contains(err.Error(), "is missing") {
		t.Errorf("err = %v", err)
	}
}

func TestRewrapReplacesTheKeyThatSealsWallets(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w := newWorld(t, db, func(c *wallet.Config) { c.Recovery = "login" })
		v := w.visitor()
		tokens := v.logIn(alice)
		created := must(v.createWallet(newFactor(walletv1.FactorKind_FACTOR_KIND_LOGIN)))(t)
		previous := seal.Config{Provider: seal.Age, File: filepath.Join(w.cfg.DataDir, "wallet.key")}
		w.cfg.Key.File = filepath.Join(w.cfg.DataDir, "next.key")
		if err := seal.CreateAge(w.cfg.Key.File); err != nil {
			t.Fatal(err)
		}
		if _, err := wallet.NewServer(t.Context(), w.cfg, wallet.Deps{Chain: noChain{}, DB: db, Clock: w.clock}); err == nil {
			t.Error("it starts with the new key alone before the rewrap")
		}
		w.cfg.PreviousKeys = []seal.Config{previous}
		// The service reads values sealed with either key while they are rewrapped.
		w.start()
		must(v.open(created.GetFactors()[0].GetId()))(t)
		for i, want := range []int{4, 0} {
			if n, err := wallet.Rewrap(t.Context(), w.cfg, wallet.Deps{DB: db, Clock: w.clock, Log: slog.New(slog.DiscardHandler)}); err != nil || n != want {
				t.Errorf("rewrap %d: %d values, %v; want %d", i, n, err, want)
			}
		}
		w.cfg.PreviousKeys = nil
		w.start()
		for _, f := range created.GetFactors() {
			if opened := must(v.open(f.GetId()))(t); !bytes.Equal(opened.GetServerHalf(), f.GetServerHalf()) || !bytes.Equal(opened.GetRecord(), f.GetRecord()) {
				t.Error("another half after the rewrap")
			}
		}
		must(v.refresh(tokens.GetRefreshToken()))(t)
	})
}

func TestADamagedFactorDoesNotKeepOthersFromTheRewrap(t *testing.T) {
	w := newWorld(t, storetest.Open(t, storetest.SQLite(t)))
	for _, email := range []string{alice, "bob@example.org"} {
		v := w.visitor()
		v.logIn(email)
		must(v.createWallet())(t)
	}
	var damaged string
	if err := w.db.InTx(t.Context(), func(tx *store.Tx) error {
		return tx.QueryRowContext(t.Context(), `UPDATE wallet_factors SET half = 'damaged' WHERE user_id = (SELECT min(user_id) FROM wallet_factors)
			RETURNING id`).Scan(&damaged)
	}); err != nil {
		t.Fatal(err)
	}
	w.cfg.PreviousKeys = []seal.Config{{Provider: seal.Age, File: filepath.Join(w.cfg.DataDir, "wallet.key")}}
	w.cfg.Key.File = filepath.Join(w.cfg.DataDir, "next.key")
	if err := seal.CreateAge(w.cfg.Key.File); err != nil {
		t.Fatal(err)
	}
	// One factor, and the two secrets.
	n, err := wallet.Rewrap(t.Context(), w.cfg, wallet.Deps{DB: w.db, Clock: w.clock, Log: slog.New(slog.DiscardHandler)})
	if n != 3 || err == nil || !strings.Contains(err.Error(), damaged) {
		t.Errorf("%d values, %v", n, err)
	}
}

func TestAHalfOfAnotherRowDoesNotOpen(t *testing.T) {
	w := newWorld(t, storetest.Open(t, storetest.SQLite(t)))
	v, mallory := w.visitor(), w.visitor()
	v.logIn(alice)
	mallory.logIn("mallory@example.org")
	hers, his := must(v.createWallet())(t).GetFactors()[0].GetId(), must(mallory.createWallet())(t).GetFactors()[0].GetId()
	// An attacker who can write to the database copies the half of one user into the row of another.
	if err := w.db.InTx(t.Context(), func(tx *store.Tx) error {
		_, err := tx.ExecContext(t.Context(), `UPDATE wallet_factors SET half = (SELECT half FROM wallet_factors WHERE id = $1) WHERE id = $2`, hers, his)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	_, err := mallory.open(his)
	refused(t, err, faultv1.Reason_REASON_INTERNAL)
	must(v.open(hers))(t)
}
