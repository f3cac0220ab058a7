package seal

import (
	"context"
	"net/http"
	"strings"

	"golang.org/x/oauth2"
	"golang.org/x/oauth2/google"
)

const (
	gcpAddress = "https://cloudkms.googleapis.com"
	gcpScope   = "https://www.googleapis.com/auth/cloudkms"
)

// gcpKey is a symmetric key of Google Cloud KMS.
type gcpKey struct {
	*remote

	base, name string
	tokens     oauth2.TokenSource
}

// OpenGCP returns the KEK of a key by its resource name (projects/.../cryptoKeys/...), with the default credentials of the environment. An empty
// address is that of Google.
func OpenGCP(ctx context.Context, address, name string) (KEK, error) {
	tokens, err := google.DefaultTokenSource(ctx, gcpScope)
	if err != nil {
		return nil, err
	}
	return newGCP(address, name, tokens), nil
}

func newGCP(address, name string, tokens oauth2.TokenSource) *gcpKey {
	if address == "" {
		address = gcpAddress
	}
	return &gcpKey{newRemote(), strings.TrimSuffix(address, "/"), name, tokens}
}

// ID returns the resource name of the key.
func (k *gcpKey) ID() string { return "gcp:" + k.name }

// Wrap encrypts the key with Cloud KMS.
func (k *gcpKey) Wrap(ctx context.Context, dek, aad []byte) ([]byte, error) {
	var answer struct {
		Ciphertext []byte `json:"ciphertext"`
	}
	err := k.post(ctx, k.base+"/v1/"+k.name+":encrypt", map[string][]byte{"plaintext": dek, "additionalAuthenticatedData": aad}, &answer, k.authorize)
	return answer.Ciphertext, err
}

// Unwrap decrypts the key with Cloud KMS.
func (k *gcpKey) Unwrap(ctx context.Context, wrapped, aad []byte) ([]byte, error) {
	var answer struct {
		Plaintext []byte `json:"plaintext"`
	}
	err := k.post(ctx, k.base+"/v1/"+k.name+":decrypt", map[string][]byte{"ciphertext": wrapped, "additionalAuthenticatedData": aad}, &answer, k.authorize)
	return answer.Plaintext, err
}

func (k *gcpKey) authorize(req *http.Request, _ []byte) error {
	token, err := k.tokens.Token()
	if err != nil {
		return err
	}
	token.SetAuthHeader(req)
	return nil
}
