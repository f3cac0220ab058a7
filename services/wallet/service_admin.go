package wallet

import (
	"context"
	"errors"

	"google.golang.org/grpc/codes"

	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	walletv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/wallet/v1"
	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/fault"
	"github.com/hawser-dev/hawser/services/wallet/account"
	"github.com/hawser-dev/hawser/services/wallet/notice"
	"github.com/hawser-dev/hawser/services/wallet/removal"
	"github.com/hawser-dev/hawser/services/wallet/session"
	"github.com/hawser-dev/hawser/services/wallet/user"
)

// maxFound is how many users a search returns.
const maxFound = 100

// adminServer implements UserAdminService, for the operator's console.
type adminServer struct {
	walletv1.UnimplementedUserAdminServiceServer

	users    *user.Users
	sessions *session.Sessions
	accounts *account.Server
	removals *removal.List
	clock    clock.Clock
}

// FindUsers returns the users with an email, an address or an id.
func (s adminServer) FindUsers(ctx context.Context, r *walletv1.FindUsersRequest) (*walletv1.FindUsersResponse, error) {
	ids, err := s.find(ctx, r)
	if err != nil {
		return nil, err
	}
	res := &walletv1.FindUsersResponse{}
	for _, id := range ids {
		found, err := s.users.Find(ctx, id)
		if errors.Is(err, user.ErrNone) {
			continue
		}
		if err != nil {
			return nil, err
		}
		res.Users = append(res.Users, &walletv1.FoundUser{Id: found.ID, ProjectId: found.Project, Email: found.Email(), CreatedAt: found.CreatedAt.Unix()})
	}
	return res, nil
}

// find returns the ids of the users that a request looks for. There may be none of them any more.
func (s adminServer) find(ctx context.Context, r *walletv1.FindUsersRequest) ([]string, error) {
	switch by := r.GetBy().(type) {
	case *walletv1.FindUsersRequest_Email:
		email, err := user.ParseEmail(by.Email)
		if err != nil {
			return nil, fault.New(codes.InvalidArgument, faultv1.Reason_REASON_EMAIL_INVALID, "email", "The email address is not valid")
		}
		return s.users.WithEmail(ctx, email, maxFound)
	case *walletv1.FindUsersRequest_Address:
		return s.accounts.OwnersOf(ctx, by.Address, maxFound)
	default:
		return []string{r.GetId()}, nil
	}
}

// DescribeUser returns what is stored of a user.
func (s adminServer) DescribeUser(ctx context.Context, r *walletv1.DescribeUserRequest) (*walletv1.DescribeUserResponse, error) {
	res, err := s.accounts.Describe(ctx, r.GetId())
	if err != nil {
		return nil, explainUser(err)
	}
	open, err := s.sessions.List(ctx, r.GetId())
	if err != nil {
		return nil, err
	}
	for _, o := range open {
		res.Sessions = append(res.Sessions, &walletv1.WalletSession{
			Id: o.ID, Browser: o.Browser, System: o.System, Site: o.Site, CreatedAt: o.CreatedAt.Unix(), UsedAt: o.UsedAt.Unix(),
		})
	}
	return res, nil
}

// SignOutUser ends every session of a user.
func (s adminServer) SignOutUser(ctx context.Context, r *walletv1.SignOutUserRequest) (*walletv1.SignOutUserResponse, error) {
	found, err := s.users.Find(ctx, r.GetId())
	if err != nil {
		return nil, explainUser(err)
	}
	open, err := s.sessions.List(ctx, found.ID)
	if err != nil {
		return nil, err
	}
	if err := s.sessions.EndAll(ctx, found.ID); err != nil {
		return nil, err
	}
	s.accounts.Tell(ctx, found, notice.SignedOut, "", "")
	return &walletv1.SignOutUserResponse{Ended: uint32(len(open))}, s.removals.Copy(ctx, s.clock.Now())
}

// RemoveUser deletes a user.
func (s adminServer) RemoveUser(ctx context.Context, r *walletv1.RemoveUserRequest) (*walletv1.RemoveUserResponse, error) {
	found, err := s.users.Find(ctx, r.GetId())
	if err != nil {
		return nil, explainUser(err)
	}
	if found.CreatedAt.Unix() != r.GetCreatedAt() {
		return nil, fault.New(codes.FailedPrecondition, faultv1.Reason_REASON_USER_CHANGED, "createdAt", "The user was created at another time")
	}
	if err := s.users.Delete(ctx, found.ID); err != nil {
		return nil, err
	}
	s.accounts.Tell(ctx, found, notice.Deleted, "", "")
	return &walletv1.RemoveUserResponse{}, s.removals.Copy(ctx, s.clock.Now())
}

// explainUser converts the error of an unknown user to the fault for the caller.
func explainUser(err error) error {
	if errors.Is(err, user.ErrNone) {
		return fault.New(codes.NotFound, faultv1.Reason_REASON_USER_UNKNOWN, "id", "There is no such user")
	}
	return err
}
