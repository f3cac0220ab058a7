package activity

import (
	"math/big"
	"regexp"
	"slices"
	"strconv"

	activityv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/activity/v1"
	"github.com/hawser-dev/hawser/services/activity/index"
)

// appKitSDK is the name that AppKit sends.
const appKitSDK = "appkit"

// reversing is the first version of AppKit that expects the incoming transfer of a trade before the outgoing one.
var reversing = [3]int{1, 7, 11}

// leastUnlimited is the least allowance that counts as unlimited: the maximum of Permit2. The maximum of ERC-20 is 2^256 - 1.
var leastUnlimited = new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 160), big.NewInt(1))

// client is the kind of client that a response is for.
type client struct {
	// appKit is set for AppKit, which parses quantities as floats.
	appKit bool
	// reverses is set if it expects incoming transfers before outgoing ones.
	reverses bool
}

// clientOf reads the name and version that a client sends. The version is at the end of a text such as `react-wagmi-1.7.3`.
func clientOf(r *activityv1.GetHistoryRequest) client {
	if r.GetSt() != appKitSDK {
		return client{}
	}
	version, known := parseVersion(r.GetSv())
	return client{appKit: true, reverses: known && slices.Compare(version[:], reversing[:]) >= 0}
}

var versionForm = regexp.MustCompile(`(?:^|-)(\d{1,4})\.(\d{1,4})\.(\d{1,4})(?:$|[-+])`)

func parseVersion(text string) (version [3]int, known bool) {
	found := versionForm.FindStringSubmatch(text)
	if found == nil {
		return version, false
	}
	for i, digits := range found[1:] {
		version[i], _ = strconv.Atoi(digits)
	}
	return version, true
}

// order sorts outgoing transfers before incoming ones, or the other way round for a client that reverses them. The last claims transfers stay last,
// and transfers of one direction stay in the order of the chain.
func (c client) order(transfers []index.Transfer, claims int) []index.Transfer {
	known := len(transfers) - claims
	sorted := ordered(c, transfers[:known], func(t index.Transfer) index.Direction { return t.Direction })
	return append(sorted, transfers[known:]...)
}

// ordered is [client.order] for transfers of any type.
func ordered[T any](c client, transfers []T, direction func(T) index.Direction) []T {
	sorted := slices.Clone(transfers)
	slices.SortStableFunc(sorted, func(a, b T) int {
		if c.reverses {
			a, b = b, a
		}
		return rank(direction(a)) - rank(direction(b))
	})
	return sorted
}

// rank is the position of transfers of a direction in a trade.
func rank(d index.Direction) int {
	return slices.Index([]index.Direction{index.Out, index.Self, index.In}, d)
}

// isUnlimited reports whether an allowance counts as unlimited.
func isUnlimited(units *big.Int) bool { return units.Cmp(leastUnlimited) >= 0 }
