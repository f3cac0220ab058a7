package gateway_test

import (
	"bytes"
	"compress/gzip"
	"net/http"
	"runtime"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/hawser-dev/hawser/gateway"
	"github.com/hawser-dev/hawser/gateway/access/accesstest"
	"github.com/hawser-dev/hawser/gateway/gatewaytest"
	analyticsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/analytics/v1"
	projectsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/projects/v1"
	"github.com/hawser-dev/hawser/services/platform/limit"
)

const (
	recordEvents = "/hawser.analytics.v1.AnalyticsService/RecordEvents"
	listPrices   = "/hawser.balances.v1.BalancesService/ListPrices"
	ofKnown      = "?projectId=" + accesstest.Known
)

// openWithin returns a gateway whose service of analytics takes events, within a budget of memory.
func openWithin(t *testing.T, memory *limit.Memory, record func(proto.Message) (proto.Message, error)) *gateway.Gateway {
	t.Helper()
	services := accesstest.Conn{
		projectsv1.ProjectsService_GetProject_FullMethodName: (&accesstest.Book{Project: accesstest.Enabled()}).Get,
		recordEvents: record,
	}
	deps := gatewaytest.Deps(t)
	deps.Memory = memory
	g, err := gateway.New(gateway.Conns{Services: accesstest.Services(services, "activity", "convert", "names", "nfts", "balances", "chains", "onramp", "projects", "analytics", "handoff")}, gateway.DefaultConfig(), deps)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func recorded(proto.Message) (proto.Message, error) { return &analyticsv1.RecordEventsResponse{}, nil }

func zipped(t *testing.T, text []byte) string {
	t.Helper()
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	if _, err := w.Write(text); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// A value takes up to 200 bytes once it is decoded, even if its text has two, and a body has room for a million of them.
func TestARequestOfManyShortValuesIsRefusedBeforeItIsDecoded(t *testing.T) {
	g := openWithin(t, nil, func(proto.Message) (proto.Message, error) {
		t.Error("it was passed on")
		return recorded(nil)
	})
	many := func(item string) string { return "[" + strings.Repeat(item+",", 500_000) + item + "]" }
	members := "{" + strings.Repeat(`"":1,`, 300_000) + `"":1}`
	for name, c := range map[string]struct {
		path, contentType, body string
		want                    int
	}{
		"messages, binary": {recordEvents, "application/proto", strings.Repeat("\x0a\x00", 1_000_000), http.StatusBadRequest},
		"messages, JSON":   {recordEvents, "application/json", `{"events":` + many("{}") + `}`, http.StatusBadRequest},
		"strings, binary":  {listPrices, "application/proto", strings.Repeat("\x1a\x00", 1_000_000), http.StatusBadRequest},
		"messages, REST":   {"/v1/generators/onrampurl", "application/json", `{"destinationWallets":` + many("{}") + `}`, http.StatusRequestEntityTooLarge},
		"members, REST":    {"/v1/fungible/price", "application/json", members, http.StatusRequestEntityTooLarge},
		"JSON-RPC":         {"/v1", "application/json", `{"jsonrpc":"2.0","id":1,"method":"eth_call","params":` + many("1") + `}`, http.StatusRequestEntityTooLarge},
		"assets":           {"/v1/wallet", "application/json", `{"jsonrpc":"2.0","id":1,"method":"wallet_getAssets","params":{"account":"0x1","assetFilter":{"0x1":` + many(`""`) + `}}}`, http.StatusRequestEntityTooLarge},
	} {
		t.Run(name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			w := accesstest.Ask(g, http.MethodPost, c.path+ofKnown+"&chainId=eip155:1", c.body, "Content-Type", c.contentType)
			runtime.ReadMemStats(&after)
			if w.Code != c.want || !strings.Contains(w.Body.String(), "30000 values") {
				t.Errorf("status %d: %.200s", w.Code, w.Body)
			}
			// What is read is copied as the buffer grows.
			if took := after.TotalAlloc - before.TotalAlloc; took > 8*uint64(len(c.body)) {
				t.Errorf("it took %d bytes for a body of %d", took, len(c.body))
			}
		})
	}
}

func TestARequestOfManyCharactersIsNotOneOfManyValues(t *testing.T) {
	g := openWithin(t, nil, recorded)
	text := strings.Repeat(`,{[\"`, 40_000)
	w := accesstest.Ask(g, http.MethodPost, recordEvents+ofKnown, `{"events":[{"event":"`+text+`"}]}`, "Content-Type", "application/json")
	if w.Code != http.StatusOK {
		t.Errorf("status %d: %.200s", w.Code, w.Body)
	}
}

func TestACompressedRequestIsNotDecompressedBeyondItsBound(t *testing.T) {
	g := openWithin(t, nil, recorded)
	for path, headers := range map[string][]string{
		"Connect": {"Content-Type", "application/proto", "Content-Encoding", "gzip"},
		"gRPC":    {"Content-Type", "application/grpc", "Grpc-Encoding", "gzip"},
	} {
		body := zipped(t, make([]byte, 64<<20))
		if path == "gRPC" {
			body = "\x01" + string([]byte{0, byte(len(body) >> 16), byte(len(body) >> 8), byte(len(body))}) + body
		}
		w := accesstest.Ask(g, http.MethodPost, recordEvents+ofKnown, body, headers...)
		said := w.Body.String() + w.Header().Get("Grpc-Message") + w.Result().Trailer.Get("Grpc-Message")
		if !strings.Contains(said, "larger than") || strings.Contains(said, "67108864") {
			t.Errorf("%s: status %d: %s", path, w.Code, said)
		}
	}
}

func TestACompressedRequestTakesAsMuchMemoryAsItMayHave(t *testing.T) {
	memory := limit.NewMemory(16 << 20)
	var used int64
	g := openWithin(t, memory, func(proto.Message) (proto.Message, error) {
		used = memory.Used()
		return recorded(nil)
	})
	event, err := proto.Marshal(&analyticsv1.RecordEventsRequest{Events: []*analyticsv1.Event{{Event: "CONNECT_SUCCESS"}}})
	if err != nil {
		t.Fatal(err)
	}
	body := zipped(t, event)
	w := accesstest.Ask(g, http.MethodPost, recordEvents+ofKnown, body, "Content-Type", "application/proto", "Content-Encoding", "gzip")
	if w.Code != http.StatusOK || used < 2<<20 {
		t.Errorf("status %d: %d bytes are held while it is answered", w.Code, used)
	}
	if memory.Used() != 0 {
		t.Errorf("%d bytes are still held", memory.Used())
	}
	w = accesstest.Ask(openWithin(t, limit.NewMemory(1<<20), recorded), http.MethodPost, recordEvents+ofKnown, body, "Content-Type", "application/proto", "Content-Encoding", "gzip")
	if w.Code != http.StatusServiceUnavailable {
		t.Errorf("status %d without memory", w.Code)
	}
}

// The head of a request is in memory until it has been answered, as a stream is for hours.
func TestALargeHeadTakesMemory(t *testing.T) {
	memory := limit.NewMemory(16 << 20)
	var used int64
	g := openWithin(t, memory, func(proto.Message) (proto.Message, error) {
		used = memory.Used()
		return recorded(nil)
	})
	w := accesstest.Ask(g, http.MethodPost, recordEvents+ofKnown, "{}", "Content-Type", "application/json", "X-Long", strings.Repeat("a", 60_000))
	if w.Code != http.StatusOK || used < 60_000 || memory.Used() != 0 {
		t.Errorf("status %d: %d bytes are held while it is answered, and %d after that", w.Code, used, memory.Used())
	}
}

// Paths without a project have the bound of bodies too.
func TestABodyOfAnOpenPathIsBounded(t *testing.T) {
	g := openWithin(t, nil, recorded)
	w := accesstest.Ask(g, http.MethodPost, "/v1/handoffs/abc/claim", `{"key":"`+strings.Repeat("a", 3<<20)+`"}`)
	if w.Code != http.StatusRequestEntityTooLarge {
		t.Errorf("status %d: %s", w.Code, w.Body)
	}
}
