package deploy

import (
	"context"
	"errors"
	"fmt"
	"math/big"

	"github.com/ethereum/go-ethereum/common/hexutil"

	"github.com/hawser-dev/hawser/services/names/ens"
	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/evm/calldata"
)

// ErrRegistry is returned if there is no registry of names at the address.
var ErrRegistry = errors.New("no registry of names is there")

// OwnerError is the error if an account may not set the resolver of a zone.
type OwnerError struct {
	Zone string
	// Owner is the zone's owner in the registry; the zero address if it has none.
	Owner evm.Address
}

// Error names the owner.
func (e *OwnerError) Error() string {
	if e.Owner == (evm.Address{}) {
		return fmt.Sprintf("%s has no owner in the registry", e.Zone)
	}
	return fmt.Sprintf("%s is %s's in the registry, who alone may choose its resolver", e.Zone, e.Owner)
}

// Registry is a registry of names (ERC-137) on a chain.
type Registry struct {
	Node chainclient.Transport
	// ChainID is the chain's number (EIP-155).
	ChainID *big.Int
	Address evm.Address
}

// MayAttach checks, without a transaction, that an account may set the resolver of a zone: it must own the zone, or be
// approved by the owner. It fails with [*OwnerError] or [ErrRegistry].
func (r Registry) MayAttach(ctx context.Context, account evm.Address, zone string) error {
	answers, err := r.Node.Batch(ctx,
		chainclient.Call{Method: "eth_call", Params: []any{r.call(account, calldata.Parse("owner(bytes32)").Write(ens.Node(zone))), "latest"}},
		chainclient.Call{Method: "eth_call", Params: []any{r.call(account, attach(zone, account)), "latest"}},
	)
	if err != nil {
		return err
	}
	said, err := answers[0].Bytes()
	if err != nil || len(said) != calldata.WordSize {
		return ErrRegistry
	}
	if _, refused := answers[1].Executed(); refused {
		return &OwnerError{zone, evm.Address(said[len(said)-len(account):])}
	}
	return answers[1].Err()
}

// Attach sets the resolver of a zone, with a transaction that the key's account pays for, and returns the hash of the
// transaction once it is mined. It returns the errors of [Deploy].
func (r Registry) Attach(ctx context.Context, payer ens.Key, zone string, resolver evm.Address) (hash [32]byte, err error) {
	_, hash, err = send(ctx, r.Node, r.ChainID, payer, &r.Address, attach(zone, resolver))
	return hash, err
}

func (r Registry) call(from evm.Address, data []byte) map[string]string {
	return map[string]string{"from": from.String(), "to": r.Address.String(), "data": hexutil.Encode(data)}
}

func attach(zone string, resolver evm.Address) []byte {
	return calldata.Parse("setResolver(bytes32,address)").Write(ens.Node(zone), resolver)
}
