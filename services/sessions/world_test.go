package sessions

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"log/slog"
	"math/big"
	"path/filepath"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/types/known/structpb"

	chainsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/chains/v1"
	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	projectsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/projects/v1"
	sessionsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/sessions/v1"
	walletv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/wallet/v1"
	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/onchain/delegation"
	"github.com/hawser-dev/hawser/services/onchain/devnet"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/evm/account"
	"github.com/hawser-dev/hawser/services/onchain/request"
	"github.com/hawser-dev/hawser/services/platform/bus/bustest"
	"github.com/hawser-dev/hawser/services/platform/caller"
	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/clock/clocktest"
	"github.com/hawser-dev/hawser/services/platform/devnettest"
	"github.com/hawser-dev/hawser/services/platform/fault"
	"github.com/hawser-dev/hawser/services/platform/seal"
	"github.com/hawser-dev/hawser/services/platform/store"
	"github.com/hawser-dev/hawser/services/platform/store/storetest"
	"github.com/hawser-dev/hawser/services/sessions/grant"
	"github.com/hawser-dev/hawser/services/sessions/message"
	"github.com/hawser-dev/hawser/services/sessions/onchain"
	"github.com/hawser-dev/hawser/services/sessions/proof"
	"github.com/hawser-dev/hawser/services/wallet/removal"
)

const (
	local   = "eip155:31337"
	project = "0123456789abcdef0123456789abcdef"
	// alone is a project whose sessions have no co-signer.
	alone  = "11111111111111111111111111111111"
	origin = "https://shop.example"
	// gatewayOrigin is the origin of the installation.
	gatewayOrigin = "https://gateway.example.org"
	// day is in seconds.
	day = 86_400
)

// world is the service on a local chain, with its nodes, bundler and projects.
type world struct {
	*server
	walletv1.OwnerServiceClient
	t     testing.TB
	chain devnettest.Chain
	nodes *nodes
	// bundler sends operations without the checks of the service.
	bundler *bundler
	clock   *clocktest.Ahead
	// owner is the account that the wallet service returns for a device proof.
	owner evm.Address
}

func newWorld(t testing.TB, db *store.DB) *world {
	t.Helper()
	return newWorldAt(t, db, filepath.Join(t.TempDir(), "wallet.key"))
}

func newWorldAt(t testing.TB, db *store.DB, keyFile string) *world {
	t.Helper()
	d := devnettest.Start(t)
	w := &world{t: t, chain: d.Chain(t, local), clock: &clocktest.Ahead{}}
	w.nodes = &nodes{devnet: d, chain: w.chain}
	w.bundler = &bundler{t: t, chain: w.chain, sent: map[common.Hash]json.RawMessage{}}
	var newest struct {
		Timestamp hexutil.Uint64 `json:"timestamp"`
	}
	// Other tests may have changed the time of the chain.
	decode(t, w.chain.Call(t, "eth_getBlockByNumber", "latest", false), &newest)
	w.clock.Pass(max(0, time.Until(time.Unix(int64(newest.Timestamp), 0))))
	cfg := Config{WithoutCoSigner: []string{alone}}
	if err := seal.CreateAge(keyFile); err != nil {
		t.Fatal(err)
	}
	key, err := seal.OpenAge(keyFile)
	if err != nil {
		t.Fatal(err)
	}
	deps := Deps{
		Chain: chainclient.NewFrom(w.nodes, w.nodes, clock.System{}), Projects: projects{}, Bundler: w.bundler, Owners: w, DB: db, Outbox: bustest.Outbox(t, db), Removals: removal.Folder{Own: filepath.Dir(keyFile)}, Origins: []string{gatewayOrigin, "https://wallet.example.org"}, Clock: w.clock,
		Sealer: func(context.Context) (*seal.Sealer, error) { return seal.New(key), nil }, Log: slog.New(slog.DiscardHandler),
	}
	if w.server, err = newServer(t.Context(), cfg, deps); err != nil {
		t.Fatal(err)
	}
	return w
}

func openDB(t testing.TB) *store.DB { return storetest.Open(t, storetest.SQLite(t)) }

// GetOwner implements the wallet service.
func (w *world) GetOwner(ctx context.Context, r *walletv1.GetOwnerRequest, _ ...grpc.CallOption) (*walletv1.GetOwnerResponse, error) {
	if caller.FromOutgoing(ctx).Device.Proof != "proof" {
		return nil, fault.New(codes.Unauthenticated, faultv1.Reason_REASON_DEVICE_PROOF_INVALID, "", "The device proof is not valid")
	}
	return &walletv1.GetOwnerResponse{Address: w.owner.Hex()}, nil
}

// sleep advances the time of the service and of the chain.
func (w *world) sleep(seconds int64) {
	w.t.Helper()
	w.clock.Pass(time.Duration(seconds) * time.Second)
	w.chain.Call(w.t, "evm_setNextBlockTimestamp", hexutil.EncodeUint64(uint64(w.clock.Now().Unix())))
	w.chain.Call(w.t, "evm_mine")
}

type projects struct{}

func (projects) GetProject(_ context.Context, r *projectsv1.GetProjectRequest, _ ...grpc.CallOption) (*projectsv1.GetProjectResponse, error) {
	return &projectsv1.GetProjectResponse{Project: &projectsv1.Project{Id: r.GetId(), Name: "The shop", Enabled: true}}, nil
}

// nodes implements the chains service.
type nodes struct {
	devnet *devnettest.Devnet
	chain  devnettest.Chain
}

func (n *nodes) ListNetworks(context.Context, *chainsv1.ListNetworksRequest, ...grpc.CallOption) (*chainsv1.ListNetworksResponse, error) {
	res := &chainsv1.ListNetworksResponse{}
	for _, c := range n.devnet.Chains {
		res.Networks = append(res.Networks, &chainsv1.Network{ChainId: c.CAIP2, Name: c.Name, Development: n.devnet.Describe(c.CAIP2)})
	}
	return res, nil
}

// Forward implements the chains service.
func (n *nodes) Forward(ctx context.Context, r *chainsv1.ForwardRequest, _ ...grpc.CallOption) (*chainsv1.ForwardResponse, error) {
	body, err := n.chain.Forward(ctx, r.GetBody())
	return &chainsv1.ForwardResponse{Body: body}, err
}

func decode(t testing.TB, raw json.RawMessage, into any) {
	t.Helper()
	if err := json.Unmarshal(raw, into); err != nil {
		t.Fatalf("%s: %v", raw, err)
	}
}

// person is an account that delegates to EIP7702StatelessDeleGator and holds one ether.
type person struct {
	w   *world
	key account.Key
}

func (w *world) newPerson() person {
	w.t.Helper()
	p := person{w, newKey(w.t)}
	w.fund(p.key.Address())
	var described devnet.Chain
	decode(w.t, w.nodes.devnet.Describe(local), &described)
	w.chain.Call(w.t, "anvil_setCode", p.key.Address(), "0xef0100"+hex.EncodeToString(described.SmartAccounts.Delegate[:]))
	return p
}

func (w *world) fund(a evm.Address) { w.chain.Call(w.t, "anvil_setBalance", a, "0xde0b6b3a7640000") }

func newKey(t testing.TB) account.Key {
	t.Helper()
	key, err := account.NewKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

func (p person) id() string { return local + ":" + p.key.Address().Hex() }

// as returns the context of a call from a project's page.
func as(t testing.TB, project string) context.Context {
	return caller.NewIncomingContext(t.Context(), caller.Caller{Project: project, Origin: origin})
}

// siteSession is a session and its keys.
type siteSession struct {
	person
	site    account.Key
	project string
	pci     string
	created *sessionsv1.CreateSessionResponse
	request *sessionsv1.CreateSessionRequest
	context []byte
}

// native returns a permission to spend wei in a period.
func native(w *world, wei int64, period int) *sessionsv1.Permission {
	return permission(w.t, "native-token-recurring-allowance", map[string]any{
		"allowance": hexutil.EncodeBig(big.NewInt(wei)), "start": w.clock.Now().Unix() - 10, "period": period,
	})
}

func permission(t testing.TB, kind string, data map[string]any) *sessionsv1.Permission {
	t.Helper()
	v, err := structpb.NewValue(jsonOf(t, data))
	if err != nil {
		t.Fatal(err)
	}
	return &sessionsv1.Permission{Type: kind, Data: v}
}

// jsonOf returns a value as encoding/json decodes it.
func jsonOf(t testing.TB, v any) (decoded any) {
	t.Helper()
	raw, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	decode(t, raw, &decoded)
	return decoded
}

func keys(t testing.TB, list ...account.Key) *sessionsv1.Signer {
	t.Helper()
	var described []any
	for _, k := range list {
		described = append(described, map[string]any{"type": "secp256k1", "publicKey": hexutil.Encode(k.PublicKey())})
	}
	p := permission(t, "keys", map[string]any{"keys": described})
	return &sessionsv1.Signer{Type: p.GetType(), Data: p.GetData()}
}

// create creates a session for an hour, or for a time that change sets.
func (p person) create(project string, change func(*sessionsv1.CreateSessionRequest), permissions ...*sessionsv1.Permission) *siteSession {
	p.w.t.Helper()
	s := &siteSession{person: p, site: newKey(p.w.t), project: project}
	s.request = &sessionsv1.CreateSessionRequest{
		Account: p.id(), Expiry: uint32(p.w.clock.Now().Unix()) + 3600, Signer: keys(p.w.t, s.site), Permissions: permissions, V: "2",
	}
	if change != nil {
		change(s.request)
	}
	var err error
	if s.created, err = p.w.CreateSession(as(p.w.t, project), s.request); err != nil {
		p.w.t.Fatal(err)
	}
	s.pci = s.created.GetPci()
	return s
}

// sign returns the context of a delegation with the caveats of a request, signed by a key.
func (s *siteSession) sign(r *sessionsv1.CreateSessionRequest, key account.Key, change func(*delegation.Delegation)) []byte {
	s.w.t.Helper()
	terms, err := message.Terms(r)
	if err != nil {
		s.w.t.Fatal(err)
	}
	g, err := grant.Parse(terms.Expiry, terms.Permissions, terms.Policies, s.w.clock.Now())
	if err != nil {
		s.w.t.Fatal(err)
	}
	nonce, err := s.w.server.chain.Nonce(s.w.t.Context(), local, s.key.Address())
	if err != nil {
		s.w.t.Fatal(err)
	}
	c, _ := s.w.server.chain.Contracts(local)
	delegate := evm.MustAddress(s.created.GetDelegate())
	d := delegation.Delegation{Delegate: delegate, Delegator: s.key.Address(), Caveats: g.Caveats(c, delegate, nonce), Salt: big.NewInt(7)}
	if salt := g.Salt(); salt != nil {
		d.Salt = salt
	}
	if change != nil {
		change(&d)
	}
	d.Signature = key.Sign(d.SigningHash(c.Manager, onchain.Number(local)))
	d.Signature[64] += 27
	return d.Context()
}

// storeTerms replaces the stored terms of the session, bypassing the checks of the service.
func (s *siteSession) storeTerms(db *store.DB, r *sessionsv1.CreateSessionRequest) {
	s.w.t.Helper()
	terms, err := message.Terms(r)
	if err != nil {
		s.w.t.Fatal(err)
	}
	raw, err := json.Marshal(terms)
	if err != nil {
		s.w.t.Fatal(err)
	}
	if err := db.InTx(s.w.t.Context(), func(tx *store.Tx) error {
		_, err := tx.ExecContext(s.w.t.Context(), `UPDATE sessions_sessions SET terms = $2 WHERE pci = $1`, s.pci, string(raw))
		return err
	}); err != nil {
		s.w.t.Fatal(err)
	}
}

// activate activates a session with the granted terms.
func (s *siteSession) activate(granted *sessionsv1.CreateSessionRequest, context []byte) error {
	_, err := s.w.ActivateSession(as(s.w.t, s.project), &sessionsv1.ActivateSessionRequest{
		Account: s.id(), Pci: s.pci, Expiry: granted.GetExpiry(), Signer: granted.GetSigner(), Permissions: granted.GetPermissions(),
		Policies: granted.GetPolicies(), Context: hexutil.Encode(context),
	})
	return err
}

// granted creates a session and activates it with the requested terms.
func (p person) granted(project string, change func(*sessionsv1.CreateSessionRequest), permissions ...*sessionsv1.Permission) *siteSession {
	p.w.t.Helper()
	s := p.create(project, change, permissions...)
	s.context = s.sign(s.request, s.key, nil)
	if err := s.activate(s.request, s.context); err != nil {
		p.w.t.Fatal(err)
	}
	s.w.fund(evm.MustAddress(s.created.GetDelegate()))
	return s
}

func pay(to evm.Address, wei int64) *sessionsv1.SessionCall {
	return &sessionsv1.SessionCall{To: to.Hex(), Value: hexutil.EncodeBig(big.NewInt(wei))}
}

// prepare returns prepared calls.
func (s *siteSession) prepare(calls ...*sessionsv1.SessionCall) (*sessionsv1.PrepareCallsResponse, error) {
	return s.w.PrepareCalls(as(s.w.t, s.project), &sessionsv1.PrepareCallsRequest{Account: s.id(), Pci: s.pci, Calls: calls})
}

// send signs prepared calls with the site's key and sends them, and reports whether they succeeded.
func (s *siteSession) send(prepared *sessionsv1.PrepareCallsResponse) (success bool, err error) {
	s.w.t.Helper()
	return s.sendSigned(prepared, s.site.Sign(common.HexToHash(prepared.GetHash())))
}

func (s *siteSession) sendSigned(prepared *sessionsv1.PrepareCallsResponse, signature []byte) (success bool, err error) {
	s.w.t.Helper()
	sent, err := s.w.SendPreparedCalls(as(s.w.t, s.project), &sessionsv1.SendPreparedCallsRequest{
		ChainId: local, Pci: s.pci, UserOperation: prepared.GetUserOperation(), Signature: hexutil.Encode(signature),
	})
	if err != nil {
		return false, err
	}
	got, err := s.w.GetPreparedCalls(as(s.w.t, s.project), &sessionsv1.GetPreparedCallsRequest{ChainId: local, UserOperationHash: sent.GetUserOperationHash()})
	if err != nil {
		return false, err
	}
	return got.GetReceipt().GetStatus() == "0x1", nil
}

// call prepares and sends calls.
func (s *siteSession) call(calls ...*sessionsv1.SessionCall) (success bool, err error) {
	s.w.t.Helper()
	prepared, err := s.prepare(calls...)
	if err != nil {
		return false, err
	}
	return s.send(prepared)
}

// must fails the test unless calls succeed.
func (s *siteSession) must(calls ...*sessionsv1.SessionCall) {
	s.w.t.Helper()
	if ok, err := s.call(calls...); err != nil || !ok {
		s.w.t.Fatalf("the calls were refused: %v", err)
	}
}

// wantReason fails the test unless an error has a reason.
func wantReason(t testing.TB, err error, want faultv1.Reason) {
	t.Helper()
	if reasonOf(err) != want {
		t.Fatalf("got %v, want %s", err, want)
	}
}

func reasonOf(err error) faultv1.Reason {
	f, _ := errors.AsType[*fault.Error](err)
	if f == nil {
		return faultv1.Reason_REASON_UNSPECIFIED
	}
	return f.Reason
}

func (w *world) balance(a evm.Address) int64 {
	w.t.Helper()
	var n hexutil.Big
	decode(w.t, w.chain.Call(w.t, "eth_getBalance", a, "latest"), &n)
	return n.ToInt().Int64()
}

// prove returns the account's proof of a call.
func (p person) prove(s proof.Statement, key account.Key) *sessionsv1.AccountProof {
	return p.proveAt(gatewayOrigin, s, key)
}

// proveAt returns the account's proof of a call of an installation.
func (p person) proveAt(origin string, s proof.Statement, key account.Key) *sessionsv1.AccountProof {
	var nonce [32]byte
	_, _ = rand.Read(nonce[:])
	deadline := uint32(p.w.clock.Now().Unix()) + 300
	s.Account = request.Account{ChainID: local, Address: p.key.Address()}
	signature := key.Sign(s.Hash(origin, nonce, deadline))
	signature[64] += 27
	return &sessionsv1.AccountProof{Signature: hexutil.Encode(signature), Nonce: common.Hash(nonce).Hex(), Deadline: deadline}
}

// list returns the sessions of an account.
func (p person) list() []*sessionsv1.Session {
	p.w.t.Helper()
	res, err := p.w.ListSessions(as(p.w.t, project), &sessionsv1.ListSessionsRequest{Account: p.id(), Proof: p.prove(proof.Statement{Kind: proof.List}, p.key)})
	if err != nil {
		p.w.t.Fatal(err)
	}
	return res.GetPcis()
}

// execute makes a call directly from the account.
func (p person) execute(to evm.Address, data []byte) {
	p.w.t.Helper()
	p.w.chain.Call(p.w.t, "anvil_impersonateAccount", p.key.Address())
	p.w.chain.Send(p.w.t, map[string]any{"from": p.key.Address(), "to": to, "data": hexutil.Bytes(data), "gas": "0x100000"})
}
