package wallet

import (
	"context"
	"crypto/x509"
	"encoding/pem"
	"errors"

	"google.golang.org/grpc/codes"

	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	walletv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/wallet/v1"
	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/fault"
	"github.com/hawser-dev/hawser/services/wallet/devidp"
	"github.com/hawser-dev/hawser/services/wallet/session"
	"github.com/hawser-dev/hawser/services/wallet/social"
	"github.com/hawser-dev/hawser/services/wallet/user"
)

// socialCallback is the path of the page that providers return visitors to.
const socialCallback = "/social/callback"

// openSocial opens the social providers; those that are not configured are made up in development.
func (s *Server) openSocial(store social.Store, c clock.Clock, key []byte) error {
	cfg, client, redirect := s.cfg.Social, social.NewClient(), s.cfg.FrameOrigin+socialCallback
	if s.cfg.Inbox != "" {
		var err error
		if s.idp, err = devidp.New(s.cfg.PublicURL, redirect, c); err != nil {
			return err
		}
		if cfg, err = developmentClients(s.idp); err != nil {
			return err
		}
		client.Transport = s.idp
	}
	providers, err := cfg.Providers(c)
	if err != nil {
		return err
	}
	s.logins = social.New(store, c, key, redirect, providers, client)
	return nil
}

// developmentClients returns the configuration of the providers for development.
func developmentClients(idp *devidp.Provider) (social.Config, error) {
	of := func(name string) social.Client {
		return social.Client{ID: devidp.ClientID, Secret: devidp.ClientSecret, Address: idp.Address(name)}
	}
	key, err := x509.MarshalPKCS8PrivateKey(idp.AppleKey())
	if err != nil {
		return social.Config{}, err
	}
	apple := social.Apple{
		ID: devidp.ClientID, Team: "development", KeyID: "development", Address: idp.Address("apple"),
		Key: string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: key})),
	}
	return social.Config{Google: of("google"), X: of("x"), Discord: of("discord"), GitHub: of("github"), Apple: apple, Facebook: of("facebook")}, nil
}

// StartSocial starts a login at a social provider.
func (s *Server) StartSocial(ctx context.Context, r *walletv1.StartSocialRequest) (*walletv1.StartSocialResponse, error) {
	c, err := s.fromDevice(ctx)
	if err != nil {
		return nil, err
	}
	login, handle, uri, err := s.logins.Start(ctx, c.socialRequester(r.GetDevice()), r.GetProvider())
	if err != nil {
		return nil, explain(err)
	}
	return &walletv1.StartSocialResponse{Uri: uri, Handle: handle, ExpiresAt: login.Expires.Unix()}, nil
}

func (c call) socialRequester(d *walletv1.Device) social.Requester {
	return social.Requester{Project: c.Project, Device: c.key, Browser: d.GetBrowser(), System: d.GetSystem(), Site: c.Origin}
}

// FinishSocial redeems a callback.
func (s *Server) FinishSocial(ctx context.Context, r *walletv1.FinishSocialRequest) (*walletv1.FinishSocialResponse, error) {
	login, err := s.logins.Finish(ctx, r.GetState(), social.Callback{Code: r.GetCode(), Issuer: r.GetIss(), Error: r.GetError(), User: r.GetUser()})
	if err != nil {
		s.log.DebugContext(ctx, "a social login failed", "error", err)
		return nil, explain(err)
	}
	return &walletv1.FinishSocialResponse{Provider: login.Provider, Site: login.Site}, nil
}

// WaitForSocial waits for the end of a login.
func (s *Server) WaitForSocial(ctx context.Context, r *walletv1.WaitForSocialRequest) (*walletv1.WaitForSocialResponse, error) {
	c, err := s.fromDevice(ctx)
	if err != nil {
		return nil, err
	}
	var login *social.Login
	if err := s.wait(ctx, func() (bool, error) {
		login, err = s.logins.Find(ctx, r.GetHandle(), c.Project, c.key)
		return err == nil && login.Stage == social.Proven, err
	}); err != nil {
		return nil, explain(err)
	}
	if login.Stage != social.Proven {
		return &walletv1.WaitForSocialResponse{}, nil
	}
	tokens, err := s.useLogin(ctx, c, login)
	if err != nil {
		return nil, explain(err)
	}
	return &walletv1.WaitForSocialResponse{Tokens: tokens, UserName: login.Name}, nil
}

// useLogin signs in by a proven login, once.
func (s *Server) useLogin(ctx context.Context, c call, login *social.Login) (*walletv1.Tokens, error) {
	if err := s.logins.Use(ctx, login); err != nil {
		return nil, err
	}
	return s.signIn(ctx, c, identityOf(login), session.Device{Browser: login.Browser, System: login.System, Site: login.Site})
}

func identityOf(login *social.Login) user.Identity {
	return user.Identity{Provider: login.Provider, Subject: login.Subject, Name: login.Name}
}

// LinkSocial adds the account of a finished login to the user.
func (s *Server) LinkSocial(ctx context.Context, r *walletv1.LinkSocialRequest) (*walletv1.LinkSocialResponse, error) {
	c, err := s.signedIn(ctx)
	if err != nil {
		return nil, err
	}
	login, err := s.logins.Find(ctx, r.GetHandle(), c.Project, c.key)
	if err != nil {
		return nil, explain(err)
	}
	if err := s.logins.Use(ctx, login); err != nil {
		return nil, explain(err)
	}
	linked, err := s.users.Link(ctx, c.session.UserID, identityOf(login))
	if errors.Is(err, user.ErrTaken) {
		return nil, fault.New(codes.AlreadyExists, faultv1.Reason_REASON_IDENTITY_TAKEN, "", "Another user has this account")
	}
	if err != nil {
		return nil, explain(err)
	}
	return &walletv1.LinkSocialResponse{Identity: identityProto(linked)}, nil
}
