package gateway_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"

	"github.com/hawser-dev/hawser/gateway"
	"github.com/hawser-dev/hawser/gateway/access/accesstest"
	"github.com/hawser-dev/hawser/gateway/gatewaytest"
	balancesv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/balances/v1"
	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	projectsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/projects/v1"
	"github.com/hawser-dev/hawser/services/platform/fault"
)

// refused returns the calls that a gateway for one project counts as refused while do runs, and what it logs of them.
func refused(t *testing.T, more accesstest.Conn, do func(g *gateway.Gateway)) (found []string, log string) {
	t.Helper()
	reader := metric.NewManualReader()
	before := otel.GetMeterProvider()
	otel.SetMeterProvider(metric.NewMeterProvider(metric.WithReader(reader)))
	defer otel.SetMeterProvider(before)
	var lines bytes.Buffer
	deps := gatewaytest.Deps(t)
	deps.Log = slog.New(slog.NewTextHandler(&lines, &slog.HandlerOptions{Level: slog.LevelDebug}))
	project := accesstest.Enabled()
	project.AllowedOrigins = []string{"https://shop.example"}
	services := accesstest.Conn{projectsv1.ProjectsService_GetProject_FullMethodName: (&accesstest.Book{Project: project}).Get}
	maps.Copy(services, more)
	deps.FramePages = fstest.MapFS{}
	cfg := gateway.DefaultConfig()
	cfg.Frame.Origin = gatewaytest.WalletOrigin
	cfg.Limits.OpenRequestsPerSecond = 0
	g, err := gateway.New(gateway.Conns{Services: accesstest.Services(services, "projects", "balances", "chains")}, cfg, deps)
	if err != nil {
		t.Fatal(err)
	}
	do(g)
	var all metricdata.ResourceMetrics
	if err := reader.Collect(context.Background(), &all); err != nil {
		t.Fatal(err)
	}
	for _, scope := range all.ScopeMetrics {
		for _, m := range scope.Metrics {
			if m.Name != "hawser.gateway.refused" {
				continue
			}
			for _, point := range m.Data.(metricdata.Sum[int64]).DataPoints {
				value := func(label string) string {
					got, _ := point.Attributes.Value(attribute.Key(label))
					return got.AsString()
				}
				found = append(found, fmt.Sprintf("%s %s %s %d", value("project"), value("route"), value("reason"), point.Value))
			}
		}
	}
	slices.Sort(found)
	return found, lines.String()
}

func TestRefusedCallsAreCountedByProjectRouteAndReason(t *testing.T) {
	answers := accesstest.Conn{balancesv1.BalancesService_GetBalance_FullMethodName: func(req proto.Message) (proto.Message, error) {
		if req.(*balancesv1.GetBalanceRequest).GetCurrency() == "usd" {
			return nil, errors.New("no database")
		}
		return nil, fault.New(codes.InvalidArgument, faultv1.Reason_REASON_CURRENCY_UNSUPPORTED, "currency", "No such currency")
	}}
	const procedure = "/hawser.balances.v1.BalancesService/GetBalance"
	const account = "/v1/account/0x00000000000000000000000000000000000000Aa/balance"
	found, log := refused(t, answers, func(g *gateway.Gateway) {
		rpc := func(currency string, headers ...string) {
			accesstest.Ask(g, http.MethodPost, procedure, `{"address":"0x00000000000000000000000000000000000000Aa","currency":"`+currency+`"}`,
				append([]string{"Content-Type", "application/json"}, headers...)...)
		}
		// The project is unknown until a call finds it.
		rpc("usd", "Hawser-Project-Id", accesstest.Known)
		rpc("eur", "Hawser-Project-Id", accesstest.Known)
		rpc("eur", "Hawser-Project-Id", accesstest.Known, "Origin", "https://shop.example")
		rpc("eur", "Hawser-Project-Id", accesstest.Known, "Origin", "https://other.example")
		rpc("eur")
		accesstest.Ask(g, http.MethodGet, account+"?currency=eur&projectId="+accesstest.Known, "")
		for n := range 30 {
			rpc("eur", "Hawser-Project-Id", fmt.Sprintf("%032x", 100+n))
			accesstest.Ask(g, http.MethodGet, fmt.Sprintf("/nothing/%d", n), "")
		}
		accesstest.Ask(g.Frame, http.MethodPost, "https://wallet.example.org"+procedure, "{}", "Origin", "https://other.example")
	})
	want := []string{
		"00000000 " + procedure + " CURRENCY_UNSUPPORTED 3",
		"00000000 " + procedure + " ORIGIN_REFUSED 1",
		"none  ORIGIN_REFUSED 1",
		"none / ROUTE_UNKNOWN 30",
		"none " + procedure + " PARAMETER_INVALID 1",
		"unknown " + procedure + " PROJECT_UNKNOWN 30",
	}
	if !slices.Equal(found, want) {
		t.Errorf("counted\n%s\nwant\n%s", strings.Join(found, "\n"), strings.Join(want, "\n"))
	}
	line := `level=DEBUG msg="call refused" project=00000000 route=` + procedure + ` reason=ORIGIN_REFUSED field=origin origin=https://other.example` + "\n"
	if !strings.Contains(log, line) || strings.Contains(log, accesstest.Known) {
		t.Errorf("no %s in\n%s", line, log)
	}
	if lines := strings.Count(log, "call refused"); lines != 66 {
		t.Errorf("%d refusals are logged", lines)
	}
}
