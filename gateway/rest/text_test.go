package rest_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/hawser-dev/hawser/gateway"
	"github.com/hawser-dev/hawser/gateway/access/accesstest"
	"github.com/hawser-dev/hawser/gateway/gatewaytest"
	onrampv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/onramp/v1"
	"github.com/hawser-dev/hawser/proto/gen/go/hawser/onramp/v1/onrampv1connect"
)

// carried answers what gRPC carries, and fails as gRPC does for what it does not.
func carried(answer proto.Message) func(proto.Message) (proto.Message, error) {
	return func(req proto.Message) (proto.Message, error) {
		raw, err := proto.Marshal(req)
		if err == nil {
			err = proto.Unmarshal(raw, req.ProtoReflect().New().Interface())
		}
		return answer, err
	}
}

func onrampDoor(t *testing.T) *gateway.Gateway {
	t.Helper()
	return gatewaytest.OpenOn(t, &accesstest.Book{Project: accesstest.Enabled()}, accesstest.Conn{
		onrampv1connect.OnrampServiceGetOptionsProcedure:      carried(&onrampv1.GetOptionsResponse{}),
		onrampv1connect.OnrampServiceGetQuoteProcedure:        carried(&onrampv1.GetQuoteResponse{}),
		onrampv1connect.OnrampServiceGetOrderProcedure:        carried(&onrampv1.GetOrderResponse{}),
		onrampv1connect.WebhookServiceDeliverWebhookProcedure: carried(&onrampv1.DeliverWebhookResponse{}),
	})
}

func TestWhatIsNoTextIsRefusedAtTheDoor(t *testing.T) {
	g := onrampDoor(t)
	for path, want := range map[string]int{
		"/v1/onramp/options?country=%ff&projectId=" + accesstest.Known:    http.StatusBadRequest,
		"/v1/onramp/options?country=%00&projectId=" + accesstest.Known:    http.StatusBadRequest,
		"/v1/onramp/options?%ff=US&projectId=" + accesstest.Known:         http.StatusBadRequest,
		"/v1/onramp/options?country=%C3%BC&projectId=" + accesstest.Known: http.StatusOK,
		"/v1/onramp/orders/%ff?projectId=" + accesstest.Known:             http.StatusNotFound,
		"/v1/onramp/orders/%00?projectId=" + accesstest.Known:             http.StatusNotFound,
	} {
		if w := accesstest.Ask(g, http.MethodGet, path, ""); w.Code != want {
			t.Errorf("%s: %d %s, want %d", path, w.Code, w.Body, want)
		}
	}
}

func TestABodyNestedWithoutEndIsRefused(t *testing.T) {
	g := onrampDoor(t)
	for depth, want := range map[int]int{3: http.StatusOK, 3000: http.StatusUnprocessableEntity} {
		nested := strings.Repeat(`{"a":`, depth) + "1" + strings.Repeat("}", depth)
		w := accesstest.Ask(g, http.MethodPost, "/v1/onramp/quote?projectId="+accesstest.Known, `{"purchaseCurrency":`+nested+`,"paymentCurrency":"USD","amount":"1"}`)
		if w.Code != want {
			t.Errorf("%d levels: %d %s, want %d", depth, w.Code, w.Body, want)
		}
	}
}

func TestAWebhookIsPassedOnWithoutHeadersThatAreNoText(t *testing.T) {
	r := httptest.NewRequest(http.MethodPost, "/v1/onramp/webhooks/harbor-pay", strings.NewReader("{}"))
	r.Header["X-Signature"] = []string{"\xff"}
	w := httptest.NewRecorder()
	onrampDoor(t).ServeHTTP(w, r)
	if w.Code != http.StatusOK {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}
