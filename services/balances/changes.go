package balances

import (
	"bytes"
	"context"
	"fmt"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"

	balancesv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/balances/v1"
	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	"github.com/hawser-dev/hawser/services/balances/holdings"
	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/request"
	"github.com/hawser-dev/hawser/services/platform/routine"
)

const (
	// mostBlocks is how many blocks are compared at once.
	mostBlocks = 64
	// accountsPerFilter is how many accounts a node finds in logs by one filter, and filteredAccounts how many are found that way. Of more, the logs of
	// all accounts are read, whose number does not grow with the accounts.
	accountsPerFilter = 250
	filteredAccounts  = 500
	// namingTopics is the number of topics of a log that can name an account.
	namingTopics = 3
)

// movements are the events by which balances of tokens change: those of ERC-20, ERC-721 and ERC-1155, and of wrapped native tokens.
var movements = []common.Hash{
	crypto.Keccak256Hash([]byte("Transfer(address,address,uint256)")),
	crypto.Keccak256Hash([]byte("TransferSingle(address,address,address,uint256,uint256)")),
	crypto.Keccak256Hash([]byte("TransferBatch(address,address,address,uint256[],uint256[])")),
	crypto.Keccak256Hash([]byte("Deposit(address,uint256)")),
	crypto.Keccak256Hash([]byte("Withdrawal(address,uint256)")),
}

// FindChanges returns the native balances of accounts at a block, and which of them logs name since an earlier one.
func (s *server) FindChanges(ctx context.Context, r *balancesv1.FindChangesRequest) (*balancesv1.FindChangesResponse, error) {
	chainID, err := request.Chain("chainId", r.GetChainId())
	if err != nil {
		return nil, err
	}
	from, to := r.GetFromBlock(), r.GetToBlock()
	if from > to || to-from >= mostBlocks {
		return nil, request.Invalid(faultv1.Reason_REASON_PARAMETER_INVALID, "fromBlock", "Invalid parameter: blocks %d to %d are not 1 to %d blocks", from, to, mostBlocks)
	}
	accounts := make([]evm.Address, len(r.GetAddresses()))
	for i, text := range r.GetAddresses() {
		if accounts[i], err = request.Address("addresses", text); err != nil {
			return nil, err
		}
	}
	ctx, cancel := context.WithTimeout(ctx, s.reader.Timeout)
	defer cancel()
	res := &balancesv1.FindChangesResponse{}
	g, ctx := routine.NewGroup(ctx)
	g.Go(func() (err error) {
		res.Natives, err = s.nativesAt(ctx, chainID, to, accounts)
		return err
	})
	g.Go(func() (err error) {
		res.Named, err = s.namedBetween(ctx, chainID, from, to, accounts)
		return err
	})
	if err := g.Wait(); err != nil {
		return nil, explain(fmt.Errorf("%w: %w", holdings.ErrUnavailable, err), "chainId", unavailableText)
	}
	return res, nil
}

// nativesAt reads native balances at a block.
func (s *server) nativesAt(ctx context.Context, chainID string, block uint64, accounts []evm.Address) ([][]byte, error) {
	reading, err := s.nodes.ReadAt(ctx, chainID, block, []evm.Query{{Keep: common.HashLength, Targets: accounts}})
	if err != nil {
		return nil, err
	}
	natives := make([][]byte, len(accounts))
	for i, a := range reading.Answers[0] {
		if !a.OK {
			return nil, fmt.Errorf("%w: no balance of an account", chainclient.ErrAnswer)
		}
		natives[i] = bytes.TrimLeft(a.Data, "\x00")
	}
	return natives, nil
}

// namedBetween returns the positions of the accounts that logs of blocks name.
func (s *server) namedBetween(ctx context.Context, chainID string, from, to uint64, accounts []evm.Address) ([]uint32, error) {
	// A node that lags returns fewer logs without an error, but it does not have the last block either.
	calls := []chainclient.Call{chainclient.BlockByNumber(to, false)}
	for _, f := range filtersOf(accounts) {
		calls = append(calls, f.Between(from, to))
	}
	results, err := s.connect(chainID).Batch(ctx, calls...)
	if err != nil {
		return nil, err
	}
	if _, err := results[0].Header(); err != nil {
		return nil, err
	}
	positions := make(map[evm.Address]uint32, len(accounts))
	for i, a := range accounts {
		positions[a] = uint32(i)
	}
	var named []uint32
	for _, result := range results[1:] {
		logs, err := result.Logs()
		if err != nil {
			return nil, err
		}
		for _, l := range logs {
			for _, topic := range l.Topics[min(1, len(l.Topics)):] {
				if i, ok := positions[evm.Address(topic[common.HashLength-common.AddressLength:])]; ok {
					named = append(named, i)
				}
			}
		}
	}
	slices.Sort(named)
	return slices.Compact(named), nil
}

// filtersOf returns filters for the logs that name accounts.
func filtersOf(accounts []evm.Address) (filters []chainclient.LogFilter) {
	if len(accounts) > filteredAccounts {
		return []chainclient.LogFilter{{"topics": []any{movements}}}
	}
	for some := range slices.Chunk(accounts, accountsPerFilter) {
		words := make([]common.Hash, len(some))
		for i, a := range some {
			words[i] = common.BytesToHash(a[:])
		}
		topics := []any{movements}
		for range namingTopics {
			filters = append(filters, chainclient.LogFilter{"topics": append(slices.Clone(topics), words)})
			topics = append(topics, nil)
		}
	}
	return filters
}
