package clientauth

import (
	"bytes"
	"crypto/ed25519"
	"encoding/base64"
	"strings"
	"testing"
	"time"
)

var seed = ed25519.NewKeyFromSeed(bytes.Repeat([]byte{0x44}, 32))

const seedClient = "did:key:z6MktwtqAzuD5F77tAMBMwNs1KybZeff61EehV9xB1ZpXQG7"

func at(seconds int64) func() time.Time { return func() time.Time { return time.Unix(seconds, 0) } }

// The token was created by the protocol's own clients for this key and these claims.
func TestATokenOfAnotherImplementation(t *testing.T) {
	encode := base64.RawURLEncoding.EncodeToString
	token := encode([]byte(`{"alg":"EdDSA","typ":"JWT"}`)) + "." + encode([]byte(`{"iss":"`+seedClient+`","sub":"`+strings.Repeat("0", 64)+
		`","aud":"wss://relay.example","iat":1700000000,"exp":1700086400}`)) + ".-06tDzbrXxrBf0bl1RtCohv3Aq4BxiIJnUgNj0Lh9Lv8G647V3OWPToJ4FfFCwtKOp6FlrbERVEYDNY1xUj8Bw"
	claims, err := Verifier{Now: at(1_700_000_000)}.Verify(token, "relay.example")
	if err != nil || claims.Client != ClientOf(seed) || claims.Subject != strings.Repeat("0", 64) {
		t.Errorf("%+v, %v", claims, err)
	}
}

func TestClientIDs(t *testing.T) {
	if got := ClientOf(seed).String(); got != seedClient {
		t.Errorf("the client is %s", got)
	}
	client, err := ParseClient(seedClient)
	if err != nil || client != ClientOf(seed) {
		t.Errorf("%v, %v", client, err)
	}
	for _, bad := range []string{"", "did:key:z", "did:key:z0", seedClient + "1", seedClient[:len(seedClient)-1], "did:web:example.org", "did:key:z" + strings.Repeat("z", 100)} {
		if client, err := ParseClient(bad); err == nil {
			t.Errorf("%s is %v", bad, client)
		}
	}
}

func TestAudiences(t *testing.T) {
	anyHost, configured := Verifier{Now: time.Now}, Verifier{Audiences: []string{"wallet.example.org"}, Now: time.Now}
	now := time.Now().Unix()
	for _, test := range []struct {
		audience               string
		anyHostOK, configureOK bool
	}{
		{"wss://relay.test", true, false},
		{"wss://relay.test/", true, false},
		{"wss://relay.test/v1/relay", true, false},
		{"wss://RELAY.test:443", true, false},
		{"https://relay.test", true, false},
		{"wss://wallet.example.org/v1/relay", false, true},
		{"ws://wallet.example.org:80", false, true},
		{"wss://relay.test:8443", false, false},
		{"wss://relay.test.evil.test", false, false},
		{"relay.test", false, false},
		{"", false, false},
	} {
		token, err := Sign(seed, test.audience, Claims{Subject: "00", IssuedAt: now, ExpiresAt: now + 60})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := anyHost.Verify(token, "relay.test"); (err == nil) != test.anyHostOK {
			t.Errorf("%q at the host relay.test: %v", test.audience, err)
		}
		if _, err := configured.Verify(token, "relay.test"); (err == nil) != test.configureOK {
			t.Errorf("%q with a configured audience: %v", test.audience, err)
		}
	}
}

func TestATokenForAnotherPurposeIsRefused(t *testing.T) {
	v := Verifier{Now: at(1)}
	for action, ok := range map[string]bool{"": true, "client_auth": true, "irn_watchRegister": false, "CLIENT_AUTH": false} {
		token, err := Sign(seed, "wss://relay.test", Claims{Subject: "00", IssuedAt: 1, ExpiresAt: 60, Action: action})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := v.Verify(token, "relay.test"); (err == nil) != ok {
			t.Errorf("act %q: %v", action, err)
		}
	}
}

func FuzzVerify(f *testing.F) {
	token, err := Sign(seed, "wss://relay.test", Claims{Subject: "00", IssuedAt: 1, ExpiresAt: 2})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(token)
	f.Add("a.b.c")
	f.Add("..")
	v := Verifier{Now: at(1)}
	f.Fuzz(func(t *testing.T, text string) {
		claims, err := v.Verify(text, "relay.test")
		if err == nil && claims.Client != ClientOf(seed) {
			t.Fatalf("%q was accepted", text)
		}
		if client, err := ParseClient(text); err == nil && client.String() != text {
			t.Fatalf("%q is read as %s", text, client)
		}
	})
}
