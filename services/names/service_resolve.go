package names

import (
	"context"
	"errors"

	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	namesv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/names/v1"
	"github.com/hawser-dev/hawser/services/apiparse"
)

// ResolveName returns the address of any name.
func (s *server) ResolveName(ctx context.Context, r *namesv1.ResolveNameRequest) (*namesv1.ResolveNameResponse, error) {
	coin := ether
	if r.CoinType != nil {
		coin = CoinType(r.GetCoinType())
	}
	to, err := resolve(ctx, s.registry, s.destinations, r.GetName(), coin)
	if e, ok := errors.AsType[*CoinTypeError](err); ok {
		return nil, apiparse.Invalid(faultv1.Reason_REASON_COIN_TYPE_UNSUPPORTED, "coinType", "Unsupported coin type: %d", e.CoinType)
	}
	if errors.Is(err, ErrNowhere) {
		return nil, absent("name", "Name has no address for coin type %d: %.*s", coin, maxShownName, r.GetName())
	}
	if err != nil {
		return nil, explain(err)
	}
	return &namesv1.ResolveNameResponse{
		Name: to.Name, Address: to.Address.String(), CoinType: uint32(to.CoinType), Source: string(to.Source),
	}, nil
}
