package webhooks

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"

	authv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/auth/v1"
	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	namesv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/names/v1"
	onrampv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/onramp/v1"
	projectsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/projects/v1"
	sessionsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/sessions/v1"
	walletv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/wallet/v1"
	webhooksv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/webhooks/v1"
	"github.com/hawser-dev/hawser/proto/webhook"
	"github.com/hawser-dev/hawser/services/platform/bus"
	"github.com/hawser-dev/hawser/services/platform/bus/bustest"
	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/fault"
	"github.com/hawser-dev/hawser/services/platform/routine"
	"github.com/hawser-dev/hawser/services/platform/run"
	"github.com/hawser-dev/hawser/services/platform/seal"
	"github.com/hawser-dev/hawser/services/platform/store"
	"github.com/hawser-dev/hawser/services/platform/store/storetest"
	"github.com/hawser-dev/hawser/services/webhooks/deliveries"
	"github.com/hawser-dev/hawser/services/webhooks/transactions"
)

const unknownProject = "00000000000000000000000000000009"

// projects is a projects service that knows every project but one.
type projects struct{}

func (projects) GetProject(_ context.Context, r *projectsv1.GetProjectRequest, _ ...grpc.CallOption) (*projectsv1.GetProjectResponse, error) {
	if r.GetId() == unknownProject {
		return nil, fault.New(codes.NotFound, faultv1.Reason_REASON_PROJECT_UNKNOWN, "id", "There is no such project")
	}
	return &projectsv1.GetProjectResponse{Project: &projectsv1.Project{Id: r.GetId(), Enabled: true}}, nil
}

// suite is the service on a database and a bus.
type suite struct {
	webhooksv1.WebhooksServiceClient
	webhooksv1.TransactionsServiceClient

	t   *testing.T
	db  *store.DB
	bus *bus.Bus
	key seal.KEK
	// chains has the chains of followed transactions; nil for none.
	chains transactions.Chains
	stop   func()
}

func newSuite(t *testing.T, db *store.DB) *suite {
	t.Helper()
	path := filepath.Join(t.TempDir(), "key")
	if err := seal.CreateAge(path); err != nil {
		t.Fatal(err)
	}
	key, err := seal.OpenAge(path)
	if err != nil {
		t.Fatal(err)
	}
	s := &suite{t: t, db: db, bus: bustest.Embedded(t), key: key}
	s.start()
	return s
}

// start starts the service, as a process would.
func (s *suite) start() {
	s.t.Helper()
	ctx, cancel := context.WithCancel(s.t.Context())
	service, err := New(ctx, testConfig(), Deps{
		Projects: projects{}, Chains: s.chains, DB: s.db, Bus: s.bus, Clock: clock.System{}, Log: slog.New(slog.DiscardHandler),
		Sealer: func(context.Context) (*seal.Sealer, error) { return seal.New(s.key), nil },
	})
	if err != nil {
		s.t.Fatal(err)
	}
	if err := service.Ready(ctx); err != nil {
		s.t.Errorf("not ready: %v", err)
	}
	var channel run.Local
	service.Register(&channel)
	s.WebhooksServiceClient = webhooksv1.NewWebhooksServiceClient(&channel)
	s.TransactionsServiceClient = webhooksv1.NewTransactionsServiceClient(&channel)
	ended := routine.Go(ctx, func() error { return service.Work(ctx) })
	s.stop = sync.OnceFunc(func() {
		cancel()
		<-ended
	})
	s.t.Cleanup(s.stop)
}

// publish publishes events, each after the one before it was stored.
func (s *suite) publish(events ...proto.Message) {
	s.t.Helper()
	for _, e := range events {
		if err := s.bus.Publish(s.t.Context(), e); err != nil {
			s.t.Fatal(err)
		}
	}
}

// create adds an endpoint, and returns it with its secret.
func (s *suite) create(project, url string, kinds ...string) (*webhooksv1.Endpoint, string) {
	s.t.Helper()
	res, err := s.CreateEndpoint(s.t.Context(), &webhooksv1.CreateEndpointRequest{ProjectId: project, Url: url, Kinds: kinds})
	if err != nil {
		s.t.Fatal(err)
	}
	return res.GetEndpoint(), res.GetSecret()
}

// site is the backend of a site.
type site struct {
	t      *testing.T
	url    string
	status int

	mu      sync.Mutex
	secrets []string
	events  []string
	headers []http.Header
}

func newSite(t *testing.T) *site {
	t.Helper()
	s := &site{t: t, status: http.StatusNoContent}
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	s.url = server.URL + "/webhooks"
	return s
}

func (s *site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	body, err := io.ReadAll(r.Body)
	verifier, unknown := webhook.New(s.secrets...)
	if err := errors.Join(err, unknown); err != nil {
		s.t.Error(err)
		return
	}
	if err := verifier.Verify(r.Header, body); err != nil || r.Header.Get("Content-Type") != "application/json" {
		s.t.Errorf("%v with %v", err, r.Header)
	}
	w.WriteHeader(s.status)
	if s.status < 300 {
		s.events, s.headers = append(s.events, string(body)), append(s.headers, r.Header)
	}
}

// trust makes the site accept only these secrets.
func (s *site) trust(secrets ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.secrets = secrets
}

// received waits until the site has this many events, and returns them in the order of their texts.
func (s *site) received(n int) []string {
	s.t.Helper()
	for {
		s.mu.Lock()
		events := slices.Sorted(slices.Values(s.events))
		s.mu.Unlock()
		if len(events) >= n {
			return events
		}
		select {
		case <-s.t.Context().Done():
			s.t.Fatalf("%d of %d events arrived", len(events), n)
		case <-time.After(pollPause):
		}
	}
}

// Whatever the events have, webhooks have no email, no secret and no text of a provider.
func TestWhatASiteGets(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		s, shop := newSuite(t, db), newSite(t)
		_, secret := s.create(project, shop.url, deliveries.Kinds()...)
		shop.trust(secret)
		at := time.Date(2100, 1, 2, 3, 4, 5, 678e6, time.UTC)
		second := at.Truncate(time.Second).Format(time.RFC3339)
		declined := onrampv1.OrderFailure_ORDER_FAILURE_PAYMENT_DECLINED
		order := func(state onrampv1.OrderState, change func(o *onrampv1.Order)) *onrampv1.OrderUpdated {
			o := &onrampv1.Order{
				Id: "01J", ServiceProvider: "seller", Title: "A text", State: state, Reason: "Another text", WalletAddress: "0xA11CE", CreatedAt: second, UpdatedAt: second,
				Payment: &onrampv1.OrderAmount{Amount: "12.5", Currency: "EUR"},
			}
			change(o)
			return &onrampv1.OrderUpdated{OrderId: o.GetId(), WalletAddress: o.GetWalletAddress(), ProjectId: project, Proof: "a proof", Order: o}
		}
		same := func(*onrampv1.Order) {}
		session := func(change sessionsv1.SessionChanged_Change) *sessionsv1.SessionChanged {
			return &sessionsv1.SessionChanged{ProjectId: project, Pci: "a-uuid", Account: "eip155:10:0xa11ce", Change: change, ChangedAt: at.UnixMilli(), Expiry: at.Unix() + 60}
		}
		s.publish(
			&walletv1.UserCreated{ProjectId: project, UserId: "user-1", CreatedAt: at.UnixMilli()},
			order(onrampv1.OrderState_ORDER_STATE_CREATED, same),
			order(onrampv1.OrderState_ORDER_STATE_PAID, same),
			order(onrampv1.OrderState_ORDER_STATE_PAID, func(o *onrampv1.Order) { o.Payment.Amount = "12.6" }), // the same state
			order(onrampv1.OrderState_ORDER_STATE_FAILED, func(o *onrampv1.Order) { o.Failure = &declined }),
			order(onrampv1.OrderState_ORDER_STATE_COMPLETED, func(o *onrampv1.Order) {
				o.ChainId, o.Transaction, o.Sandbox, o.Purchase = "eip155:10", "0xabc", true, &onrampv1.OrderAmount{Amount: "0.01", Currency: "ETH"}
			}),
			session(sessionsv1.SessionChanged_CHANGE_GRANTED),
			session(sessionsv1.SessionChanged_CHANGE_REVOKED),
			&namesv1.NameRegistered{Name: "alice.hawser.id", Address: "0xA11CE", ProjectId: project, RegisteredAt: at.UnixMilli()},
			&namesv1.NameRegistered{Name: "nobody.hawser.id", Address: "0xA11CE", RegisteredAt: at.UnixMilli()}, // of no project
			&authv1.SignedIn{ProjectId: project, Address: "0xA11CE", ChainIds: []string{"eip155:10"}, SignedInAt: at.UnixMilli()},
		)
		const head, project = `","timestamp":"2100-01-02T03:04:05`, `"projectId":"00000000000000000000000000000001"`
		paid := `"payment":{"amount":"12.5","currency":"EUR"},`
		ended := `"createdAt":"2100-01-02T03:04:05Z","updatedAt":"2100-01-02T03:04:05Z"},` + project + `}}`
		want := []string{
			`{"type":"name.registered` + head + `.678Z","data":{"name":{"address":"0xA11CE","name":"alice.hawser.id"},` + project + `}}`,
			`{"type":"order.completed` + head + `Z","data":{"order":{"id":"01J","state":"completed","serviceProvider":"seller","walletAddress":"0xA11CE","chainId":"eip155:10",` + paid +
				`"purchase":{"amount":"0.01","currency":"ETH"},"transaction":"0xabc","sandbox":true,` + ended,
			`{"type":"order.failed` + head + `Z","data":{"order":{"id":"01J","state":"failed","serviceProvider":"seller","walletAddress":"0xA11CE",` + paid +
				`"failure":"PAYMENT_DECLINED","sandbox":false,` + ended,
			`{"type":"order.paid` + head + `Z","data":{"order":{"id":"01J","state":"paid","serviceProvider":"seller","walletAddress":"0xA11CE",` + paid + `"sandbox":false,` + ended,
			`{"type":"session.granted` + head + `.678Z","data":{` + project + `,"session":{"account":"eip155:10:0xa11ce","expiresAt":"2100-01-02T03:05:05Z","id":"a-uuid"}}}`,
			`{"type":"session.revoked` + head + `.678Z","data":{` + project + `,"session":{"account":"eip155:10:0xa11ce","expiresAt":"2100-01-02T03:05:05Z","id":"a-uuid"}}}`,
			`{"type":"user.created` + head + `.678Z","data":{` + project + `,"user":{"id":"user-1"}}}`,
			`{"type":"wallet.connected` + head + `.678Z","data":{` + project + `,"wallet":{"address":"0xA11CE","chainIds":["eip155:10"]}}}`,
		}
		if got := shop.received(len(want)); !slices.Equal(got, want) {
			t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
		// The states of an order came in their order.
		shop.mu.Lock()
		defer shop.mu.Unlock()
		var states []string
		for _, body := range shop.events {
			var e webhook.Event
			if err := json.Unmarshal([]byte(body), &e); err != nil {
				t.Fatal(err)
			}
			if strings.HasPrefix(e.Type, "order.") {
				states = append(states, e.Type)
			}
		}
		if !slices.Equal(states, []string{"order.paid", "order.failed", "order.completed"}) {
			t.Errorf("states %v", states)
		}
	})
}

func named(n string) *namesv1.NameRegistered {
	return &namesv1.NameRegistered{Name: n, Address: "0x1", ProjectId: project, RegisteredAt: time.Now().UnixMilli()}
}

func TestEventsThatHappenWhileTheServiceIsDownAreSent(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		s, shop := newSuite(t, db), newSite(t)
		_, secret := s.create(project, shop.url)
		shop.trust(secret)
		s.publish(named("a"))
		shop.received(1)
		s.stop()
		s.publish(named("b"), named("c"))
		s.start()
		shop.received(3)
	})
}

func TestAReceiverThatHangsDelaysNoOtherProject(t *testing.T) {
	hung := make(chan struct{})
	hangs := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-hung }))
	t.Cleanup(func() {
		close(hung)
		hangs.Close()
	})
	s, shop := newSuite(t, storetest.Open(t, storetest.SQLite(t))), newSite(t)
	const slow = "00000000000000000000000000000002"
	s.create(slow, hangs.URL)
	_, secret := s.create(project, shop.url)
	shop.trust(secret)
	for _, n := range []string{"a", "b", "c", "d", "e"} {
		other := named(n)
		other.ProjectId = slow
		s.publish(other, named(n))
	}
	shop.received(5)
	s.stop()
}

func TestAReceiverThatRedirectsGetsNothingElsewhere(t *testing.T) {
	inward := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("the redirect was followed") }))
	t.Cleanup(inward.Close)
	redirects := httptest.NewServer(http.RedirectHandler(inward.URL, http.StatusPermanentRedirect))
	t.Cleanup(redirects.Close)
	s := newSuite(t, storetest.Open(t, storetest.SQLite(t)))
	s.create(project, redirects.URL)
	s.publish(named("a"))
	d := s.await(func(d *webhooksv1.Delivery) bool { return d.GetAttempts() > 0 })
	if d.GetLastStatus() != http.StatusPermanentRedirect || d.GetState() != webhooksv1.DeliveryState_DELIVERY_STATE_WAITING {
		t.Errorf("%v", d)
	}
}

// await waits until the newest delivery of the project has a condition.
func (s *suite) await(condition func(d *webhooksv1.Delivery) bool) *webhooksv1.Delivery {
	s.t.Helper()
	for {
		res, err := s.ListDeliveries(s.t.Context(), &webhooksv1.ListDeliveriesRequest{ProjectId: project})
		if err != nil {
			s.t.Fatal(err)
		}
		if all := res.GetDeliveries(); len(all) > 0 && condition(all[0]) {
			return all[0]
		}
		time.Sleep(pollPause)
	}
}

// The operator took the host off the list, or a name leads inwards now.
func TestAnAddressThatIsNotPublicIsNotCalled(t *testing.T) {
	s := newSuite(t, storetest.Open(t, storetest.SQLite(t)))
	inward := newSite(t)
	e, _ := s.create(project, inward.url)
	if err := s.db.InTx(t.Context(), func(tx *store.Tx) error {
		_, err := tx.ExecContext(t.Context(), `UPDATE webhooks_endpoints SET url = $1 WHERE id = $2`, strings.Replace(inward.url, "127.0.0.1", "127.0.0.2", 1), e.GetId())
		return err
	}); err != nil {
		t.Fatal(err)
	}
	s.publish(named("a"))
	if d := s.await(func(d *webhooksv1.Delivery) bool { return d.GetAttempts() > 0 }); d.GetLastError() != "the address is not public" {
		t.Errorf("%v", d)
	}
}

func TestTheOperatorManagesWebhooks(t *testing.T) {
	s, shop := newSuite(t, storetest.Open(t, storetest.SQLite(t))), newSite(t)
	ctx := t.Context()
	e, first := s.create(project, shop.url)
	shop.trust(first)

	t.Run("a secret is rotated while both are valid", func(t *testing.T) {
		rotated, err := s.RotateSecret(ctx, &webhooksv1.RotateSecretRequest{ProjectId: project, EndpointId: e.GetId(), KeepSeconds: 60})
		if err != nil || rotated.GetSecret() == first || rotated.GetEndpoint().GetPreviousUntil() == 0 {
			t.Fatal(rotated, err)
		}
		s.publish(named("a"))
		shop.received(1)
		shop.trust(rotated.GetSecret())
		s.publish(named("b"))
		shop.received(2)
	})

	t.Run("deliveries are listed and repeated with the same id", func(t *testing.T) {
		s.await(func(d *webhooksv1.Delivery) bool {
			return d.GetState() == webhooksv1.DeliveryState_DELIVERY_STATE_DELIVERED
		})
		res, err := s.ListDeliveries(ctx, &webhooksv1.ListDeliveriesRequest{ProjectId: project, Limit: 1, State: webhooksv1.DeliveryState_DELIVERY_STATE_DELIVERED})
		if err != nil || len(res.GetDeliveries()) != 1 {
			t.Fatal(res, err)
		}
		newest := res.GetDeliveries()[0]
		if res, err = s.ListDeliveries(ctx, &webhooksv1.ListDeliveriesRequest{ProjectId: project, Before: newest.GetId()}); err != nil || len(res.GetDeliveries()) != 1 {
			t.Fatal(res, err)
		}
		if replayed, err := s.ReplayDeliveries(ctx, &webhooksv1.ReplayDeliveriesRequest{ProjectId: project, Id: newest.GetId()}); err != nil || replayed.GetReplayed() != 1 {
			t.Fatal(replayed, err)
		}
		shop.received(3)
		shop.mu.Lock()
		if shop.events[1] != shop.events[2] || shop.headers[1].Get("webhook-id") != shop.headers[2].Get("webhook-id") || newest.GetMessageId() != shop.headers[2].Get("webhook-id") {
			t.Errorf("repeated as %s", shop.events[2])
		}
		shop.mu.Unlock()
		s.await(func(d *webhooksv1.Delivery) bool {
			return d.GetAttempts() == 2 && d.GetState() == webhooksv1.DeliveryState_DELIVERY_STATE_DELIVERED
		})
		got, err := s.GetDelivery(ctx, &webhooksv1.GetDeliveryRequest{ProjectId: project, Id: newest.GetId()})
		if err != nil || len(got.GetAttempts()) != 2 || got.GetAttempts()[0].GetStatus() != 204 || !strings.Contains(got.GetBody(), `"type":"name.registered"`) {
			t.Errorf("%v %v", got, err)
		}
		if replayed, err := s.ReplayDeliveries(ctx, &webhooksv1.ReplayDeliveriesRequest{ProjectId: project, To: time.Now().Add(time.Hour).UnixMilli()}); err != nil || replayed.GetReplayed() != 2 {
			t.Fatal(replayed, err)
		}
		shop.received(5)
	})

	t.Run("a disabled endpoint gets what waited when it is enabled", func(t *testing.T) {
		if _, err := s.SetEndpointEnabled(ctx, &webhooksv1.SetEndpointEnabledRequest{ProjectId: project, EndpointId: e.GetId()}); err != nil {
			t.Fatal(err)
		}
		s.publish(named("c"))
		s.await(func(d *webhooksv1.Delivery) bool {
			return d.GetState() == webhooksv1.DeliveryState_DELIVERY_STATE_WAITING
		})
		listed, err := s.ListEndpoints(ctx, &webhooksv1.ListEndpointsRequest{ProjectId: project})
		if err != nil || len(listed.GetEndpoints()) != 1 || listed.GetEndpoints()[0].GetWaiting() != 1 || listed.GetEndpoints()[0].GetEnabled() {
			t.Errorf("%v %v", listed, err)
		}
		if _, err := s.SetEndpointEnabled(ctx, &webhooksv1.SetEndpointEnabledRequest{ProjectId: project, EndpointId: e.GetId(), Enabled: true}); err != nil {
			t.Fatal(err)
		}
		shop.received(6)
	})

	t.Run("nothing has the secret but the answer that makes it", func(t *testing.T) {
		endpoints, err := s.ListEndpoints(ctx, &webhooksv1.ListEndpointsRequest{ProjectId: project})
		if err != nil {
			t.Fatal(err)
		}
		list, err := s.ListDeliveries(ctx, &webhooksv1.ListDeliveriesRequest{ProjectId: project})
		if err != nil {
			t.Fatal(err)
		}
		if text := endpoints.String() + list.String(); strings.Contains(text, "whsec_") || strings.Contains(text, strings.TrimPrefix(first, "whsec_")) {
			t.Error(text)
		}
	})

	t.Run("what is unknown is refused", func(t *testing.T) {
		const foreign = "00000000000000000000000000000002"
		create := func(project, url string, kinds ...string) error {
			_, err := s.CreateEndpoint(ctx, &webhooksv1.CreateEndpointRequest{ProjectId: project, Url: url, Kinds: kinds})
			return err
		}
		_, rotated := s.RotateSecret(ctx, &webhooksv1.RotateSecretRequest{ProjectId: foreign, EndpointId: e.GetId()})
		_, enabled := s.SetEndpointEnabled(ctx, &webhooksv1.SetEndpointEnabledRequest{ProjectId: foreign, EndpointId: e.GetId()})
		_, deleted := s.DeleteEndpoint(ctx, &webhooksv1.DeleteEndpointRequest{ProjectId: foreign, EndpointId: e.GetId()})
		_, got := s.GetDelivery(ctx, &webhooksv1.GetDeliveryRequest{ProjectId: foreign, Id: 1})
		_, replayed := s.ReplayDeliveries(ctx, &webhooksv1.ReplayDeliveriesRequest{ProjectId: foreign, Id: 1})
		_, empty := s.ReplayDeliveries(ctx, &webhooksv1.ReplayDeliveriesRequest{ProjectId: project})
		for name, c := range map[string]struct {
			err   error
			code  codes.Code
			field string
		}{
			"a project":                {create(unknownProject, shop.url), codes.NotFound, "id"},
			"a URL":                    {create(project, "http://shop.example/"), codes.InvalidArgument, "url"},
			"a kind":                   {create(project, shop.url, "order.lost"), codes.InvalidArgument, "kinds"},
			"rotating another's":       {rotated, codes.NotFound, "endpointId"},
			"disabling another's":      {enabled, codes.NotFound, "endpointId"},
			"deleting another's":       {deleted, codes.NotFound, "endpointId"},
			"another's delivery":       {got, codes.NotFound, "id"},
			"repeating another's":      {replayed, codes.NotFound, "id"},
			"repeating an empty range": {empty, codes.InvalidArgument, "to"},
		} {
			if f := fault.From(c.err); c.err == nil || f.Code != c.code || f.Field != c.field {
				t.Errorf("%s: %v", name, c.err)
			}
		}
	})

	t.Run("an endpoint is deleted", func(t *testing.T) {
		if _, err := s.DeleteEndpoint(ctx, &webhooksv1.DeleteEndpointRequest{ProjectId: project, EndpointId: e.GetId()}); err != nil {
			t.Fatal(err)
		}
		list, err := s.ListDeliveries(ctx, &webhooksv1.ListDeliveriesRequest{ProjectId: project})
		if err != nil || len(list.GetDeliveries()) != 0 {
			t.Errorf("%v %v", list, err)
		}
	})
}

func TestConfigurationsThatAreRefused(t *testing.T) {
	if faults := DefaultConfig().Check(); len(faults) != 0 {
		t.Errorf("the default: %v", faults)
	}
	for key, change := range map[string]func(c *Config){
		"private_hosts[0]": func(c *Config) { c.PrivateHosts = []string{"http://shop.internal"} },
		"timeout":          func(c *Config) { c.Timeout = 2 * time.Minute },
		"retry_for":        func(c *Config) { c.RetryFor = 0 },
		"keep":             func(c *Config) { c.Keep = time.Hour },
		"max_waiting":      func(c *Config) { c.MaxWaiting = 0 },
		"slots":            func(c *Config) { c.Slots = 1 },
		"followed":         func(c *Config) { c.Followed = 0 },
		"follows_per_hour": func(c *Config) { c.FollowsPerHour = -1 },
	} {
		c := DefaultConfig()
		change(&c)
		if faults := c.Check(); len(faults) != 1 || faults[0].Key != key {
			t.Errorf("%s: %v", key, faults)
		}
	}
}
