package names

import (
	"time"

	namesv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/names/v1"
	"github.com/hawser-dev/hawser/services/names/registry"
)

// envelope reads the fields that all changes have.
func envelope(r interface {
	GetMessage() string
	GetSignature() string
	GetCoinType() uint32
	GetAddress() string
}) registry.Envelope {
	return registry.Envelope{Message: r.GetMessage(), Signature: r.GetSignature(), CoinType: registry.CoinType(r.GetCoinType()), Address: r.GetAddress()}
}

func toProto(r registry.Record) *namesv1.Name {
	return &namesv1.Name{
		Name:         string(r.Name),
		RegisteredAt: written(r.RegisteredAt), Registered: seconds(r.RegisteredAt),
		UpdatedAt: written(r.UpdatedAt), Updated: seconds(r.UpdatedAt),
		Attributes: r.Attributes, Addresses: addresses(r.Addresses...),
	}
}

// addresses maps coin types to addresses.
func addresses(all ...registry.Address) map[string]*namesv1.Address {
	by := make(map[string]*namesv1.Address, len(all))
	for _, a := range all {
		by[a.CoinType.String()] = &namesv1.Address{Address: a.Address.String(), CreatedAt: written(a.SetAt), Created: seconds(a.SetAt)}
	}
	return by
}

// written formats a time as the API does (RFC 3339, to the millisecond).
func written(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }

func seconds(t time.Time) uint32 { return uint32(t.Unix()) }
