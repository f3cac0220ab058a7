package names_test

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"
	"google.golang.org/grpc"
	"google.golang.org/grpc/metadata"

	chainsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/chains/v1"
	namesv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/names/v1"
	"github.com/hawser-dev/hawser/services/names"
	"github.com/hawser-dev/hawser/services/names/resolver/resolvertest"
	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/onchain/signature/signaturetest"
	"github.com/hawser-dev/hawser/services/platform/bus"
	"github.com/hawser-dev/hawser/services/platform/bus/bustest"
	"github.com/hawser-dev/hawser/services/platform/cachecontrol"
	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/devnettest"
	"github.com/hawser-dev/hawser/services/platform/run"
	"github.com/hawser-dev/hawser/services/platform/store/storetest"
)

// devnetNodes are the chains service, with the local chain on which ENS is.
type devnetNodes struct {
	chainsv1.ChainsServiceClient
	chainsv1.NodeServiceClient
	chain devnettest.Chain
	// description is the description of the chain; nil for none.
	description []byte
	// unlisted removes the chains of ENS from the network table; away makes nodes fail, and stuck makes them never
	// answer.
	unlisted, away, stuck atomic.Bool
	calls                 atomic.Int64
}

func (n *devnetNodes) ListNetworks(context.Context, *chainsv1.ListNetworksRequest, ...grpc.CallOption) (*chainsv1.ListNetworksResponse, error) {
	if n.unlisted.Load() {
		return &chainsv1.ListNetworksResponse{Networks: []*chainsv1.Network{{ChainId: "eip155:10"}}}, nil
	}
	table := &chainsv1.ListNetworksResponse{Networks: []*chainsv1.Network{{ChainId: "eip155:1"}, {ChainId: n.chain.CAIP2, Development: n.description}}}
	return table, nil
}

func (n *devnetNodes) Forward(ctx context.Context, r *chainsv1.ForwardRequest, _ ...grpc.CallOption) (*chainsv1.ForwardResponse, error) {
	n.calls.Add(1)
	if n.away.Load() || r.GetChainId() != n.chain.CAIP2 {
		return nil, errors.New("no node answers")
	}
	if n.stuck.Load() {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	body, err := n.chain.Forward(ctx, r.GetBody())
	return &chainsv1.ForwardResponse{Body: body}, err
}

// display is the service with the local chains.
type display struct {
	*devnetNodes
	*fakePictures
	bus    *bus.Bus
	client namesv1.NamesServiceClient
}

func showing(t *testing.T, change ...func(*names.ENSConfig, *devnetNodes)) display {
	t.Helper()
	chains := devnettest.Start(t)
	nodes := &devnetNodes{chain: chains.Chain(t, "eip155:31337"), description: chains.Describe("eip155:31337")}
	cfg := names.DefaultConfig()
	for _, c := range change {
		c(&cfg.ENS, nodes)
	}
	pictures, events, db := &fakePictures{}, bustest.Embedded(t), storetest.Open(t, storetest.SQLite(t))
	s, err := names.New(t.Context(), cfg, names.Deps{
		Chain: chainclient.NewFrom(nodes, nodes, clock.System{}), Pictures: pictures, DB: db, Outbox: bustest.Outbox(t, db), Bus: events, Clock: clock.System{},
		Log: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	var channel run.Local
	s.Register(&channel)
	return display{nodes, pictures, events, namesv1.NewNamesServiceClient(&channel)}
}

func (s display) register(t *testing.T, name string, by signaturetest.Account) {
	t.Helper()
	if _, err := s.client.RegisterName(t.Context(), wish(name, by)); err != nil {
		t.Fatal(err)
	}
}

func (s display) wantIdentity(t *testing.T, of signaturetest.Account, avatar string, all ...string) {
	t.Helper()
	got, err := s.client.GetIdentity(t.Context(), &namesv1.GetIdentityRequest{Address: of.Address().String()})
	if err != nil || !slices.Equal(got.GetNames(), all) || got.GetAvatar() != avatar || got.GetName() != strings.Join(all[:min(len(all), 1)], "") {
		t.Errorf("%v, %v; want %q with avatar %q", got, err, all, avatar)
	}
}

func TestIdentity(t *testing.T) {
	ens := resolvertest.Start(t)
	const avatar = "https://pictures.example/1.png"
	known := signaturetest.NewAccount(101)
	ens.Claim(t, known.Address(), "known.identity")
	ens.Lead(t, "known.identity", known.Address(), avatar)

	t.Run("the ENS name, with its avatar, precedes that of the registry", func(t *testing.T) {
		s := showing(t)
		s.register(t, "known.hawser.id", known)
		s.wantIdentity(t, known, avatar, "known.identity", "known.hawser.id")
	})

	t.Run("an ENS name that does not resolve back is not shown", func(t *testing.T) {
		s, forger := showing(t), signaturetest.NewAccount(102)
		ens.Claim(t, forger.Address(), "known.identity")
		s.wantIdentity(t, forger, "")
		s.register(t, "forger.hawser.id", forger)
		s.wantIdentity(t, forger, "", "forger.hawser.id")
	})

	t.Run("an avatar that browsers cannot load safely is left out", func(t *testing.T) {
		s := showing(t)
		for n, text := range []string{"http://pictures.example/1.png", "javascript:alert(1)", "data:text/html,hello", "data:image/png;base64," + strings.Repeat("A", 32<<10), "eip155:1/erc721:0x00/1", "https://a:b@host/"} {
			account, name := signaturetest.NewAccount(110+n), string(rune('a'+n))+".identity"
			ens.Claim(t, account.Address(), name)
			ens.Lead(t, name, account.Address(), text)
			s.wantIdentity(t, account, "", name)
		}
	})

}

func TestIdentityWithoutENS(t *testing.T) {
	ens := resolvertest.Start(t)
	known := signaturetest.NewAccount(121)
	ens.Claim(t, known.Address(), "away.identity")
	ens.Lead(t, "away.identity", known.Address(), "")

	for what, switches := range map[string]func(n *devnetNodes){
		"no node answers":               func(n *devnetNodes) { n.away.Store(true) },
		"the node never answers":        func(n *devnetNodes) { n.stuck.Store(true) },
		"its chain is not in the table": func(n *devnetNodes) { n.unlisted.Store(true) },
	} {
		t.Run("our names are shown where "+what, func(t *testing.T) {
			s := showing(t)
			switches(s.devnetNodes)
			s.register(t, "known.hawser.id", known)
			s.wantIdentity(t, known, "", "known.hawser.id")
		})
	}

	t.Run("no request is sent if no resolver is configured", func(t *testing.T) {
		s := showing(t, func(c *names.ENSConfig, n *devnetNodes) { n.description, c.UniversalResolver = nil, "" })
		s.wantIdentity(t, known, "")
		if n := s.calls.Load(); n != 0 {
			t.Errorf("%d calls", n)
		}
	})

	t.Run("the operator's chain and resolver are used if no local chain describes its own", func(t *testing.T) {
		s := showing(t, func(c *names.ENSConfig, n *devnetNodes) {
			n.description, c.Chain, c.UniversalResolver = nil, ens.CAIP2, ens.UniversalResolver.String()
		})
		s.wantIdentity(t, known, "", "away.identity")
	})
}

// keptFor returns how long callers may keep the identity and the picture of an account.
func (s display) keptFor(t *testing.T, of signaturetest.Account, version string) (identity, picture time.Duration) {
	t.Helper()
	var header metadata.MD
	if _, err := s.client.GetIdentity(t.Context(), &namesv1.GetIdentityRequest{Address: of.Address().String()}, grpc.Header(&header)); err != nil {
		t.Fatal(err)
	}
	identity = cachecontrol.FromHeader(header).MaxAge
	header = nil
	_, _ = s.client.GetAvatar(t.Context(), &namesv1.GetAvatarRequest{Address: of.Address().String(), V: version}, grpc.Header(&header))
	return identity, cachecontrol.FromHeader(header).MaxAge
}

func (s display) wantKept(t *testing.T, of signaturetest.Account, version string, identity, picture time.Duration) {
	t.Helper()
	if i, p := s.keptFor(t, of, version); i != identity || p != picture {
		t.Errorf("identity may be kept for %s and its picture for %s, want %s and %s", i, p, identity, picture)
	}
}

func TestHowLongIdentitiesMayBeKept(t *testing.T) {
	ens := resolvertest.Start(t)
	const minutes, seconds = 5 * time.Minute, 10 * time.Second
	known, registered, nameless := signaturetest.NewAccount(141), signaturetest.NewAccount(142), signaturetest.NewAccount(143)
	ens.Claim(t, known.Address(), "lasting.identity")
	ens.Lead(t, "lasting.identity", known.Address(), "https://pictures.example/ens.png")
	// The chain has the answer for accounts that claim another's name: the server for all others is not running.
	ens.Claim(t, registered.Address(), "lasting.identity")
	ens.Claim(t, nameless.Address(), "lasting.identity")
	s := showing(t)
	s.registerWith(t, "lasting.hawser.id", registered, "https://pictures.example/registered.png")

	t.Run("without a name for seconds", func(t *testing.T) { s.wantKept(t, nameless, "", seconds, 0) })
	t.Run("with a name for minutes", func(t *testing.T) {
		s.wantKept(t, known, "", minutes, minutes)
		s.wantKept(t, registered, "", minutes, minutes)
	})
	t.Run("the picture under its version only", func(t *testing.T) {
		_, version, _ := strings.Cut(s.identity(t, known).GetPicture(), "=")
		s.wantKept(t, known, version, minutes, minutes)
		s.wantKept(t, known, "other", minutes, 0)
	})
	t.Run("not at all if the ENS name could not be looked up", func(t *testing.T) {
		down := showing(t)
		down.away.Store(true)
		down.registerWith(t, "lasting.hawser.id", known, "https://pictures.example/registered.png")
		down.wantIdentity(t, known, "https://pictures.example/registered.png", "lasting.hawser.id")
		down.wantKept(t, known, "", 0, 0)
		down.wantKept(t, nameless, "", 0, 0)
	})
}

func TestIdentityIsCached(t *testing.T) {
	ens := resolvertest.Start(t)
	known := signaturetest.NewAccount(131)
	ens.Claim(t, known.Address(), "kept.identity")
	ens.Lead(t, "kept.identity", known.Address(), "")

	t.Run("concurrent and later callers share one lookup", func(t *testing.T) {
		s := showing(t)
		var g errgroup.Group
		for range 20 {
			g.Go(func() error {
				s.wantIdentity(t, known, "", "kept.identity")
				return nil
			})
		}
		_ = g.Wait()
		s.wantIdentity(t, known, "", "kept.identity")
		if n := s.calls.Load(); n != 2 {
			t.Errorf("%d calls, not one for the name and one for the avatar", n)
		}
	})

	t.Run("a cached name is shown while the nodes are down", func(t *testing.T) {
		s := showing(t)
		s.wantIdentity(t, known, "", "kept.identity")
		s.away.Store(true)
		s.wantIdentity(t, known, "", "kept.identity")
	})

	t.Run("a cached absence does not hide a new name of the registry", func(t *testing.T) {
		s, newcomer := showing(t), signaturetest.NewAccount(132)
		s.wantIdentity(t, newcomer, "")
		s.register(t, "newcomer.hawser.id", newcomer)
		s.wantIdentity(t, newcomer, "", "newcomer.hawser.id")
	})

	t.Run("a caller that leaves does not end the lookup for other callers", func(t *testing.T) {
		s := showing(t)
		gone, leave := context.WithCancel(t.Context())
		leave()
		_, _ = s.client.GetIdentity(gone, &namesv1.GetIdentityRequest{Address: known.Address().String()})
		s.wantIdentity(t, known, "", "kept.identity")
	})
}
