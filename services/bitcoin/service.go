package bitcoin

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"log/slog"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/btcsuite/btcd/chaincfg"
	"github.com/btcsuite/btcd/wire"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"

	bitcoinv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/bitcoin/v1"
	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	statusv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/status/v1"
	"github.com/hawser-dev/hawser/services/bitcoin/esplora"
	"github.com/hawser-dev/hawser/services/onchain/bitcoin"
	"github.com/hawser-dev/hawser/services/onchain/request"
	"github.com/hawser-dev/hawser/services/platform/cache"
	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/fault"
	"github.com/hawser-dev/hawser/services/platform/plaintext"
	"github.com/hawser-dev/hawser/services/platform/routine"
	"github.com/hawser-dev/hawser/services/platform/run"
)

// Name is the name of the service in -target and peers.
const Name = "bitcoin"

const (
	// answerLifetime is how long an answer is cached, and answerBytes bounds those that are.
	answerLifetime = 2 * time.Second
	answerBytes    = 16 << 20
	// ownerLifetime is how long the address of an output that was listed is remembered, and maxOwners how many are.
	ownerLifetime = 10 * time.Minute
	maxOwners     = 50_000
	// loadTimeout bounds the requests for one answer.
	loadTimeout = 10 * time.Second
	// tipTimeout bounds the requests for the newest block; without it a history is returned all the same.
	tipTimeout = time.Second
	// refusalLimit bounds the text of a server, in characters.
	refusalLimit = 200
)

// Config is the configuration of the service.
type Config struct {
	// Servers are base URLs of Esplora's HTTP API by CAIP-2 id, the preferred first. ${NAME} is taken from the
	// environment. Networks other than Bitcoin's are ignored.
	Servers map[string][]string
	// Chosen are the networks whose servers the operator named: those are asked for their network when the service starts.
	Chosen []string
}

// Deps are the dependencies of the service.
type Deps struct {
	Clock clock.Clock
	Log   *slog.Logger
}

// New returns the service.
func New(_ context.Context, cfg Config, deps Deps) (run.Service, error) {
	s := newServer(cfg, deps)
	return run.Service{
		Name:     Name,
		Register: func(r grpc.ServiceRegistrar) { bitcoinv1.RegisterBitcoinServiceServer(r, s) },
		Work: func(ctx context.Context) error {
			s.verify(ctx, cfg.Chosen, deps.Log)
			<-ctx.Done()
			return nil
		},
		Chains: s.describe,
	}, nil
}

// verify asks the servers of networks for their network, so that a mistake of the operator is logged before a server is needed.
func (s *server) verify(ctx context.Context, ids []string, log *slog.Logger) {
	var asking routine.WaitGroup
	for _, id := range ids {
		if n, ok := s.networks[id]; ok {
			asking.Go(ctx, func() { n.client.Verify(ctx, log) })
		}
	}
	asking.Wait()
}

// describe returns the state of the servers of each network, by its id.
func (s *server) describe(ctx context.Context, probe bool) []*statusv1.Chain {
	ids := slices.Sorted(maps.Keys(s.networks))
	described := make([]*statusv1.Chain, len(ids))
	var describing routine.WaitGroup
	for i, id := range ids {
		described[i] = &statusv1.Chain{ChainId: id}
		describing.Go(ctx, func() {
			described[i].Nodes, described[i].Height = s.networks[id].client.Status(ctx, probe)
		})
	}
	describing.Wait()
	return described
}

// network is a network with configured servers.
type network struct {
	id     string
	params *chaincfg.Params
	client *esplora.Client
}

type server struct {
	bitcoinv1.UnimplementedBitcoinServiceServer
	networks map[string]network
	answers  *cache.Cache[string, any]
	// owners are the addresses of outputs that were listed, to know whose output a transaction spends.
	owners  *cache.Cache[outpoint, string]
	flights routine.Flights
}

// outpoint is an output of a transaction of a network.
type outpoint struct {
	network string
	wire.OutPoint
}

func newServer(cfg Config, deps Deps) *server {
	s := &server{
		networks: map[string]network{},
		answers:  cache.New(cache.Options[string, any]{MaxWeight: answerBytes, Weigh: weigh, Lifetime: answerLifetime}),
		owners:   cache.New(cache.Options[outpoint, string]{MaxEntries: maxOwners, Lifetime: ownerLifetime}),
	}
	for id, urls := range cfg.Servers {
		if params, ok := bitcoin.Network(id); ok {
			s.networks[id] = network{id, params, esplora.New(strings.TrimPrefix(id, "bip122:"), urls, deps.Clock)}
		}
	}
	return s
}

// GetBalance returns what an address holds.
func (s *server) GetBalance(ctx context.Context, r *bitcoinv1.GetBalanceRequest) (*bitcoinv1.GetBalanceResponse, error) {
	n, address, err := s.account(r.GetChainId(), r.GetAddress())
	if err != nil {
		return nil, err
	}
	b, err := kept(ctx, s, n, "balance/"+address, func(ctx context.Context) (esplora.Balance, error) { return n.client.Balance(ctx, address) })
	if err != nil {
		return nil, failed(ctx, n, err)
	}
	return &bitcoinv1.GetBalanceResponse{Confirmed: decimal(b.Confirmed), Pending: decimal(b.Pending)}, nil
}

// ListUnspent lists the unspent outputs of an address.
func (s *server) ListUnspent(ctx context.Context, r *bitcoinv1.ListUnspentRequest) (*bitcoinv1.ListUnspentResponse, error) {
	n, address, err := s.account(r.GetChainId(), r.GetAddress())
	if err != nil {
		return nil, err
	}
	outputs, err := kept(ctx, s, n, "unspent/"+address, func(ctx context.Context) ([]esplora.UnspentOutput, error) {
		list, err := n.client.Unspent(ctx, address)
		s.remember(n, address, list)
		return list, err
	})
	if err != nil {
		return nil, failed(ctx, n, err)
	}
	res := &bitcoinv1.ListUnspentResponse{}
	outputs, res.More = largestFirst(outputs)
	for _, o := range outputs {
		res.Outputs = append(res.Outputs, &bitcoinv1.UnspentOutput{TransactionId: o.TransactionID, Index: o.Index, Amount: decimal(o.Value), Height: heightOf(o.Status)})
	}
	return res, nil
}

// ListTransactions lists the transactions of an address.
func (s *server) ListTransactions(ctx context.Context, r *bitcoinv1.ListTransactionsRequest) (*bitcoinv1.ListTransactionsResponse, error) {
	n, address, err := s.account(r.GetChainId(), r.GetAddress())
	if err != nil {
		return nil, err
	}
	res := &bitcoinv1.ListTransactionsResponse{}
	var page []esplora.Transaction
	g, groupCtx := routine.NewGroup(ctx)
	g.Go(func() (err error) {
		page, err = kept(groupCtx, s, n, "transactions/"+address+"/"+r.GetCursor(), func(ctx context.Context) ([]esplora.Transaction, error) {
			return n.client.Transactions(ctx, address, r.GetCursor())
		})
		return err
	})
	g.Go(func() (err error) {
		res.TipHeight, err = s.tip(groupCtx, n)
		return err
	})
	if err := g.Wait(); err != nil {
		return nil, failed(ctx, n, err)
	}
	confirmed := 0
	for _, tx := range page {
		m := movementOf(address, tx)
		if m.Height > 0 {
			confirmed++
		}
		res.Transactions = append(res.Transactions, &bitcoinv1.Transaction{
			Id: m.ID, Height: m.Height, Time: m.Time, Spent: decimal(m.Spent), Received: decimal(m.Received), Fee: decimal(m.Fee), Counterparties: m.Counterparties,
		})
	}
	if confirmed >= esplora.PageSize {
		res.Next = page[len(page)-1].ID
	}
	return res, nil
}

// tip returns the height of the newest block, or 0 if it is not known soon: only the number of confirmations depends on
// it. An unknown height is cached too.
func (s *server) tip(ctx context.Context, n network) (uint64, error) {
	return kept(ctx, s, n, "tip", func(ctx context.Context) (uint64, error) {
		ctx, cancel := context.WithTimeout(ctx, tipTimeout)
		defer cancel()
		height, err := n.client.TipHeight(ctx)
		if err != nil {
			return 0, nil //nolint:nilerr // Not known is 0.
		}
		return height, nil
	})
}

// transaction is the bytes of a transaction and its status.
type transaction struct {
	raw    string
	status esplora.Status
}

// GetTransaction returns a transaction.
func (s *server) GetTransaction(ctx context.Context, r *bitcoinv1.GetTransactionRequest) (*bitcoinv1.GetTransactionResponse, error) {
	n, err := s.network(r.GetChainId())
	if err != nil {
		return nil, err
	}
	t, err := kept(ctx, s, n, "transaction/"+r.GetId(), func(ctx context.Context) (t transaction, err error) {
		t.raw, t.status, err = n.client.Transaction(ctx, r.GetId())
		return t, err
	})
	if errors.Is(err, esplora.ErrUnknown) {
		return nil, fault.New(codes.NotFound, faultv1.Reason_REASON_TRANSACTION_UNKNOWN, "id", "No server of the network has this transaction").Because(err)
	}
	if err != nil {
		return nil, failed(ctx, n, err)
	}
	if parsed, err := parseTransaction(t.raw); err != nil || parsed.TxID() != r.GetId() {
		return nil, failed(ctx, n, errors.Join(errors.New("a server returned another transaction"), err))
	}
	return &bitcoinv1.GetTransactionResponse{Transaction: t.raw, Height: heightOf(t.status)}, nil
}

// GetFeeRates returns the fee rates that are expected to confirm a transaction.
func (s *server) GetFeeRates(ctx context.Context, r *bitcoinv1.GetFeeRatesRequest) (*bitcoinv1.GetFeeRatesResponse, error) {
	n, err := s.network(r.GetChainId())
	if err != nil {
		return nil, err
	}
	estimates, err := kept(ctx, s, n, "fees", n.client.FeeEstimates)
	if err != nil {
		return nil, failed(ctx, n, err)
	}
	rates := feeRatesOf(estimates)
	return &bitcoinv1.GetFeeRatesResponse{Slow: rates.Slow, Normal: rates.Normal, Fast: rates.Fast}, nil
}

// SendTransaction broadcasts a transaction.
func (s *server) SendTransaction(ctx context.Context, r *bitcoinv1.SendTransactionRequest) (*bitcoinv1.SendTransactionResponse, error) {
	n, err := s.network(r.GetChainId())
	if err != nil {
		return nil, err
	}
	tx, err := parseTransaction(r.GetTransaction())
	if err != nil {
		return nil, request.Invalid(faultv1.Reason_REASON_PARAMETER_INVALID, "transaction", "The transaction is malformed").Because(err)
	}
	// The caller must learn whether the transaction was sent, so sending continues if its context ends.
	sending, cancel := context.WithTimeout(context.WithoutCancel(ctx), loadTimeout)
	defer cancel()
	err = n.client.Send(sending, r.GetTransaction())
	if refused, ok := errors.AsType[*esplora.RefusedError](err); ok {
		return nil, fault.New(codes.FailedPrecondition, faultv1.Reason_REASON_TRANSACTION_REFUSED, "transaction", "The network refuses the transaction: %s", plaintext.Text(refused.Text, refusalLimit)).Because(err)
	}
	if err != nil {
		return nil, failed(ctx, n, err)
	}
	s.drop(n, tx)
	return &bitcoinv1.SendTransactionResponse{Id: tx.TxID()}, nil
}

func (s *server) network(chainID string) (network, error) {
	n, ok := s.networks[chainID]
	if !ok {
		return n, request.UnsupportedChain(chainID)
	}
	return n, nil
}

func (s *server) account(chainID, text string) (network, string, error) {
	n, err := s.network(chainID)
	if err != nil {
		return n, "", err
	}
	address, err := bitcoin.ParseAddress(n.params, text)
	if err != nil {
		return n, "", request.Invalid(faultv1.Reason_REASON_ADDRESS_INVALID, "address", "The address provided is invalid").Because(err)
	}
	return n, address.EncodeAddress(), nil
}

// kept returns the cached answer about a network, or loads it. Loading continues if the caller's context ends, because
// other callers may wait for it.
func kept[T any](ctx context.Context, s *server, n network, key string, load func(context.Context) (T, error)) (answer T, err error) {
	key = n.id + "/" + key
	if found, ok := s.answers.Get(key); ok {
		if answer, ok = found.(T); ok {
			return answer, nil
		}
	}
	flight := s.flights.DoChan(ctx, key, func() (any, error) {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), loadTimeout)
		defer cancel()
		loaded, err := load(ctx)
		if err == nil {
			s.answers.Set(key, loaded)
		}
		return loaded, err
	})
	select {
	case <-ctx.Done():
		return answer, ctx.Err()
	case result := <-flight:
		answer, _ = result.Val.(T)
		return answer, result.Err
	}
}

func parseTransaction(text string) (*wire.MsgTx, error) {
	raw, err := hex.DecodeString(text)
	if err != nil {
		return nil, err
	}
	tx, reader := &wire.MsgTx{}, bytes.NewReader(raw)
	if err := tx.Deserialize(reader); err != nil {
		return nil, err
	}
	if reader.Len() > 0 {
		return nil, errors.New("bytes follow the transaction")
	}
	return tx, nil
}

// heightOf returns the height of a block, 0 for none.
func heightOf(s esplora.Status) uint64 {
	if !s.Confirmed {
		return 0
	}
	return s.Height
}

func decimal(satoshis int64) string { return strconv.FormatInt(satoshis, 10) }

// failed returns the fault of a failed request. A deadline is the caller's only if its own context ended.
func failed(ctx context.Context, n network, cause error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if refused, ok := errors.AsType[*esplora.RefusedError](cause); ok {
		return fault.New(codes.FailedPrecondition, faultv1.Reason_REASON_PARAMETER_INVALID, "", "The server of the network refuses the request: %s", plaintext.Text(refused.Text, refusalLimit)).Because(cause)
	}
	return fault.New(codes.Unavailable, faultv1.Reason_REASON_CHAIN_UNAVAILABLE, "chainId", "Requested %s chain provider is temporarily unavailable", n.id).Because(cause)
}
