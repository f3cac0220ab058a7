package access_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"google.golang.org/genproto/googleapis/api/httpbody"
	"google.golang.org/protobuf/proto"

	"github.com/hawser-dev/hawser/gateway"
	"github.com/hawser-dev/hawser/gateway/access/accesstest"
	"github.com/hawser-dev/hawser/gateway/gatewaytest"
	namesv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/names/v1"
)

const picturePath = "/v1/identity/0xab/avatar?v=1"

func TestAPictureOfThisGatewayIsNamedAsTheCallerReachesIt(t *testing.T) {
	for behaviour, tt := range map[string]struct {
		change  func(*gateway.Config)
		avatar  string
		headers []string
		want    string
	}{
		"where it asked":          {func(*gateway.Config) {}, picturePath, nil, "http://wallet.test:8080" + picturePath + "&projectId=" + accesstest.Known},
		"where the operator says": {func(c *gateway.Config) { c.PublicURL = "https://wallet.example.org/" }, picturePath, nil, "https://wallet.example.org" + picturePath + "&projectId=" + accesstest.Known},
		"by https, behind a proxy that is trusted": {
			func(c *gateway.Config) { c.TrustForwardedFor = true }, picturePath, []string{"X-Forwarded-Proto", "https"}, "https://wallet.test:8080" + picturePath + "&projectId=" + accesstest.Known,
		},
		"as it asked, where no proxy is trusted": {func(*gateway.Config) {}, picturePath, []string{"X-Forwarded-Proto", "https"}, "http://wallet.test:8080" + picturePath + "&projectId=" + accesstest.Known},
		"not at all where it is elsewhere":       {func(*gateway.Config) {}, "https://pictures.example/a.png", nil, "https://pictures.example/a.png"},
	} {
		t.Run(behaviour, func(t *testing.T) {
			cfg := gateway.DefaultConfig()
			tt.change(&cfg)
			g := gatewaytest.OpenWith(t, cfg, &accesstest.Book{Project: accesstest.Enabled()}, accesstest.Conn{
				namesv1.NamesService_GetIdentity_FullMethodName: func(proto.Message) (proto.Message, error) {
					return &namesv1.GetIdentityResponse{Avatar: &tt.avatar, Picture: proto.String(picturePath)}, nil
				},
			})
			w := accesstest.Ask(g, "GET", "http://wallet.test:8080/v1/identity/0xab?projectId="+accesstest.Known, "", tt.headers...)
			var got struct{ Avatar, Picture string }
			if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil || got.Avatar != tt.want || got.Picture != picturePath {
				t.Errorf("got %s, want avatar %s", w.Body, tt.want)
			}
		})
	}
}

func TestAnIdentityWithoutAPictureHasNone(t *testing.T) {
	g := gatewaytest.OpenOn(t, &accesstest.Book{Project: accesstest.Enabled()}, accesstest.Conn{
		namesv1.NamesService_GetIdentity_FullMethodName: func(proto.Message) (proto.Message, error) {
			return &namesv1.GetIdentityResponse{}, nil
		},
	})
	if w := accesstest.Ask(g, "GET", "/v1/identity/0xab?projectId="+accesstest.Known, ""); !strings.Contains(w.Body.String(), `"avatar":null`) || !strings.Contains(w.Body.String(), `"picture":null`) {
		t.Errorf("got %s", w.Body)
	}
}

func TestThePictureOfAnAccountIsNothingButAPicture(t *testing.T) {
	g := gatewaytest.OpenOn(t, &accesstest.Book{Project: accesstest.Enabled()}, accesstest.Conn{
		namesv1.NamesService_GetAvatar_FullMethodName: func(req proto.Message) (proto.Message, error) {
			if r := req.(*namesv1.GetAvatarRequest); r.GetAddress() != "0xab" || r.GetV() != "1" {
				t.Errorf("requested %v", r)
			}
			return accesstest.Kept{Message: &httpbody.HttpBody{ContentType: "image/svg+xml", Data: []byte("<svg/>")}, MaxAge: 5 * time.Minute}, nil
		},
	})
	w := accesstest.Ask(g, "GET", picturePath+"&projectId="+accesstest.Known, "")
	if w.Code != 200 || w.Body.String() != "<svg/>" {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	accesstest.WantHeaders(t, w, map[string]string{
		"Content-Type": "image/svg+xml", "X-Content-Type-Options": "nosniff", "Cache-Control": "public, max-age=300, s-maxage=300",
		"Content-Security-Policy": "default-src 'none'; img-src data:; style-src 'unsafe-inline'; sandbox",
	})
	refused := accesstest.Ask(g, "GET", picturePath, "")
	if refused.Code != 400 {
		t.Errorf("without a project: %d %s", refused.Code, refused.Body)
	}
	accesstest.WantHeaders(t, refused, map[string]string{"Cache-Control": "no-store", "Content-Type": "application/json"})
}
