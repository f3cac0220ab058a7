package bundler

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/encoding/protojson"

	bundlerv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/bundler/v1"
	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	"github.com/hawser-dev/hawser/services/bundler/calls"
	"github.com/hawser-dev/hawser/services/bundler/endpoint"
	"github.com/hawser-dev/hawser/services/bundler/executor"
	"github.com/hawser-dev/hawser/services/bundler/network"
	"github.com/hawser-dev/hawser/services/bundler/paymaster"
	"github.com/hawser-dev/hawser/services/bundler/remote"
	"github.com/hawser-dev/hawser/services/bundler/sqlstore"
	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/evm/userop"
	"github.com/hawser-dev/hawser/services/onchain/request"
	"github.com/hawser-dev/hawser/services/platform/caller"
	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/fault"
	"github.com/hawser-dev/hawser/services/platform/routine"
	"github.com/hawser-dev/hawser/services/platform/run"
	"github.com/hawser-dev/hawser/services/platform/seal"
	"github.com/hawser-dev/hawser/services/platform/store"
)

// Name is the name of the service in -target and peers.
const Name = "bundler"

// Deps are the dependencies of the service.
type Deps struct {
	Chain *chainclient.Client
	DB    *store.DB
	// Sealer opens the key encryption key of executors' keys that are sealed.
	Sealer func(ctx context.Context) (*seal.Sealer, error)
	Clock  clock.Clock
	Log    *slog.Logger
}

// New returns the service. It creates the tables that do not exist.
func New(ctx context.Context, cfg Config, deps Deps) (run.Service, error) {
	s, err := newServer(ctx, cfg, deps)
	if err != nil {
		return run.Service{}, err
	}
	return run.Service{
		Name: Name,
		Register: func(r grpc.ServiceRegistrar) {
			bundlerv1.RegisterBundlerAdminServiceServer(r, adminServer{server: s})
			bundlerv1.RegisterCallsServiceServer(r, s)
			bundlerv1.RegisterUserOperationServiceServer(r, s)
		},
		Work: func(ctx context.Context) error {
			defer s.endpoint.Remote.Close()
			return s.work(ctx)
		},
		Ready: deps.DB.Ready,
	}, nil
}

func newServer(ctx context.Context, cfg Config, deps Deps) (*server, error) {
	kept, err := sqlstore.New(ctx, deps.DB)
	if err != nil {
		return nil, err
	}
	payer, err := paymaster.New(cfg.Paymaster, kept, deps.Clock)
	if err != nil {
		return nil, err
	}
	s := &server{cfg: cfg, deps: deps, store: kept}
	urls, err := cfg.urls()
	if err != nil {
		return nil, err
	}
	s.endpoint = endpoint.New(endpoint.Deps{
		Clock: deps.Clock, Connect: deps.Chain.Transport, URLs: urls, Networks: network.New(deps.Chain.Transport, deps.Chain, cfg.networks(), deps.Clock),
		Executor: s.executor.Load, Paymaster: payer, Remote: remote.New(cfg.BundlerHosts), ForwardsPaymaster: cfg.forwardsPaymaster(), Count: s.countForwarded,
		Limits: func(chainID string) (project, all string) {
			c := cfg.Chains[chainID]
			return c.ProjectLossPerHour, c.LossPerHour
		},
	})
	s.calls = calls.New(deps.Chain.Transport, s.endpoint, kept, deps.Clock)
	if err := s.openExecutor(ctx); err != nil && !errors.Is(err, seal.ErrUnavailable) {
		return nil, err
	}
	return s, nil
}

// countForwarded adds n to the operations that the bundler of another operator got.
func (s *server) countForwarded(ctx context.Context, project, chainID string, sender evm.Address, n int64) error {
	return s.store.CountForwarded(ctx, chainID, project, sender, n, s.deps.Clock.Now(), s.cfg.Limits)
}

type server struct {
	bundlerv1.UnimplementedCallsServiceServer
	bundlerv1.UnimplementedUserOperationServiceServer

	cfg      Config
	deps     Deps
	store    *sqlstore.Store
	endpoint *endpoint.Endpoint
	calls    *calls.Sender
	// executor is nil if there are no executors, and while their keys cannot be opened.
	executor atomic.Pointer[executor.Executor]
}

// Forward answers one JSON-RPC request.
func (s *server) Forward(ctx context.Context, r *bundlerv1.ForwardRequest) (*bundlerv1.ForwardResponse, error) {
	named := r.GetBundler()
	if named == "pimlico" {
		named = ""
	}
	body, err := s.endpoint.Answer(ctx, caller.From(ctx).Project, r.GetChainId(), named, r.GetBody())
	if err != nil {
		return nil, explain(r.GetChainId(), err)
	}
	return &bundlerv1.ForwardResponse{Body: body}, nil
}

// SendCalls stores a batch and sends it.
func (s *server) SendCalls(ctx context.Context, r *bundlerv1.SendCallsRequest) (*bundlerv1.SendCallsResponse, error) {
	account, err := request.Address("account", r.GetAccount())
	if err != nil {
		return nil, err
	}
	batch := calls.Batch{Project: caller.From(ctx).Project, Account: account, ID: r.GetId(), ChainID: r.GetChainId()}
	if (r.GetUserOperation() == nil) == (len(r.GetTransactions()) == 0) {
		return nil, explain(r.GetChainId(), calls.ErrMalformed)
	}
	if r.GetUserOperation() == nil {
		batch, err = s.sendTransactions(ctx, batch, r.GetTransactions())
	} else {
		batch, err = s.sendOperation(ctx, batch, r)
	}
	if err != nil {
		return nil, explain(r.GetChainId(), err)
	}
	res := &bundlerv1.SendCallsResponse{Id: batch.ID}
	if r.GetUserOperation() != nil {
		res.UserOperationHash = batch.Operation.Hex()
	}
	return res, nil
}

func (s *server) sendOperation(ctx context.Context, batch calls.Batch, r *bundlerv1.SendCallsRequest) (calls.Batch, error) {
	raw, err := protojson.Marshal(r.GetUserOperation())
	if err != nil {
		return batch, err
	}
	o, err := userop.Parse(json.RawMessage(raw))
	if err != nil {
		return batch, err
	}
	entryPoint, err := request.Address("entry_point", r.GetEntryPoint())
	if err != nil {
		return batch, err
	}
	return s.calls.SendOperation(ctx, batch, entryPoint, o)
}

func (s *server) sendTransactions(ctx context.Context, batch calls.Batch, transactions []string) (calls.Batch, error) {
	n, err := s.endpoint.Network(ctx, batch.ChainID)
	if err != nil {
		return batch, err
	}
	for _, text := range transactions {
		raw, err := hexutil.Decode(text)
		if err != nil {
			return batch, calls.ErrMalformed
		}
		batch.Transactions = append(batch.Transactions, raw)
	}
	return s.calls.SendTransactions(ctx, batch, n.Number)
}

// RemoveDelegation ends the delegation of an account at the cost of the operator.
func (s *server) RemoveDelegation(ctx context.Context, r *bundlerv1.RemoveDelegationRequest) (*bundlerv1.RemoveDelegationResponse, error) {
	account, err := request.Address("account", r.GetAccount())
	if err != nil {
		return nil, err
	}
	raw, err := protojson.Marshal(r.GetAuthorization())
	if err != nil {
		return nil, err
	}
	var authorization userop.Authorization
	if json.Unmarshal(raw, &authorization) != nil {
		return nil, fault.New(codes.InvalidArgument, faultv1.Reason_REASON_AUTHORIZATION_REFUSED, "authorization", "The authorization is malformed")
	}
	batch := calls.Batch{Project: caller.From(ctx).Project, Account: account, ChainID: r.GetChainId()}
	batch, err = s.calls.SendRemoval(ctx, batch, authorization)
	if err != nil {
		return nil, explainRemoval(r.GetChainId(), err)
	}
	return &bundlerv1.RemoveDelegationResponse{Id: batch.ID}, nil
}

// GetCalls returns the status of a batch.
func (s *server) GetCalls(ctx context.Context, r *bundlerv1.GetCallsRequest) (*bundlerv1.GetCallsResponse, error) {
	account, err := request.Address("account", r.GetAccount())
	if err != nil {
		return nil, err
	}
	status, err := s.calls.Status(ctx, caller.From(ctx).Project, account, r.GetId())
	if err != nil {
		return nil, explain(status.ChainID, err)
	}
	res := &bundlerv1.GetCallsResponse{Id: status.ID, ChainId: status.ChainID, Status: status.Code, Atomic: status.Atomic()}
	if len(status.Transactions) == 0 && !status.IsRemoval {
		res.UserOperationHash = status.Operation.Hex()
	}
	for _, receipt := range status.Receipts {
		res.Receipts = append(res.Receipts, receiptProto(receipt))
	}
	return res, nil
}

func receiptProto(r calls.Receipt) *bundlerv1.CallsReceipt {
	p := &bundlerv1.CallsReceipt{
		Status: "0x0", BlockHash: r.BlockHash.Hex(), BlockNumber: hexutil.EncodeUint64(r.BlockNumber), GasUsed: hexutil.EncodeUint64(r.GasUsed),
		TransactionHash: r.TransactionHash.Hex(),
	}
	if r.Success {
		p.Status = "0x1"
	}
	for _, l := range r.Logs {
		log := &bundlerv1.CallsLog{Address: l.Contract.Hex(), Data: hexutil.Encode(l.Data)}
		for _, topic := range l.Topics {
			log.Topics = append(log.Topics, topic.Hex())
		}
		p.Logs = append(p.Logs, log)
	}
	return p
}

// ListAccountChains describes what smart accounts can do on each chain. Chains whose nodes do not answer are left out.
func (s *server) ListAccountChains(ctx context.Context, r *bundlerv1.ListAccountChainsRequest) (*bundlerv1.ListAccountChainsResponse, error) {
	ids := slices.Sorted(maps.Keys(s.cfg.Chains))
	if wanted := r.GetChainIds(); len(wanted) > 0 {
		ids = slices.DeleteFunc(ids, func(id string) bool { return !slices.Contains(wanted, id) })
	}
	project := caller.From(ctx).Project
	pays := s.endpoint.Paymaster.Pays(project)
	res := &bundlerv1.ListAccountChainsResponse{}
	for i, found := range routine.Collect(ctx, len(ids), func(i int) (network.Network, error) { return s.endpoint.Network(ctx, ids[i]) }) {
		if found.Err == nil {
			serves := found.Value.FeesErr == nil || s.cfg.Chains[ids[i]].URL != ""
			chain := chainProto(ids[i], found.Value, serves, pays)
			chain.Removal = s.endpoint.PaysRemovals(project, ids[i], found.Value)
			res.Chains = append(res.Chains, chain)
		}
	}
	return res, nil
}

// chainProto describes a chain. A chain that is not served has no EntryPoint.
func chainProto(id string, n network.Network, serves, pays bool) *bundlerv1.AccountChain {
	c := &bundlerv1.AccountChain{
		ChainId: id, Delegation: n.Delegation, Implementation: text(n.Delegate), Factory: text(n.Factory), FactoryImplementation: text(n.Hybrid),
		DelegationManager: text(n.DelegationManager), Paymaster: pays && n.Paymaster != (evm.Address{}),
	}
	if serves && slices.Contains(n.EntryPoints, userop.EntryPoint07) {
		c.EntryPoint, c.EntryPointVersion = userop.EntryPoint07.Hex(), "0.7"
	}
	return c
}

// text returns an address as text, and the empty string for the zero address.
func text(a evm.Address) string {
	if a == (evm.Address{}) {
		return ""
	}
	return a.Hex()
}

// refusals maps errors caused by the caller to faults.
var refusals = []struct {
	err    error
	code   codes.Code
	reason faultv1.Reason
	field  string
}{
	{endpoint.ErrMethod, codes.InvalidArgument, faultv1.Reason_REASON_PARAMETER_INVALID, "method"},
	{remote.ErrRefused, codes.InvalidArgument, faultv1.Reason_REASON_PARAMETER_INVALID, "bundler"},
	{userop.ErrInvalid, codes.InvalidArgument, faultv1.Reason_REASON_USER_OPERATION_REFUSED, "user_operation"},
	{calls.ErrMalformed, codes.InvalidArgument, faultv1.Reason_REASON_PARAMETER_INVALID, "transactions"},
	{calls.ErrSigner, codes.Unauthenticated, faultv1.Reason_REASON_SIGNATURE_INVALID, "account"},
	{calls.ErrUsed, codes.AlreadyExists, faultv1.Reason_REASON_CALLS_ID_USED, "id"},
	{endpoint.ErrUnavailable, codes.Unavailable, faultv1.Reason_REASON_SERVICE_UNAVAILABLE, ""},
	{executor.ErrNoFunds, codes.Unavailable, faultv1.Reason_REASON_SERVICE_UNAVAILABLE, ""},
	{calls.ErrUnknown, codes.NotFound, faultv1.Reason_REASON_CALLS_UNKNOWN, "id"},
}

// explain converts an error to the fault for the caller.
func explain(chainID string, err error) error {
	if errors.Is(err, endpoint.ErrChain) {
		return request.UnsupportedChain(chainID).Because(err)
	}
	if refused, ok := errors.AsType[*executor.Refusal](err); ok {
		if refused.Code == executor.CodeLimited {
			return fault.New(codes.ResourceExhausted, faultv1.Reason_REASON_RATE_LIMITED, "", "%s", sentence(refused.Message))
		}
		return fault.New(codes.InvalidArgument, faultv1.Reason_REASON_USER_OPERATION_REFUSED, "user_operation", "%s", sentence(refused.Message))
	}
	for _, known := range refusals {
		if errors.Is(err, known.err) {
			return fault.New(known.code, known.reason, known.field, "%s", sentence(err.Error())).Because(err)
		}
	}
	if node, ok := errors.AsType[*chainclient.NodeError](err); ok {
		return fault.New(codes.InvalidArgument, faultv1.Reason_REASON_TRANSACTION_REVERTS, "transactions", "The node refused the transaction: %.200s", node.Message).Because(err)
	}
	return err
}

// explainRemoval converts an error of a removal to the fault for the caller.
func explainRemoval(chainID string, err error) error {
	refused, ok := errors.AsType[*executor.Refusal](err)
	if !ok || refused.Code == executor.CodeLimited {
		return explain(chainID, err)
	}
	code, reason := codes.InvalidArgument, faultv1.Reason_REASON_AUTHORIZATION_REFUSED
	switch refused.Code {
	case executor.CodePaymaster:
		code, reason = codes.PermissionDenied, faultv1.Reason_REASON_SPONSOR_REFUSED
	case executor.CodeSignature:
		code, reason = codes.Unauthenticated, faultv1.Reason_REASON_SIGNATURE_INVALID
	}
	return fault.New(code, reason, "authorization", "%s", sentence(refused.Message))
}

// sentence returns the text with its first letter in upper case. The refusal of another bundler may have no text.
func sentence(text string) string {
	if text == "" {
		return "The bundler refused the user operation"
	}
	return strings.ToUpper(text[:1]) + text[1:]
}
