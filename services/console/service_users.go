package console

import (
	"context"
	"encoding/json"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/encoding/protojson"

	adminv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/admin/v1"
	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	walletv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/wallet/v1"
	"github.com/hawser-dev/hawser/services/platform/fault"
)

// maxExport bounds the document of a user, in bytes.
const maxExport = 4 << 20

// userServer implements UserService. Nothing that it records has an email.
type userServer struct {
	adminv1.UnimplementedUserServiceServer
	*server
}

// FindUsers returns the users with an email, an address or an id.
func (s userServer) FindUsers(ctx context.Context, r *adminv1.FindUsersRequest) (*adminv1.FindUsersResponse, error) {
	find, by := &walletv1.FindUsersRequest{}, "id"
	switch wanted := r.GetBy().(type) {
	case *adminv1.FindUsersRequest_Email:
		find.By, by = &walletv1.FindUsersRequest_Email{Email: wanted.Email}, "email"
	case *adminv1.FindUsersRequest_Address:
		find.By, by = &walletv1.FindUsersRequest_Address{Address: wanted.Address}, "address"
	default:
		find.By = &walletv1.FindUsersRequest_Id{Id: r.GetId()}
	}
	found, err := s.deps.Users.FindUsers(ctx, find)
	if err != nil {
		return nil, err
	}
	res := &adminv1.FindUsersResponse{}
	ids := []string{}
	for _, u := range found.GetUsers() {
		ids = append(ids, u.GetId())
		res.Users = append(res.Users, &adminv1.UserSummary{Id: u.GetId(), ProjectId: u.GetProjectId(), Email: u.GetEmail(), CreatedAt: u.GetCreatedAt()})
	}
	if len(ids) == 1 {
		callOf(ctx).about("user " + ids[0])
	}
	callOf(ctx).changed(nil, map[string]any{"by": by, "found": ids})
	return res, nil
}

// GetUser returns what is stored of a user.
func (s userServer) GetUser(ctx context.Context, r *adminv1.GetUserRequest) (*adminv1.GetUserResponse, error) {
	found, err := s.deps.Users.DescribeUser(ctx, &walletv1.DescribeUserRequest{Id: r.GetId()})
	if err != nil {
		return nil, err
	}
	return &adminv1.GetUserResponse{User: userProto(found)}, nil
}

func userProto(u *walletv1.DescribeUserResponse) *adminv1.AdminUser {
	out := &adminv1.AdminUser{
		Id: u.GetUser().GetId(), ProjectId: u.GetUser().GetProjectId(), Email: u.GetUser().GetEmail(), CreatedAt: u.GetUser().GetCreatedAt(),
		Identities: u.GetIdentities(), WalletId: u.GetWalletId(), Accounts: u.GetAccounts(), Sessions: u.GetSessions(), Changes: u.GetChanges(),
		RecoveryKitAt: u.GetRecoveryKitAt(), HasBackupFactor: u.GetHasBackupFactor(),
	}
	for _, f := range u.GetFactors() {
		out.Factors = append(out.Factors, &adminv1.UserFactor{Id: f.GetId(), Kind: f.GetKind(), Label: f.GetLabel(), CreatedAt: f.GetCreatedAt(), UsedAt: f.GetUsedAt()})
	}
	return out
}

// SignOutUser ends every session of a user.
func (s userServer) SignOutUser(ctx context.Context, r *adminv1.SignOutUserRequest) (*adminv1.SignOutUserResponse, error) {
	ended, err := s.deps.Users.SignOutUser(ctx, &walletv1.SignOutUserRequest{Id: r.GetId()})
	if err != nil {
		return nil, err
	}
	callOf(ctx).changed(map[string]any{"sessions": ended.GetEnded()}, map[string]any{"sessions": 0})
	return &adminv1.SignOutUserResponse{Ended: ended.GetEnded()}, nil
}

// ExportUser returns the personal data of a user as a document.
func (s userServer) ExportUser(ctx context.Context, r *adminv1.ExportUserRequest) (*adminv1.ExportUserResponse, error) {
	found, err := s.deps.Users.DescribeUser(ctx, &walletv1.DescribeUserRequest{Id: r.GetId()})
	if err != nil {
		return nil, err
	}
	document, err := exportOf(found, s.deps.Clock.Now())
	if err != nil {
		return nil, err
	}
	if len(document) > maxExport {
		return nil, fault.New(codes.ResourceExhausted, faultv1.Reason_REASON_BODY_TOO_LARGE, "", "The document is over %d bytes", maxExport)
	}
	return &adminv1.ExportUserResponse{Json: string(document), FileName: "hawser-user-" + r.GetId() + ".json"}, nil
}

// exportOf returns the document of a user: what is stored, with the times as people read them, and what is stored that nobody but the user can read.
func exportOf(u *walletv1.DescribeUserResponse, now time.Time) ([]byte, error) {
	raw, err := protojson.MarshalOptions{EmitUnpopulated: true}.Marshal(u)
	if err != nil {
		return nil, err
	}
	return json.MarshalIndent(struct {
		About      string          `json:"about"`
		ExportedAt string          `json:"exportedAt"`
		Times      string          `json:"times"`
		NotHere    []string        `json:"notHere"`
		Data       json.RawMessage `json:"data"`
	}{
		About: "What the embedded wallet of this installation stores of one user.", ExportedAt: now.UTC().Format(time.RFC3339), Times: "Unix seconds, UTC",
		NotHere: []string{
			"The wallet and its contacts, which are encrypted with a key that the installation does not have alone.",
			"The server's halves of the keys, which are sealed and of use only together with a device, a passkey or a password of the user.",
			"What is public on the networks of the accounts.",
		},
		Data: raw,
	}, "", "  ")
}

// DeleteUser deletes a user.
func (s userServer) DeleteUser(ctx context.Context, r *adminv1.DeleteUserRequest) (*adminv1.DeleteUserResponse, error) {
	if _, err := s.deps.Users.RemoveUser(ctx, &walletv1.RemoveUserRequest{Id: r.GetId(), CreatedAt: r.GetCreatedAt()}); err != nil {
		return nil, err
	}
	callOf(ctx).changed(map[string]any{"id": r.GetId(), "createdAt": r.GetCreatedAt()}, nil)
	return &adminv1.DeleteUserResponse{}, nil
}
