// Package passkeytest has an authenticator of WebAuthn, and the conformance tests of [passkey.Store].
package passkeytest

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"testing"
)

// Flags of authenticator data (WebAuthn, section 6.1).
const (
	// UserPresent means that somebody was there, and UserVerified that it was the user.
	UserPresent  byte = 1
	UserVerified byte = 4
	// BackupEligible means that several devices may share the passkey, and BackedUp that they do.
	BackupEligible byte = 8
	BackedUp       byte = 16

	attested byte = 64
)

// Authenticator is an authenticator with one passkey, in a browser. Its fields may be changed between its answers.
type Authenticator struct {
	t *testing.T
	// Origin is that of the page, and Party the id of the relying party; empty for the one that is asked for.
	Origin, Party string
	// Flags are those of its answers.
	Flags byte
	// Count is the counter of its next answer. An answer does not change it.
	Count uint32
	// Handle is the user handle of its answers; nil for the one that it was made with.
	Handle []byte

	key        *ecdsa.PrivateKey
	credential []byte
	handle     []byte
}

// New returns an authenticator without a passkey, in a browser at an origin.
func New(t *testing.T, origin string) *Authenticator {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	credential := make([]byte, 16)
	_, _ = rand.Read(credential)
	return &Authenticator{t: t, Origin: origin, Flags: UserPresent | UserVerified, key: key, credential: credential}
}

// options are what both ceremonies ask for.
type options struct {
	Challenge string
	RPID      string
	RP        struct{ ID string }
	User      struct{ ID string }
}

func (a *Authenticator) parse(raw string) (o options) {
	a.t.Helper()
	if err := json.Unmarshal([]byte(raw), &o); err != nil {
		a.t.Fatalf("%s: %v", raw, err)
	}
	return o
}

// Create answers PublicKeyCredentialCreationOptionsJSON with RegistrationResponseJSON.
func (a *Authenticator) Create(raw string) string {
	a.t.Helper()
	o := a.parse(raw)
	var err error
	if a.handle, err = base64.RawURLEncoding.DecodeString(o.User.ID); err != nil {
		a.t.Fatal(err)
	}
	public, err := a.key.PublicKey.Bytes()
	if err != nil {
		a.t.Fatal(err)
	}
	x, y := public[1:33], public[33:]
	data := a.data(o.RP.ID, a.Flags|attested)
	data = append(data, make([]byte, 16)...)
	data = binary.BigEndian.AppendUint16(data, uint16(len(a.credential)))
	data = append(data, a.credential...)
	// A COSE key in CBOR: EC2, ES256, P-256.
	data = append(data, 0xa5, 1, 2, 3, 0x26, 0x20, 1, 0x21, 0x58, 32)
	data = append(append(data, x...), 0x22, 0x58, 32)
	data = append(data, y...)
	var object bytes.Buffer
	object.WriteString("\xa3\x63fmt\x64none\x67attStmt\xa0\x68authData\x59")
	object.Write(binary.BigEndian.AppendUint16(nil, uint16(len(data))))
	object.Write(data)
	return a.answer(map[string]any{
		"clientDataJSON": encode(a.client("webauthn.create", o.Challenge)), "attestationObject": encode(object.Bytes()), "transports": []string{"internal"},
	})
}

// Get answers PublicKeyCredentialRequestOptionsJSON with AuthenticationResponseJSON.
func (a *Authenticator) Get(raw string) string {
	a.t.Helper()
	o := a.parse(raw)
	data, client := a.data(o.RPID, a.Flags), a.client("webauthn.get", o.Challenge)
	hashed := sha256.Sum256(client)
	signed := sha256.Sum256(append(bytes.Clone(data), hashed[:]...))
	signature, err := ecdsa.SignASN1(rand.Reader, a.key, signed[:])
	if err != nil {
		a.t.Fatal(err)
	}
	handle := a.handle
	if a.Handle != nil {
		handle = a.Handle
	}
	return a.answer(map[string]any{"clientDataJSON": encode(client), "authenticatorData": encode(data), "signature": encode(signature), "userHandle": encode(handle)})
}

// data returns authenticator data without a credential.
func (a *Authenticator) data(party string, flags byte) []byte {
	if a.Party != "" {
		party = a.Party
	}
	hashed := sha256.Sum256([]byte(party))
	return binary.BigEndian.AppendUint32(append(hashed[:], flags), a.Count)
}

func (a *Authenticator) client(ceremony, challenge string) []byte {
	raw, err := json.Marshal(map[string]any{"type": ceremony, "challenge": challenge, "origin": a.Origin, "crossOrigin": false})
	if err != nil {
		a.t.Fatal(err)
	}
	return raw
}

func (a *Authenticator) answer(response map[string]any) string {
	raw, err := json.Marshal(map[string]any{
		"id": encode(a.credential), "rawId": encode(a.credential), "type": "public-key", "response": response, "clientExtensionResults": map[string]any{},
		"authenticatorAttachment": "platform",
	})
	if err != nil {
		a.t.Fatal(err)
	}
	return string(raw)
}

func encode(raw []byte) string { return base64.RawURLEncoding.EncodeToString(raw) }
