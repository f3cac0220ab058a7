package auth_test

import (
	"context"
	"testing"
	"time"

	"google.golang.org/grpc/codes"

	authv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/auth/v1"
	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	"github.com/hawser-dev/hawser/proto/siwe"
	"github.com/hawser-dev/hawser/services/auth"
	"github.com/hawser-dev/hawser/services/onchain/signature/signaturetest"
	"github.com/hawser-dev/hawser/services/platform/caller"
	"github.com/hawser-dev/hawser/services/platform/fault"
)

// from returns the context of a call by this caller.
func from(t *testing.T, who caller.Caller) context.Context {
	who.Project = project
	return caller.NewIncomingContext(t.Context(), who)
}

func TestRefusalsHaveAReasonThatCallersCanSwitchOn(t *testing.T) {
	w, account := newWorld(t), signaturetest.NewAccount(1)
	s := auth.NewServer(w.Authenticator)
	for behaviour, tt := range map[string]struct {
		change func(m *siwe.Message)
		signer signaturetest.Account
		away   bool
		code   codes.Code
		reason faultv1.Reason
		field  string
	}{
		"another site":         {func(m *siwe.Message) { m.Domain = "evil.example" }, account, false, codes.InvalidArgument, faultv1.Reason_REASON_SIGN_IN_INVALID, "message"},
		"another form":         {func(m *siwe.Message) { m.Version = "2" }, account, false, codes.InvalidArgument, faultv1.Reason_REASON_SIGN_IN_INVALID, "message"},
		"no checksum":          {func(m *siwe.Message) { m.Address = "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266" }, account, false, codes.InvalidArgument, faultv1.Reason_REASON_SIGN_IN_INVALID, "message"},
		"too old":              {func(m *siwe.Message) { m.IssuedAt = "2020-01-01T00:00:00Z" }, account, false, codes.InvalidArgument, faultv1.Reason_REASON_TIMESTAMP_STALE, "message"},
		"an unknown chain":     {func(m *siwe.Message) { m.ChainID = "424242" }, account, false, codes.InvalidArgument, faultv1.Reason_REASON_CHAIN_UNSUPPORTED, "chainId"},
		"an unknown nonce":     {func(m *siwe.Message) { m.Nonce = "0123456789" }, account, false, codes.Unauthenticated, faultv1.Reason_REASON_NONCE_INVALID, "nonce"},
		"another signer":       {func(*siwe.Message) {}, signaturetest.NewAccount(2), false, codes.Unauthenticated, faultv1.Reason_REASON_SIGNATURE_INVALID, "signature"},
		"a chain that is away": {func(*siwe.Message) {}, signaturetest.NewAccount(2), true, codes.Unavailable, faultv1.Reason_REASON_CHAIN_UNAVAILABLE, "message"},
	} {
		t.Run(behaviour, func(t *testing.T) {
			w.away = tt.away
			m, token := w.message(account.Address().String())
			tt.change(&m)
			_, err := s.Authenticate(from(t, caller.Caller{Origin: page}), &authv1.AuthenticateRequest{
				Message: m.String(), Signature: tt.signer.Sign(m.String()), NonceToken: token,
			})
			if f := fault.From(err); err == nil || f.Code != tt.code || f.Reason != tt.reason || f.Field != tt.field {
				t.Errorf("%v: %s %s %q", err, f.Code, f.Reason, f.Field)
			}
		})
	}
	t.Run("too many CACAOs", func(t *testing.T) {
		_, err := s.Authenticate(from(t, caller.Caller{Origin: page}), &authv1.AuthenticateRequest{Cacaos: make([]*authv1.Cacao, 21)})
		if f := fault.From(err); f.Reason != faultv1.Reason_REASON_SIGN_IN_INVALID || f.Field != "cacaos" {
			t.Errorf("err = %v", err)
		}
	})
}

// Clients of AppKit's API send the nonce's token in a header.
func TestServerTakesTheTokenOfTheNonceFromBodyOrHeader(t *testing.T) {
	w, account := newWorld(t), signaturetest.NewAccount(1)
	s := auth.NewServer(w.Authenticator)
	for _, inHeader := range []bool{true, false} {
		nonce, err := s.CreateNonce(from(t, caller.Caller{Origin: page}), &authv1.CreateNonceRequest{})
		if err != nil || nonce.GetExpiresAt() != w.clock.Now().Add(5*time.Minute).Format(time.RFC3339) {
			t.Fatalf("%v, %v", nonce, err)
		}
		m, _ := w.message(account.Address().String())
		m.Nonce = nonce.GetNonce()
		req, who := &authv1.AuthenticateRequest{Message: m.String(), Signature: account.Sign(m.String())}, caller.Caller{Origin: page}
		if inHeader {
			who.NonceToken = nonce.GetToken()
		} else {
			req.NonceToken = nonce.GetToken()
		}
		opened, err := s.Authenticate(from(t, who), req)
		if err != nil {
			t.Fatal(err)
		}
		found, err := s.GetSession(from(t, caller.Caller{Origin: page, SessionToken: opened.GetToken()}), &authv1.GetSessionRequest{})
		if err != nil || found.GetSession().GetAddress() != account.Address().String() || found.GetSession().GetExpiresAt() != opened.GetSession().GetExpiresAt() {
			t.Errorf("%v, %v", found, err)
		}
	}
}
