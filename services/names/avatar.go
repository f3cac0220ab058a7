package names

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"strings"

	"google.golang.org/genproto/googleapis/api/httpbody"
	"google.golang.org/grpc/codes"

	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	namesv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/names/v1"
	nftsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/nfts/v1"
	"github.com/hawser-dev/hawser/services/apiparse"
	"github.com/hawser-dev/hawser/services/evm"
	"github.com/hawser-dev/hawser/services/names/primary"
	"github.com/hawser-dev/hawser/services/platform/fault"
)

// maxData bounds a data URL, in bytes of text.
const maxData = 32 << 10

var (
	dataForm  = regexp.MustCompile(`^data:image/[a-z0-9.+-]+[;,]`)
	tokenForm = regexp.MustCompile(`^eip155:[0-9]{1,32}/(?:erc721|erc1155):0x[0-9a-fA-F]{40}/[0-9]{1,78}$`)
)

// isPicture accepts the avatar record of an ENS name (ENSIP-12): an https or ipfs URL, a data URL, or an NFT.
var isPicture = anyOf(isURL("https", "ipfs"), isData, isToken)

func isData(value string) bool {
	return len(value) <= maxData && dataForm.MatchString(value) && !hasHidden(value)
}

// isToken accepts the id of an NFT (CAIP-22, CAIP-29).
func isToken(value string) bool { return tokenForm.MatchString(value) }

// avatarOf returns the avatar record of the name by which an account is shown; empty if there is none.
func avatarOf(elsewhere primary.Name, records []Record) string {
	if elsewhere.Name == "" && len(records) > 0 {
		return records[0].Attributes["avatar"]
	}
	return elsewhere.Avatar
}

// show sets the avatar of a response.
func show(res *namesv1.GetIdentityResponse, account evm.Address, avatar string) {
	if avatar == "" {
		return
	}
	edition := sha256.Sum256([]byte(avatar))
	path := "/v1/identity/" + account.String() + "/avatar?v=" + hex.EncodeToString(edition[:8])
	res.Picture, res.Avatar = &path, &path
	if isLoadable(avatar) {
		res.Avatar = &avatar
	}
}

func isLoadable(avatar string) bool {
	scheme, _, _ := strings.Cut(avatar, ":")
	return scheme == "https" || scheme == "http" || scheme == "data"
}

// GetAvatar returns the picture of an account.
func (s *server) GetAvatar(ctx context.Context, r *namesv1.GetAvatarRequest) (*httpbody.HttpBody, error) {
	account, err := apiparse.Address("address", r.GetAddress())
	if err != nil {
		return nil, err
	}
	elsewhere, records, err := s.namesOf(ctx, account)
	if err != nil {
		return nil, explain(err)
	}
	avatar := avatarOf(elsewhere, records)
	if avatar == "" {
		return nil, noPicture()
	}
	picture, err := s.pictures.ShowPicture(ctx, &nftsv1.ShowPictureRequest{Uri: avatar, Owner: account.String()})
	switch {
	case err == nil:
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
