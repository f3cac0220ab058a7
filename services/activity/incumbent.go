package activity

import (
	"math/big"
	"regexp"
	"slices"
	"strconv"

	activityv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/activity/v1"
)

// incumbentSDK is what clients of the incumbent call themselves.
const incumbentSDK = "appkit"

// reversing is the first version of those clients that shows the two transfers of a row in the opposite order: it reads the one that came in
// before the one that went out.
var reversing = [3]int{1, 7, 11}

// endless is the least allowance that is meant to have no end: the most that Permit2 counts, where ERC-20 tokens count to 2^256 - 1.
var endless = new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 160), big.NewInt(1))

// reader is who reads an answer, as far as it matters to the answer.
type reader struct {
	// incumbent says that it is a client of the incumbent, which parses quantities as floats.
	incumbent bool
	// reverses says that it reads what came in before what went out.
	reverses bool
}

// readerOf reads what a client calls itself: `appkit` and its version at the end of a text such as `react-wagmi-1.7.3`.
func readerOf(r *activityv1.GetHistoryRequest) reader {
	if r.GetSt() != incumbentSDK {
		return reader{}
	}
	version, known := versionIn(r.GetSv())
	return reader{incumbent: true, reverses: known && slices.Compare(version[:], reversing[:]) >= 0}
}

var versionForm = regexp.MustCompile(`(?:^|-)(\d{1,4})\.(\d{1,4})\.(\d{1,4})(?:$|[-+])`)

func versionIn(text string) (version [3]int, known bool) {
	found := versionForm.FindStringSubmatch(text)
	if found == nil {
		return version, false
	}
	for i, digits := range found[1:] {
		version[i], _ = strconv.Atoi(digits)
	}
	return version, true
}

// order puts what went out before what came in, or the other way round where the reader reverses it. What only a token claims stays last, and
// transfers of one direction stay as they are in the chain.
func (r reader) order(transfers []Transfer, claims int) []Transfer {
	sorted := slices.Clone(transfers)
	slices.SortStableFunc(sorted[:len(sorted)-claims], func(a, b Transfer) int {
		if r.reverses {
			a, b = b, a
		}
		return place(a.Direction) - place(b.Direction)
	})
	return sorted
}

// place is where transfers of a direction stand in a trade.
func place(d Direction) int { return slices.Index([]Direction{Out, Self, In}, d) }

// isEndless reports whether an allowance has no end that anybody meant.
func isEndless(units *big.Int) bool { return units.Cmp(endless) >= 0 }
