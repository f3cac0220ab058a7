package rpc_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"google.golang.org/genproto/googleapis/api/annotations"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/descriptorpb"

	"github.com/hawser-dev/hawser/gateway/access/accesstest"
	"github.com/hawser-dev/hawser/gateway/gatewaytest"
	"github.com/hawser-dev/hawser/proto/gen/go/hawser/balances/v1/balancesv1connect"
	"github.com/hawser-dev/hawser/proto/gen/go/hawser/chains/v1/chainsv1connect"
	"github.com/hawser-dev/hawser/proto/gen/go/hawser/convert/v1/convertv1connect"
	namesv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/names/v1"
	"github.com/hawser-dev/hawser/proto/gen/go/hawser/names/v1/namesv1connect"
)

func TestReadsAreServedToConnectClientsByGet(t *testing.T) {
	g := gatewaytest.OpenOn(t, &accesstest.Book{Project: accesstest.Enabled()}, accesstest.Conn{
		namesv1.NamesService_GetIdentity_FullMethodName: func(proto.Message) (proto.Message, error) {
			return accesstest.Kept{Message: &namesv1.GetIdentityResponse{Name: proto.String("alice.hawser.id")}, MaxAge: 5 * time.Minute}, nil
		},
	})
	for procedure, want := range map[string]struct{ message, body, cached string }{
		chainsv1connect.ChainsServiceListSupportedChainsProcedure: {`{}`, `{"http":["eip155:1"]}`, "public, max-age=60"},
		namesv1connect.NamesServiceGetIdentityProcedure:           {`{"address":"0x0"}`, `"alice.hawser.id"`, "public, max-age=300, s-maxage=300"},
		balancesv1connect.BalancesServiceListPricesProcedure:      {`{"currency":"usd","addresses":["eip155:1:0x0"]}`, `{}`, "no-store"},
	} {
		w := accesstest.Ask(g, "GET", accesstest.ConnectGet(procedure, want.message), "", "Origin", "https://a.example", "Accept-Encoding", "gzip")
		if w.Code != http.StatusOK || !strings.Contains(w.Body.String(), want.body) {
			t.Errorf("%s: status %d: %s", procedure, w.Code, w.Body)
		}
		if w.Header().Get("Cache-Control") != want.cached || w.Header().Get("Access-Control-Allow-Origin") != "*" {
			t.Errorf("%s: headers %v", procedure, w.Header())
		}
	}
}

func TestAConnectGetThatStillHoldsIsNotSentAgain(t *testing.T) {
	g := gatewaytest.Open(t, &accesstest.Book{})
	path := accesstest.ConnectGet(chainsv1connect.ChainsServiceListSupportedChainsProcedure, "{}")
	tag := accesstest.Ask(g, "GET", path, "").Header().Get("ETag")
	if w := accesstest.Ask(g, "GET", path, "", "If-None-Match", tag); tag == "" || w.Code != http.StatusNotModified || w.Body.Len() != 0 {
		t.Errorf("ETag %q, status %d: %s", tag, w.Code, w.Body)
	}
}

func TestAConnectGetIsRefusedInConnect(t *testing.T) {
	g := gatewaytest.Open(t, &accesstest.Book{})
	w := accesstest.Ask(g, "GET", accesstest.ConnectGet(balancesv1connect.BalancesServiceListPricesProcedure, "{}"), "")
	if w.Code != http.StatusUnauthorized || !strings.Contains(w.Body.String(), `"code":"unauthenticated"`) || w.Header().Get("Cache-Control") == "public, max-age=60" {
		t.Errorf("status %d: %s", w.Code, w.Body)
	}
}

func TestWhatChangesSomethingIsNotServedByGet(t *testing.T) {
	g := gatewaytest.Open(t, &accesstest.Book{Project: accesstest.Enabled()})
	for path, allow := range map[string]string{
		accesstest.ConnectGet(convertv1connect.ConvertServiceBuildTransactionProcedure, "{}"): "POST",
		accesstest.ConnectGet(convertv1connect.QuoteServiceWatchQuoteProcedure, "{}"):         "POST",
		balancesv1connect.BalancesServiceListPricesProcedure:                                  "GET, POST",
	} {
		if w := accesstest.Ask(g, "GET", path, ""); w.Code != http.StatusMethodNotAllowed || w.Header().Get("Allow") != allow {
			t.Errorf("%s: status %d, Allow %q", path, w.Code, w.Header().Get("Allow"))
		}
	}
}

func TestAnAccountWithoutNamesHasAnEmptyListOverREST(t *testing.T) {
	g := gatewaytest.OpenOn(t, &accesstest.Book{Project: accesstest.Enabled()}, accesstest.Conn{
		namesv1.NamesService_ListNames_FullMethodName: func(proto.Message) (proto.Message, error) { return &namesv1.ListNamesResponse{}, nil },
	})
	if w := accesstest.Ask(g, "GET", "/v1/profile/reverse/0x0?apiVersion=2", ""); w.Code != http.StatusOK || strings.TrimSpace(w.Body.String()) != "[]" {
		t.Errorf("status %d: %s", w.Code, w.Body)
	}
}

// What REST serves by GET has no side effects, and the proto says so.
func TestEveryRESTGetIsMarkedAsRead(t *testing.T) {
	calls := 0
	protoregistry.GlobalFiles.RangeFiles(func(file protoreflect.FileDescriptor) bool {
		if !strings.HasPrefix(string(file.Package()), "hawser.") {
			return true
		}
		for i := range file.Services().Len() {
			methods := file.Services().Get(i).Methods()
			for j := range methods.Len() {
				options := methods.Get(j).Options().(*descriptorpb.MethodOptions)
				rule, _ := proto.GetExtension(options, annotations.E_Http).(*annotations.HttpRule)
				if rule.GetGet() == "" {
					continue
				}
				calls++
				if options.GetIdempotencyLevel() != descriptorpb.MethodOptions_NO_SIDE_EFFECTS {
					t.Errorf("%s is a GET over REST and not marked NO_SIDE_EFFECTS", methods.Get(j).FullName())
				}
			}
		}
		return true
	})
	if calls == 0 {
		t.Error("no call has a REST form")
	}
}

func TestAProcedureAnswersInWordsWhatSpeaksNoneOfItsProtocols(t *testing.T) {
	g := gatewaytest.Open(t, &accesstest.Book{Project: accesstest.Enabled()})
	for _, path := range []string{"/hawser.balances.v1.BalancesService/GetBalance", "/hawser.chains.v1.ChainsService/ListNetworks"} {
		for _, c := range []struct {
			method, contentType string
			want                int
		}{{http.MethodGet, "", 405}, {http.MethodPut, "application/json", 405}, {http.MethodPost, "text/plain", 415}, {http.MethodPost, "", 415}} {
			w := accesstest.Ask(g, c.method, path, "{}", "Content-Type", c.contentType)
			var refused accesstest.Refusal
			if err := json.Unmarshal(w.Body.Bytes(), &refused); err != nil || w.Code != c.want || refused.Code != "ROUTE_UNKNOWN" {
				t.Errorf("%s %s as %q: status %d: %s", c.method, path, c.contentType, w.Code, w.Body)
			}
		}
	}
}
