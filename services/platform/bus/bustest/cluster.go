package bustest

import (
	"fmt"
	"net"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"github.com/hawser-dev/hawser/services/platform/freeport"
)

// Cluster starts n NATS servers that share JetStream, for the length of the test. It returns the URLs of all of them,
// and a function that stops the i-th server. Server names are n0, n1 and so on. Each of change changes the options of all servers.
func Cluster(t testing.TB, n int, change ...func(*server.Options)) (url string, stop func(i int)) {
	t.Helper()
	url, servers := newCluster(t, n, change...)
	for _, s := range servers {
		s.Start()
	}
	for _, s := range servers {
		if !s.ReadyForConnections(20 * time.Second) {
			t.Fatal("a NATS server does not answer")
		}
	}
	isWhole := func(s *server.Server) bool { return s.JetStreamIsLeader() && len(s.JetStreamClusterPeers()) == n }
	if !eventually(func() bool { return slices.ContainsFunc(servers, isWhole) }) {
		t.Fatal("the NATS servers are no cluster")
	}
	return url, func(i int) {
		servers[i].Shutdown()
		servers[i].WaitForShutdown()
	}
}

// LateCluster returns the URLs of n NATS servers that will share JetStream, and a function that starts the i-th of them.
func LateCluster(t testing.TB, n int) (url string, start func(i int)) {
	t.Helper()
	url, servers := newCluster(t, n)
	return url, func(i int) { servers[i].Start() }
}

// newCluster returns n servers that have not started, and their URLs.
func newCluster(t testing.TB, n int, change ...func(*server.Options)) (url string, servers []*server.Server) {
	t.Helper()
	var routes, urls []string
	for range n {
		routes = append(routes, "nats://"+freeport.Address())
		urls = append(urls, "nats://"+freeport.Address())
	}
	for i := range n {
		options := &server.Options{
			ServerName: fmt.Sprintf("n%d", i), Host: "127.0.0.1", Port: portOf(t, urls[i]), NoSigs: true, NoLog: true, JetStream: true, StoreDir: t.TempDir(),
			Cluster: server.ClusterOpts{Name: "test", Host: "127.0.0.1", Port: portOf(t, routes[i])}, Routes: server.RoutesFromStr(strings.Join(routes, ",")),
		}
		for _, c := range change {
			c(options)
		}
		s, err := server.NewServer(options)
		if err != nil {
			t.Fatal(err)
		}
		servers = append(servers, s)
		t.Cleanup(func() {
			s.Shutdown()
			s.WaitForShutdown()
		})
	}
	return strings.Join(urls, ","), servers
}

// portOf returns the port of a URL.
func portOf(t testing.TB, url string) (n int) {
	t.Helper()
	_, port, err := net.SplitHostPort(strings.TrimPrefix(url, "nats://"))
	if err != nil {
		t.Fatal(err)
	}
	return number(t, port)
}

func number(t testing.TB, port string) (n int) {
	t.Helper()
	if _, err := fmt.Sscan(port, &n); err != nil {
		t.Fatal(err)
	}
	return n
}
