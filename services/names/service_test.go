package names_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"

	chainsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/chains/v1"
	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	namesv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/names/v1"
	"github.com/hawser-dev/hawser/services/names"
	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/onchain/signature/signaturetest"
	"github.com/hawser-dev/hawser/services/platform/bus"
	"github.com/hawser-dev/hawser/services/platform/bus/bustest"
	"github.com/hawser-dev/hawser/services/platform/caller"
	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/fault"
	"github.com/hawser-dev/hawser/services/platform/run"
	"github.com/hawser-dev/hawser/services/platform/store"
	"github.com/hawser-dev/hawser/services/platform/store/storetest"
)

var alice, bob = signaturetest.NewAccount(1), signaturetest.NewAccount(2)

// nodes replaces the chains service with one chain, whose node answers every call with the same body.
type nodes struct {
	chainsv1.ChainsServiceClient
	chainsv1.NodeServiceClient
	answer string
	// agreed says that the last call required two nodes to agree.
	agreed bool
}

func (n *nodes) ListNetworks(context.Context, *chainsv1.ListNetworksRequest, ...grpc.CallOption) (*chainsv1.ListNetworksResponse, error) {
	return &chainsv1.ListNetworksResponse{Networks: []*chainsv1.Network{{ChainId: "eip155:1"}}}, nil
}

func (n *nodes) Forward(_ context.Context, r *chainsv1.ForwardRequest, _ ...grpc.CallOption) (*chainsv1.ForwardResponse, error) {
	n.agreed = r.GetAgreed()
	if n.answer == "" {
		return nil, errors.New("no node answers")
	}
	return &chainsv1.ForwardResponse{Body: []byte(n.answer)}, nil
}

func replica(t *testing.T, db *store.DB, b *bus.Bus, n *nodes) (run.Service, namesv1.NamesServiceClient) {
	t.Helper()
	outbox := bustest.Outbox(t, db)
	s, err := names.New(t.Context(), names.DefaultConfig(), names.Deps{Chain: chainclient.NewFrom(n, n, clock.System{}), DB: db, Outbox: outbox, Bus: b, Clock: clock.System{}, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	var channel run.Local
	s.Register(&channel)
	return s, namesv1.NewNamesServiceClient(&channel)
}

func wish(name string, by signaturetest.Account) *namesv1.RegisterNameRequest {
	message := fmt.Sprintf(`{"name":%q,"timestamp":%d}`, name, time.Now().Unix())
	return &namesv1.RegisterNameRequest{Message: message, Signature: by.Sign(message), CoinType: 60, Address: by.Address().String()}
}

func TestService(t *testing.T) {
	b := bustest.Embedded(t)
	chain := &nodes{}
	s, client := replica(t, storetest.Open(t, storetest.SQLite(t)), b, chain)

	t.Run("a contract needs a node, a key does not", func(t *testing.T) {
		if _, err := client.RegisterName(t.Context(), wish("alice.hawser.id", alice)); err != nil {
			t.Error(err)
		}
		contract := wish("vault.hawser.id", bob)
		contract.Signature = "0x01"
		_, err := client.RegisterName(t.Context(), contract)
		if !chain.agreed {
			t.Error("one node alone may say who signed")
		}
		if f := fault.From(err); f.Code != codes.Unavailable || f.Reason != faultv1.Reason_REASON_CHAIN_UNAVAILABLE {
			t.Errorf("without a node: %+v", f)
		}
		chain.answer = `[{"jsonrpc":"2.0","id":0,"result":"0x01"}]`
		if res, err := client.RegisterName(t.Context(), contract); err != nil || len(res.GetName().GetAddresses()) != 1 {
			t.Errorf("%v, %v", res, err)
		}
	})

	t.Run("an account over its limit of changes is refused", func(t *testing.T) {
		var err error
		for n := 0; n <= names.DefaultConfig().ChangesPerHour && err == nil; n++ {
			_, err = client.RegisterName(t.Context(), wish(fmt.Sprintf("busy%d.hawser.id", n), signaturetest.NewAccount(7)))
		}
		if f := fault.From(err); f.Code != codes.ResourceExhausted || f.Reason != faultv1.Reason_REASON_CHANGES_LIMITED || f.Field != "address" {
			t.Errorf("%+v", f)
		}
	})

	t.Run("is ready until the bus is down", func(t *testing.T) {
		if err := s.Ready(t.Context()); err != nil {
			t.Errorf("not ready: %v", err)
		}
		if err := b.Close(); err != nil {
			t.Fatal(err)
		}
		if err := s.Ready(context.Background()); err == nil {
			t.Error("it says that it is ready")
		}
	})
}

// Two replicas share one database, and a thousand accounts request a hundred names from them concurrently.
func TestOneOfTwoReplicasRegistersAName(t *testing.T) {
	storetest.EachDSN(t, func(t *testing.T, dsn string) {
		const wanted, rivals = 100, 10
		b := bustest.Embedded(t)
		var clients []namesv1.NamesServiceClient
		for range 2 {
			_, client := replica(t, storetest.Open(t, dsn), b, &nodes{})
			clients = append(clients, client)
		}
		won := make(chan *namesv1.Name, wanted*rivals)
		var g errgroup.Group
		for n := range wanted * rivals {
			g.Go(func() error {
				request := wish(fmt.Sprintf("race%d.hawser.id", n%wanted), signaturetest.NewAccount(1000+n))
				res, err := clients[n%len(clients)].RegisterName(t.Context(), request)
				if err == nil {
					won <- res.GetName()
				} else if f := fault.From(err); f.Reason != faultv1.Reason_REASON_NAME_TAKEN {
					return f
				}
				return nil
			})
		}
		if err := g.Wait(); err != nil {
			t.Fatal(err)
		}
		close(won)
		if len(won) != wanted {
			t.Errorf("%d winners", len(won))
		}
		for winner := range won {
			for _, client := range clients {
				res, err := client.GetName(t.Context(), &namesv1.GetNameRequest{Name: winner.GetName()})
				if err != nil || res.GetName().GetAddresses()["60"].GetAddress() != winner.GetAddresses()["60"].GetAddress() {
					t.Errorf("%s: %v, %v", winner.GetName(), res, err)
				}
			}
		}
	})
}

func TestRegistrationsAreLimitedPerCaller(t *testing.T) {
	cfg := names.DefaultConfig()
	cfg.RegistrationsPerHour = 3
	n, db := &nodes{}, storetest.Open(t, storetest.SQLite(t))
	s, err := names.New(t.Context(), cfg, names.Deps{
		Chain: chainclient.NewFrom(n, n, clock.System{}), DB: db, Outbox: bustest.Outbox(t, db), Bus: bustest.Embedded(t), Clock: clock.System{}, Log: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	var channel run.Local
	s.Register(&channel)
	client := namesv1.NewNamesServiceClient(&channel)
	register := func(address string, i int) *fault.Error {
		ctx := caller.NewOutgoingContext(t.Context(), caller.Caller{Project: "p", Address: address})
		_, err := client.RegisterName(ctx, wish(fmt.Sprintf("caller%d.hawser.id", i), signaturetest.NewAccount(900+i)))
		if err == nil {
			return &fault.Error{}
		}
		return fault.From(err)
	}
	for i := range 3 {
		if f := register("2001:db8::1", i); f.Public != "" {
			t.Errorf("registration %d: %v", i, f)
		}
	}
	for _, e := range bustest.Waiting[*namesv1.NameRegistered](t, db) {
		if e.GetProjectId() != "p" {
			t.Errorf("published %v", e)
		}
	}
	if f := register("2001:db8::2", 3); f.Reason != faultv1.Reason_REASON_RATE_LIMITED || f.RetryAfter <= 0 {
		t.Errorf("one more of its network: %v, retry after %s", f, f.RetryAfter)
	}
	if f := register("192.0.2.1", 4); f.Public != "" {
		t.Errorf("another caller: %v", f)
	}
}
