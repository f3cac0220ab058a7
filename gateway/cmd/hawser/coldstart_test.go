package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/net/dns/dnsmessage"

	"github.com/hawser-dev/hawser/services/platform/bus/bustest"
	"github.com/hawser-dev/hawser/services/platform/freeport"
	"github.com/hawser-dev/hawser/services/platform/observe"
	"github.com/hawser-dev/hawser/services/platform/seal"
	"github.com/hawser-dev/hawser/services/platform/store/storetest"
)

// coldGroups are the Deployments of the chart's mode split.
var coldGroups = map[string][]string{
	"gateway":  {"gateway"},
	"chains":   {"chains", "bitcoin"},
	"accounts": {"activity", "balances", "nfts", "access", "updates", "names", "preview"},
	"convert":  {"convert"},
	"keys":     {"auth", "wallet", "bundler", "sessions", "webhooks"},
	"control":  {"projects", "analytics", "handoff", "directory", "onramp"},
	"relay":    {"relay"},
}

// coldSuite is a split suite whose parts, name server and NATS servers start in any order.
type coldSuite struct {
	configs map[string]Config
	// named says that the name server answers; until then its answers are failures.
	named atomic.Bool
	start func(server int)
}

func TestASplitSuiteStartsInAnyOrder(t *testing.T) {
	rounds := 6
	if testing.Short() {
		rounds = 1
	}
	for range rounds {
		seed := rand.Uint64()
		t.Run(fmt.Sprintf("seed %d", seed), func(t *testing.T) { startCold(t, rand.New(rand.NewPCG(seed, 0))) })
	}
}

// startCold starts everything within a few seconds, and waits until all parts are ready.
func startCold(t *testing.T, random *rand.Rand) {
	s := newColdSuite(t)
	steps := []func(){func() { s.named.Store(true) }}
	for i := range 3 {
		steps = append(steps, func() { s.start(i) })
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, len(s.configs))
	for name, c := range s.configs {
		telemetry, err := observe.Setup(ctx, c.Log, observe.Process{Target: c.Target, Log: io.Discard})
		if err != nil {
			t.Fatal(err)
		}
		steps = append(steps, func() {
			go func() {
				err := host(ctx, c, telemetry)
				if err != nil && ctx.Err() == nil {
					t.Errorf("%s ended: %v", name, err)
				}
				ended <- errors.Join(telemetry.Shutdown(context.WithoutCancel(ctx)))
			}()
		})
	}
	random.Shuffle(len(steps), func(i, j int) { steps[i], steps[j] = steps[j], steps[i] })
	for _, step := range steps {
		step()
		time.Sleep(time.Duration(random.IntN(600)) * time.Millisecond)
	}
	for name, c := range s.configs {
		for _, path := range []string{"/accepting", "/ready"} {
			waitFor(t, 5*time.Minute, name+" answers "+path, func() bool { return strings.HasPrefix(fetch(t, "http://"+c.Listen.Metrics+path, ""), "200 ") })
		}
	}
	stop()
	for range s.configs {
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}
	http.DefaultClient.CloseIdleConnections()
}

func newColdSuite(t *testing.T) *coldSuite {
	t.Helper()
	s := &coldSuite{configs: map[string]Config{}}
	dns := s.nameServer(t)
	var url string
	url, s.start = bustest.LateCluster(t, 3)
	dsn := storetest.PostgreSQL(t)
	key := filepath.Join(t.TempDir(), "wallet.key")
	if err := seal.CreateAge(key); err != nil {
		t.Fatal(err)
	}
	ports := map[string]string{}
	for name := range coldGroups {
		ports[name] = freeport.Address()
	}
	t.Setenv("HAWSER_CONFIG", "")
	for name, targets := range coldGroups {
		c, err := load(newFlags("run"), onAnyPort("-target", strings.Join(targets, ","), "-peers", peersOf(t, name, ports), "-data_dir", t.TempDir(), "-store.dsn", dsn,
			"-bus.url", url, "-bus.replicas", "3", "-wallet.key.file", key, "-chains.nodes", nodes, "-listen.grpc", ports[name], "-listen.metrics", freeport.Address()))
		if err != nil {
			t.Fatal(err)
		}
		if name == "relay" {
			c.Listen.Relay, c.Listen.GRPC = ports[name], ""
		}
		c.resolver = dns
		s.configs[name] = c
	}
	return s
}

// peersOf returns the peers of a group, by names that the name server knows.
func peersOf(t *testing.T, group string, ports map[string]string) string {
	t.Helper()
	var peers []string
	for name, targets := range coldGroups {
		for _, target := range targets {
			if name == group || target == targetGateway {
				continue
			}
			_, port, err := net.SplitHostPort(ports[name])
			if err != nil {
				t.Fatal(err)
			}
			host := name + ".test"
			if name == "relay" { // over HTTP, without the name server
				host = "127.0.0.1"
			}
			peers = append(peers, fmt.Sprintf("%q: %q", target, host+":"+port))
		}
	}
	return "{" + strings.Join(peers, ", ") + "}"
}

// nameServer answers that every name is this machine, once it is started, and returns a resolver that asks it.
func (s *coldSuite) nameServer(t *testing.T) *net.Resolver {
	t.Helper()
	conn, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var serving sync.WaitGroup
	t.Cleanup(func() { _ = conn.Close(); serving.Wait() })
	serving.Go(func() {
		for buffer := make([]byte, 1500); ; {
			n, from, err := conn.ReadFrom(buffer)
			if err != nil {
				return
			}
			var m dnsmessage.Message
			if m.Unpack(buffer[:n]) != nil || len(m.Questions) != 1 {
				continue
			}
			m.Response, m.Additionals = true, nil
			switch q := m.Questions[0]; {
			case !s.named.Load():
				m.RCode = dnsmessage.RCodeServerFailure
			case q.Type == dnsmessage.TypeA:
				header := dnsmessage.ResourceHeader{Name: q.Name, Class: q.Class}
				m.Answers = []dnsmessage.Resource{{Header: header, Body: &dnsmessage.AResource{A: [4]byte{127, 0, 0, 1}}}}
			}
			if answer, err := m.Pack(); err == nil {
				_, _ = conn.WriteTo(answer, from)
			}
		}
	})
	return &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, network, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, network, conn.LocalAddr().String())
	}}
}
