package seal

import (
	"context"
	"net/http"
	"os"
	"strings"

	"github.com/hawser-dev/hawser/services/platform/files"
)

// vaultKey is a key of the transit engine of Vault or OpenBao, of a type with associated data, such as aes256-gcm96.
type vaultKey struct {
	*remote

	// base is the address of the engine, and name that of the key.
	base, name string
	tokenFile  string
}

// OpenVault returns the KEK of a transit key. The address includes the path of the engine, such as https://vault:8200/v1/transit. The token is
// read from a file at each call, because agents renew it there; from VAULT_TOKEN if the path is empty.
func OpenVault(address, name, tokenFile string) KEK {
	return &vaultKey{newRemote(), strings.TrimSuffix(address, "/"), name, tokenFile}
}

// ID returns the address of the engine and the name of the key.
func (k *vaultKey) ID() string {
	_, at, _ := strings.Cut(k.base, "://")
	return "vault:" + at + "/" + k.name
}

// FormerIDs returns the id before it had the address, which keys of the same name in two Vaults shared.
func (k *vaultKey) FormerIDs() []string { return []string{"vault:" + k.name} }

// Wrap encrypts the key with the transit engine.
func (k *vaultKey) Wrap(ctx context.Context, dek, aad []byte) ([]byte, error) {
	var answer struct {
		Data struct {
			Ciphertext string `json:"ciphertext"`
		} `json:"data"`
	}
	err := k.post(ctx, k.base+"/encrypt/"+k.name, map[string][]byte{"plaintext": dek, "associated_data": aad}, &answer, k.authorize)
	return []byte(answer.Data.Ciphertext), err
}

// Unwrap decrypts the key with the transit engine.
func (k *vaultKey) Unwrap(ctx context.Context, wrapped, aad []byte) ([]byte, error) {
	request := struct {
		Ciphertext string `json:"ciphertext"`
		AAD        []byte `json:"associated_data"`
	}{string(wrapped), aad}
	var answer struct {
		Data struct {
			Plaintext []byte `json:"plaintext"`
		} `json:"data"`
	}
	err := k.post(ctx, k.base+"/decrypt/"+k.name, request, &answer, k.authorize)
	return answer.Data.Plaintext, err
}

func (k *vaultKey) authorize(req *http.Request, _ []byte) error {
	token := os.Getenv("VAULT_TOKEN")
	if k.tokenFile != "" {
		raw, err := files.ReadSecret(k.tokenFile)
		if err != nil {
			return err
		}
		token = strings.TrimSpace(string(raw))
	}
	req.Header.Set("X-Vault-Token", token)
	req.Header.Set("X-Vault-Request", "true")
	return nil
}
