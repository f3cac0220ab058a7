package seal

import (
	"bytes"
	"crypto/cipher"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/oauth2"
)

// fakeKMS is a key management service that encrypts with its own key.
type fakeKMS struct {
	aead cipher.AEAD
	// refuse makes it answer with a status.
	refuse int
}

func newFakeKMS(t *testing.T) *fakeKMS {
	t.Helper()
	key := make([]byte, 32)
	_, _ = rand.Read(key)
	aead, err := newAEAD(key)
	if err != nil {
		t.Fatal(err)
	}
	return &fakeKMS{aead: aead}
}

func (f *fakeKMS) encrypt(plain, aad []byte) []byte {
	nonce := make([]byte, f.aead.NonceSize())
	_, _ = rand.Read(nonce)
	return f.aead.Seal(nonce, nonce, plain, aad)
}

func (f *fakeKMS) decrypt(w http.ResponseWriter, sealed, aad []byte) ([]byte, bool) {
	if len(sealed) < f.aead.NonceSize() {
		http.Error(w, `{}`, http.StatusBadRequest)
		return nil, false
	}
	plain, err := f.aead.Open(nil, sealed[:f.aead.NonceSize()], sealed[f.aead.NonceSize():], aad)
	if err != nil {
		http.Error(w, `{"__type":"InvalidCiphertextException"}`, http.StatusBadRequest)
		return nil, false
	}
	return plain, true
}

func read[T any](r *http.Request) (body T, raw []byte) {
	raw, _ = io.ReadAll(r.Body)
	_ = json.Unmarshal(raw, &body)
	return body, raw
}

// vault responds as the transit engine does.
func (f *fakeKMS) vault(w http.ResponseWriter, r *http.Request) {
	if f.refuse != 0 || r.Header.Get("X-Vault-Token") != "s.token" {
		http.Error(w, `{"errors":["permission denied"]}`, max(f.refuse, http.StatusForbidden))
		return
	}
	body, _ := read[struct {
		Plaintext, Associated_data []byte
		Ciphertext                 string
	}](r)
	switch r.URL.Path {
	case "/v1/transit/encrypt/wallets":
		sealed := "vault:v1:" + encode(f.encrypt(body.Plaintext, body.Associated_data))
		_ = json.NewEncoder(w).Encode(map[string]any{"data": map[string]any{"ciphertext": sealed, "key_version": 1}})
	case "/v1/transit/decrypt/wallets":
		var sealed []byte
		if text, ok := strings.CutPrefix(body.Ciphertext, "vault:v1:"); ok {
			sealed = decode(text)
		}
		if plain, ok := f.decrypt(w, sealed, body.Associated_data); ok {
			_ = json.NewEncoder(w).Encode(map[string]any{"data": map[string]any{"plaintext": plain}})
		}
	default:
		http.NotFound(w, r)
	}
}

const gcpName = "projects/p/locations/global/keyRings/r/cryptoKeys/wallets"

// gcp responds as Cloud KMS does.
func (f *fakeKMS) gcp(w http.ResponseWriter, r *http.Request) {
	if f.refuse != 0 || r.Header.Get("Authorization") != "Bearer ya29.token" {
		http.Error(w, `{"error":{"status":"PERMISSION_DENIED"}}`, max(f.refuse, http.StatusForbidden))
		return
	}
	body, _ := read[struct {
		Plaintext, Ciphertext, AdditionalAuthenticatedData []byte
	}](r)
	switch r.URL.Path {
	case "/v1/" + gcpName + ":encrypt":
		_ = json.NewEncoder(w).Encode(map[string]any{"name": gcpName + "/cryptoKeyVersions/1", "ciphertext": f.encrypt(body.Plaintext, body.AdditionalAuthenticatedData)})
	case "/v1/" + gcpName + ":decrypt":
		if plain, ok := f.decrypt(w, body.Ciphertext, body.AdditionalAuthenticatedData); ok {
			_ = json.NewEncoder(w).Encode(map[string]any{"plaintext": plain})
		}
	default:
		http.NotFound(w, r)
	}
}

const awsARN = "arn:aws:kms:eu-central-1:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab"

// aws responds as KMS does, after it has verified the signature.
func (f *fakeKMS) aws(w http.ResponseWriter, r *http.Request) {
	body, raw := read[struct {
		KeyID                     string `json:"KeyId"`
		Plaintext, CiphertextBlob []byte
		EncryptionContext         map[string]string
	}](r)
	at, err := time.Parse("20060102T150405Z", r.Header.Get("X-Amz-Date"))
	r.URL.Host = r.Host
	want := signV4(r, raw, credentials{"AKID", "SECRET", ""}, "eu-central-1", "kms", []string{"content-type", "host", "x-amz-date", "x-amz-target"}, at)
	if f.refuse != 0 || err != nil || r.Header.Get("Authorization") != want || body.KeyID != awsARN {
		http.Error(w, `{"__type":"AccessDeniedException"}`, max(f.refuse, http.StatusForbidden))
		return
	}
	aad := fmt.Append(nil, body.EncryptionContext)
	switch r.Header.Get("X-Amz-Target") {
	case "TrentService.Encrypt":
		_ = json.NewEncoder(w).Encode(map[string]any{"CiphertextBlob": f.encrypt(body.Plaintext, aad), "KeyId": awsARN})
	case "TrentService.Decrypt":
		if plain, ok := f.decrypt(w, body.CiphertextBlob, aad); ok {
			_ = json.NewEncoder(w).Encode(map[string]any{"Plaintext": plain, "KeyId": awsARN})
		}
	}
}

// keys returns a key of every provider, and the server of each; nil for a file.
func keys(t *testing.T) (map[string]KEK, map[string]*fakeKMS) {
	t.Helper()
	t.Setenv("VAULT_TOKEN", "s.token")
	t.Setenv("AWS_ACCESS_KEY_ID", "AKID")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "SECRET")
	t.Setenv("AWS_SESSION_TOKEN", "")
	fakes := map[string]*fakeKMS{Vault: newFakeKMS(t), GCP: newFakeKMS(t), AWS: newFakeKMS(t)}
	serve := func(h http.HandlerFunc) string {
		server := httptest.NewServer(h)
		t.Cleanup(server.Close)
		return server.URL
	}
	aws, err := newAWS(serve(fakes[AWS].aws), awsARN, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	return map[string]KEK{
		Age:   newAgeKey(t),
		Vault: OpenVault(serve(fakes[Vault].vault)+"/v1/transit", "wallets", ""),
		GCP:   newGCP(serve(fakes[GCP].gcp), gcpName, oauth2.StaticTokenSource(&oauth2.Token{AccessToken: "ya29.token"})),
		AWS:   aws,
	}, fakes
}

func newAgeKey(t *testing.T) KEK {
	t.Helper()
	file := filepath.Join(t.TempDir(), "keys", "wallet.key")
	if err := CreateAge(file); err != nil {
		t.Fatal(err)
	}
	key, err := OpenAge(file)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

func TestASealedValueIsOpenedWithItsAssociatedDataOnly(t *testing.T) {
	all, _ := keys(t)
	for name, key := range all {
		t.Run(name, func(t *testing.T) {
			s, plain := New(key), Secret("thirty-two bytes of half a secret")
			if err := s.Check(t.Context()); err != nil {
				t.Fatal(err)
			}
			sealed, err := s.Seal(t.Context(), plain, "project|user|wallet|factor|device|half")
			if err != nil {
				t.Fatal(err)
			}
			if again, _ := s.Seal(t.Context(), plain, "project|user|wallet|factor|device|half"); again == sealed {
				t.Error("two values are sealed alike")
			}
			if got, err := s.Open(t.Context(), sealed, "project|user|wallet|factor|device|half"); err != nil || !bytes.Equal(got, plain) {
				t.Errorf("%q, %v", []byte(got), err)
			}
			if _, err := s.Open(t.Context(), sealed, "project|other|wallet|factor|device|half"); !errors.Is(err, ErrTampered) {
				t.Errorf("the value of another row: %v", err)
			}
		})
	}
}

func TestAnyChangedByteIsFound(t *testing.T) {
	s := New(newAgeKey(t))
	sealed, err := s.Seal(t.Context(), Secret("secret"), "row")
	if err != nil {
		t.Fatal(err)
	}
	for i := range sealed {
		changed := []byte(sealed)
		if changed[i]++; changed[i] == '.' {
			changed[i]++
		}
		if got, err := s.Open(t.Context(), string(changed), "row"); err == nil {
			t.Fatalf("with byte %d changed it opens: %q", i, []byte(got))
		}
	}
	for _, text := range []string{"", "v1", "v1...", "v1.a.b.c.d", sealed[1:], sealed[:len(sealed)-1]} {
		if _, err := s.Open(t.Context(), text, "row"); err == nil {
			t.Errorf("%q opens", text)
		}
	}
}

func TestAWrappedKeyIsBoundToItsRow(t *testing.T) {
	all, _ := keys(t)
	for name, key := range all {
		t.Run(name, func(t *testing.T) {
			wrapped, err := key.Wrap(t.Context(), bytes.Repeat([]byte{7}, keySize), []byte("row"))
			if err != nil {
				t.Fatal(err)
			}
			if _, err := key.Unwrap(t.Context(), wrapped, []byte("another row")); !errors.Is(err, ErrTampered) {
				t.Errorf("err = %v", err)
			}
		})
	}
}

func TestAKeyServiceThatRefusesIsUnavailableAndNamesNoSecret(t *testing.T) {
	all, fakes := keys(t)
	for name, fake := range fakes {
		t.Run(name, func(t *testing.T) {
			fake.refuse = http.StatusServiceUnavailable
			_, err := New(all[name]).Seal(t.Context(), Secret("secret"), "row")
			if !errors.Is(err, ErrUnavailable) || strings.Contains(err.Error(), "token") || strings.Contains(err.Error(), "SECRET") {
				t.Errorf("err = %v", err)
			}
		})
	}
}

func TestAValueOfAnOldKeyIsReadableUntilItIsRewrapped(t *testing.T) {
	all, _ := keys(t)
	previous := newAgeKey(t)
	sealed, err := New(previous).Seal(t.Context(), Secret("secret"), "row")
	if err != nil {
		t.Fatal(err)
	}
	for name, key := range all {
		t.Run(name, func(t *testing.T) {
			unknown, ok := errors.AsType[*UnknownKeyError](errorOf(New(key).Open(t.Context(), sealed, "row")))
			if !ok || unknown.ID != previous.ID() {
				t.Errorf("without the old key: %v", unknown)
			}
			both := New(key, previous)
			if got, err := both.Open(t.Context(), sealed, "row"); err != nil || string(got) != "secret" {
				t.Errorf("with both keys: %v", err)
			}
			fresh, changed, err := both.Rewrap(t.Context(), sealed, "row")
			if err != nil || !changed {
				t.Fatalf("changed %v, %v", changed, err)
			}
			if got, err := New(key).Open(t.Context(), fresh, "row"); err != nil || string(got) != "secret" {
				t.Errorf("after the rewrap: %v", err)
			}
			if same, changed, err := both.Rewrap(t.Context(), fresh, "row"); err != nil || changed || same != fresh {
				t.Errorf("a second rewrap changed the value: %v", err)
			}
		})
	}
}

func errorOf(_ Secret, err error) error { return err }

// The example of the AWS documentation of Signature Version 4, with an empty query.
func TestSignatureOfAWSIsThatOfThePublishedExample(t *testing.T) {
	req := httptest.NewRequest(http.MethodGet, "https://example.amazonaws.com/", nil)
	req.Header.Set("X-Amz-Date", "20150830T123600Z")
	got := signV4(req, nil, credentials{"AKIDEXAMPLE", "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY", ""}, "us-east-1", "service", []string{"host", "x-amz-date"},
		time.Date(2015, 8, 30, 12, 36, 0, 0, time.UTC))
	if !strings.HasSuffix(got, "Signature=5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31") {
		t.Error(got)
	}
}

func TestASecretIsNotPrinted(t *testing.T) {
	s := Secret("swordfish")
	var out bytes.Buffer
	slog.New(slog.NewJSONHandler(&out, nil)).Info("opened", "half", s)
	fmt.Fprintf(&out, "%s %v", s, s)
	if strings.Contains(out.String(), "swordfish") {
		t.Error(out.String())
	}
}

func decode(text string) []byte {
	raw, _ := base64.RawURLEncoding.DecodeString(text)
	return raw
}

func TestKeysOfOneNameInTwoVaultsAreTwoKeys(t *testing.T) {
	t.Setenv("VAULT_TOKEN", "s.token")
	open := func() KEK {
		server := httptest.NewServer(http.HandlerFunc(newFakeKMS(t).vault))
		t.Cleanup(server.Close)
		return OpenVault(server.URL+"/v1/transit", "wallets", "")
	}
	old, current := open(), open()
	if old.ID() == current.ID() {
		t.Fatalf("both have the id %s", old.ID())
	}
	before, after := New(old), New(current, old)
	sealed, err := before.Seal(t.Context(), Secret("secret"), "row")
	if err != nil {
		t.Fatal(err)
	}
	// As it was stored before ids had the address of the engine.
	parts := strings.Split(sealed, ".")
	parts[1] = encode([]byte("vault:wallets"))
	for name, stored := range map[string]string{"present": sealed, "former": strings.Join(parts, ".")} {
		if plain, err := after.Open(t.Context(), stored, "row"); err != nil || string(plain) != "secret" {
			t.Errorf("with the %s id: %q, %v", name, []byte(plain), err)
		}
		fresh, changed, err := after.Rewrap(t.Context(), stored, "row")
		if err != nil || !changed {
			t.Errorf("with the %s id: rewrapped %t, %v", name, changed, err)
		}
		if plain, err := New(current).Open(t.Context(), fresh, "row"); err != nil || string(plain) != "secret" {
			t.Errorf("with the %s id, rewrapped: %q, %v", name, []byte(plain), err)
		}
	}
}
