package jsonrpc

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/hawser-dev/hawser/gateway/access"
	balancesv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/balances/v1"
	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	"github.com/hawser-dev/hawser/services/platform/fault"
	"github.com/hawser-dev/hawser/services/platform/routine"
)

const (
	// maxChains bounds how many chains one request may name, and chainsAtOnce how many are read at the same time.
	maxChains    = 32
	chainsAtOnce = 8

	assetNative = "NATIVE"
	assetERC20  = "ERC20"
	// nativeAddress is how ERC-7811 spells the address of the native currency.
	nativeAddress = "native"
)

// heldAssets answers wallet_getAssets (ERC-7811) from balances.
type heldAssets struct {
	balances balancesv1.BalancesServiceClient
	// fill adds the URLs of icons.
	fill func(ctx context.Context, answer any)
}

// assetsRequest holds the parameters of wallet_getAssets. Chain ids are hex numbers, such as 0x1.
type assetsRequest struct {
	Account string `json:"account"`
	// Assets names assets by chain; it takes precedence over the other two filters.
	Assets map[string][]assetName `json:"assetFilter"`
	Types  []string               `json:"assetTypeFilter"`
	Chains []string               `json:"chainFilter"`
}

// assetName is an address or `native`; ERC-7811 encodes it as an object, older wallets as a string.
type assetName string

// UnmarshalJSON decodes either form.
func (n *assetName) UnmarshalJSON(raw []byte) error {
	if bytes.HasPrefix(raw, []byte("{")) {
		var object struct {
			Address *string `json:"address"`
		}
		if err := json.Unmarshal(raw, &object); err != nil {
			return err
		}
		if object.Address == nil {
			return errors.New("missing field `address`")
		}
		*n = assetName(strings.ToLower(*object.Address))
		return nil
	}
	var text string
	err := json.Unmarshal(raw, &text)
	*n = assetName(strings.ToLower(text))
	return err
}

// asset is one entry of the answer.
type asset struct {
	Address  string        `json:"address"`
	Balance  string        `json:"balance"`
	Type     string        `json:"type"`
	Metadata assetMetadata `json:"metadata"`
}

type assetMetadata struct {
	Name     string   `json:"name"`
	Symbol   string   `json:"symbol"`
	Decimals int      `json:"decimals"`
	IconURL  string   `json:"iconUrl"`
	Price    float64  `json:"price"`
	Value    *float64 `json:"value,omitempty"`
}

// answer groups assets by chain, sorted by value, descending.
func (a heldAssets) answer(ctx context.Context, params json.RawMessage) (any, *methodError) {
	request, err := readAssetsRequest(params)
	if err != nil {
		return nil, refused(codeInvalidParams, "Invalid params: "+access.Clip(err.Error()))
	}
	chains, err := request.chains()
	if err != nil {
		return nil, refused(codeInvalidParams, "Invalid params: "+access.Clip(err.Error()))
	}
	held, err := a.held(ctx, request.Account, chains)
	if err != nil {
		return nil, assetsFailure(fault.From(err))
	}
	answer := map[string][]asset{}
	for _, b := range held {
		chain, entry, err := describe(b)
		if err != nil {
			return nil, assetsFailure(fault.Internal(err))
		}
		if request.wants(chain, entry, b.GetHidden() != "") {
			answer[chain] = append(answer[chain], entry)
		}
	}
	for _, entries := range answer {
		slices.SortStableFunc(entries, func(a, b asset) int { return cmp.Compare(b.worth(), a.worth()) })
	}
	return answer, nil
}

// readAssetsRequest reads the parameters: an object, or a list of one.
func readAssetsRequest(params json.RawMessage) (assetsRequest, error) {
	var request assetsRequest
	var list []json.RawMessage
	if json.Unmarshal(params, &list) == nil && len(list) == 1 {
		params = list[0]
	}
	if !bytes.HasPrefix(params, []byte("{")) {
		return request, errors.New("want one object")
	}
	if err := json.Unmarshal(params, &request); err != nil {
		return request, err
	}
	if request.Account == "" {
		return request, errors.New("missing field `account`")
	}
	return request, nil
}

// chains returns the CAIP-2 ids of the chains that the filters name, or nil for all chains.
func (q assetsRequest) chains() ([]string, error) {
	if q.Assets == nil && q.Chains == nil {
		return nil, nil
	}
	named := q.Chains
	if q.Assets != nil {
		named = nil
		for chain := range q.Assets {
			named = append(named, chain)
		}
	}
	if len(named) > maxChains {
		return nil, fmt.Errorf("more than %d chains", maxChains)
	}
	ids := make([]string, 0, len(named))
	for _, chain := range named {
		n, err := strconv.ParseUint(strings.TrimPrefix(chain, "0x"), 16, 64)
		if err != nil || !strings.HasPrefix(chain, "0x") {
			return nil, fmt.Errorf("chain %q is not a hex number", access.Clip(chain))
		}
		ids = append(ids, fmt.Sprintf("eip155:%d", n))
	}
	slices.Sort(ids)
	return slices.Compact(ids), nil
}

// wants reports whether the filters select an asset. A hidden asset is selected only when a filter names it.
func (q assetsRequest) wants(chain string, a asset, hidden bool) bool {
	if q.Assets != nil {
		for named, list := range q.Assets {
			if sameChain(named, chain) && slices.Contains(list, assetName(strings.ToLower(a.Address))) {
				return true
			}
		}
		return false
	}
	return !hidden && (q.Types == nil || slices.Contains(q.Types, a.Type)) &&
		(q.Chains == nil || slices.ContainsFunc(q.Chains, func(named string) bool { return sameChain(named, chain) }))
}

// sameChain compares hex chain ids, ignoring leading zeros and case.
func sameChain(named, chain string) bool {
	n, err := strconv.ParseUint(strings.TrimPrefix(named, "0x"), 16, 64)
	return err == nil && "0x"+strconv.FormatUint(n, 16) == chain
}

// held reads the balances on the named chains, or on all active ones. A chain that this installation does not serve counts as empty. A chain that is
// unavailable is left out, unless all are.
func (a heldAssets) held(ctx context.Context, account string, chains []string) ([]*balancesv1.Balance, error) {
	if chains == nil {
		chains = []string{""}
	}
	lists := make([][]*balancesv1.Balance, len(chains))
	errs := make([]error, len(chains))
	g, _ := routine.NewGroup(ctx)
	g.SetLimit(chainsAtOnce)
	for i, chain := range chains {
		g.Go(func() error {
			res, err := a.balances.GetBalance(ctx, &balancesv1.GetBalanceRequest{Address: account, Currency: "usd", ChainId: chain})
			a.fill(ctx, res)
			lists[i], errs[i] = res.GetBalances(), err
			return nil
		})
	}
	_ = g.Wait()
	return whatIsHeld(lists, errs)
}

func whatIsHeld(lists [][]*balancesv1.Balance, errs []error) ([]*balancesv1.Balance, error) {
	var failure error
	answered := len(lists) == 0
	for _, err := range errs {
		if err == nil || fault.From(err).Reason == faultv1.Reason_REASON_CHAIN_UNSUPPORTED {
			answered = true
			continue
		}
		if fault.From(err).Reason != faultv1.Reason_REASON_CHAIN_UNAVAILABLE {
			return nil, err
		}
		failure = err
	}
	if !answered {
		return nil, failure
	}
	return slices.Concat(lists...), nil
}

// describe converts a balance to ERC-7811, with its chain id in hex.
func describe(b *balancesv1.Balance) (string, asset, error) {
	reference, _ := strings.CutPrefix(b.GetChainId(), "eip155:")
	chain, err := strconv.ParseUint(reference, 10, 64)
	if err != nil {
		return "", asset{}, fmt.Errorf("chain %s: %w", b.GetChainId(), err)
	}
	units, err := exactHex(b.GetQuantity().GetNumeric())
	if err != nil {
		return "", asset{}, err
	}
	decimals, err := strconv.Atoi(b.GetQuantity().GetDecimals())
	if err != nil {
		return "", asset{}, err
	}
	entry := asset{Address: nativeAddress, Type: assetNative, Balance: units, Metadata: assetMetadata{
		Name: b.GetName(), Symbol: b.GetSymbol(), Decimals: decimals, IconURL: b.GetIconUrl(), Price: b.GetPrice(), Value: b.Value,
	}}
	if b.Address != nil {
		entry.Address, entry.Type = strings.TrimPrefix(b.GetAddress(), b.GetChainId()+":"), assetERC20
	}
	return "0x" + strconv.FormatUint(chain, 16), entry, nil
}

// exactHex converts a decimal amount in whole units to base units in hex.
func exactHex(numeric string) (string, error) {
	units, ok := new(big.Int).SetString(strings.Replace(numeric, ".", "", 1), 10)
	if !ok || units.Sign() < 0 {
		return "", fmt.Errorf("%q is no amount", numeric)
	}
	return "0x" + units.Text(16), nil
}

func (a asset) worth() float64 {
	if a.Metadata.Value == nil {
		return 0
	}
	return *a.Metadata.Value
}

// assetsFailure converts an error of balances to a JSON-RPC error.
func assetsFailure(f *fault.Error) *methodError {
	switch f.Reason {
	case faultv1.Reason_REASON_ADDRESS_INVALID:
		return refused(codeInvalidParams, "Invalid params: "+f.Public)
	case faultv1.Reason_REASON_RATE_LIMITED:
		return &methodError{Code: codeGetAssets, Message: f.Public, status: http.StatusTooManyRequests}
	case faultv1.Reason_REASON_INTERNAL:
		return &methodError{Code: codeInternal, Message: f.Public, status: http.StatusInternalServerError}
	default:
		return &methodError{Code: codeGetAssets, Message: f.Public, status: http.StatusInternalServerError}
	}
}
