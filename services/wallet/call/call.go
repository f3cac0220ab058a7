// Package call authenticates the calls of devices, and converts errors to faults.
package call

import (
	"context"
	"errors"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"

	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	"github.com/hawser-dev/hawser/services/platform/caller"
	"github.com/hawser-dev/hawser/services/platform/fault"
	"github.com/hawser-dev/hawser/services/platform/seal"
	"github.com/hawser-dev/hawser/services/wallet/challenge"
	"github.com/hawser-dev/hawser/services/wallet/contacts"
	"github.com/hawser-dev/hawser/services/wallet/device"
	"github.com/hawser-dev/hawser/services/wallet/factor"
	"github.com/hawser-dev/hawser/services/wallet/farcaster"
	"github.com/hawser-dev/hawser/services/wallet/mail"
	"github.com/hawser-dev/hawser/services/wallet/session"
	"github.com/hawser-dev/hawser/services/wallet/social"
	"github.com/hawser-dev/hawser/services/wallet/user"
)

// ErrLocked means that a change needs the signature of the opened wallet.
var ErrLocked = errors.New("the opened wallet did not sign the change")

// ErrStale means that a change was neither signed by the opened wallet nor made shortly after a login.
var ErrStale = errors.New("the login is not recent, and the wallet did not sign")

// Call is a call with a valid device proof.
type Call struct {
	caller.Caller

	// Key is the thumbprint of the device key.
	Key string
	// Session is the session of the access token; nil if the call does not need one.
	Session *session.Session
}

// Authenticator authenticates calls. It is safe for concurrent use.
type Authenticator struct {
	devices  *device.Verifier
	sessions *session.Sessions
}

// NewAuthenticator returns an authenticator.
func NewAuthenticator(d *device.Verifier, s *session.Sessions) *Authenticator {
	return &Authenticator{d, s}
}

// FromDevice verifies the device proof of a call. Its error is a fault.
func (a *Authenticator) FromDevice(ctx context.Context) (Call, error) {
	path, _ := grpc.Method(ctx)
	return a.fromDevice(ctx, path)
}

func (a *Authenticator) fromDevice(ctx context.Context, path string) (Call, error) {
	who := caller.From(ctx)
	key, err := a.devices.Verify(ctx, who.Device.Proof, device.Call{Path: path, BodyHash: who.Device.BodyHash, AccessToken: who.Device.AccessToken})
	return Call{Caller: who, Key: key}, Explain(err)
}

// SignedIn verifies the device proof and the access token of a call. Its error is a fault.
func (a *Authenticator) SignedIn(ctx context.Context) (Call, error) {
	path, _ := grpc.Method(ctx)
	return a.SignedInFor(ctx, path)
}

// SignedInFor is [Authenticator.SignedIn] for a call of another service, by its path.
func (a *Authenticator) SignedInFor(ctx context.Context, path string) (Call, error) {
	c, err := a.fromDevice(ctx, path)
	if err != nil {
		return Call{}, err
	}
	c.Session, err = a.sessions.Authenticate(ctx, c.Project, c.Key, c.Device.AccessToken)
	return c, Explain(err)
}

// Owner returns the user of a call that is signed in.
func (c Call) Owner() factor.Owner {
	return factor.Owner{Project: c.Project, UserID: c.Session.UserID, Device: c.Key}
}

// Requester returns the requester of a challenge.
func (c Call) Requester(browser, system string) challenge.Requester {
	return challenge.Requester{Project: c.Project, Device: c.Key, Address: c.Address, Browser: browser, System: system, Site: c.Origin}
}

// faults are the faults of errors that the caller may see.
var faults = []struct {
	err    error
	code   codes.Code
	reason faultv1.Reason
	field  string
	text   string
}{
	{device.ErrProof, codes.Unauthenticated, faultv1.Reason_REASON_DEVICE_PROOF_INVALID, "", "The device proof is not valid"},
	{session.ErrNone, codes.Unauthenticated, faultv1.Reason_REASON_SESSION_ABSENT, "", "The session has ended"},
	{session.ErrReused, codes.Unauthenticated, faultv1.Reason_REASON_SESSION_ABSENT, "", "The session has ended"},
	{challenge.ErrEnded, codes.FailedPrecondition, faultv1.Reason_REASON_CHALLENGE_ENDED, "", "This code or link has expired. Start again"},
	{user.ErrNewDevice, codes.FailedPrecondition, faultv1.Reason_REASON_CHALLENGE_ENDED, "", "This code or link has expired. Start again"},
	{challenge.ErrCode, codes.PermissionDenied, faultv1.Reason_REASON_CODE_WRONG, "code", "Invalid code"},
	{mail.ErrSend, codes.Unavailable, faultv1.Reason_REASON_MAIL_UNAVAILABLE, "", "The mail could not be sent. Try again later"},
	{seal.ErrUnavailable, codes.Unavailable, faultv1.Reason_REASON_SERVICE_UNAVAILABLE, "", "The service is temporarily unavailable"},
	{user.ErrEmail, codes.InvalidArgument, faultv1.Reason_REASON_EMAIL_INVALID, "email", "Invalid email"},
	{farcaster.ErrUnavailable, codes.Unavailable, faultv1.Reason_REASON_FARCASTER_UNAVAILABLE, "", "Farcaster does not answer. Try again later"},
	{farcaster.ErrRefused, codes.FailedPrecondition, faultv1.Reason_REASON_FARCASTER_FAILED, "", "The login by Farcaster failed"},
	{social.ErrUnsupported, codes.InvalidArgument, faultv1.Reason_REASON_PROVIDER_UNSUPPORTED, "provider", "This provider is not configured"},
	{social.ErrCanceled, codes.FailedPrecondition, faultv1.Reason_REASON_SOCIAL_CANCELED, "", "The login was cancelled at the provider"},
	{social.ErrFailed, codes.FailedPrecondition, faultv1.Reason_REASON_SOCIAL_FAILED, "", "The login at the provider failed"},
	{user.ErrNone, codes.Unauthenticated, faultv1.Reason_REASON_SESSION_ABSENT, "", "The session has ended"},
	{factor.ErrExists, codes.AlreadyExists, faultv1.Reason_REASON_WALLET_EXISTS, "", "The user has a wallet already"},
	{factor.ErrNoWallet, codes.NotFound, faultv1.Reason_REASON_WALLET_ABSENT, "", "The user has no wallet yet"},
	{factor.ErrNoFactor, codes.NotFound, faultv1.Reason_REASON_FACTOR_ABSENT, "id", "There is no such factor"},
	{factor.ErrLast, codes.FailedPrecondition, faultv1.Reason_REASON_FACTOR_LAST, "id", "The last factor cannot be removed"},
	{factor.ErrTooMany, codes.ResourceExhausted, faultv1.Reason_REASON_FACTORS_FULL, "", "The wallet has too many factors. Remove one first"},
	{factor.ErrUnproven, codes.Unauthenticated, faultv1.Reason_REASON_SIGNATURE_INVALID, "ownerProof", "The key of the address did not sign for the user"},
	{factor.ErrPassword, codes.PermissionDenied, faultv1.Reason_REASON_PASSWORD_WRONG, "check", "The password is wrong"},
	{user.ErrWaits, codes.FailedPrecondition, faultv1.Reason_REASON_IDENTITY_PENDING, "", "This email or account was added to a wallet, and signs in a day after that"},
	{ErrLocked, codes.FailedPrecondition, faultv1.Reason_REASON_WALLET_LOCKED, "", "Open your wallet, and make the change there"},
	{ErrStale, codes.FailedPrecondition, faultv1.Reason_REASON_LOGIN_STALE, "", "Open your wallet, or sign in again, and make the change within five minutes"},
	{contacts.ErrChanged, codes.Aborted, faultv1.Reason_REASON_CONTACTS_CHANGED, "version", "Another device changed the contacts. Read them again"},
	{factor.ErrUsed, codes.AlreadyExists, faultv1.Reason_REASON_PARAMETER_INVALID, "id", "A factor has this id already"},
}

// Explain returns the fault for an error; nil for nil.
func Explain(err error) error {
	if wait, ok := errors.AsType[*challenge.WaitError](err); ok {
		f := fault.New(codes.ResourceExhausted, faultv1.Reason_REASON_RATE_LIMITED, "", "Please try again after %d seconds", wait.Seconds())
		f.RetryAfter = wait.After
		return f
	}
	if guessed, ok := errors.AsType[*factor.GuessedError](err); ok {
		f := fault.New(codes.ResourceExhausted, faultv1.Reason_REASON_RATE_LIMITED, "", "There were too many wrong passwords. Try again later")
		f.RetryAfter = guessed.After
		return f
	}
	for _, f := range faults {
		if errors.Is(err, f.err) {
			return fault.New(f.code, f.reason, f.field, "%s", f.text).Because(err)
		}
	}
	return err
}
