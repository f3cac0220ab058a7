package e2e

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/hawser-dev/hawser/services/onchain/signature/signaturetest"
)

// writeSessions signs one account in after the other, each time twice with one nonce.
func (k *killable) writeSessions(t *testing.T) {
	for n := 0; k.going(); n++ {
		account := signaturetest.NewAccount(900_000 + n)
		call := func(path, body string, into any) bool {
			status, answer := k.send(http.MethodPost, k.gateway()+"/auth/v1/"+path+"?projectId="+project, "text/plain", body, shop)
			return status == http.StatusOK && json.Unmarshal(answer, into) == nil
		}
		var nonce struct{ Nonce, Token string }
		if !call("nonce", "", &nonce) {
			continue
		}
		text := signInText(account.Address().String(), strings.TrimPrefix(devChain, "eip155:"), nonce.Nonce)
		body, err := json.Marshal(map[string]string{"message": text, "signature": account.Sign(text), "nonceToken": nonce.Token})
		if err != nil {
			t.Error(err)
			return
		}
		var first, second struct{ Token string }
		if call("authenticate", string(body), &first) {
			k.mu.Lock()
			k.sessions = append(k.sessions, first.Token)
			k.mu.Unlock()
		}
		if call("authenticate", string(body), &second) && first.Token != "" {
			t.Error("a nonce was accepted twice")
		}
	}
}

// wantSessions compares the sessions in the database with those that were acknowledged.
func (k *killable) wantSessions(t *testing.T) {
	t.Helper()
	db := k.open(t)
	if len(k.sessions) == 0 {
		t.Error("no sign-in was acknowledged")
	}
	for _, token := range k.sessions {
		sum, rows := sha256.Sum256([]byte(token)), 0
		row := db.QueryRowContext(t.Context(), `SELECT count(*) FROM auth_sessions WHERE token_hash = $1`, hex.EncodeToString(sum[:]))
		if err := row.Scan(&rows); err != nil || rows != 1 {
			t.Errorf("an acknowledged session is there %d times, %v", rows, err)
		}
	}
	t.Logf("%d sign-ins", len(k.sessions))
}
