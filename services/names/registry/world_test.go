package registry_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/hawser-dev/hawser/services/names"
	"github.com/hawser-dev/hawser/services/names/registry"
	"github.com/hawser-dev/hawser/services/names/sqlstore"
	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/signature"
	"github.com/hawser-dev/hawser/services/onchain/signature/signaturetest"
	"github.com/hawser-dev/hawser/services/platform/bus/bustest"
	"github.com/hawser-dev/hawser/services/platform/clock/clocktest"
	"github.com/hawser-dev/hawser/services/platform/store/storetest"
)

// Coin types of the tests' chains, and one of a chain without a node.
const (
	ether    registry.CoinType = 60
	mainnet  registry.CoinType = 0x8000_0001
	devnet   registry.CoinType = 0x8000_7a69
	unserved registry.CoinType = 0x8000_0064
)

// networks are the chains in the table.
type networks map[string]bool

func (n networks) Serves(_ context.Context, chainID string) (bool, error) { return n[chainID], nil }

// contracts maps chains to accounts that are contracts there and accept any signature of one byte.
type contracts map[string]evm.Address

func (c contracts) Verify(ctx context.Context, chainID string, account evm.Address, message, sig []byte) (signature.Kind, error) {
	if len(sig) == 1 && c[chainID] == account {
		return signature.Contract, nil
	}
	away := func(string) chainclient.Transport {
		return func(context.Context, []byte) ([]byte, error) {
			return []byte(`[{"jsonrpc":"2.0","id":0,"result":"0x00"}]`), nil
		}
	}
	return signature.NewVerifier(away).Verify(ctx, chainID, account, message, sig)
}

// world is a registry on SQLite with a test clock.
type world struct {
	*registry.Registry
	clock     *clocktest.Stopped
	contracts contracts
}

func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m, goleak.IgnoreAnyFunction("github.com/maypok86/otter/v2.periodicCleanUp[...]"))
}

func newWorld(t testing.TB, change ...func(*names.Config)) *world {
	t.Helper()
	cfg := names.DefaultConfig()
	for _, c := range change {
		c(&cfg)
	}
	db := storetest.Open(t, storetest.SQLite(t))
	kept, err := sqlstore.New(t.Context(), db, bustest.Outbox(t, db), cfg.ChangesPerHour)
	if err != nil {
		t.Fatal(err)
	}
	w := &world{clock: clocktest.StoppedAt(time.Date(2026, 1, 2, 3, 4, 5, 6_789_000, time.UTC)), contracts: contracts{}}
	served := networks{"eip155:1": true, "eip155:31337": true}
	w.Registry = registry.New(cfg.Rules(), kept, served, w.contracts, w.clock)
	return w
}

// fields are the members of a signed text; the default time is that of the clock.
type fields map[string]any

// signed returns a text that an account signed with its key, on Ethereum.
func (w *world) signed(by signaturetest.Account, f fields) registry.Envelope {
	message := w.message(f)
	return registry.Envelope{Message: message, Signature: by.Sign(message), CoinType: ether, Address: by.Address().String()}
}

func (w *world) message(f fields) string {
	if _, given := f["timestamp"]; !given {
		f["timestamp"] = w.clock.Now().Unix()
	}
	raw, err := json.Marshal(f)
	if err != nil {
		panic(err)
	}
	return string(raw)
}

// register registers a name for an account, one second after the previous call.
func (w *world) register(t testing.TB, name string, by signaturetest.Account) registry.Record {
	t.Helper()
	w.clock.Pass(time.Second)
	r, err := w.Register(t.Context(), w.signed(by, fields{"name": name, "attributes": fields{}}))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// shownAs lists the names by which an account is shown.
func (w *world) shownAs(t testing.TB, account evm.Address) (all []string) {
	t.Helper()
	records, err := w.NamesOf(t.Context(), account)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range records {
		all = append(all, string(r.Name))
	}
	return all
}

func wantError(t testing.TB, err, want error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Errorf("err = %v, want %v", err, want)
	}
}
