package wallet

import (
	"context"
	"errors"
	"time"

	"google.golang.org/grpc/codes"

	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	walletv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/wallet/v1"
	"github.com/hawser-dev/hawser/services/platform/fault"
	"github.com/hawser-dev/hawser/services/wallet/challenge"
	"github.com/hawser-dev/hawser/services/wallet/factor"
	"github.com/hawser-dev/hawser/services/wallet/mail"
	"github.com/hawser-dev/hawser/services/wallet/user"
)

// GetUser returns the user.
func (s *Server) GetUser(ctx context.Context, _ *walletv1.GetUserRequest) (*walletv1.GetUserResponse, error) {
	c, err := s.signedIn(ctx)
	if err != nil {
		return nil, err
	}
	u, err := s.users.Find(ctx, c.session.UserID)
	if err != nil {
		return nil, explain(err)
	}
	res := &walletv1.GetUserResponse{
		Id: u.ID, Email: u.Email(), UserName: u.Name(), PreferredAccount: walletv1.AccountType(u.Account), RecoveryKitAt: unixOrZero(u.KitAt),
		RecoveryByLogin: s.cfg.Recovery == recoveryByLogin,
	}
	for _, i := range u.Identities {
		res.Identities = append(res.Identities, identityProto(i))
	}
	return res, s.addWallet(ctx, c, res)
}

// addWallet adds the wallet of the user, if there is one.
func (s *Server) addWallet(ctx context.Context, c call, to *walletv1.GetUserResponse) error {
	wallet, err := s.wallets.Find(ctx, c.session.UserID)
	if errors.Is(err, factor.ErrNoWallet) {
		return nil
	}
	if err != nil {
		return err
	}
	factors, err := s.wallets.List(ctx, c.session.UserID)
	if err != nil {
		return err
	}
	to.WalletId, to.HasBackupFactor = wallet.ID, hasBackup(factors)
	for _, a := range wallet.Accounts {
		to.Accounts = append(to.Accounts, &walletv1.Account{Namespace: a.Namespace, Address: a.Address, Kind: a.Kind})
	}
	for _, f := range factors {
		if f.Device == c.key {
			to.DeviceFactorId = f.ID
		}
	}
	return nil
}

// StartEmailChange starts a change of the email.
func (s *Server) StartEmailChange(ctx context.Context, r *walletv1.StartEmailChangeRequest) (*walletv1.StartEmailChangeResponse, error) {
	c, err := s.signedIn(ctx)
	if err != nil {
		return nil, err
	}
	email, err := user.ParseEmail(r.GetEmail())
	if err != nil {
		return nil, explain(err)
	}
	u, err := s.users.Find(ctx, c.session.UserID)
	if err != nil {
		return nil, explain(err)
	}
	o := challenge.Options{Purpose: challenge.NewEmail, Email: email, UserID: u.ID}
	action := walletv1.EmailChangeAction_EMAIL_CHANGE_ACTION_VERIFY_NEW
	if old := u.Email(); old != "" {
		o = challenge.Options{Purpose: challenge.OldEmail, Email: old, UserID: u.ID, NewEmail: email}
		action = walletv1.EmailChangeAction_EMAIL_CHANGE_ACTION_VERIFY_OLD
	}
	started, err := s.challenges.Start(ctx, c.requester(c.session.Browser, c.session.System), o)
	if err != nil {
		return nil, explain(err)
	}
	return &walletv1.StartEmailChangeResponse{Action: action, ChallengeId: started.ID}, nil
}

// VerifyOldEmail verifies the code of the old email.
func (s *Server) VerifyOldEmail(ctx context.Context, r *walletv1.VerifyOldEmailRequest) (*walletv1.VerifyOldEmailResponse, error) {
	c, verified, err := s.verifyOwn(ctx, r.GetChallengeId(), r.GetCode(), challenge.OldEmail)
	if err != nil {
		return nil, explain(err)
	}
	started, err := s.challenges.Start(ctx, c.requester(c.session.Browser, c.session.System),
		challenge.Options{Purpose: challenge.NewEmail, Email: verified.NewEmail, UserID: c.session.UserID})
	if err != nil {
		return nil, explain(err)
	}
	return &walletv1.VerifyOldEmailResponse{ChallengeId: started.ID}, nil
}

// verifyOwn verifies the code of a challenge of the caller's user.
func (s *Server) verifyOwn(ctx context.Context, id, code string, purpose challenge.Purpose) (call, *challenge.Challenge, error) {
	c, err := s.signedIn(ctx)
	if err != nil {
		return call{}, nil, err
	}
	verified, err := s.challenges.Verify(ctx, id, c.Project, c.key, code, purpose)
	if err == nil && verified.UserID != c.session.UserID {
		err = challenge.ErrEnded
	}
	return c, verified, err
}

// VerifyNewEmail verifies the code of the new email, and changes the email.
func (s *Server) VerifyNewEmail(ctx context.Context, r *walletv1.VerifyNewEmailRequest) (*walletv1.VerifyNewEmailResponse, error) {
	c, verified, err := s.verifyOwn(ctx, r.GetChallengeId(), r.GetCode(), challenge.NewEmail)
	if err != nil {
		return nil, explain(err)
	}
	previous, err := s.users.ChangeEmail(ctx, c.session.UserID, verified.Email)
	if errors.Is(err, user.ErrTaken) {
		return nil, fault.New(codes.AlreadyExists, faultv1.Reason_REASON_EMAIL_TAKEN, "", "Another user has this email")
	}
	if err != nil {
		return nil, explain(err)
	}
	if previous != "" && previous != verified.Email {
		if err := s.send(ctx, mail.EmailChanged, previous, mail.Data{NewEmail: verified.Email}); err != nil {
			s.log.WarnContext(ctx, "the previous email is not informed of its change", "error", err)
		}
	}
	return &walletv1.VerifyNewEmailResponse{NewEmail: verified.Email}, nil
}

// SetPreferredAccount stores the preferred account.
func (s *Server) SetPreferredAccount(ctx context.Context, r *walletv1.SetPreferredAccountRequest) (*walletv1.SetPreferredAccountResponse, error) {
	c, err := s.signedIn(ctx)
	if err != nil {
		return nil, err
	}
	return &walletv1.SetPreferredAccountResponse{}, s.users.SetAccount(ctx, c.session.UserID, int32(r.GetType()))
}

// RecordRecoveryKit stores that a recovery kit was saved.
func (s *Server) RecordRecoveryKit(ctx context.Context, _ *walletv1.RecordRecoveryKitRequest) (*walletv1.RecordRecoveryKitResponse, error) {
	c, err := s.signedIn(ctx)
	if err != nil {
		return nil, err
	}
	return &walletv1.RecordRecoveryKitResponse{}, s.users.RecordKit(ctx, c.session.UserID)
}

// UnlinkIdentity removes a way to sign in.
func (s *Server) UnlinkIdentity(ctx context.Context, r *walletv1.UnlinkIdentityRequest) (*walletv1.UnlinkIdentityResponse, error) {
	c, err := s.signedIn(ctx)
	if err != nil {
		return nil, err
	}
	err = s.users.Unlink(ctx, c.session.UserID, r.GetProvider(), r.GetSubject())
	switch {
	case errors.Is(err, user.ErrLast):
		return nil, fault.New(codes.FailedPrecondition, faultv1.Reason_REASON_IDENTITY_LAST, "", "The last way to sign in cannot be removed")
	case errors.Is(err, user.ErrNone):
		return nil, fault.New(codes.NotFound, faultv1.Reason_REASON_PARAMETER_INVALID, "subject", "The user has no such identity")
	}
	return &walletv1.UnlinkIdentityResponse{}, err
}

// DeleteUser deletes the user.
func (s *Server) DeleteUser(ctx context.Context, _ *walletv1.DeleteUserRequest) (*walletv1.DeleteUserResponse, error) {
	c, err := s.signedIn(ctx)
	if err != nil {
		return nil, err
	}
	if !c.session.IsFresh(s.clock.Now()) {
		return nil, fault.New(codes.FailedPrecondition, faultv1.Reason_REASON_LOGIN_STALE, "", "Sign in again to delete the wallet")
	}
	if err := s.users.Delete(ctx, c.session.UserID); err != nil {
		return nil, err
	}
	return &walletv1.DeleteUserResponse{}, s.removed.add(c.session.UserID, "")
}

func identityProto(i user.Identity) *walletv1.Identity {
	return &walletv1.Identity{Provider: i.Provider, Subject: i.Subject, Name: i.Name, CreatedAt: i.CreatedAt.Unix(), EndsAt: unixOrZero(i.Ends)}
}

// unixOrZero returns a time in Unix seconds; 0 for the zero time.
func unixOrZero(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.Unix()
}
