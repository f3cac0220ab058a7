package e2e

import (
	"fmt"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	collectorv1 "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	tracev1 "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"github.com/hawser-dev/hawser/services/onchain/signature/signaturetest"
)

// exportedWithin is more than the pause between two exports of spans.
const exportedWithin = 20 * time.Second

// spansOf returns the exported spans of a trace, as `process: kind name`.
func spansOf(t *testing.T, id string) (spans []string) {
	t.Helper()
	leaks.Lock()
	raw := slices.Clone(leaks.traces.Bytes())
	leaks.Unlock()
	// Messages one after another are one message with the fields of all.
	var exported collectorv1.ExportTraceServiceRequest
	if err := proto.Unmarshal(raw, &exported); err != nil {
		t.Fatal(err)
	}
	for _, resource := range exported.GetResourceSpans() {
		var target string
		for _, a := range resource.GetResource().GetAttributes() {
			if a.GetKey() == "hawser.target" {
				target = a.GetValue().GetStringValue()
			}
		}
		for _, scope := range resource.GetScopeSpans() {
			for _, span := range scope.GetSpans() {
				if fmt.Sprintf("%x", span.GetTraceId()) == id {
					kind := strings.ToLower(strings.TrimPrefix(tracev1.Span_SpanKind_name[int32(span.GetKind())], "SPAN_KIND_"))
					spans = append(spans, fmt.Sprintf("%s: %s %s", target, kind, span.GetName()))
				}
			}
		}
	}
	slices.Sort(spans)
	return spans
}

// registerTraced registers a name within a trace, as a page does.
func (s *suite) registerTraced(t *testing.T, name, trace string, by signaturetest.Account) {
	t.Helper()
	message := fmt.Sprintf(`{"name":%q,"timestamp":%d}`, name, time.Now().Unix())
	req, err := http.NewRequest(http.MethodPost, s.url+"/v1/profile/account?projectId="+project, strings.NewReader(envelope(message, by.Sign(message), ether, by)))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("traceparent", "00-"+trace+"-00f067aa0ba902b7-00")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	_ = res.Body.Close()
	if res.StatusCode != http.StatusOK {
		t.Fatalf("status %d", res.StatusCode)
	}
	if id := res.Header.Get("X-Request-Id"); id != trace {
		t.Errorf("X-Request-Id %q, want the trace id %q", id, trace)
	}
}

func TestATraceGoesFromThePageThroughGatewayServiceAndEvent(t *testing.T) {
	for n, tt := range []struct{ shape, gateway, names string }{{allInOne, "all", "all"}, {split, "gateway", "names"}} {
		t.Run(tt.shape, func(t *testing.T) {
			s := shared(t, tt.shape)
			var published <-chan string
			if tt.shape == split {
				published = listenToNATS(t, s, "hawser.names.v1.name_registered")
			}
			trace := fmt.Sprintf("%032x", 0xace0+n)
			s.registerTraced(t, fmt.Sprintf("traced%d.hawser.id", n), trace, signaturetest.NewAccount(80+n))
			want := []string{
				tt.gateway + ": server POST",
				tt.names + ": server /hawser.names.v1.NamesService/RegisterName",
				tt.names + ": consumer hawser.names.v1.NameRegistered",
			}
			var got []string
			for deadline := time.Now().Add(exportedWithin); ; time.Sleep(100 * time.Millisecond) {
				got = spansOf(t, trace)
				missing := slices.DeleteFunc(slices.Clone(want), func(span string) bool { return slices.Contains(got, span) })
				if len(missing) == 0 {
					break
				}
				if time.Now().After(deadline) {
					t.Fatalf("the trace lacks %q, and has\n%s", missing, strings.Join(got, "\n"))
				}
			}
			if published != nil {
				// The event was handled, so it was published before.
				if parent := <-published; !strings.HasPrefix(parent, "00-"+trace+"-") {
					t.Errorf("the event has the traceparent %s", parent)
				}
			}
		})
	}
}

// listenToNATS returns the traceparent headers of events on a subject of a suite's NATS server.
func listenToNATS(t *testing.T, s *suite, subject string) <-chan string {
	t.Helper()
	raw, err := os.ReadFile(s.gateway)
	if err != nil {
		t.Fatal(err)
	}
	url := regexp.MustCompile(`(?m)^bus:\n  url: (\S+)$`).FindStringSubmatch(string(raw))
	if url == nil {
		t.Fatal("the gateway has no bus.url")
	}
	conn, err := nats.Connect(url[1])
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(conn.Close)
	headers := make(chan string, 16)
	if _, err := conn.Subscribe(subject, func(m *nats.Msg) { headers <- m.Header.Get("traceparent") }); err != nil {
		t.Fatal(err)
	}
	if err := conn.Flush(); err != nil {
		t.Fatal(err)
	}
	return headers
}
