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
// and a function that stops the i-th server. Server names are n0, n1 and so on.
func Cluster(t testing.TB, n int) (url string, stop func(i int)) {
	t.Helper()
	addresses := make([]string, n)
	for i := range addresses {
		addresses[i] = freeport.Address()
	}
	var routes, urls []string
	for _, address := range addresses {
		routes = append(routes, "nats://"+address)
	}
	servers := make([]*server.Server, n)
	for i, address := range addresses {
		_, port, err := net.SplitHostPort(address)
		if err != nil {
			t.Fatal(err)
		}
		s, err := server.NewServer(&server.Options{
			ServerName: fmt.Sprintf("n%d", i), Host: "127.0.0.1", Port: server.RANDOM_PORT, NoSigs: true, NoLog: true, JetStream: true, StoreDir: t.TempDir(),
			Cluster: server.ClusterOpts{Name: "test", Host: "127.0.0.1", Port: number(t, port)}, Routes: server.RoutesFromStr(strings.Join(routes, ",")),
		})
		if err != nil {
			t.Fatal(err)
		}
		servers[i] = s
		s.Start()
		t.Cleanup(func() {
			s.Shutdown()
			s.WaitForShutdown()
		})
	}
	for _, s := range servers {
		if !s.ReadyForConnections(20 * time.Second) {
			t.Fatal("a NATS server does not answer")
		}
		urls = append(urls, s.ClientURL())
	}
	isWhole := func(s *server.Server) bool { return s.JetStreamIsLeader() && len(s.JetStreamClusterPeers()) == n }
	if !eventually(func() bool { return slices.ContainsFunc(servers, isWhole) }) {
		t.Fatal("the NATS servers are no cluster")
	}
	return strings.Join(urls, ","), func(i int) {
		servers[i].Shutdown()
		servers[i].WaitForShutdown()
	}
}

func number(t testing.TB, port string) (n int) {
	t.Helper()
	if _, err := fmt.Sscan(port, &n); err != nil {
		t.Fatal(err)
	}
	return n
}
