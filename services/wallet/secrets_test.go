package wallet_test

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"os"
	"path/filepath"
	"testing"

	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	walletv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/wallet/v1"
	"github.com/hawser-dev/hawser/services/platform/store/storetest"
	"github.com/hawser-dev/hawser/services/wallet"
)

// The database, and every other file that SQLite writes, must contain no half, token or code in any usual encoding.
func TestTheDatabaseHoldsNoSecretInPlaintext(t *testing.T) {
	path := filepath.Join(t.TempDir(), "hawser.db")
	w := newWorld(t, storetest.Open(t, path), func(c *wallet.Config) { c.Recovery = "login" })
	v := w.visitor()
	id := v.begin(alice)
	code := w.code(alice)
	tokens := must(v.verify(id, code))(t).GetTokens()
	v.Caller.Device.AccessToken = tokens.GetAccessToken()
	created := must(v.createWallet(newFactor(walletv1.FactorKind_FACTOR_KIND_LOGIN)))(t)
	var dump []byte
	for _, suffix := range []string{"", "-wal", "-shm"} {
		raw, err := os.ReadFile(path + suffix)
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		dump = append(dump, raw...)
	}
	if !bytes.Contains(dump, []byte(created.GetWalletId())) {
		t.Fatal("the dump does not hold the wallet")
	}
	secrets := map[string][]byte{"refresh token": []byte(tokens.GetRefreshToken()), "access token": []byte(tokens.GetAccessToken())}
	for _, f := range created.GetFactors() {
		secrets["half of "+f.GetKind().String()] = f.GetServerHalf()
	}
	secrets["half of the login's own"] = created.GetFactors()[1].GetRecord()
	for name, secret := range secrets {
		for form, text := range encodings(secret) {
			if bytes.Contains(dump, text) {
				t.Errorf("%s in %s", name, form)
			}
		}
	}
}

// encodings returns a secret in the encodings in which it may leak.
func encodings(secret []byte) map[string][]byte {
	return map[string][]byte{
		"raw": secret, "hex": []byte(hex.EncodeToString(secret)), "base64": []byte(base64.RawStdEncoding.EncodeToString(secret)),
		"base64url": []byte(base64.RawURLEncoding.EncodeToString(secret)),
	}
}

func TestTheLogHoldsNoSecretAndNoEmail(t *testing.T) {
	w := newDevelopment(t, storetest.Open(t, storetest.SQLite(t)))
	mailed := newWorld(t, storetest.Open(t, storetest.SQLite(t)))
	v := mailed.visitor()
	id := v.begin(alice)
	code := mailed.code(alice)
	_, _ = v.verify(id, wrong(code, 3))
	tokens := must(v.verify(id, code))(t).GetTokens()
	v.Caller.Device.AccessToken = tokens.GetAccessToken()
	half := must(v.createWallet())(t).GetFactors()[0].GetServerHalf()
	_, _ = v.refresh("wrong")
	in := w.visitor()
	started := must(in.startSocial("google"))(t)
	callback := w.choose(started.GetUri(), "person-alice")
	callback.Iss = "https://evil.example"
	refused(t, w.finish(callback), faultv1.Reason_REASON_SOCIAL_FAILED)
	text := append(w.log.Bytes(), mailed.log.Bytes()...)
	if !bytes.Contains(text, []byte("a social login failed")) {
		t.Fatalf("the log has nothing: %s", text)
	}
	for name, secret := range map[string][]byte{
		"email": []byte(alice), "code": []byte(code), "access token": []byte(tokens.GetAccessToken()), "refresh token": []byte(tokens.GetRefreshToken()),
		"half": half, "code of the provider": []byte(callback.GetCode()), "state": []byte(callback.GetState()),
	} {
		for form, leaked := range encodings(secret) {
			if bytes.Contains(text, leaked) {
				t.Errorf("%s in %s", name, form)
			}
		}
	}
}
