package account

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/ethereum/go-ethereum/common/hexutil"

	walletv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/wallet/v1"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/wallet/call"
	"github.com/hawser-dev/hawser/services/wallet/factor"
	"github.com/hawser-dev/hawser/services/wallet/notice"
	"github.com/hawser-dev/hawser/services/wallet/user"
)

// maxAhead is how far in the future the deadline of a change may be.
const maxAhead = 5 * time.Minute

// maxTold is how many changes of each of the noisy kinds are mailed to a user in an hour.
const maxTold = 3

// noisy are the kinds of changes that who is signed in can repeat without end, and which alone give nobody access.
var noisy = []notice.Kind{notice.EmailStarted, notice.PasswordGuessed, notice.SignedOut}

// The calls that need a proof that is minutes old.
const (
	startEmailChange = "StartEmailChange"
	linkSocial       = "LinkSocial"
	unlinkIdentity   = "UnlinkIdentity"
	keepIdentity     = "KeepIdentity"
	removeFactor     = "RemoveFactor"
	deleteUser       = "DeleteUser"
	// RevokeAll is the name of SessionService.RevokeAllSessions.
	RevokeAll = "RevokeAllSessions"
)

// Authorize verifies that a change is the act of the call's user: by the signature of the opened wallet, or by a login of
// the last minutes. It reports whether the wallet signed. Its error is a fault.
func (s *Server) Authorize(ctx context.Context, c call.Call, of, subject string, proof *walletv1.ChangeProof) (bySignature bool, err error) {
	if proof != nil {
		return true, call.Explain(s.verifyChange(ctx, c, Change{Call: of, Subject: subject, Deadline: proof.GetDeadline()}, proof.GetSignature()))
	}
	if !c.Session.IsFresh(s.clock.Now()) {
		return false, call.Explain(call.ErrStale)
	}
	return false, nil
}

// verifyChange verifies the signature of the key of the wallet's address, which proves the address for this change also in
// a wallet of an earlier release. It fails with [factor.ErrUnproven], and with [call.ErrStale] if the deadline has passed.
func (s *Server) verifyChange(ctx context.Context, c call.Call, change Change, signature string) error {
	now := s.clock.Now()
	deadline := time.Unix(change.Deadline, 0)
	if !deadline.After(now) {
		return call.ErrStale
	}
	raw, err := hexutil.Decode(signature)
	if err != nil || deadline.After(now.Add(maxAhead)) {
		return factor.ErrUnproven
	}
	wallet, err := s.wallets.Find(ctx, c.Session.UserID)
	if err != nil {
		return err
	}
	for _, a := range wallet.Accounts {
		if a.Namespace != "eip155" {
			continue
		}
		address, err := evm.ParseAddress(a.Address)
		if err == nil && signed(change.Hash(s.origin, c.Session.UserID, address), raw, address) {
			return nil
		}
	}
	return factor.ErrUnproven
}

// Tell informs every email of a user of a change.
func (s *Server) Tell(ctx context.Context, of *user.User, kind notice.Kind, provider, newEmail string) {
	s.tellEmails(ctx, of, of.Emails(), kind, provider, newEmail)
}

// tellEmails informs some emails of a user of a change. It logs a mail that is not sent: the change is made, and listed for
// the user's devices. Of a noisy kind, it mails the first ones of an hour only.
func (s *Server) tellEmails(ctx context.Context, of *user.User, emails []string, kind notice.Kind, provider, newEmail string) {
	var err error
	if slices.Contains(noisy, kind) {
		var made int
		if made, err = s.users.CountChanges(ctx, of.ID, kind); made > maxTold {
			return
		}
	}
	if err := errors.Join(err, s.mails.Tell(ctx, of.Project, emails, kind, provider, newEmail)); err != nil {
		s.log.WarnContext(ctx, "an email of the user is not informed of a change", "change", string(kind), "error", err)
	}
}

// TellUser is [Server.Tell] by the id of the user.
func (s *Server) TellUser(ctx context.Context, id string, kind notice.Kind) error {
	found, err := s.users.Find(ctx, id)
	if errors.Is(err, user.ErrNone) {
		return nil
	}
	if err == nil {
		s.Tell(ctx, found, kind, "", "")
	}
	return err
}

// StartIdentities makes identities sign in whose day is over, and informs their users.
func (s *Server) StartIdentities(ctx context.Context) error {
	started, err := s.users.Start(ctx)
	for _, i := range started {
		found, failed := s.users.Find(ctx, i.UserID)
		if failed != nil {
			err = errors.Join(err, failed)
			continue
		}
		if i.Provider == user.Email {
			s.Tell(ctx, found, notice.EmailChanged, user.Email, i.Subject)
		} else {
			s.Tell(ctx, found, notice.IdentityAdded, i.Provider, "")
		}
	}
	return err
}

// EndIdentities deletes the identities whose day is over, and informs their users: of an email, that email itself.
func (s *Server) EndIdentities(ctx context.Context) error {
	ended, err := s.users.DeleteEnded(ctx)
	for _, i := range ended {
		found, failed := s.users.Find(ctx, i.UserID)
		if failed != nil {
			err = errors.Join(err, failed)
			continue
		}
		to := found.Emails()
		if i.Provider == user.Email {
			to = []string{i.Subject}
		}
		s.tellEmails(ctx, found, to, notice.IdentityRemoved, i.Provider, "")
	}
	return err
}

// changeKinds are the kinds of changes in the proto.
var changeKinds = map[notice.Kind]walletv1.ChangeKind{
	notice.EmailStarted:    walletv1.ChangeKind_CHANGE_KIND_EMAIL_STARTED,
	notice.EmailWaits:      walletv1.ChangeKind_CHANGE_KIND_EMAIL_WAITS,
	notice.EmailChanged:    walletv1.ChangeKind_CHANGE_KIND_EMAIL_CHANGED,
	notice.IdentityWaits:   walletv1.ChangeKind_CHANGE_KIND_IDENTITY_ADDED,
	notice.IdentityAdded:   walletv1.ChangeKind_CHANGE_KIND_IDENTITY_ADDED,
	notice.IdentityEnds:    walletv1.ChangeKind_CHANGE_KIND_IDENTITY_ENDS,
	notice.IdentityRemoved: walletv1.ChangeKind_CHANGE_KIND_IDENTITY_REMOVED,
	notice.IdentityKept:    walletv1.ChangeKind_CHANGE_KIND_IDENTITY_KEPT,
	notice.FactorAdded:     walletv1.ChangeKind_CHANGE_KIND_FACTOR_ADDED,
	notice.SessionEnded:    walletv1.ChangeKind_CHANGE_KIND_SESSION_ENDED,
	notice.FactorRemoved:   walletv1.ChangeKind_CHANGE_KIND_FACTOR_REMOVED,
	notice.SignedOut:       walletv1.ChangeKind_CHANGE_KIND_SIGNED_OUT,
	notice.PasswordGuessed: walletv1.ChangeKind_CHANGE_KIND_PASSWORD_GUESSED,
}

func changeProto(c notice.Change) *walletv1.AccountChange {
	return &walletv1.AccountChange{Kind: changeKinds[c.Kind], Provider: c.Provider, At: c.At.Unix()}
}
