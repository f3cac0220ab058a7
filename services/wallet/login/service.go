// Package login implements hawser.wallet.v1.LoginService: logins by email, by a social account and by Farcaster.
package login

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"time"

	"google.golang.org/grpc/codes"

	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	walletv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/wallet/v1"
	"github.com/hawser-dev/hawser/services/platform/caller"
	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/fault"
	"github.com/hawser-dev/hawser/services/platform/seal"
	"github.com/hawser-dev/hawser/services/wallet/call"
	"github.com/hawser-dev/hawser/services/wallet/challenge"
	"github.com/hawser-dev/hawser/services/wallet/farcaster"
	"github.com/hawser-dev/hawser/services/wallet/mail"
	"github.com/hawser-dev/hawser/services/wallet/session"
	"github.com/hawser-dev/hawser/services/wallet/social"
	"github.com/hawser-dev/hawser/services/wallet/user"
)

const (
	// longPoll is how long a call waits, and pollInterval how often it checks the database meanwhile.
	longPoll     = 25 * time.Second
	pollInterval = 300 * time.Millisecond
	// relayInterval is how often it checks the relay of Farcaster, which limits its callers.
	relayInterval = 1500 * time.Millisecond
)

// Deps are the dependencies of [Server].
type Deps struct {
	Calls    *call.Authenticator
	Sessions *session.Sessions
	Users    *user.Users
	Logins   *social.Logins
	Sealer   *seal.Sealer
	Clock    clock.Clock
	Log      *slog.Logger
	// FrameOrigin is the origin of the frame, for links in mails and messages to sign.
	FrameOrigin string
	// Mailer is nil if there is no login by email.
	Mailer *mail.Mailer
	// Farcaster is nil if there is no login by Farcaster.
	Farcaster *Farcaster
	// Stopping is closed when the process begins to shut down; calls that wait then return.
	Stopping <-chan struct{}
}

// Farcaster verifies logins by Farcaster.
type Farcaster struct {
	// Chain is the CAIP-2 id of the chain of messages and of the registry.
	Chain      string
	Relay      *farcaster.Relay
	Registry   farcaster.Registry
	Signatures farcaster.Verifier
}

// Server implements LoginService.
type Server struct {
	walletv1.UnimplementedLoginServiceServer

	calls      *call.Authenticator
	challenges *challenge.Challenges
	sessions   *session.Sessions
	users      *user.Users
	logins     *social.Logins
	sealer     *seal.Sealer
	clock      clock.Clock
	log        *slog.Logger
	frame      string
	mailer     *mail.Mailer
	farcaster  *Farcaster
	stopping   <-chan struct{}
	metrics    metrics
}

// NewServer returns the server. Its challenges are mailed by [Mails].
func NewServer(d Deps, challenges *challenge.Challenges) *Server {
	s := &Server{
		calls: d.Calls, challenges: challenges, sessions: d.Sessions, users: d.Users, logins: d.Logins, sealer: d.Sealer, clock: d.Clock, log: d.Log,
		frame: d.FrameOrigin, mailer: d.Mailer, farcaster: d.Farcaster, stopping: d.Stopping,
	}
	s.metrics = newMetrics(append(slices.Clone(s.socials()), user.Email))
	return s
}

// StartEmail starts a login by email.
func (s *Server) StartEmail(ctx context.Context, r *walletv1.StartEmailRequest) (*walletv1.StartEmailResponse, error) {
	c, err := s.calls.FromDevice(ctx)
	if err != nil {
		return nil, err
	}
	email, err := user.ParseEmail(r.GetEmail())
	if err != nil {
		return nil, call.Explain(err)
	}
	if signedIn, err := s.isSignedInAs(ctx, c, email); err != nil || signedIn {
		return &walletv1.StartEmailResponse{Action: walletv1.EmailAction_EMAIL_ACTION_CONNECT}, err
	}
	isTaken, isKnown, err := s.users.Knows(ctx, c.Project, user.Email, email, c.Key)
	if err != nil {
		return nil, err
	}
	options := challenge.Options{Purpose: challenge.Login, Email: email, NewDevice: !isKnown}
	if !isTaken {
		options = challenge.Options{Purpose: challenge.SignUp, Email: email}
	}
	begun, err := s.challenges.Start(ctx, c.Requester(call.Describe(r.GetDevice())), options)
	if err != nil {
		return nil, call.Explain(err)
	}
	s.metrics.count(ctx, user.Email, started)
	action := walletv1.EmailAction_EMAIL_ACTION_VERIFY_CODE
	if begun.State == challenge.WaitingForDevice {
		action = walletv1.EmailAction_EMAIL_ACTION_VERIFY_DEVICE
	}
	return &walletv1.StartEmailResponse{
		Action: action, ChallengeId: begun.ID, Words: begun.Words, ExpiresAt: begun.Expires.Unix(), ResendAfter: s.resendAfter(begun),
	}, nil
}

// isSignedInAs reports whether the device of a call has a session of the email.
func (s *Server) isSignedInAs(ctx context.Context, c call.Call, email string) (bool, error) {
	if c.Device.AccessToken == "" {
		return false, nil
	}
	found, err := s.sessions.Authenticate(ctx, c.Project, c.Key, c.Device.AccessToken)
	if errors.Is(err, session.ErrNone) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	u, err := s.users.Find(ctx, found.UserID)
	if errors.Is(err, user.ErrNone) {
		return false, nil
	}
	return err == nil && u.Email() == email, err
}

// WaitForDevice waits until the device is approved or denied.
func (s *Server) WaitForDevice(ctx context.Context, r *walletv1.WaitForDeviceRequest) (*walletv1.WaitForDeviceResponse, error) {
	c, err := s.calls.FromDevice(ctx)
	if err != nil {
		return nil, err
	}
	state := walletv1.DeviceState_DEVICE_STATE_PENDING
	err = s.wait(ctx, pollInterval, func() (bool, error) {
		found, err := s.challenges.Find(ctx, r.GetChallengeId(), c.Project, c.Key)
		if err != nil {
			return false, err
		}
		switch found.State {
		case challenge.WaitingForDevice:
			return false, nil
		case challenge.Denied:
			state = walletv1.DeviceState_DEVICE_STATE_DENIED
		default:
			state = walletv1.DeviceState_DEVICE_STATE_APPROVED
		}
		return true, nil
	})
	if err != nil {
		return nil, call.Explain(err)
	}
	return &walletv1.WaitForDeviceResponse{State: state}, nil
}

// wait calls done at intervals until it returns true or fails, for at most 25 seconds, and until the process stops.
func (s *Server) wait(ctx context.Context, interval time.Duration, done func() (bool, error)) error {
	deadline, tick := time.NewTimer(longPoll), time.NewTicker(interval)
	defer deadline.Stop()
	defer tick.Stop()
	for {
		if over, err := done(); over || err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-s.stopping:
			return nil
		case <-deadline.C:
			return nil
		case <-tick.C:
		}
	}
}

// GetDeviceRequest returns the device that is waiting for approval.
func (s *Server) GetDeviceRequest(ctx context.Context, r *walletv1.GetDeviceRequestRequest) (*walletv1.GetDeviceRequestResponse, error) {
	found, err := s.challenges.FindByLink(ctx, caller.From(ctx).Project, r.GetToken())
	if err != nil {
		return nil, explainLink(err)
	}
	return &walletv1.GetDeviceRequestResponse{
		Device:  &walletv1.Device{Browser: found.Browser, System: found.System, Site: found.Site},
		Network: found.Network, StartedAt: found.CreatedAt.Unix(), ExpiresAt: found.Expires.Unix(), Words: found.Words, Email: found.Email,
	}, nil
}

// DecideDevice approves or denies a device.
func (s *Server) DecideDevice(ctx context.Context, r *walletv1.DecideDeviceRequest) (*walletv1.DecideDeviceResponse, error) {
	if err := s.challenges.Decide(ctx, caller.From(ctx).Project, r.GetToken(), r.GetApprove()); err != nil {
		return nil, explainLink(err)
	}
	return &walletv1.DecideDeviceResponse{}, nil
}

// explainLink is explain for the page of a link; an expired link is not found.
func explainLink(err error) error {
	if errors.Is(err, challenge.ErrEnded) {
		return fault.New(codes.NotFound, faultv1.Reason_REASON_CHALLENGE_ENDED, "token", "This link was used or has expired")
	}
	return call.Explain(err)
}

// VerifyCode signs in with a code.
func (s *Server) VerifyCode(ctx context.Context, r *walletv1.VerifyCodeRequest) (*walletv1.VerifyCodeResponse, error) {
	c, err := s.calls.FromDevice(ctx)
	if err != nil {
		return nil, err
	}
	verified, err := s.challenges.Verify(ctx, r.GetChallengeId(), c.Project, c.Key, r.GetCode(), challenge.Login, challenge.SignUp)
	if err != nil {
		return nil, call.Explain(err)
	}
	identity := user.Identity{Provider: user.Email, Subject: verified.Email, Name: verified.Email}
	tokens, err := s.signIn(ctx, c, identity, verified.IsApproved(), session.Device{Browser: verified.Browser, System: verified.System, Site: verified.Site})
	if err != nil {
		return nil, call.Explain(err)
	}
	return &walletv1.VerifyCodeResponse{Tokens: tokens}, nil
}

// signIn opens a session for the user of a proven identity. isApproved reports whether the proof is enough for a device that is new to the user.
func (s *Server) signIn(ctx context.Context, c call.Call, proven user.Identity, isApproved bool, d session.Device) (*walletv1.Tokens, error) {
	u, err := s.users.SignIn(ctx, c.Project, proven, c.Key, isApproved)
	if err != nil {
		return nil, err
	}
	opened, err := s.sessions.Open(ctx, c.Project, u.ID, c.Key, d)
	if err != nil {
		return nil, err
	}
	s.metrics.count(ctx, proven.Provider, completed)
	return TokensProto(opened), nil
}

// ResendCode sends the mail of a challenge again.
func (s *Server) ResendCode(ctx context.Context, r *walletv1.ResendCodeRequest) (*walletv1.ResendCodeResponse, error) {
	c, err := s.calls.FromDevice(ctx)
	if err != nil {
		return nil, err
	}
	sent, err := s.challenges.Resend(ctx, r.GetChallengeId(), c.Project, c.Key)
	if err != nil {
		return nil, call.Explain(err)
	}
	return &walletv1.ResendCodeResponse{ResendAfter: s.resendAfter(sent), ExpiresAt: sent.Expires.Unix()}, nil
}

func (s *Server) resendAfter(c *challenge.Challenge) uint32 {
	wait := challenge.WaitError{After: max(0, c.ResendAfter(s.clock.Now()))}
	return uint32(wait.Seconds())
}

// ListProviders returns the login methods.
func (s *Server) ListProviders(ctx context.Context, _ *walletv1.ListProvidersRequest) (*walletv1.ListProvidersResponse, error) {
	if _, err := s.calls.FromDevice(ctx); err != nil {
		return nil, err
	}
	return &walletv1.ListProvidersResponse{Email: s.mailer != nil, Socials: s.socials()}, nil
}

// Configured returns the login methods for other services.
func (s *Server) Configured() *walletv1.ListLoginsResponse {
	return &walletv1.ListLoginsResponse{Email: s.mailer != nil, Socials: s.socials()}
}

// socials returns the providers other than email.
func (s *Server) socials() []string {
	if s.farcaster == nil {
		return s.logins.Names()
	}
	return s.logins.Names(farcasterName)
}

// TokensProto returns the tokens of a session.
func TokensProto(t *session.Tokens) *walletv1.Tokens {
	return &walletv1.Tokens{
		AccessToken: t.Access, AccessExpiresAt: t.AccessExpires.Unix(), RefreshToken: t.Refresh, RefreshExpiresAt: t.RefreshExpires.Unix(),
		SessionId: t.Session.ID, UserId: t.Session.UserID,
	}
}
