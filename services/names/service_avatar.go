package names

import (
	"context"

	"google.golang.org/genproto/googleapis/api/httpbody"
	"google.golang.org/grpc/codes"

	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	namesv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/names/v1"
	nftsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/nfts/v1"
	"github.com/hawser-dev/hawser/services/onchain/request"
	"github.com/hawser-dev/hawser/services/platform/cachecontrol"
	"github.com/hawser-dev/hawser/services/platform/fault"
)

// GetAvatar returns the picture of an account.
func (s *server) GetAvatar(ctx context.Context, r *namesv1.GetAvatarRequest) (*httpbody.HttpBody, error) {
	account, err := request.Address("address", r.GetAddress())
	if err != nil {
		return nil, err
	}
	primary, records, err := s.namesOf(ctx, account)
	if err != nil {
		return nil, explain(err)
	}
	avatar := avatarOf(primary.Primary, records)
	if avatar == "" {
		return nil, noPicture()
	}
	picture, err := s.pictures.ShowPicture(ctx, &nftsv1.ShowPictureRequest{Uri: avatar, Owner: account.String()})
	switch {
	case err == nil:
		if v := r.GetV(); primary.Whole && (v == "" || v == versionOf(avatar)) {
			cachecontrol.Set(ctx, cachecontrol.Policy{MaxAge: identityLifetime})
		}
		return &httpbody.HttpBody{ContentType: picture.GetMediaType(), Data: picture.GetData()}, nil
	case fault.From(err).Reason == faultv1.Reason_REASON_MEDIA_UNAVAILABLE:
		return nil, noPicture().Because(err)
	default:
		return nil, fault.From(err)
	}
}

func noPicture() *fault.Error {
	return fault.New(codes.NotFound, faultv1.Reason_REASON_MEDIA_UNAVAILABLE, "address", "There is no such picture")
}
