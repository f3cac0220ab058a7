package seal

import (
	"bytes"
	"cmp"
	"crypto/cipher"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"
	"golang.org/x/oauth2"
)

// fakeKMS is a key management service that encrypts with its own key.
type fakeKMS struct {
	aead cipher.AEAD
	// refuse makes it answer with a status.
	refuse int
	// session is the session token of AWS that it wants.
	session string
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
	if f.refuse != 0 || !isSigned(r, raw, f.session) || body.KeyID != awsARN {
		http.Error(w, `{"__type":"AccessDeniedException"}`, cmp.Or(f.refuse, http.StatusForbidden))
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

// isSigned reports whether a request is signed with the credentials of these tests (Signature Version 4).
func isSigned(r *http.Request, body []byte, session string) bool {
	_, names, _ := strings.Cut(r.Header.Get("Authorization"), "SignedHeaders=")
	names, _, _ = strings.Cut(names, ",")
	at, err := time.Parse("20060102T150405Z", r.Header.Get("X-Amz-Date"))
	if err != nil {
		return false
	}
	again := httptest.NewRequest(r.Method, "http://"+r.Host+r.URL.Path, bytes.NewReader(body))
	for name := range strings.SplitSeq(names, ";") {
		if value := r.Header.Get(name); value != "" {
			again.Header.Set(name, value)
		}
	}
	sum := sha256.Sum256(body)
	credentials := aws.Credentials{AccessKeyID: "AKID", SecretAccessKey: "SECRET", SessionToken: session}
	if err := v4.NewSigner().SignHTTP(r.Context(), credentials, again, hex.EncodeToString(sum[:]), "kms", "eu-central-1", at); err != nil {
		return false
	}
	return again.Header.Get("Authorization") == r.Header.Get("Authorization")
}

// awsEnvironment sets the variables of AWS, and no others of it.
func awsEnvironment(t *testing.T, set map[string]string) {
	t.Helper()
	for _, name := range []string{
		"AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "AWS_PROFILE", "AWS_ROLE_ARN", "AWS_WEB_IDENTITY_TOKEN_FILE",
		"AWS_CONTAINER_CREDENTIALS_FULL_URI", "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI", "AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE",
	} {
		t.Setenv(name, set[name])
	}
	none := filepath.Join(t.TempDir(), "none")
	t.Setenv("AWS_CONFIG_FILE", none)
	t.Setenv("AWS_SHARED_CREDENTIALS_FILE", none)
	t.Setenv("AWS_EC2_METADATA_DISABLED", "true")
	t.Setenv("AWS_ENDPOINT_URL_STS", set["AWS_ENDPOINT_URL_STS"])
}

// keys returns a key of every provider, and the server of each; nil for a file.
func keys(t *testing.T) (map[string]KEK, map[string]*fakeKMS) {
	t.Helper()
	t.Setenv("VAULT_TOKEN", "s.token")
	awsEnvironment(t, map[string]string{"AWS_ACCESS_KEY_ID": "AKID", "AWS_SECRET_ACCESS_KEY": "SECRET"})
	fakes := map[string]*fakeKMS{Vault: newFakeKMS(t), GCP: newFakeKMS(t), AWS: newFakeKMS(t)}
	serve := func(h http.HandlerFunc) string {
		server := httptest.NewServer(h)
		t.Cleanup(server.Close)
		return server.URL
	}
	awsKey, err := OpenAWS(t.Context(), serve(fakes[AWS].aws), awsARN)
	if err != nil {
		t.Fatal(err)
	}
	return map[string]KEK{
		Age:   newAgeKey(t),
		Vault: OpenVault(serve(fakes[Vault].vault)+"/v1/transit", "wallets", ""),
		GCP:   newGCP(serve(fakes[GCP].gcp), gcpName, oauth2.StaticTokenSource(&oauth2.Token{AccessToken: "ya29.token"})),
		AWS:   awsKey,
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

// serveAWS starts a KMS that takes the credentials of these tests in a session.
func serveAWS(t *testing.T) string {
	t.Helper()
	fake := newFakeKMS(t)
	fake.session = "SESSION"
	server := httptest.NewServer(http.HandlerFunc(fake.aws))
	t.Cleanup(server.Close)
	return server.URL
}

// wraps fails the test if a key of AWS does not wrap and unwrap.
func wraps(t *testing.T, address string) {
	t.Helper()
	key, err := OpenAWS(t.Context(), address, awsARN)
	if err != nil {
		t.Fatal(err)
	}
	wrapped, err := key.Wrap(t.Context(), bytes.Repeat([]byte{7}, keySize), []byte("row"))
	if err != nil {
		t.Fatal(err)
	}
	if dek, err := key.Unwrap(t.Context(), wrapped, []byte("row")); err != nil || !bytes.Equal(dek, bytes.Repeat([]byte{7}, keySize)) {
		t.Errorf("%x, %v", dek, err)
	}
}

func TestTheRoleOfAServiceAccountIsAssumed(t *testing.T) {
	address := serveAWS(t)
	sts := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.FormValue("Action") != "AssumeRoleWithWebIdentity" || r.FormValue("WebIdentityToken") != "jwt" || r.FormValue("RoleArn") != "arn:aws:iam::111122223333:role/hawser" {
			http.Error(w, "", http.StatusForbidden)
			return
		}
		w.Header().Set("Content-Type", "text/xml")
		fmt.Fprintf(w, `<AssumeRoleWithWebIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><AssumeRoleWithWebIdentityResult><Credentials>
			<AccessKeyId>AKID</AccessKeyId><SecretAccessKey>SECRET</SecretAccessKey><SessionToken>SESSION</SessionToken><Expiration>%s</Expiration>
			</Credentials></AssumeRoleWithWebIdentityResult></AssumeRoleWithWebIdentityResponse>`, time.Now().Add(time.Hour).UTC().Format(time.RFC3339))
	}))
	t.Cleanup(sts.Close)
	token := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(token, []byte("jwt"), 0o600); err != nil {
		t.Fatal(err)
	}
	awsEnvironment(t, map[string]string{
		"AWS_ROLE_ARN": "arn:aws:iam::111122223333:role/hawser", "AWS_WEB_IDENTITY_TOKEN_FILE": token, "AWS_ENDPOINT_URL_STS": sts.URL,
	})
	wraps(t, address)
}

func TestCredentialsOfAContainerAreRead(t *testing.T) {
	address := serveAWS(t)
	agent := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "pod" {
			http.Error(w, "", http.StatusForbidden)
			return
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"AccessKeyId": "AKID", "SecretAccessKey": "SECRET", "Token": "SESSION", "Expiration": time.Now().Add(time.Hour)})
	}))
	t.Cleanup(agent.Close)
	token := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(token, []byte("pod"), 0o600); err != nil {
		t.Fatal(err)
	}
	awsEnvironment(t, map[string]string{"AWS_CONTAINER_CREDENTIALS_FULL_URI": agent.URL, "AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE": token})
	wraps(t, address)
}

// KMS answers a refused call with the same status as a damaged ciphertext.
func TestAKeyOfAWSThatMayNotBeUsedIsNotADamagedValue(t *testing.T) {
	all, fakes := keys(t)
	key := all[AWS]
	wrapped, err := key.Wrap(t.Context(), bytes.Repeat([]byte{7}, keySize), []byte("row"))
	if err != nil {
		t.Fatal(err)
	}
	fakes[AWS].refuse = http.StatusBadRequest
	if _, err := key.Unwrap(t.Context(), wrapped, []byte("row")); !errors.Is(err, ErrUnavailable) || errors.Is(err, ErrTampered) || !strings.Contains(err.Error(), "AccessDenied") {
		t.Errorf("err = %v", err)
	}
}

func TestWithoutCredentialsAWSIsUnavailable(t *testing.T) {
	address := serveAWS(t)
	awsEnvironment(t, nil)
	key, err := OpenAWS(t.Context(), address, awsARN)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := key.Wrap(t.Context(), make([]byte, keySize), []byte("row")); !errors.Is(err, ErrUnavailable) || !strings.Contains(err.Error(), "no credentials") {
		t.Errorf("err = %v", err)
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
