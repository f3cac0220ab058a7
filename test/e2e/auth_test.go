package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"connectrpc.com/connect"

	authv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/auth/v1"
	"github.com/hawser-dev/hawser/proto/gen/go/hawser/auth/v1/authv1connect"
	"github.com/hawser-dev/hawser/services/onchain/signature/signaturetest"
	"github.com/hawser-dev/hawser/services/platform/devnettest"
)

const shop = "https://shop.example"

// signInText returns a sign-in message of the shop.
func signInText(address, chainID, nonce string) string {
	return fmt.Sprintf("shop.example wants you to sign in with your Ethereum account:\n%s\n\nWelcome.\n\nURI: %s/\nVersion: 1\nChain ID: %s\nNonce: %s\nIssued At: %s",
		address, shop, chainID, nonce, time.Now().UTC().Format(time.RFC3339))
}

// TestSignIn signs an account in and out over REST and in every RPC protocol.
func TestSignIn(t *testing.T) {
	chainID := strings.TrimPrefix(devnettest.Start(t).Chains[0].CAIP2, "eip155:")
	account := signaturetest.NewAccount(1)
	address := account.Address().String()
	eachShape(t, func(t *testing.T, s *suite) {
		t.Run("rest", func(t *testing.T) {
			var nonce struct{ Nonce, Token, ExpiresAt string }
			s.callAuth(t, "POST", "nonce", "", nil, http.StatusOK, &nonce)
			text := signInText(address, chainID, nonce.Nonce)
			body := map[string]any{"message": text, "signature": account.Sign(text), "nonceToken": nonce.Token}
			var opened struct {
				Token   string
				Session map[string]any
			}
			s.callAuth(t, "POST", "authenticate", "", body, http.StatusOK, &opened)
			s.callAuth(t, "POST", "authenticate", "", body, http.StatusUnauthorized, nil)
			var session map[string]any
			s.callAuth(t, "GET", "me", opened.Token, nil, http.StatusOK, &session)
			if session["address"] != address || session["chainId"] != "eip155:"+chainID || session["allChains"] != true || session["domain"] != "shop.example" {
				t.Errorf("session %v", session)
			}
			s.callAuth(t, "POST", "sign-out", opened.Token, nil, http.StatusOK, nil)
			s.callAuth(t, "GET", "me", opened.Token, nil, http.StatusUnauthorized, nil)
		})
		for dialect, options := range dialects {
			t.Run(dialect, func(t *testing.T) {
				client := authv1connect.NewAuthServiceClient(http.DefaultClient, s.url, append(options, connect.WithInterceptors(headers{"Origin": shop, "Hawser-Project-Id": project}))...)
				nonce, err := client.CreateNonce(t.Context(), &authv1.CreateNonceRequest{})
				if err != nil {
					t.Fatal(err)
				}
				text := signInText(address, chainID, nonce.GetNonce())
				opened, err := client.Authenticate(t.Context(), &authv1.AuthenticateRequest{Message: text, Signature: account.Sign(text), NonceToken: nonce.GetToken()})
				if err != nil {
					t.Fatal(err)
				}
				signedIn := authv1connect.NewAuthServiceClient(http.DefaultClient, s.url, append(options,
					connect.WithInterceptors(headers{"Origin": shop, "Hawser-Project-Id": project, "Authorization": "Bearer " + opened.GetToken()}))...)
				found, err := signedIn.GetSession(t.Context(), &authv1.GetSessionRequest{})
				if err != nil || found.GetSession().GetAddress() != address {
					t.Errorf("%v, %v", found, err)
				}
				if _, err := signedIn.SignOut(t.Context(), &authv1.SignOutRequest{}); err != nil {
					t.Error(err)
				}
				if _, err := signedIn.GetSession(t.Context(), &authv1.GetSessionRequest{}); connect.CodeOf(err) != connect.CodeUnauthenticated {
					t.Errorf("after the sign-out: %v", err)
				}
			})
		}
	})
}

// callAuth calls a path of sign-in as the shop's page does, and decodes the answer.
func (s *suite) callAuth(t *testing.T, method, path, token string, body any, status int, into any) {
	t.Helper()
	var raw bytes.Buffer
	if body != nil {
		if err := json.NewEncoder(&raw).Encode(body); err != nil {
			t.Fatal(err)
		}
	}
	req, err := http.NewRequestWithContext(t.Context(), method, s.url+"/auth/v1/"+path+"?projectId="+project, &raw)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Origin", shop)
	if token != "" {
		keepPrivate("session token", token)
		req.Header.Set("Authorization", "Bearer "+token)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	answer, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode != status || res.Header.Get("Cache-Control") != "no-store" {
		t.Fatalf("%s %s: %d, want %d, %v: %s", method, path, res.StatusCode, status, err, answer)
	}
	if into != nil {
		if err := json.Unmarshal(answer, into); err != nil {
			t.Fatalf("%s: %v", answer, err)
		}
	}
}

// headers is an interceptor that adds headers to calls.
type headers map[string]string

// WrapUnary adds the headers.
func (h headers) WrapUnary(next connect.UnaryFunc) connect.UnaryFunc {
	return func(ctx context.Context, req connect.AnyRequest) (connect.AnyResponse, error) {
		for key, value := range h {
			req.Header().Set(key, value)
		}
		return next(ctx, req)
	}
}

// WrapStreamingClient does nothing: there are no streams.
func (headers) WrapStreamingClient(next connect.StreamingClientFunc) connect.StreamingClientFunc {
	return next
}

// WrapStreamingHandler does nothing: there are no streams.
func (headers) WrapStreamingHandler(next connect.StreamingHandlerFunc) connect.StreamingHandlerFunc {
	return next
}
