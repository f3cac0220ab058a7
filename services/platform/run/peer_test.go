package run_test

import (
	"context"
	"io"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/net/dns/dnsmessage"
	"google.golang.org/grpc"

	projectsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/projects/v1"
	sessionsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/sessions/v1"
	walletv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/wallet/v1"
	"github.com/hawser-dev/hawser/services/platform/caller"
	"github.com/hawser-dev/hawser/services/platform/freeport"
	"github.com/hawser-dev/hawser/services/platform/run"
)

// named implements GetProject; it returns its own name, after a pause.
type named struct {
	projectsv1.UnimplementedProjectsServiceServer
	name  string
	pause time.Duration
	// fatal is called by each call; it may be nil.
	fatal func()

	mu    sync.Mutex
	calls int
}

func (s *named) GetProject(context.Context, *projectsv1.GetProjectRequest) (*projectsv1.GetProjectResponse, error) {
	s.mu.Lock()
	s.calls++
	s.mu.Unlock()
	if s.fatal != nil {
		s.fatal()
	}
	time.Sleep(s.pause)
	return &projectsv1.GetProjectResponse{Project: &projectsv1.Project{Id: s.name}}, nil
}

func (s *named) called() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.calls
}

// replica serves s at a free address until the test ends, or until stop is called.
func replica(t *testing.T, s *named) (address string, stop func()) {
	t.Helper()
	address = freeport.Address()
	return address, replicaAt(t, s, address)
}

// replicaAt serves s at an address until the test ends, or until stop is called.
func replicaAt(t *testing.T, s *named, address string) (stop func()) {
	t.Helper()
	pass := func(ctx context.Context, req any, _ *grpc.UnaryServerInfo, h grpc.UnaryHandler) (any, error) {
		return h(ctx, req)
	}
	passStream := func(service any, stream grpc.ServerStream, _ *grpc.StreamServerInfo, h grpc.StreamHandler) error {
		return h(service, stream)
	}
	m := &run.Mesh{Unary: pass, Stream: passStream}
	m.Host(run.Service{Name: "projects", Register: func(r grpc.ServiceRegistrar) { projectsv1.RegisterProjectsServiceServer(r, s) }})
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- m.Serve(ctx, address) }()
	stop = sync.OnceFunc(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(stop)
	waitUntilServed(t, address)
	return stop
}

func waitUntilServed(t *testing.T, address string) {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Second); ; time.Sleep(time.Millisecond) {
		conn, err := net.Dial("tcp", address)
		if err == nil {
			_ = conn.Close()
			return
		}
		if time.Now().After(deadline) {
			t.Fatal(err)
		}
	}
}

// dial connects to the replicas that peers names.
func dial(t *testing.T, peers string) projectsv1.ProjectsServiceClient {
	t.Helper()
	return dialBy(t, nil, peers)
}

// dialBy dials peers whose names a resolver looks up.
func dialBy(t *testing.T, dns *net.Resolver, peers string) projectsv1.ProjectsServiceClient {
	t.Helper()
	m := &run.Mesh{Peers: map[string]string{"projects": peers}, Resolver: dns}
	conn, err := m.Conn("projects")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.(io.Closer).Close() })
	return projectsv1.NewProjectsServiceClient(conn)
}

// ask calls GetProject and returns the name of the replica that answered.
func ask(t *testing.T, client projectsv1.ProjectsServiceClient, within time.Duration) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), within)
	defer cancel()
	res, err := client.GetProject(ctx, &projectsv1.GetProjectRequest{Id: "x"})
	if err != nil {
		t.Fatalf("GetProject: %v", err)
	}
	return res.GetProject().GetId()
}

// link forwards connections to the address in to. While it is frozen it reads bytes and does not forward them, as a
// host that hangs does.
type link struct {
	address string

	mu      sync.Mutex
	to      string
	current chan struct{} // closed when the connections that were made so far are frozen
	open    []net.Conn
}

func newLink(t *testing.T, to string) *link {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	k := &link{address: l.Addr().String(), to: to, current: make(chan struct{})}
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go k.carry(conn)
		}
	}()
	return k
}

func (k *link) carry(conn net.Conn) {
	defer conn.Close()
	k.mu.Lock()
	to, frozen := k.to, k.current
	k.mu.Unlock()
	if to == "" {
		_, _ = io.Copy(io.Discard, conn)
		return
	}
	there, err := net.Dial("tcp", to)
	if err != nil {
		return
	}
	defer there.Close()
	k.mu.Lock()
	k.open = append(k.open, conn, there)
	k.mu.Unlock()
	go pump(conn, there, frozen)
	pump(there, conn, frozen)
}

// pump copies until frozen closes, and discards what it reads from then on.
func pump(to io.Writer, from io.Reader, frozen <-chan struct{}) {
	buffer := make([]byte, 32<<10)
	for {
		n, err := from.Read(buffer)
		if err != nil {
			return
		}
		select {
		case <-frozen:
		default:
			_, _ = to.Write(buffer[:n])
		}
	}
}

// freeze stops forwarding on every current connection. New ones are forwarded to the address next, or refused if it is
// empty.
func (k *link) freeze(next string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	close(k.current)
	k.current, k.to = make(chan struct{}), next
}

// cut closes every connection.
func (k *link) cut() {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, conn := range k.open {
		_ = conn.Close()
	}
}

func TestACallThatEndsItsReplicaReachesOneMoreAtMost(t *testing.T) {
	t.Parallel()
	var replicas []*named
	var addresses []string
	for range 4 {
		s := &named{}
		address, _ := replica(t, s)
		k := newLink(t, address)
		s.fatal = k.cut
		replicas, addresses = append(replicas, s), append(addresses, k.address)
	}
	client := dial(t, strings.Join(addresses, ","))
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	if _, err := client.GetProject(ctx, &projectsv1.GetProjectRequest{Id: "x"}, grpc.WaitForReady(true)); err == nil {
		t.Fatal("a call whose connection is lost was answered")
	}
	called := 0
	for _, s := range replicas {
		called += s.called()
	}
	if called != 2 {
		t.Errorf("%d of 4 replicas were called, want 2", called)
	}
}

func TestCallsAreSpreadOverTheReplicasOfAPeer(t *testing.T) {
	first, second := &named{name: "first"}, &named{name: "second"}
	one, stop := replica(t, first)
	two, _ := replica(t, second)
	client := dial(t, one+","+two)
	for range 200 {
		if ask(t, client, 10*time.Second); first.called() > 0 && second.called() > 0 {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	if first.called() == 0 || second.called() == 0 {
		t.Fatalf("the replicas were asked %d and %d times", first.called(), second.called())
	}
	stop()
	for range 20 {
		if who := ask(t, client, 10*time.Second); who != "second" {
			t.Fatalf("%q answered, which had stopped", who)
		}
	}
}

func TestAReplicaThatHangsIsLeftForTheOther(t *testing.T) {
	t.Parallel()
	one, _ := replica(t, &named{name: "first"})
	two, _ := replica(t, &named{name: "second"})
	hanging := newLink(t, one)
	client := dial(t, hanging.address+","+two)
	// Both are connected before one hangs.
	answered := map[string]bool{}
	for who := ""; who != "first" || len(answered) < 2; time.Sleep(10 * time.Millisecond) {
		who = ask(t, client, 10*time.Second)
		answered[who] = true
	}
	hanging.freeze("")
	for range 20 {
		// Far below the deadline of a request from end to end, and below the time after which a silent connection is
		// closed.
		if who := ask(t, client, 10*time.Second); who != "second" {
			t.Fatalf("%q answered, which hangs", who)
		}
	}
}

func TestASilentConnectionThroughOneAddressIsMadeAnew(t *testing.T) {
	t.Parallel()
	one, _ := replica(t, &named{name: "first"})
	two, _ := replica(t, &named{name: "second"})
	balancer := newLink(t, one)
	client := dial(t, balancer.address)
	if who := ask(t, client, 10*time.Second); who != "first" {
		t.Fatalf("%q answered", who)
	}
	balancer.freeze(two)
	if who := ask(t, client, time.Minute); who != "second" {
		t.Fatalf("%q answered, whose connection is dead", who)
	}
}

// nameServer answers every DNS query with the IPv4 address in host, or with a failure while there is none. It returns a resolver that asks it.
func nameServer(t *testing.T, host *atomic.Pointer[net.IP]) *net.Resolver {
	t.Helper()
	conn, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	go func() {
		buffer := make([]byte, 1500)
		for {
			n, from, err := conn.ReadFrom(buffer)
			if err != nil {
				return
			}
			var m dnsmessage.Message
			if m.Unpack(buffer[:n]) != nil || len(m.Questions) != 1 {
				continue
			}
			q := m.Questions[0]
			m.Response, m.Additionals = true, nil
			switch ip := host.Load(); {
			case ip == nil:
				m.RCode = dnsmessage.RCodeServerFailure
			case q.Type == dnsmessage.TypeA:
				header := dnsmessage.ResourceHeader{Name: q.Name, Class: q.Class}
				m.Answers = []dnsmessage.Resource{{Header: header, Body: &dnsmessage.AResource{A: [4]byte(ip.To4())}}}
			}
			if answer, err := m.Pack(); err == nil {
				_, _ = conn.WriteTo(answer, from)
			}
		}
	}()
	return &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, network, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, network, conn.LocalAddr().String())
	}}
}

func TestReplicasThatAreReplacedInARowAreFound(t *testing.T) {
	t.Parallel()
	_, port, err := net.SplitHostPort(freeport.Address())
	if err != nil {
		t.Fatal(err)
	}
	var host atomic.Pointer[net.IP]
	dns := nameServer(t, &host)
	var client projectsv1.ProjectsServiceClient
	stop := func() {}
	for _, text := range []string{"127.0.0.2", "127.0.0.3", "127.0.0.4"} {
		ip := net.ParseIP(text)
		next := replicaAt(t, &named{name: text}, net.JoinHostPort(text, port))
		host.Store(&ip)
		stop()
		stop = next
		if client == nil {
			client = dialBy(t, dns, "projects.test:"+port)
		}
		wantFound(t, client, text)
	}
}

// wantFound waits until calls reach a replica.
func wantFound(t *testing.T, client projectsv1.ProjectsServiceClient, name string) {
	t.Helper()
	found := func() bool {
		res, err := client.GetProject(t.Context(), &projectsv1.GetProjectRequest{Id: "x"})
		return err == nil && res.GetProject().GetId() == name
	}
	for end := time.Now().Add(15 * time.Second); !found(); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%s is not found", name)
		}
	}
}

// The name of a peer may appear long after a process has started. It must be looked up again soon, however often that has failed before.
func TestAPeerIsLookedUpEverySecondUntilItsNameIsKnown(t *testing.T) {
	t.Parallel()
	address, _ := replica(t, &named{name: "late"})
	_, port, _ := net.SplitHostPort(address)
	var host atomic.Pointer[net.IP]
	var asked atomic.Int64
	dns := nameServer(t, &host)
	dialer := dns.Dial
	dns.Dial = func(ctx context.Context, network, address string) (net.Conn, error) {
		asked.Add(1)
		return dialer(ctx, network, address)
	}
	client := dialBy(t, dns, "late.test:"+port)
	_, _ = client.GetProject(t.Context(), &projectsv1.GetProjectRequest{Id: "x"})
	// A lookup asks for IPv4 and IPv6, twice each: 24 questions are 6 lookups, after which gRPC's own resolver would pause for ten seconds and more.
	for end := time.Now().Add(time.Minute); asked.Load() < 24; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("the name was asked for %d times in a minute", asked.Load())
		}
	}
	ip := net.ParseIP("127.0.0.1")
	host.Store(&ip)
	wantFound(t, client, "late")
}

func TestACallThatIsSlowIsNotMadeTwice(t *testing.T) {
	t.Parallel()
	first, second := &named{name: "first", pause: 4 * time.Second}, &named{name: "second", pause: 4 * time.Second}
	one, _ := replica(t, first)
	two, _ := replica(t, second)
	ask(t, dial(t, one+","+two), 30*time.Second)
	if n := first.called() + second.called(); n != 1 {
		t.Errorf("the call was made %d times", n)
	}
}

func TestOnlyCallsThatChangeNothingAreRepeated(t *testing.T) {
	for method, want := range map[string]bool{
		"/hawser.names.v1.NamesService/GetName":              true,
		"/hawser.balances.v1.BalancesService/ListPrices":     true,
		"/hawser.chains.v1.NodeService/Forward":              true,
		"/hawser.names.v1.NamesService/RegisterName":         false,
		"/hawser.onramp.v1.OnrampService/OpenWidget":         false,
		"/hawser.onramp.v1.OnrampService/DeliverWebhook":     false,
		"/hawser.onramp.v1.SandboxService/SubmitCheckout":    false,
		"/hawser.names.v1.NamesService/Getaway":              false,
		"/hawser.convert.v1.ConvertService/BuildTransaction": true,
		"/hawser.names.v1.NamesService/SetAttributes":        false,
		"/hawser.names.v1.NamesService/ReleaseName":          false,
		"/hawser.onramp.v1.OnrampService/CreateUrl":          false,
		"/hawser.onramp.v1.SandboxService/ShowCheckout":      true,
		"/hawser.names.v1.NamesService/SuggestNames":         true,
		"/hawser.names.v1.NamesService/TransferName":         false,
		"/hawser.names.v1.NamesService/AnswerLookup":         true,
		"/hawser.names.v1.NamesService/ResolveName":          true,
		"/hawser.names.v1.NamesService/SetAddress":           false,
		"/hawser.projects.v1.ProjectsService/UnknownOfLater": false,
		"/hawser.convert.v1.ConvertService/BuildApprove":     true,
		"/hawser.onramp.v1.PurchaseService/ListPurchases":    true,
		"/hawser.activity.v1.HoldingsService/ListTouched":    true,
		"/hawser.nfts.v1.PictureService/ShowPicture":         true,
		"/hawser.convert.v1.ConvertService/GetPermit":        true,
		"/hawser.onramp.v1.OnrampService/ListBuyOptions":     true,
		"/hawser.onramp.v1.OnrampService/ListProviders":      true,
	} {
		if got := run.Repeatable(t.Context(), method, nil); got != want {
			t.Errorf("%s: %t, want %t", method, got, want)
		}
	}
}

func TestACallWithADeviceProofIsNotRepeated(t *testing.T) {
	const method = "/hawser.wallet.v1.LoginService/ListProviders"
	proven := caller.NewOutgoingContext(t.Context(), caller.Caller{Project: "p", Device: caller.Device{Proof: "a.b.c"}})
	if run.Repeatable(proven, method, &walletv1.ListProvidersRequest{}) {
		t.Error("it is repeated with its proof")
	}
	if plain := caller.NewOutgoingContext(t.Context(), caller.Caller{Project: "p"}); !run.Repeatable(plain, method, &walletv1.ListProvidersRequest{}) {
		t.Error("it is not repeated without a proof")
	}
}

func TestACallWithAProofInItsRequestIsNotRepeated(t *testing.T) {
	const method = "/hawser.sessions.v1.SmartSessionsService/ListSessions"
	if run.Repeatable(t.Context(), method, &sessionsv1.ListSessionsRequest{Proof: &sessionsv1.AccountProof{}}) {
		t.Error("it is repeated with its proof")
	}
	if !run.Repeatable(t.Context(), method, &sessionsv1.ListSessionsRequest{}) {
		t.Error("it is not repeated without a proof")
	}
}
