package wallet

import (
	"context"
	"errors"
	"strconv"
	"strings"

	"google.golang.org/grpc/codes"

	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	walletv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/wallet/v1"
	"github.com/hawser-dev/hawser/services/platform/fault"
	"github.com/hawser-dev/hawser/services/wallet/farcaster"
	"github.com/hawser-dev/hawser/services/wallet/seal"
	"github.com/hawser-dev/hawser/services/wallet/session"
	"github.com/hawser-dev/hawser/services/wallet/social"
	"github.com/hawser-dev/hawser/services/wallet/user"
)

// socialCallback is the path of the page that providers return visitors to.
const socialCallback = "/social/callback"

// farcasterName is the name of Farcaster among providers.
const farcasterName = "farcaster"

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

// StartFarcaster opens a channel at the relay.
func (s *Server) StartFarcaster(ctx context.Context, r *walletv1.StartFarcasterRequest) (*walletv1.StartFarcasterResponse, error) {
	c, err := s.fromDevice(ctx)
	if err != nil {
		return nil, err
	}
	if s.relay == nil {
		return nil, explain(social.ErrUnsupported)
	}
	login, handle := s.logins.NewLogin(c.socialRequester(r.GetDevice()), farcasterName)
	domain, uri := s.site()
	channel, err := s.relay.Open(ctx, domain, uri, s.logins.Nonce(login))
	if err != nil {
		return nil, explain(err)
	}
	if login.Channel, err = s.sealer.Seal(ctx, seal.Secret(channel.Token), channelAAD(login)); err != nil {
		return nil, explain(err)
	}
	if err := s.logins.Insert(ctx, login); err != nil {
		return nil, err
	}
	return &walletv1.StartFarcasterResponse{Url: channel.URL, Handle: handle, ExpiresAt: login.Expires.Unix()}, nil
}

// site returns the domain and the URI of messages: those of the frame.
func (s *Server) site() (domain, uri string) {
	_, domain, _ = strings.Cut(s.cfg.FrameOrigin, "://")
	return domain, s.cfg.FrameOrigin
}

func channelAAD(l *social.Login) string { return "farcaster|" + l.ID }

// WaitForFarcaster waits for the approval in the Farcaster app.
func (s *Server) WaitForFarcaster(ctx context.Context, r *walletv1.WaitForFarcasterRequest) (*walletv1.WaitForFarcasterResponse, error) {
	c, err := s.fromDevice(ctx)
	if err != nil {
		return nil, err
	}
	login, err := s.logins.Find(ctx, r.GetHandle(), c.Project, c.key)
	if err != nil {
		return nil, explain(err)
	}
	if s.relay == nil || login.Provider != farcasterName {
		return nil, explain(social.ErrFailed)
	}
	token, err := s.sealer.Open(ctx, login.Channel, channelAAD(login))
	if err != nil {
		return nil, explain(err)
	}
	var completed farcaster.Completed
	var isComplete bool
	if err := s.wait(ctx, func() (bool, error) {
		completed, isComplete, err = s.relay.Read(ctx, string(token))
		return isComplete, err
	}); err != nil || !isComplete {
		return &walletv1.WaitForFarcasterResponse{}, explain(err)
	}
	domain, uri := s.site()
	want := farcaster.Expected{Domain: domain, URI: uri, Nonce: s.logins.Nonce(login), Now: s.clock.Now()}
	proven, err := farcaster.Verify(ctx, completed, want, s.signatures, s.registry)
	if err != nil {
		return nil, explain(errors.Join(err, s.logins.Fail(ctx, login)))
	}
	if err := s.logins.Prove(ctx, login, social.Account{Subject: strconv.FormatUint(proven.FID, 10), Name: proven.Name}); err != nil {
		return nil, err
	}
	tokens, err := s.useLogin(ctx, c, login)
	if err != nil {
		return nil, explain(err)
	}
	return &walletv1.WaitForFarcasterResponse{Tokens: tokens, UserName: proven.Name}, nil
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
