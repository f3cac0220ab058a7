package names

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"time"

	namesv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/names/v1"
	"github.com/hawser-dev/hawser/services/names/registry"
	"github.com/hawser-dev/hawser/services/names/resolver"
	"github.com/hawser-dev/hawser/services/onchain/evm"
)

const (
	// identityLifetime is how long callers may keep an identity with a name, or a picture. namelessLifetime is how long they may keep one
	// without: a name may be registered at any moment.
	identityLifetime, namelessLifetime = 5 * time.Minute, 10 * time.Second
)

// lifetimeOf returns how long callers may keep an identity.
func lifetimeOf(identity *namesv1.GetIdentityResponse) time.Duration {
	if identity.Name == nil {
		return namelessLifetime
	}
	return identityLifetime
}

// chosen moves the registry name that an account set as its primary name on chain to the front. The owner and records
// of that name still come from the registry.
func chosen(z registry.Zones, primary resolver.Primary, records []registry.Record) (resolver.Primary, []registry.Record) {
	if !z.Hold(primary.Name) {
		return primary, records
	}
	i := slices.IndexFunc(records, func(r registry.Record) bool { return string(r.Name) == primary.Name })
	if i < 0 {
		return resolver.Primary{}, records
	}
	first := records[i]
	return resolver.Primary{}, slices.Insert(slices.Delete(records, i, i+1), 0, first)
}

// identity returns how an account is shown: by its ENS name, or otherwise by its first name in the registry.
func identity(account evm.Address, primary resolver.Primary, records []registry.Record, now time.Time) *namesv1.GetIdentityResponse {
	res := &namesv1.GetIdentityResponse{ResolvedAt: written(now)}
	if primary.Name != "" {
		res.Names = append(res.Names, primary.Name)
	}
	for _, r := range records {
		if string(r.Name) != primary.Name {
			res.Names = append(res.Names, string(r.Name))
		}
	}
	if len(res.Names) > 0 {
		res.Name = &res.Names[0]
	}
	show(res, account, avatarOf(primary, records))
	return res
}

// avatarOf returns the avatar record of the name by which an account is shown; empty if there is none.
func avatarOf(primary resolver.Primary, records []registry.Record) string {
	if primary.Name == "" && len(records) > 0 {
		return records[0].Attributes["avatar"]
	}
	return primary.Avatar
}

// show sets the avatar of a response.
func show(res *namesv1.GetIdentityResponse, account evm.Address, avatar string) {
	if avatar == "" {
		return
	}
	path := "/v1/identity/" + account.String() + "/avatar?v=" + versionOf(avatar)
	res.Picture, res.Avatar = &path, &path
	if isLoadable(avatar) {
		res.Avatar = &avatar
	}
}

// versionOf returns the version of an avatar record in the path of its picture.
func versionOf(avatar string) string {
	sum := sha256.Sum256([]byte(avatar))
	return hex.EncodeToString(sum[:8])
}

func isLoadable(avatar string) bool {
	scheme, _, _ := strings.Cut(avatar, ":")
	return scheme == "https" || scheme == "http" || scheme == "data"
}
