package rest_test

import (
	"testing"
	"time"

	"google.golang.org/genproto/googleapis/api/httpbody"
	"google.golang.org/protobuf/proto"

	"github.com/hawser-dev/hawser/gateway/access/accesstest"
	"github.com/hawser-dev/hawser/gateway/gatewaytest"
	namesv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/names/v1"
	"github.com/hawser-dev/hawser/proto/gen/go/hawser/names/v1/namesv1connect"
	nftsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/nfts/v1"
	"github.com/hawser-dev/hawser/proto/gen/go/hawser/nfts/v1/nftsv1connect"
)

func TestCallersKeepAnswersForAsLongAsTheServiceAllows(t *testing.T) {
	picture := &httpbody.HttpBody{ContentType: "image/svg+xml", Data: []byte("<svg/>")}
	paths := []string{
		"/v1/identity/0xab?projectId=" + accesstest.Known,
		"/v1/account/0xab/identity?projectId=" + accesstest.Known,
		"/v1/identity/0xab/avatar?v=1" + "&projectId=" + accesstest.Known,
		"/v1/nft-media/abc?projectId=" + accesstest.Known,
		accesstest.ConnectGet(namesv1connect.NamesServiceGetIdentityProcedure, `{"address":"0xab"}`),
		accesstest.ConnectGet(namesv1connect.NamesServiceGetAvatarProcedure, `{"address":"0xab"}`),
		accesstest.ConnectGet(nftsv1connect.MediaServiceGetMediaProcedure, `{"id":"abc"}`),
	}
	for maxAge, want := range map[time.Duration]string{
		0:                      "no-store",
		10 * time.Second:       "public, max-age=10, s-maxage=10",
		500 * time.Millisecond: "no-store",
	} {
		calls := 0
		answer := func(m proto.Message) func(proto.Message) (proto.Message, error) {
			return func(proto.Message) (proto.Message, error) {
				calls++
				return accesstest.Kept{Message: m, MaxAge: maxAge}, nil
			}
		}
		g := gatewaytest.OpenOn(t, &accesstest.Book{Project: accesstest.Enabled()}, accesstest.Conn{
			namesv1.NamesService_GetIdentity_FullMethodName: answer(&namesv1.GetIdentityResponse{}),
			namesv1.NamesService_GetAvatar_FullMethodName:   answer(picture),
			nftsv1.MediaService_GetMedia_FullMethodName:     answer(picture),
		})
		for _, path := range paths {
			calls = 0
			for range 2 {
				w := accesstest.Ask(g, "GET", path, "")
				if got := w.Header().Get("Cache-Control"); w.Code != 200 || got != want {
					t.Errorf("%s, allowed for %s: %d, Cache-Control %q, want %q", path, maxAge, w.Code, got, want)
				}
			}
			if calls != 2 {
				t.Errorf("%s: the gateway kept the answer itself", path)
			}
		}
	}
}
