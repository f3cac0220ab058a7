package activity

import (
	activityv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/activity/v1"
	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	"github.com/hawser-dev/hawser/services/apiparse"
	"github.com/hawser-dev/hawser/services/evm"
)

// query is a request for a page.
type query struct {
	address evm.Address
	// chainID is CAIP-2; empty for every chain on which the address was seen.
	chainID string
	// after is where the page begins; nil for the first one.
	after *Place
	// spam says that rows which are spam are asked for too.
	spam bool
}

// readAsk turns a request into a question, or says what is wrong with it.
func readAsk(r *activityv1.GetHistoryRequest) (query, error) {
	q := query{spam: r.GetIncludeSpam()}
	var err error
	if r.GetChainId() != "" {
		if q.chainID, err = apiparse.Chain("chainId", r.GetChainId()); err != nil {
			return query{}, err
		}
	}
	if q.address, err = apiparse.Address("address", r.GetAddress()); err != nil {
		return query{}, err
	}
	if r.GetCursor() != "" {
		place, err := ParseCursor(r.GetCursor())
		if err != nil {
			return query{}, apiparse.Invalid(faultv1.Reason_REASON_CURSOR_INVALID, "cursor", "The cursor provided is invalid")
		}
		q.after = &place
	}
	return q, nil
}

// readAccount turns a CAIP-10 text into an account.
func readAccount(text string) (Account, error) {
	id, err := apiparse.AccountID("chainId", text)
	return Account{ChainID: id.ChainID, Address: id.Address}, err
}
