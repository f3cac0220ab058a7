package preview

import (
	"context"
	"encoding/hex"
	"fmt"
	"log/slog"
	"math/big"
	"net/url"
	"regexp"
	"strconv"
	"strings"

	"google.golang.org/grpc"

	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	previewv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/preview/v1"
	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/onchain/contracts"
	"github.com/hawser-dev/hawser/services/onchain/dex"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/request"
	"github.com/hawser-dev/hawser/services/onchain/svm"
	"github.com/hawser-dev/hawser/services/onchain/tokens"
	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/plaintext"
	"github.com/hawser-dev/hawser/services/platform/run"
	"github.com/hawser-dev/hawser/services/preview/cause"
	"github.com/hawser-dev/hawser/services/preview/clearsign"
	"github.com/hawser-dev/hawser/services/preview/effect"
	"github.com/hawser-dev/hawser/services/preview/price"
	"github.com/hawser-dev/hawser/services/preview/simulation"
	"github.com/hawser-dev/hawser/services/preview/solana"
	"github.com/hawser-dev/hawser/services/preview/statement"
	"github.com/hawser-dev/hawser/services/preview/warning"
)

// Name is the name of the service in -target and peers.
const Name = "preview"

const (
	symbolLimit = 32
	nameLimit   = 64
)

// Deps are the dependencies of the service.
type Deps struct {
	Chain *chainclient.Client
	Lists *tokens.Lists
	Clock clock.Clock
	// Prices may be nil: no price is known, and no trade to be fair.
	Prices price.Source
}

// New returns the service. It fails for descriptors that cannot be read.
func New(cfg Config, deps Deps) (run.Service, error) {
	descriptors, err := LoadDescriptors(cfg)
	if err != nil {
		return run.Service{}, err
	}
	server, err := newServer(cfg, deps, descriptors)
	return run.Service{
		Name:     Name,
		Register: func(s grpc.ServiceRegistrar) { previewv1.RegisterPreviewServiceServer(s, server) },
	}, err
}

// LoadDescriptors reads the bundled descriptors and those of the configured folder. The error names the file and the place in it.
func LoadDescriptors(cfg Config) (*clearsign.Descriptors, error) {
	descriptors, err := clearsign.Load(cfg.Descriptors)
	if err != nil {
		return nil, fmt.Errorf("preview.descriptors: %w", err)
	}
	return descriptors, nil
}

func newServer(cfg Config, deps Deps, descriptors *clearsign.Descriptors) (*server, error) {
	// The swap service logs what is wrong with the venues of a local chain.
	exchanges, err := dex.Load(dex.Config{}, deps.Chain, slog.New(slog.DiscardHandler))
	if err != nil {
		return nil, err
	}
	p := &Previewer{
		connect: deps.Chain.Transport, reader: evm.NewReader(deps.Chain.Transport), lists: deps.Lists, names: contracts.New(deps.Chain), local: deps.Chain,
		prices: deps.Prices, clock: deps.Clock, symbol: func(ctx context.Context, chainID string) string {
			network, _, _ := deps.Chain.Network(ctx, chainID)
			return network.Native.Symbol
		},
		descriptors: descriptors, exchanges: exchanges,
	}
	for _, text := range cfg.Delegates {
		if a, err := evm.ParseAddress(text); err == nil {
			p.delegates = append(p.delegates, a)
		}
	}
	return &server{previewer: p, chain: deps.Chain, solana: &solana.Previewer{
		Connect: deps.Chain.Transport, Facts: svm.NewFacts(deps.Chain.Transport), Tokens: deps.Lists, Prices: deps.Prices,
	}}, nil
}

type server struct {
	previewv1.UnimplementedPreviewServiceServer
	previewer *Previewer
	solana    *solana.Previewer
	chain     *chainclient.Client
}

// Simulate previews a request to sign.
func (s *server) Simulate(ctx context.Context, r *previewv1.SimulateRequest) (*previewv1.SimulateResponse, error) {
	namespace, chainID, err := request.ChainOfAny("chain_id", r.GetChainId())
	if err != nil {
		return nil, err
	}
	if namespace == request.Solana {
		return s.simulateSolana(ctx, chainID, r)
	}
	request, err := s.read(ctx, chainID, r)
	if err != nil {
		return nil, err
	}
	v, err := s.previewer.Preview(ctx, request)
	if err != nil {
		return nil, err
	}
	return response(v, request.Statement), nil
}

func (s *server) read(ctx context.Context, chainID string, r *previewv1.SimulateRequest) (Request, error) {
	if !canonicalChain.MatchString(r.GetChainId()) {
		return Request{}, request.UnsupportedChain(r.GetChainId())
	}
	if err := s.requireServed(ctx, chainID); err != nil {
		return Request{}, err
	}
	number, err := strconv.ParseUint(strings.TrimPrefix(chainID, "eip155:"), 10, 64)
	if err != nil {
		return Request{}, request.UnsupportedChain(chainID)
	}
	account, err := request.Address("account", r.GetAccount())
	if err != nil {
		return Request{}, err
	}
	parsed := Request{ChainID: chainID, Number: new(big.Int).SetUint64(number), Account: account, Atomic: r.GetAtomic()}
	parsed.Host = hostOf(r.GetOrigin())
	if r.GetDelegate() != "" {
		a, err := request.Address("delegate", r.GetDelegate())
		if err != nil {
			return Request{}, err
		}
		parsed.Delegate = &a
	}
	if parsed.Calls, err = readCalls(r.GetCalls()); err != nil {
		return Request{}, err
	}
	if parsed.Fees, err = readFees(r); err != nil {
		return Request{}, err
	}
	return parsed, readStatement(r, &parsed)
}

// canonicalChain matches the only spelling of a chain: wallets read others as the same number.
var canonicalChain = regexp.MustCompile(`^eip155:[1-9][0-9]{0,15}$`)

// hostOf returns the host of an origin, or an empty string.
func hostOf(origin string) string {
	u, err := url.Parse(origin)
	if err != nil {
		return ""
	}
	return u.Host
}

func readFees(r *previewv1.SimulateRequest) (fees simulation.Fees, err error) {
	if fees.Max, err = readFee("max_fee_per_gas", r.GetMaxFeePerGas()); err != nil {
		return fees, err
	}
	fees.Priority, err = readFee("max_priority_fee_per_gas", r.GetMaxPriorityFeePerGas())
	return fees, err
}

// readFee returns nil for a fee that is not named.
func readFee(field, text string) (*big.Int, error) {
	if text == "" {
		return nil, nil
	}
	fee, ok := new(big.Int).SetString(text, 10)
	if !ok || fee.Sign() < 0 || fee.BitLen() > 128 {
		return nil, invalid(field, "The fee is not an amount in wei")
	}
	return fee, nil
}

func (s *server) requireServed(ctx context.Context, chainID string) error {
	ok, err := s.chain.Serves(ctx, chainID)
	if err == nil && !ok {
		return request.UnsupportedChain(chainID)
	}
	return err
}

// readStatement reads typed data or a message, and checks that a request has one subject.
func readStatement(r *previewv1.SimulateRequest, request *Request) error {
	if r.GetTransaction() != "" || len(r.GetTransactions()) > 0 {
		return invalid("transaction", "Requests of eip155 have no transaction")
	}
	subjects := 0
	for _, set := range []bool{len(request.Calls) > 0, r.GetTypedData() != "", r.GetMessage() != ""} {
		if set {
			subjects++
		}
	}
	if subjects > 1 || subjects == 0 && request.Delegate == nil {
		return invalid("calls", "A request has exactly one of calls, typed_data, message and delegate")
	}
	switch {
	case r.GetTypedData() != "":
		parsed, err := statement.ParseTypedData(request.Account, r.GetTypedData())
		if err != nil {
			return invalid("typed_data", "The typed data is malformed")
		}
		request.Statement = &parsed
	case r.GetMessage() != "":
		raw, err := hex.DecodeString(strings.TrimPrefix(r.GetMessage(), "0x"))
		if err != nil {
			return invalid("message", "The message is not hex digits")
		}
		parsed := statement.ParseMessage(raw)
		request.Statement = &parsed
	}
	return nil
}

func readCalls(list []*previewv1.Call) (calls []simulation.Call, err error) {
	for _, c := range list {
		call := simulation.Call{Value: new(big.Int), Gas: c.GetGas()}
		if c.GetTo() != "" {
			to, err := request.Address("to", c.GetTo())
			if err != nil {
				return nil, err
			}
			call.To = &to
		}
		if c.GetValue() != "" {
			value, ok := new(big.Int).SetString(c.GetValue(), 10)
			if !ok || value.BitLen() > 256 {
				return nil, invalid("value", "The value is not an amount in wei")
			}
			call.Value = value
		}
		if call.Data, err = hex.DecodeString(strings.TrimPrefix(c.GetData(), "0x")); err != nil {
			return nil, invalid("data", "The data is not hex digits")
		}
		calls = append(calls, call)
	}
	return calls, nil
}

func invalid(field, text string) error {
	return request.Invalid(faultv1.Reason_REASON_PARAMETER_INVALID, field, "%s", text)
}

// causeProto returns nil for a reason without a cause.
func causeProto(c cause.Cause) *previewv1.Cause {
	if c == 0 {
		return nil
	}
	return previewv1.Cause(c).Enum() //nolint:gosec // its values are those of the API
}

func response(v Preview, s *statement.Statement) *previewv1.SimulateResponse {
	res := &previewv1.SimulateResponse{Outcome: previewv1.Outcome(v.Outcome), Reason: v.Reason, Cause: causeProto(v.Cause), Gas: v.Gas}
	asset := func(a effect.Asset) *previewv1.Asset { return assetProto(a, v.Tokens[a.Contract]) }
	for _, c := range v.Effects.Changes {
		res.Changes = append(res.Changes, &previewv1.AssetChange{Asset: asset(c.Asset), Outgoing: c.Outgoing, Amount: c.Amount.String(), Counterparty: c.Other.Hex()})
	}
	for _, a := range v.Effects.Approvals {
		p := &previewv1.Approval{Asset: asset(a.Asset), Spender: a.Spender.Hex(), ExpiresAt: a.Expires, Revoked: a.Revoked}
		if a.Amount != nil {
			p.Amount = a.Amount.String()
		}
		res.Approvals = append(res.Approvals, p)
	}
	for _, h := range v.Left {
		res.MinimumBalances = append(res.MinimumBalances, &previewv1.AssetBalance{Asset: asset(h.Asset), Amount: h.Amount.String()})
	}
	res.Warnings = warningsProto(v.Warnings)
	for _, d := range v.Descriptions {
		p := descriptionProto(d.Description, asset)
		p.Call = uint32(d.Call) //nolint:gosec // at most 50 calls
		res.Descriptions = append(res.Descriptions, p)
	}
	if s != nil {
		res.Statement = statementProto(*s)
	}
	return res
}

func warningsProto(list []warning.Warning) (all []*previewv1.Warning) {
	for _, w := range list {
		all = append(all, &previewv1.Warning{
			Kind: previewv1.WarningKind(w.Kind), Severity: previewv1.Severity(w.Severity), Text: w.Text(), Subject: w.Subject,
			Phrase: previewv1.Phrase(w.Phrase), Value: w.Value,
		})
	}
	return all
}

func assetProto(a effect.Asset, t Token) *previewv1.Asset {
	p := &previewv1.Asset{Kind: previewv1.AssetKind(a.Kind), Listed: t.Listed}
	if a.Kind != effect.Native {
		p.Contract = a.Contract.Hex()
	}
	if a.ID != nil {
		p.TokenId = a.ID.String()
	}
	if t.Facts != nil {
		p.Symbol, p.Name, p.Decimals = plaintext.Text(t.Facts.Symbol, symbolLimit), plaintext.Text(t.Facts.Name, nameLimit), uint32(t.Facts.Decimals)
	}
	return p
}

// statementKinds are the kinds of the API. Operations, authorizations and moves elsewhere are typed data there; their warnings say what they are.
var statementKinds = map[statement.Kind]previewv1.StatementKind{
	statement.Permit: previewv1.StatementKind_STATEMENT_KIND_PERMIT, statement.Permit2: previewv1.StatementKind_STATEMENT_KIND_PERMIT2,
	statement.Delegation: previewv1.StatementKind_STATEMENT_KIND_DELEGATION, statement.SignIn: previewv1.StatementKind_STATEMENT_KIND_SIGN_IN,
	statement.TypedData: previewv1.StatementKind_STATEMENT_KIND_TYPED_DATA, statement.Text: previewv1.StatementKind_STATEMENT_KIND_TEXT,
	statement.Bytes: previewv1.StatementKind_STATEMENT_KIND_BYTES, statement.Order: previewv1.StatementKind_STATEMENT_KIND_ORDER,
	statement.Operation: previewv1.StatementKind_STATEMENT_KIND_TYPED_DATA, statement.Elsewhere: previewv1.StatementKind_STATEMENT_KIND_TYPED_DATA,
	statement.Authorization: previewv1.StatementKind_STATEMENT_KIND_TYPED_DATA,
}

func statementProto(s statement.Statement) *previewv1.Statement {
	p := &previewv1.Statement{Kind: statementKinds[s.Kind], Domain: s.Domain, PrimaryType: s.PrimaryType}
	if s.Contract != nil {
		p.Contract = s.Contract.Hex()
	}
	for _, m := range s.Members {
		p.Members = append(p.Members, &previewv1.Member{Name: m.Name, Value: m.Value})
	}
	return p
}
