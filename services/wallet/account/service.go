// Package account implements hawser.wallet.v1.WalletService: the calls about a user who is signed in, and about the
// factors of the user's wallet.
package account

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"time"

	"google.golang.org/grpc/codes"

	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	walletv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/wallet/v1"
	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/fault"
	"github.com/hawser-dev/hawser/services/wallet/call"
	"github.com/hawser-dev/hawser/services/wallet/challenge"
	"github.com/hawser-dev/hawser/services/wallet/contacts"
	"github.com/hawser-dev/hawser/services/wallet/factor"
	"github.com/hawser-dev/hawser/services/wallet/login"
	"github.com/hawser-dev/hawser/services/wallet/mail"
	"github.com/hawser-dev/hawser/services/wallet/notice"
	"github.com/hawser-dev/hawser/services/wallet/removal"
	"github.com/hawser-dev/hawser/services/wallet/user"
)

// Deps are the dependencies of [Server].
type Deps struct {
	Calls      *call.Authenticator
	Challenges *challenge.Challenges
	Users      *user.Users
	Wallets    *factor.Wallets
	Contacts   *contacts.Store
	Logins     *login.Server
	Mails      *login.Mails
	Removals   *removal.List
	Clock      clock.Clock
	Log        *slog.Logger
	// Origin is the origin of the wallet's pages, which signatures of wallets name.
	Origin string
	// RecoveryByLogin reports whether a login alone restores a wallet.
	RecoveryByLogin bool
}

// Server implements WalletService.
type Server struct {
	walletv1.UnimplementedWalletServiceServer

	calls           *call.Authenticator
	challenges      *challenge.Challenges
	users           *user.Users
	wallets         *factor.Wallets
	contacts        *contacts.Store
	logins          *login.Server
	mails           *login.Mails
	removals        *removal.List
	clock           clock.Clock
	log             *slog.Logger
	origin          string
	recoveryByLogin bool
}

// NewServer returns the server.
func NewServer(d Deps) *Server {
	return &Server{
		calls: d.Calls, challenges: d.Challenges, users: d.Users, wallets: d.Wallets, contacts: d.Contacts, logins: d.Logins, mails: d.Mails, removals: d.Removals,
		clock: d.Clock, log: d.Log, origin: d.Origin, recoveryByLogin: d.RecoveryByLogin,
	}
}

// GetUser returns the user.
func (s *Server) GetUser(ctx context.Context, _ *walletv1.GetUserRequest) (*walletv1.GetUserResponse, error) {
	c, err := s.calls.SignedIn(ctx)
	if err != nil {
		return nil, err
	}
	u, err := s.users.Find(ctx, c.Session.UserID)
	if err != nil {
		return nil, call.Explain(err)
	}
	res := &walletv1.GetUserResponse{
		Id: u.ID, Email: u.Email(), UserName: u.Name(), PreferredAccount: walletv1.AccountType(u.Account), RecoveryKitAt: unixOrZero(u.KitAt),
		RecoveryByLogin: s.recoveryByLogin,
	}
	for _, i := range u.Identities {
		res.Identities = append(res.Identities, identityProto(i))
	}
	changes, err := s.users.Changes(ctx, u.ID)
	if err != nil {
		return nil, err
	}
	for _, change := range changes {
		res.Changes = append(res.Changes, changeProto(change))
	}
	return res, s.addWallet(ctx, c, res)
}

// addWallet adds the wallet of the user, if there is one.
func (s *Server) addWallet(ctx context.Context, c call.Call, to *walletv1.GetUserResponse) error {
	wallet, err := s.wallets.Find(ctx, c.Session.UserID)
	if errors.Is(err, factor.ErrNoWallet) {
		return nil
	}
	if err != nil {
		return err
	}
	factors, err := s.wallets.List(ctx, c.Session.UserID)
	if err != nil {
		return err
	}
	to.WalletId, to.HasBackupFactor = wallet.ID, hasBackup(factors)
	for _, a := range wallet.Accounts {
		to.Accounts = append(to.Accounts, &walletv1.Account{Namespace: a.Namespace, Address: a.Address, Kind: a.Kind})
	}
	for _, f := range factors {
		if f.Device == c.Key {
			to.DeviceFactorId = f.ID
		}
	}
	return nil
}

// StartEmailChange starts a change of the email.
func (s *Server) StartEmailChange(ctx context.Context, r *walletv1.StartEmailChangeRequest) (*walletv1.StartEmailChangeResponse, error) {
	c, err := s.calls.SignedIn(ctx)
	if err != nil {
		return nil, err
	}
	email, err := user.ParseEmail(r.GetEmail())
	if err != nil {
		return nil, call.Explain(err)
	}
	signed, err := s.Authorize(ctx, c, startEmailChange, r.GetEmail(), r.GetProof())
	if err != nil {
		return nil, err
	}
	u, err := s.users.Find(ctx, c.Session.UserID)
	if err != nil {
		return nil, call.Explain(err)
	}
	o := challenge.Options{Purpose: challenge.NewEmail, Email: email, UserID: u.ID, Signed: signed}
	action := walletv1.EmailChangeAction_EMAIL_CHANGE_ACTION_VERIFY_NEW
	if old := u.Email(); old != "" {
		o = challenge.Options{Purpose: challenge.OldEmail, Email: old, UserID: u.ID, NewEmail: email, Signed: signed}
		action = walletv1.EmailChangeAction_EMAIL_CHANGE_ACTION_VERIFY_OLD
	}
	started, err := s.challenges.Start(ctx, c.Requester(c.Session.Browser, c.Session.System), o)
	if err != nil {
		return nil, call.Explain(err)
	}
	if err := s.users.Record(ctx, u.ID, notice.EmailStarted); err != nil {
		return nil, err
	}
	// The present email is told by the mail with its code.
	others := slices.DeleteFunc(u.Emails(), func(other string) bool { return other == u.Email() })
	s.tellEmails(ctx, u, others, notice.EmailStarted, user.Email, email)
	return &walletv1.StartEmailChangeResponse{Action: action, ChallengeId: started.ID}, nil
}

// VerifyOldEmail verifies the code of the old email.
func (s *Server) VerifyOldEmail(ctx context.Context, r *walletv1.VerifyOldEmailRequest) (*walletv1.VerifyOldEmailResponse, error) {
	c, verified, err := s.verifyOwn(ctx, r.GetChallengeId(), r.GetCode(), challenge.OldEmail)
	if err != nil {
		return nil, call.Explain(err)
	}
	started, err := s.challenges.Start(ctx, c.Requester(c.Session.Browser, c.Session.System), challenge.Options{
		Purpose: challenge.NewEmail, Email: verified.NewEmail, UserID: c.Session.UserID, OldEmail: verified.Email, Signed: verified.Signed,
	})
	if err != nil {
		return nil, call.Explain(err)
	}
	return &walletv1.VerifyOldEmailResponse{ChallengeId: started.ID}, nil
}

// verifyOwn verifies the code of a challenge of the caller's user.
func (s *Server) verifyOwn(ctx context.Context, id, code string, purpose challenge.Purpose) (call.Call, *challenge.Challenge, error) {
	c, err := s.calls.SignedIn(ctx)
	if err != nil {
		return call.Call{}, nil, err
	}
	verified, err := s.challenges.Verify(ctx, id, c.Project, c.Key, code, purpose)
	if err == nil && verified.UserID != c.Session.UserID {
		err = challenge.ErrEnded
	}
	return c, verified, err
}

// VerifyNewEmail verifies the code of the new email, and changes the email.
func (s *Server) VerifyNewEmail(ctx context.Context, r *walletv1.VerifyNewEmailRequest) (*walletv1.VerifyNewEmailResponse, error) {
	c, verified, err := s.verifyOwn(ctx, r.GetChallengeId(), r.GetCode(), challenge.NewEmail)
	if err != nil {
		return nil, call.Explain(err)
	}
	before, err := s.users.Find(ctx, c.Session.UserID)
	if err != nil {
		return nil, call.Explain(err)
	}
	changed, err := s.users.ChangeEmail(ctx, before.ID, verified.Email, user.Proof{OldEmail: verified.OldEmail, Signed: verified.Signed})
	if errors.Is(err, user.ErrChanged) {
		return nil, call.Explain(challenge.ErrEnded)
	}
	if errors.Is(err, user.ErrTaken) {
		return nil, fault.New(codes.AlreadyExists, faultv1.Reason_REASON_EMAIL_TAKEN, "", "Another user has this email")
	}
	if err != nil {
		return nil, call.Explain(err)
	}
	s.tellOfEmail(ctx, before, changed)
	return &walletv1.VerifyNewEmailResponse{NewEmail: verified.Email, StartsAt: unixOrZero(changed.Starts)}, s.removals.Copy(ctx, s.clock.Now())
}

// tellOfEmail informs the emails that a user had before a change.
func (s *Server) tellOfEmail(ctx context.Context, before *user.User, changed user.Identity) {
	if previous := before.Email(); previous != "" && previous != changed.Subject {
		if err := s.mails.Send(ctx, mail.EmailChanged, previous, mail.Data{NewEmail: changed.Subject}); err != nil {
			s.log.WarnContext(ctx, "the previous email is not informed of its change", "error", err)
		}
	}
	kind := notice.EmailChanged
	if !changed.Starts.IsZero() {
		kind = notice.EmailWaits
	}
	others := slices.DeleteFunc(before.Emails(), func(email string) bool { return email == before.Email() })
	s.tellEmails(ctx, before, others, kind, user.Email, changed.Subject)
}

// SetPreferredAccount stores the preferred account.
func (s *Server) SetPreferredAccount(ctx context.Context, r *walletv1.SetPreferredAccountRequest) (*walletv1.SetPreferredAccountResponse, error) {
	c, err := s.calls.SignedIn(ctx)
	if err != nil {
		return nil, err
	}
	return &walletv1.SetPreferredAccountResponse{}, s.users.SetAccount(ctx, c.Session.UserID, int32(r.GetType()))
}

// RecordRecoveryKit stores that a recovery kit was saved.
func (s *Server) RecordRecoveryKit(ctx context.Context, _ *walletv1.RecordRecoveryKitRequest) (*walletv1.RecordRecoveryKitResponse, error) {
	c, err := s.calls.SignedIn(ctx)
	if err != nil {
		return nil, err
	}
	return &walletv1.RecordRecoveryKitResponse{}, s.users.RecordKit(ctx, c.Session.UserID)
}

// LinkSocial adds the account of a finished login to the user.
func (s *Server) LinkSocial(ctx context.Context, r *walletv1.LinkSocialRequest) (*walletv1.LinkSocialResponse, error) {
	c, err := s.calls.SignedIn(ctx)
	if err != nil {
		return nil, err
	}
	signed, err := s.Authorize(ctx, c, linkSocial, r.GetHandle(), r.GetProof())
	if err != nil {
		return nil, err
	}
	proven, err := s.logins.Redeem(ctx, c, r.GetHandle())
	if err != nil {
		return nil, call.Explain(err)
	}
	linked, err := s.users.Link(ctx, c.Session.UserID, proven, signed)
	switch {
	case errors.Is(err, user.ErrTaken):
		return nil, fault.New(codes.AlreadyExists, faultv1.Reason_REASON_IDENTITY_TAKEN, "", "Another user has this account")
	case errors.Is(err, user.ErrOften):
		return nil, tooOften()
	case err != nil:
		return nil, call.Explain(err)
	}
	u, err := s.users.Find(ctx, c.Session.UserID)
	if err != nil {
		return nil, call.Explain(err)
	}
	kind := notice.IdentityAdded
	if !linked.Starts.IsZero() {
		kind = notice.IdentityWaits
	}
	s.Tell(ctx, u, kind, linked.Provider, "")
	return &walletv1.LinkSocialResponse{Identity: identityProto(linked)}, nil
}

// UnlinkIdentity removes an identity.
func (s *Server) UnlinkIdentity(ctx context.Context, r *walletv1.UnlinkIdentityRequest) (*walletv1.UnlinkIdentityResponse, error) {
	c, err := s.calls.SignedIn(ctx)
	if err != nil {
		return nil, err
	}
	u, err := s.users.Find(ctx, c.Session.UserID)
	if err != nil {
		return nil, call.Explain(err)
	}
	atOnce, err := s.authorizeUnlink(ctx, c, u, r)
	if err != nil {
		return nil, err
	}
	kind, err := s.users.Unlink(ctx, u.ID, r.GetProvider(), r.GetSubject(), atOnce)
	switch {
	case errors.Is(err, user.ErrLast):
		return nil, fault.New(codes.FailedPrecondition, faultv1.Reason_REASON_IDENTITY_LAST, "", "The last way to sign in cannot be removed")
	case errors.Is(err, user.ErrNone):
		return nil, noIdentity()
	case errors.Is(err, user.ErrOften):
		return nil, tooOften()
	case err != nil:
		return nil, err
	}
	s.Tell(ctx, u, kind, r.GetProvider(), "")
	return &walletv1.UnlinkIdentityResponse{}, s.removals.Copy(ctx, s.clock.Now())
}

// authorizeUnlink authorizes the removal of an identity, and reports whether it is made at once. One that does not
// sign in yet can be removed by every device of the user.
func (s *Server) authorizeUnlink(ctx context.Context, c call.Call, u *user.User, r *walletv1.UnlinkIdentityRequest) (atOnce bool, err error) {
	waits := slices.ContainsFunc(u.Identities, func(i user.Identity) bool {
		return i.Provider == r.GetProvider() && i.Subject == r.GetSubject() && !i.Starts.IsZero()
	})
	if waits && r.GetProof() == nil {
		return true, nil
	}
	return s.Authorize(ctx, c, unlinkIdentity, r.GetProvider()+" "+r.GetSubject(), r.GetProof())
}

func noIdentity() error {
	return fault.New(codes.NotFound, faultv1.Reason_REASON_PARAMETER_INVALID, "subject", "The user has no such identity")
}

func tooOften() error {
	return fault.New(codes.ResourceExhausted, faultv1.Reason_REASON_RATE_LIMITED, "", "There were too many changes by a login alone. Open your wallet, or try again later")
}

// KeepIdentity cancels the removal of an identity.
func (s *Server) KeepIdentity(ctx context.Context, r *walletv1.KeepIdentityRequest) (*walletv1.KeepIdentityResponse, error) {
	c, err := s.calls.SignedIn(ctx)
	if err != nil {
		return nil, err
	}
	signed, err := s.Authorize(ctx, c, keepIdentity, r.GetProvider()+" "+r.GetSubject(), r.GetProof())
	if err != nil {
		return nil, err
	}
	u, err := s.users.Find(ctx, c.Session.UserID)
	if err != nil {
		return nil, call.Explain(err)
	}
	err = s.users.Keep(ctx, u.ID, r.GetProvider(), r.GetSubject(), signed)
	switch {
	case errors.Is(err, user.ErrNone):
		return nil, noIdentity()
	case errors.Is(err, user.ErrSigned):
		return nil, fault.New(codes.FailedPrecondition, faultv1.Reason_REASON_LOGIN_STALE, "proof", "The wallet signed this change: open the wallet to undo it")
	case err != nil:
		return nil, err
	}
	s.Tell(ctx, u, notice.IdentityKept, r.GetProvider(), "")
	return &walletv1.KeepIdentityResponse{}, s.removals.Copy(ctx, s.clock.Now())
}

// DeleteUser deletes the user. A login alone does not delete a wallet.
func (s *Server) DeleteUser(ctx context.Context, r *walletv1.DeleteUserRequest) (*walletv1.DeleteUserResponse, error) {
	c, err := s.calls.SignedIn(ctx)
	if err != nil {
		return nil, err
	}
	if err := s.authorizeByWallet(ctx, c, deleteUser, "", r.GetProof()); err != nil {
		return nil, err
	}
	u, err := s.users.Find(ctx, c.Session.UserID)
	if err != nil {
		return nil, call.Explain(err)
	}
	if err := s.users.Delete(ctx, u.ID); err != nil {
		return nil, err
	}
	s.Tell(ctx, u, notice.Deleted, "", "")
	return &walletv1.DeleteUserResponse{}, s.removals.Copy(ctx, s.clock.Now())
}

// Describe returns what is stored of a user, without sessions and secrets. It fails with [user.ErrNone].
func (s *Server) Describe(ctx context.Context, id string) (*walletv1.DescribeUserResponse, error) {
	u, err := s.users.Find(ctx, id)
	if err != nil {
		return nil, err
	}
	res := &walletv1.DescribeUserResponse{
		User:          &walletv1.FoundUser{Id: u.ID, ProjectId: u.Project, Email: u.Email(), CreatedAt: u.CreatedAt.Unix()},
		RecoveryKitAt: unixOrZero(u.KitAt), PreferredAccount: walletv1.AccountType(u.Account),
	}
	for _, i := range u.Identities {
		res.Identities = append(res.Identities, identityProto(i))
	}
	changes, err := s.users.Changes(ctx, id)
	if err != nil {
		return nil, err
	}
	for _, change := range changes {
		res.Changes = append(res.Changes, changeProto(change))
	}
	wallet, err := s.wallets.Find(ctx, id)
	if errors.Is(err, factor.ErrNoWallet) {
		return res, nil
	}
	if err != nil {
		return nil, err
	}
	factors, err := s.wallets.List(ctx, id)
	if err != nil {
		return nil, err
	}
	res.WalletId, res.HasBackupFactor = wallet.ID, hasBackup(factors)
	for _, a := range wallet.Accounts {
		res.Accounts = append(res.Accounts, &walletv1.Account{Namespace: a.Namespace, Address: a.Address, Kind: a.Kind})
	}
	for _, f := range factors {
		res.Factors = append(res.Factors, &walletv1.Factor{Id: f.ID, Kind: kindProto(f.Kind), Label: f.Label, CreatedAt: f.CreatedAt.Unix(), UsedAt: unixOrZero(f.UsedAt)})
	}
	return res, nil
}

// OwnersOf returns the ids of the users whose wallets have an address, at most limit.
func (s *Server) OwnersOf(ctx context.Context, address string, limit int) ([]string, error) {
	return s.wallets.OwnersOf(ctx, address, limit)
}

func identityProto(i user.Identity) *walletv1.Identity {
	return &walletv1.Identity{Provider: i.Provider, Subject: i.Subject, Name: i.Name, CreatedAt: i.CreatedAt.Unix(), EndsAt: unixOrZero(i.Ends), StartsAt: unixOrZero(i.Starts)}
}

// unixOrZero returns a time in Unix seconds; 0 for the zero time.
func unixOrZero(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.Unix()
}
