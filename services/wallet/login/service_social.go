package login

import (
	"context"
	"errors"
	"strconv"
	"strings"

	walletv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/wallet/v1"
	"github.com/hawser-dev/hawser/services/platform/caller"
	"github.com/hawser-dev/hawser/services/platform/seal"
	"github.com/hawser-dev/hawser/services/wallet/call"
	"github.com/hawser-dev/hawser/services/wallet/farcaster"
	"github.com/hawser-dev/hawser/services/wallet/session"
	"github.com/hawser-dev/hawser/services/wallet/social"
	"github.com/hawser-dev/hawser/services/wallet/user"
)

// Callback is the path of the page to which providers return visitors.
const Callback = "/social/callback"

// farcasterName is the name of Farcaster in the list of providers.
const farcasterName = "farcaster"

// StartSocial starts a login at a social provider.
func (s *Server) StartSocial(ctx context.Context, r *walletv1.StartSocialRequest) (*walletv1.StartSocialResponse, error) {
	c, err := s.calls.FromDevice(ctx)
	if err != nil {
		return nil, err
	}
	login, handle, uri, err := s.logins.Start(ctx, socialRequester(c, r.GetDevice()), r.GetProvider())
	if err != nil {
		return nil, call.Explain(err)
	}
	s.metrics.count(ctx, login.Provider, started)
	return &walletv1.StartSocialResponse{Uri: uri, Handle: handle, ExpiresAt: login.Expires.Unix()}, nil
}

func socialRequester(c call.Call, d *walletv1.Device) social.Requester {
	browser, system := call.Describe(d)
	return social.Requester{Project: c.Project, Device: c.Key, Browser: browser, System: system, Site: c.Origin, Network: caller.Network(c.Address)}
}

// GetSocialRequest returns the device that started a login.
func (s *Server) GetSocialRequest(ctx context.Context, r *walletv1.GetSocialRequestRequest) (*walletv1.GetSocialRequestResponse, error) {
	login, uri, err := s.logins.Request(ctx, r.GetState())
	if err != nil {
		return nil, call.Explain(err)
	}
	return &walletv1.GetSocialRequestResponse{
		Provider: login.Provider, Device: &walletv1.Device{Browser: login.Browser, System: login.System, Site: login.Site},
		Network: login.Network, StartedAt: login.Expires.Add(-social.Lifetime).Unix(), Uri: uri,
	}, nil
}

// FinishSocial redeems a callback.
func (s *Server) FinishSocial(ctx context.Context, r *walletv1.FinishSocialRequest) (*walletv1.FinishSocialResponse, error) {
	login, err := s.logins.Finish(ctx, r.GetState(), social.Callback{Code: r.GetCode(), Issuer: r.GetIss(), Error: r.GetError(), User: r.GetUser()})
	if err != nil {
		s.log.DebugContext(ctx, "a social login failed", "error", err)
		return nil, call.Explain(err)
	}
	return &walletv1.FinishSocialResponse{Provider: login.Provider, Site: login.Site}, nil
}

// WaitForSocial waits for the end of a login.
func (s *Server) WaitForSocial(ctx context.Context, r *walletv1.WaitForSocialRequest) (*walletv1.WaitForSocialResponse, error) {
	c, err := s.calls.FromDevice(ctx)
	if err != nil {
		return nil, err
	}
	var login *social.Login
	if err := s.wait(ctx, pollInterval, func() (bool, error) {
		login, err = s.logins.Find(ctx, r.GetHandle(), c.Project, c.Key)
		return err == nil && login.Stage.SignsIn(), err
	}); err != nil {
		return nil, call.Explain(err)
	}
	if !login.Stage.SignsIn() {
		return &walletv1.WaitForSocialResponse{}, nil
	}
	tokens, err := s.signInWith(ctx, c, login)
	if err != nil {
		return nil, call.Explain(err)
	}
	return &walletv1.WaitForSocialResponse{Tokens: tokens, UserName: login.Name}, nil
}

// signInWith signs in with a proven login. If the response is lost, the device can repeat its call for a minute, which opens another session.
func (s *Server) signInWith(ctx context.Context, c call.Call, login *social.Login) (*walletv1.Tokens, error) {
	if err := s.logins.SignIn(ctx, login); err != nil {
		return nil, err
	}
	return s.signIn(ctx, c, identityOf(login), true, session.Device{Browser: login.Browser, System: login.System, Site: login.Site})
}

func identityOf(login *social.Login) user.Identity {
	return user.Identity{Provider: login.Provider, Subject: login.Subject, Name: login.Name}
}

// StartFarcaster opens a channel at the relay.
func (s *Server) StartFarcaster(ctx context.Context, r *walletv1.StartFarcasterRequest) (*walletv1.StartFarcasterResponse, error) {
	c, err := s.calls.FromDevice(ctx)
	if err != nil {
		return nil, err
	}
	if s.farcaster == nil {
		return nil, call.Explain(social.ErrUnsupported)
	}
	login, handle := s.logins.NewLogin(socialRequester(c, r.GetDevice()), farcasterName)
	nonce, err := s.logins.Nonce(ctx, login)
	if err != nil {
		return nil, call.Explain(err)
	}
	domain, uri := s.site()
	channel, err := s.farcaster.Relay.Open(ctx, domain, uri, nonce)
	if err != nil {
		return nil, call.Explain(err)
	}
	if login.Channel, err = s.sealer.Seal(ctx, seal.Secret(channel.Token), channelAAD(login)); err != nil {
		return nil, call.Explain(err)
	}
	if err := s.logins.Insert(ctx, login); err != nil {
		return nil, err
	}
	s.metrics.count(ctx, farcasterName, started)
	return &walletv1.StartFarcasterResponse{Url: channel.URL, Handle: handle, ExpiresAt: login.Expires.Unix()}, nil
}

// site returns the domain and the URI in messages: those of the frame.
func (s *Server) site() (domain, uri string) {
	_, domain, _ = strings.Cut(s.frame, "://")
	return domain, s.frame
}

func channelAAD(l *social.Login) string { return "farcaster|" + l.ID }

// WaitForFarcaster waits for the approval in the Farcaster app.
func (s *Server) WaitForFarcaster(ctx context.Context, r *walletv1.WaitForFarcasterRequest) (*walletv1.WaitForFarcasterResponse, error) {
	c, err := s.calls.FromDevice(ctx)
	if err != nil {
		return nil, err
	}
	login, err := s.logins.Find(ctx, r.GetHandle(), c.Project, c.Key)
	if err != nil {
		return nil, call.Explain(err)
	}
	if err := s.proveFarcaster(ctx, login); err != nil || !login.Stage.SignsIn() {
		return &walletv1.WaitForFarcasterResponse{}, call.Explain(err)
	}
	tokens, err := s.signInWith(ctx, c, login)
	if err != nil {
		return nil, call.Explain(err)
	}
	return &walletv1.WaitForFarcasterResponse{Tokens: tokens, UserName: login.Name}, nil
}

// proveFarcaster waits for the signature of the Farcaster app, and proves the login with it, unless it is proven. Without a signature the login is
// not changed.
func (s *Server) proveFarcaster(ctx context.Context, login *social.Login) error {
	if s.farcaster == nil || login.Provider != farcasterName {
		return social.ErrFailed
	}
	if login.Stage.SignsIn() {
		return nil
	}
	token, err := s.sealer.Open(ctx, login.Channel, channelAAD(login))
	if err != nil {
		return err
	}
	var completed farcaster.Completed
	var isComplete bool
	if err := s.wait(ctx, relayInterval, func() (bool, error) {
		completed, isComplete, err = s.farcaster.Relay.Read(ctx, string(token))
		return isComplete, err
	}); err != nil || !isComplete {
		return err
	}
	nonce, err := s.logins.Nonce(ctx, login)
	if err != nil {
		return err
	}
	domain, uri := s.site()
	want := farcaster.Expected{Chain: s.farcaster.Chain, Domain: domain, URI: uri, Nonce: nonce, Now: s.clock.Now()}
	proven, err := farcaster.Verify(ctx, completed, want, s.farcaster.Signatures, s.farcaster.Registry)
	if err != nil {
		return errors.Join(err, s.logins.Fail(ctx, login))
	}
	return s.logins.Prove(ctx, login, social.Account{Subject: strconv.FormatUint(proven.FID, 10), Name: proven.Name})
}

// Redeem returns the identity of a finished login of a device, once. It fails with [social.ErrFailed], or an error of
// Farcaster.
func (s *Server) Redeem(ctx context.Context, c call.Call, handle string) (user.Identity, error) {
	login, err := s.logins.Find(ctx, handle, c.Project, c.Key)
	if err != nil {
		return user.Identity{}, err
	}
	if login.Provider == farcasterName {
		if err := s.proveFarcaster(ctx, login); err != nil {
			return user.Identity{}, err
		}
	}
	if login.Stage != social.Proven {
		// login was read before its account was proven, so it has none.
		return user.Identity{}, social.ErrFailed
	}
	return identityOf(login), s.logins.Use(ctx, login)
}
