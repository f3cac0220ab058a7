package coinbasetest

import (
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/golang-jwt/jwt/v5"
)

// lifetimeLimit is the longest lifetime of a token, plus a second for the rounding of clocks.
const lifetimeLimit = 121 * time.Second

type claims struct {
	URIs []string `json:"uris"`
	jwt.RegisteredClaims
}

// authenticate checks that a call has a token that this server's key signed for this call only, and that was not used
// before.
func (s *Server) authenticate(r *http.Request) error {
	bearer, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	if !ok {
		return errors.New("it carries no token")
	}
	var said claims
	token, err := jwt.ParseWithClaims(bearer, &said, func(*jwt.Token) (any, error) { return s.public, nil },
		jwt.WithValidMethods([]string{"ES256", "EdDSA"}), jwt.WithIssuer("cdp"), jwt.WithSubject(KeyID), jwt.WithAudience("cdp_service"),
		jwt.WithExpirationRequired(), jwt.WithLeeway(time.Second))
	if err != nil {
		return err
	}
	nonce, _ := token.Header["nonce"].(string)
	if raw, err := hex.DecodeString(nonce); err != nil || len(raw) < 16 || token.Header["kid"] != KeyID {
		return errors.New("its token's header has no nonce of 16 bytes, or another key")
	}
	if said.NotBefore == nil || said.ExpiresAt.Sub(said.NotBefore.Time) > lifetimeLimit {
		return errors.New("its token counts too long")
	}
	if want := r.Method + " " + r.Host + r.URL.EscapedPath(); !slices.Equal(said.URIs, []string{want}) {
		return fmt.Errorf("its token is for %q, not %q", said.URIs, want)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.nonces[nonce] {
		return errors.New("its token was used before")
	}
	s.nonces[nonce] = true
	return nil
}
