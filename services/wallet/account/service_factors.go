package account

import (
	"context"
	"encoding/base64"
	"errors"
	"slices"

	"google.golang.org/grpc/codes"

	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	walletv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/wallet/v1"
	"github.com/hawser-dev/hawser/services/platform/fault"
	"github.com/hawser-dev/hawser/services/wallet/call"
	"github.com/hawser-dev/hawser/services/wallet/factor"
	"github.com/hawser-dev/hawser/services/wallet/notice"
)

// addFactor is the name of the call that adds a factor.
const addFactor = "AddFactor"

// checkSize is the length of the check of a password, in bytes.
const checkSize = 32

// kinds are the kinds of factors in the proto.
var kinds = map[walletv1.FactorKind]factor.Kind{
	walletv1.FactorKind_FACTOR_KIND_DEVICE:   factor.Device,
	walletv1.FactorKind_FACTOR_KIND_PASSKEY:  factor.Passkey,
	walletv1.FactorKind_FACTOR_KIND_PASSWORD: factor.Password,
	walletv1.FactorKind_FACTOR_KIND_LOGIN:    factor.Login,
}

func kindProto(k factor.Kind) walletv1.FactorKind {
	for kind, name := range kinds {
		if name == k {
			return kind
		}
	}
	return walletv1.FactorKind_FACTOR_KIND_UNSPECIFIED
}

// CreateWallet stores the wallet of a user.
func (s *Server) CreateWallet(ctx context.Context, r *walletv1.CreateWalletRequest) (*walletv1.CreateWalletResponse, error) {
	c, err := s.calls.SignedIn(ctx)
	if err != nil {
		return nil, err
	}
	created := factor.Wallet{ID: r.GetWalletId(), Version: r.GetVersion(), Blob: r.GetBlob()}
	for _, a := range r.GetAccounts() {
		created.Accounts = append(created.Accounts, factor.Account{Namespace: a.GetNamespace(), Address: a.GetAddress(), Kind: a.GetKind()})
	}
	if err := proveOwner(created.Accounts, s.origin, c.Session.UserID, r.GetOwnerProof()); err != nil {
		return nil, call.Explain(err)
	}
	var factors []factor.New
	for _, f := range r.GetFactors() {
		read, err := s.newFactor(f)
		if err != nil {
			return nil, err
		}
		factors = append(factors, read)
	}
	if err := s.wallets.Create(ctx, c.Owner(), created, factors); err != nil {
		return nil, call.Explain(err)
	}
	return &walletv1.CreateWalletResponse{}, nil
}

// newFactor reads a factor.
func (s *Server) newFactor(f *walletv1.NewFactor) (factor.New, error) {
	kind, known := kinds[f.GetKind()]
	hasRecord, isPassword, check := kind != factor.Device, kind == factor.Password, 0
	if isPassword {
		check = checkSize
	}
	if !known || hasRecord != (len(f.GetRecord()) > 0) || isPassword != (len(f.GetParameters()) > 0) || len(f.GetCheck()) != check ||
		kind == factor.Login && !s.recoveryByLogin {
		return factor.New{}, fault.New(codes.InvalidArgument, faultv1.Reason_REASON_PARAMETER_INVALID, "kind", "This installation does not accept such a factor")
	}
	return factor.New{
		ID: f.GetId(), Kind: kind, Label: f.GetLabel(), Half: f.GetServerHalf(), Record: f.GetRecord(), Parameters: f.GetParameters(), Check: f.GetCheck(),
	}, nil
}

// GetSealedWallet releases the half of a factor.
func (s *Server) GetSealedWallet(ctx context.Context, r *walletv1.GetSealedWalletRequest) (*walletv1.GetSealedWalletResponse, error) {
	c, err := s.calls.SignedIn(ctx)
	if err != nil {
		return nil, err
	}
	opened, isLast, err := s.wallets.Open(ctx, c.Owner(), r.GetFactorId(), r.GetCheck())
	if isLast {
		err = errors.Join(err, s.TellUser(ctx, c.Session.UserID, notice.PasswordGuessed))
	}
	if err != nil {
		return nil, call.Explain(err)
	}
	return &walletv1.GetSealedWalletResponse{
		WalletId: opened.Wallet.ID, Version: opened.Wallet.Version, Blob: opened.Wallet.Blob,
		ServerHalf: opened.Half, Record: opened.Record, Kind: kindProto(opened.Factor.Kind), UserId: c.Session.UserID,
	}, nil
}

// authorizeByWallet verifies that the opened wallet signed a change, because a stolen login could otherwise lock the owner out.
// A user without a wallet needs what [Server.Authorize] verifies. Its error is a fault.
func (s *Server) authorizeByWallet(ctx context.Context, c call.Call, of, subject string, proof *walletv1.ChangeProof) error {
	if proof == nil {
		_, err := s.wallets.Find(ctx, c.Session.UserID)
		if err == nil {
			return call.Explain(call.ErrLocked)
		}
		if !errors.Is(err, factor.ErrNoWallet) {
			return err
		}
	}
	_, err := s.Authorize(ctx, c, of, subject, proof)
	return err
}

// AddFactor adds a factor.
func (s *Server) AddFactor(ctx context.Context, r *walletv1.AddFactorRequest) (*walletv1.AddFactorResponse, error) {
	c, err := s.calls.SignedIn(ctx)
	if err != nil {
		return nil, err
	}
	added, err := s.newFactor(r.GetFactor())
	if err != nil {
		return nil, err
	}
	subject := added.ID
	if r.GetReplaces() != "" {
		subject += " " + r.GetReplaces()
	}
	if err := s.authorizeByWallet(ctx, c, addFactor, subject, r.GetProof()); err != nil {
		return nil, err
	}
	if err := s.wallets.Add(ctx, c.Owner(), added, r.GetReplaces()); err != nil {
		return nil, call.Explain(err)
	}
	if added.Kind != factor.Device {
		err = s.TellUser(ctx, c.Session.UserID, notice.FactorAdded)
	}
	if r.GetReplaces() != "" {
		err = errors.Join(err, s.TellUser(ctx, c.Session.UserID, notice.FactorRemoved), s.removals.Copy(ctx, s.clock.Now()))
	}
	return &walletv1.AddFactorResponse{}, err
}

// RemoveFactor deletes a factor.
func (s *Server) RemoveFactor(ctx context.Context, r *walletv1.RemoveFactorRequest) (*walletv1.RemoveFactorResponse, error) {
	c, err := s.calls.SignedIn(ctx)
	if err != nil {
		return nil, err
	}
	if err := s.authorizeByWallet(ctx, c, removeFactor, r.GetId(), r.GetProof()); err != nil {
		return nil, err
	}
	if err := s.wallets.Remove(ctx, c.Session.UserID, r.GetId()); err != nil {
		return nil, call.Explain(err)
	}
	if err := s.TellUser(ctx, c.Session.UserID, notice.FactorRemoved); err != nil {
		return nil, err
	}
	return &walletv1.RemoveFactorResponse{}, s.removals.Copy(ctx, s.clock.Now())
}

// ListFactors returns the factors.
func (s *Server) ListFactors(ctx context.Context, _ *walletv1.ListFactorsRequest) (*walletv1.ListFactorsResponse, error) {
	c, err := s.calls.SignedIn(ctx)
	if err != nil {
		return nil, err
	}
	found, err := s.wallets.List(ctx, c.Session.UserID)
	if err != nil {
		return nil, err
	}
	res := &walletv1.ListFactorsResponse{}
	for _, f := range found {
		record, err := f.RecordOf()
		if err != nil {
			return nil, err
		}
		parameters, err := base64.StdEncoding.DecodeString(f.Parameters)
		if err != nil {
			return nil, err
		}
		res.Factors = append(res.Factors, &walletv1.Factor{
			Id: f.ID, Kind: kindProto(f.Kind), Label: f.Label, Record: record, CreatedAt: f.CreatedAt.Unix(), UsedAt: unixOrZero(f.UsedAt),
			CurrentDevice: f.Device == c.Key, Parameters: parameters,
		})
	}
	return res, nil
}

// hasBackup reports whether a factor works on a new device.
func hasBackup(factors []*factor.Factor) bool {
	return slices.ContainsFunc(factors, func(f *factor.Factor) bool { return f.Kind != factor.Device })
}
