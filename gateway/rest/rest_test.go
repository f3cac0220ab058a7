package rest_test

import (
	"encoding/json"
	"strings"
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"

	"github.com/hawser-dev/hawser/gateway/access"
	"github.com/hawser-dev/hawser/gateway/access/accesstest"
	"github.com/hawser-dev/hawser/gateway/gatewaytest"
	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	onrampv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/onramp/v1"
	"github.com/hawser-dev/hawser/services/platform/fault"
)

func TestNullIsAnAmountThatTheServiceRefuses(t *testing.T) {
	g := gatewaytest.OpenOn(t, &accesstest.Book{Project: accesstest.Enabled()}, accesstest.Conn{onrampv1.OnrampService_ListQuotes_FullMethodName: func(proto.Message) (proto.Message, error) {
		return nil, fault.New(codes.InvalidArgument, faultv1.Reason_REASON_AMOUNT_INVALID, "sourceAmount", "it is no amount")
	}})
	for amount, want := range map[string]int{`"sourceAmount":null,`: 400, ``: 422} {
		body := `{"projectId":"` + accesstest.Known + `",` + amount + `"destinationCurrencyCode":"ETH","sourceCurrencyCode":"USD"}`
		if w := accesstest.Ask(g, "POST", "/v1/onramp/multi/quotes", body); w.Code != want {
			t.Errorf("%q: status %d: %s", amount, w.Code, w.Body)
		}
	}
}

func TestWhatIsWrongWithABodyIsSaidWithoutAProjectToo(t *testing.T) {
	g := gatewaytest.Open(t, &accesstest.Book{Project: accesstest.Enabled()})
	for body, want := range map[string]int{`{"coin_type":"60"}`: 422, `{`: 400} {
		for _, path := range []string{"/v1/profile/account", "/v1/profile/account?projectId=" + accesstest.Known} {
			if w := accesstest.Ask(g, "POST", path, body); w.Code != want {
				t.Errorf("%s to %s: status %d, want %d: %s", body, path, w.Code, want, w.Body)
			}
		}
	}
}

func TestABodyIsReadWhateverItsType(t *testing.T) {
	g := gatewaytest.Open(t, &accesstest.Book{Project: accesstest.Enabled()})
	good := `{"projectId":"` + accesstest.Known + `","currency":"usd","addresses":["eip155:1:0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee"],"unknown":1}`
	for _, contentType := range []string{"", "text/plain;charset=UTF-8", "application/xml", "application/json", "application/x-www-form-urlencoded"} {
		if w := accesstest.Ask(g, "POST", accesstest.PricePath, good, "Content-Type", contentType); w.Code != 200 || w.Header().Get("Content-Type") != "application/json" {
			t.Errorf("%q: status %d: %s", contentType, w.Code, w.Body)
		}
	}
	for name, c := range map[string]struct {
		body string
		want int
	}{
		"malformed":       {`{"projectId":`, 400},
		"empty":           {``, 400},
		"not an object":   {`[]`, 422},
		"no project":      {`{"currency":"usd","addresses":[]}`, 422},
		"no currency":     {`{"projectId":"` + accesstest.Known + `","addresses":["x"]}`, 422},
		"no addresses":    {`{"projectId":"` + accesstest.Known + `","currency":"usd"}`, 422},
		"null addresses":  {`{"projectId":"` + accesstest.Known + `","currency":"usd","addresses":null}`, 422},
		"wrong type":      {`{"projectId":"` + accesstest.Known + `","currency":"usd","addresses":"x"}`, 422},
		"wrong project":   {`{"projectId":7,"currency":"usd","addresses":["x"]}`, 422},
		"too large":       {`{"projectId":"` + strings.Repeat("x", access.BodyLimit) + `"}`, 413},
		"unknown project": {`{"projectId":"nope","currency":"usd","addresses":["x"]}`, 401},
	} {
		w := accesstest.Ask(g, "POST", accesstest.PricePath, c.body)
		var refused accesstest.Refusal
		if err := json.Unmarshal(w.Body.Bytes(), &refused); err != nil || w.Code != c.want || len(refused.Reasons) != 1 || refused.Code == "" || refused.RequestID == "" {
			t.Errorf("%s: status %d, want %d: %s", name, w.Code, c.want, w.Body)
		}
	}
}
