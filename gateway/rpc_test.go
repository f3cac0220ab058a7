package gateway

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"google.golang.org/genproto/googleapis/api/annotations"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/descriptorpb"

	"github.com/hawser-dev/hawser/proto/gen/go/hawser/balances/v1/balancesv1connect"
	"github.com/hawser-dev/hawser/proto/gen/go/hawser/chains/v1/chainsv1connect"
	"github.com/hawser-dev/hawser/proto/gen/go/hawser/convert/v1/convertv1connect"
	namesv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/names/v1"
	"github.com/hawser-dev/hawser/proto/gen/go/hawser/names/v1/namesv1connect"
)

// connectGet returns the path of a Connect call by GET, with its message as JSON.
func connectGet(procedure, message string) string {
	return procedure + "?connect=v1&encoding=json&projectId=" + known + "&message=" + url.QueryEscape(message)
}

func TestReadsAreServedToConnectClientsByGet(t *testing.T) {
	g := openOn(t, &book{project: enabled()}, conn{
		namesv1.NamesService_GetIdentity_FullMethodName: func(proto.Message) (proto.Message, error) {
			return kept{&namesv1.GetIdentityResponse{Name: proto.String("alice.hawser.id")}, 5 * time.Minute}, nil
		},
	})
	for procedure, want := range map[string]struct{ message, body, cached string }{
		chainsv1connect.ChainsServiceListSupportedChainsProcedure: {`{}`, `{"http":["eip155:1"]}`, "public, max-age=60"},
		namesv1connect.NamesServiceGetIdentityProcedure:           {`{"address":"0x0"}`, `"alice.hawser.id"`, "public, max-age=300, s-maxage=300"},
		balancesv1connect.BalancesServiceListPricesProcedure:      {`{"currency":"usd","addresses":["eip155:1:0x0"]}`, `{}`, "no-store"},
	} {
		w := ask(g, "GET", connectGet(procedure, want.message), "", "Origin", "https://a.example", "Accept-Encoding", "gzip")
		if w.Code != http.StatusOK || !strings.Contains(w.Body.String(), want.body) {
			t.Errorf("%s: status %d: %s", procedure, w.Code, w.Body)
		}
		if w.Header().Get("Cache-Control") != want.cached || w.Header().Get("Access-Control-Allow-Origin") != "*" {
			t.Errorf("%s: headers %v", procedure, w.Header())
		}
	}
}

func TestAConnectGetThatStillHoldsIsNotSentAgain(t *testing.T) {
	g := open(t, &book{})
	path := connectGet(chainsv1connect.ChainsServiceListSupportedChainsProcedure, "{}")
	tag := ask(g, "GET", path, "").Header().Get("ETag")
	if w := ask(g, "GET", path, "", "If-None-Match", tag); tag == "" || w.Code != http.StatusNotModified || w.Body.Len() != 0 {
		t.Errorf("ETag %q, status %d: %s", tag, w.Code, w.Body)
	}
}

func TestAConnectGetIsRefusedInConnect(t *testing.T) {
	g := open(t, &book{})
	w := ask(g, "GET", connectGet(balancesv1connect.BalancesServiceListPricesProcedure, "{}"), "")
	if w.Code != http.StatusUnauthorized || !strings.Contains(w.Body.String(), `"code":"unauthenticated"`) || w.Header().Get("Cache-Control") == "public, max-age=60" {
		t.Errorf("status %d: %s", w.Code, w.Body)
	}
}

func TestWhatChangesSomethingIsNotServedByGet(t *testing.T) {
	g := open(t, &book{project: enabled()})
	for path, allow := range map[string]string{
		connectGet(convertv1connect.ConvertServiceBuildTransactionProcedure, "{}"): "POST",
		connectGet(convertv1connect.QuoteServiceWatchQuoteProcedure, "{}"):         "POST",
		balancesv1connect.BalancesServiceListPricesProcedure:                       "GET, POST",
	} {
		if w := ask(g, "GET", path, ""); w.Code != http.StatusMethodNotAllowed || w.Header().Get("Allow") != allow {
			t.Errorf("%s: status %d, Allow %q", path, w.Code, w.Header().Get("Allow"))
		}
	}
}

func TestAnAccountWithoutNamesHasAnEmptyListOverREST(t *testing.T) {
	g := openOn(t, &book{project: enabled()}, conn{
		namesv1.NamesService_ListNames_FullMethodName: func(proto.Message) (proto.Message, error) { return &namesv1.ListNamesResponse{}, nil },
	})
	if w := ask(g, "GET", "/v1/profile/reverse/0x0?apiVersion=2", ""); w.Code != http.StatusOK || strings.TrimSpace(w.Body.String()) != "[]" {
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
