package gateway

import (
	"encoding/json"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"google.golang.org/genproto/googleapis/api/httpbody"
	"google.golang.org/protobuf/proto"

	namesv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/names/v1"
)

const picturePath = "/v1/identity/0xab/avatar?v=1"

func TestAPictureOfThisGatewayIsNamedAsTheCallerReachesIt(t *testing.T) {
	for behaviour, tt := range map[string]struct {
		change  func(*Config)
		avatar  string
		headers []string
		want    string
	}{
		"where it asked":          {func(*Config) {}, picturePath, nil, "http://wallet.test:8080" + picturePath + "&projectId=" + known},
		"where the operator says": {func(c *Config) { c.PublicURL = "https://wallet.example.org/" }, picturePath, nil, "https://wallet.example.org" + picturePath + "&projectId=" + known},
		"by https, behind a proxy that is trusted": {
			func(c *Config) { c.TrustForwardedFor = true }, picturePath, []string{"X-Forwarded-Proto", "https"}, "https://wallet.test:8080" + picturePath + "&projectId=" + known,
		},
		"as it asked, where no proxy is trusted": {func(*Config) {}, picturePath, []string{"X-Forwarded-Proto", "https"}, "http://wallet.test:8080" + picturePath + "&projectId=" + known},
		"not at all where it is elsewhere":       {func(*Config) {}, "https://pictures.example/a.png", nil, "https://pictures.example/a.png"},
	} {
		t.Run(behaviour, func(t *testing.T) {
			cfg := DefaultConfig()
			tt.change(&cfg)
			g := openWith(t, cfg, &book{project: enabled()}, conn{
				namesv1.NamesService_GetIdentity_FullMethodName: func(proto.Message) (proto.Message, error) {
					return &namesv1.GetIdentityResponse{Avatar: &tt.avatar, Picture: proto.String(picturePath)}, nil
				},
			})
			w := ask(g, "GET", "http://wallet.test:8080/v1/identity/0xab?projectId="+known, "", tt.headers...)
			var got struct{ Avatar, Picture string }
			if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil || got.Avatar != tt.want || got.Picture != picturePath {
				t.Errorf("got %s, want avatar %s", w.Body, tt.want)
			}
		})
	}
}

func TestAnIdentityWithoutAPictureHasNone(t *testing.T) {
	g := openOn(t, &book{project: enabled()}, conn{
		namesv1.NamesService_GetIdentity_FullMethodName: func(proto.Message) (proto.Message, error) {
			return &namesv1.GetIdentityResponse{}, nil
		},
	})
	if w := ask(g, "GET", "/v1/identity/0xab?projectId="+known, ""); !strings.Contains(w.Body.String(), `"avatar":null`) || !strings.Contains(w.Body.String(), `"picture":null`) {
		t.Errorf("got %s", w.Body)
	}
}

func TestThePictureOfAnAccountIsNothingButAPicture(t *testing.T) {
	g := openOn(t, &book{project: enabled()}, conn{
		namesv1.NamesService_GetAvatar_FullMethodName: func(req proto.Message) (proto.Message, error) {
			if r := req.(*namesv1.GetAvatarRequest); r.GetAddress() != "0xab" || r.GetV() != "1" {
				t.Errorf("requested %v", r)
			}
			return kept{&httpbody.HttpBody{ContentType: "image/svg+xml", Data: []byte("<svg/>")}, 5 * time.Minute}, nil
		},
	})
	w := ask(g, "GET", picturePath+"&projectId="+known, "")
	if w.Code != 200 || w.Body.String() != "<svg/>" {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	wantHeaders(t, w, map[string]string{
		"Content-Type": "image/svg+xml", "X-Content-Type-Options": "nosniff", "Cache-Control": "public, max-age=300, s-maxage=300",
		"Content-Security-Policy": "default-src 'none'; img-src data:; style-src 'unsafe-inline'; sandbox",
	})
	refused := ask(g, "GET", picturePath, "")
	if refused.Code != 400 {
		t.Errorf("without a project: %d %s", refused.Code, refused.Body)
	}
	wantHeaders(t, refused, map[string]string{"Cache-Control": "no-store", "Content-Type": "application/json"})
}

func wantHeaders(t *testing.T, w *httptest.ResponseRecorder, want map[string]string) {
	t.Helper()
	for header, value := range want {
		if got := w.Header().Get(header); got != value {
			t.Errorf("%s is %q, want %q", header, got, value)
		}
	}
}
