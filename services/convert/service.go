package convert

import (
	"context"
	"strconv"

	"google.golang.org/grpc"

	"github.com/ethereum/go-ethereum/common/hexutil"

	convertv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/convert/v1"
	"github.com/hawser-dev/hawser/services/apiparse"
	"github.com/hawser-dev/hawser/services/evm"
	"github.com/hawser-dev/hawser/services/platform/limit"
	"github.com/hawser-dev/hawser/services/platform/run"
)

// Name is the service's.
const Name = "convert"

// Server answers hawser.convert.v1.ConvertService and QuoteService.
type Server struct {
	convertv1.UnimplementedConvertServiceServer
	convertv1.UnimplementedQuoteServiceServer
	desk    *desk
	watches *watches
	// limiter counts the quotes that callers watch, of which each has a share.
	limiter limit.Limiter
	share   limit.Share
	work    func(context.Context) error
}

// Service describes convert to the process that hosts it.
func (s *Server) Service() run.Service {
	return run.Service{
		Name: Name,
		Register: func(r grpc.ServiceRegistrar) {
			convertv1.RegisterConvertServiceServer(r, s)
			convertv1.RegisterQuoteServiceServer(r, s)
		},
		Work: s.work,
	}
}

// ListTokens lists what can be swapped on a chain.
func (s *Server) ListTokens(ctx context.Context, r *convertv1.ListTokensRequest) (*convertv1.ListTokensResponse, error) {
	if r.GetChainId() == "" {
		return nil, apiparse.Missing("chainId")
	}
	chainID, err := apiparse.Chain("chainId", r.GetChainId())
	if err != nil {
		return nil, err
	}
	list, err := s.tokens(ctx, chainID, r.GetAddress())
	if err != nil {
		return nil, explain(err)
	}
	res := &convertv1.ListTokensResponse{Tokens: make([]*convertv1.Token, len(list))}
	for i, t := range list {
		res.Tokens[i] = token(chainID, t)
	}
	return res, nil
}

// tokens lists what can be swapped on a chain: everything, or what is at the address, which is nothing where it is none.
func (s *Server) tokens(ctx context.Context, chainID, address string) ([]Token, error) {
	if address == "" {
		return s.desk.Tokens(ctx, chainID)
	}
	at, err := evm.ParseAddress(address)
	if err != nil {
		_, err := s.desk.chain(ctx, chainID)
		return nil, err
	}
	t, found, err := s.desk.Token(ctx, chainID, at)
	if err != nil || !found {
		return nil, err
	}
	return []Token{t}, nil
}

// ListQuotes answers with the best quote.
func (s *Server) ListQuotes(ctx context.Context, r *convertv1.ListQuotesRequest) (*convertv1.ListQuotesResponse, error) {
	swap, err := readQuotes(r)
	if err != nil {
		return nil, err
	}
	answer, err := s.desk.Quote(ctx, swap)
	if err != nil {
		return nil, explain(err)
	}
	return &convertv1.ListQuotesResponse{Quotes: []*convertv1.Quote{quote(r, swap, answer)}}, nil
}

// GetAllowance tells what a spender may take.
func (s *Server) GetAllowance(ctx context.Context, r *convertv1.GetAllowanceRequest) (*convertv1.GetAllowanceResponse, error) {
	if r.GetTokenAddress() == "" {
		return nil, apiparse.Missing("tokenAddress")
	}
	if r.GetUserAddress() == "" {
		return nil, apiparse.Missing("userAddress")
	}
	token, err := apiparse.AccountID("tokenAddress", r.GetTokenAddress())
	if err != nil {
		return nil, err
	}
	owner, err := readUser(token.ChainID, r.GetUserAddress())
	if err != nil {
		return nil, err
	}
	var spender evm.Address
	if r.GetSpender() != "" {
		if spender, err = apiparse.Address("spender", r.GetSpender()); err != nil {
			return nil, err
		}
	}
	allowance, spender, err := s.desk.Allowance(ctx, token, owner, spender)
	if err != nil {
		return nil, explain(err)
	}
	return &convertv1.GetAllowanceResponse{Allowance: allowance.Dec(), Spender: spender.String()}, nil
}

// GetGasPrice tells what gas costs.
func (s *Server) GetGasPrice(ctx context.Context, r *convertv1.GetGasPriceRequest) (*convertv1.GetGasPriceResponse, error) {
	if r.GetChainId() == "" {
		return nil, apiparse.Missing("chainId")
	}
	chainID, err := apiparse.Chain("chainId", r.GetChainId())
	if err != nil {
		return nil, err
	}
	prices, err := s.desk.GasPrices(ctx, chainID)
	if err != nil {
		return nil, explain(err)
	}
	return &convertv1.GetGasPriceResponse{
		Slow: prices.Slow.Dec(), Standard: prices.Standard.Dec(), Fast: prices.Fast.Dec(), Instant: prices.Instant.Dec(),
	}, nil
}

// BuildApprove builds an approval.
func (s *Server) BuildApprove(ctx context.Context, r *convertv1.BuildApproveRequest) (*convertv1.BuildApproveResponse, error) {
	a, err := readApproval(r)
	if err != nil {
		return nil, err
	}
	built, err := s.desk.Approve(ctx, a)
	if err != nil {
		return nil, explain(err)
	}
	return &convertv1.BuildApproveResponse{Tx: &convertv1.ApproveTransaction{
		From: r.GetFrom(), To: r.GetTo(), Data: hexutil.Encode(built.Call.Data), Value: "0",
		Eip155:  &convertv1.GasTerms{Gas: strconv.FormatUint(built.Gas, 10), GasPrice: built.GasPrice.Dec()},
		Spender: built.Spender.String(), Token: a.Token.Address.String(), Reset_: built.Reset,
	}}, nil
}

// GetPermit builds what stands for an approval when it is signed.
func (s *Server) GetPermit(ctx context.Context, r *convertv1.GetPermitRequest) (*convertv1.GetPermitResponse, error) {
	a, err := readPermit(r)
	if err != nil {
		return nil, err
	}
	typed, deadline, err := s.desk.PermitData(ctx, a)
	if err != nil {
		return nil, explain(err)
	}
	return &convertv1.GetPermitResponse{TypedData: typed, Deadline: deadline.Unix()}, nil
}

// BuildTransaction builds a swap.
func (s *Server) BuildTransaction(ctx context.Context, r *convertv1.BuildTransactionRequest) (*convertv1.BuildTransactionResponse, error) {
	swap, err := readBuild(r)
	if err != nil {
		return nil, err
	}
	offer, err := s.desk.Build(ctx, swap, r.GetDisableEstimate())
	if err != nil {
		return nil, explain(err)
	}
	return &convertv1.BuildTransactionResponse{Tx: transaction(r, swap, offer)}, nil
}

// OnHead tells that a chain, by CAIP-2 id, has a new newest block.
func (s *Server) OnHead(chainID string, number uint64, hash string) {
	s.desk.views.OnHead(chainID, number, hash)
	s.watches.onHead(chainID, number)
}
