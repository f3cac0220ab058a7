package activity

import (
	"strings"
	"testing"

	activityv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/activity/v1"
	"github.com/hawser-dev/hawser/services/activity/index"
	"github.com/hawser-dev/hawser/services/platform/fault"
)

func wantFault(t *testing.T, w *world, r *activityv1.GetHistoryRequest, reason, field, public string) {
	t.Helper()
	res, err := w.GetHistory(t.Context(), r)
	if err == nil {
		t.Fatalf("answered %v", res)
	}
	f := fault.From(err)
	if fault.ReasonName(f.Reason) != reason || f.Field != field || f.Public != public {
		t.Errorf("%s of %q: %q; want %s of %q: %q", fault.ReasonName(f.Reason), f.Field, f.Public, reason, field, public)
	}
}

func TestInvalidRequestsAreRefused(t *testing.T) {
	w := open(t)
	const address = "0x00000000000000000000000000000000000a11ce"
	cursor := index.Place{Time: 1, ChainID: "eip155:1", Block: 2, Index: 3}.Cursor()
	for _, tt := range []struct {
		behaviour             string
		ask                   *activityv1.GetHistoryRequest
		reason, field, public string
	}{
		{"an invalid address", &activityv1.GetHistoryRequest{Address: "X" + address[1:], ChainId: "1"}, "ADDRESS_INVALID", "address", "The address provided is invalid"},
		{"an on-ramp", &activityv1.GetHistoryRequest{Address: address, Onramp: "some"}, "PROVIDER_UNSUPPORTED", "provider", "Provider some is not supported"},
		{"an invalid cursor", &activityv1.GetHistoryRequest{Address: address, Cursor: "x"}, "CURSOR_INVALID", "cursor", "The cursor provided is invalid"},
		{"a cursor with a letter changed", &activityv1.GetHistoryRequest{Address: address, Cursor: strings.Replace(cursor, cursor[3:4], "_", 1)}, "CURSOR_INVALID", "cursor", "The cursor provided is invalid"},
		{"another namespace", &activityv1.GetHistoryRequest{Address: address, ChainId: "cosmos:cosmoshub-4"}, "NAMESPACE_UNSUPPORTED", "chainId", "Unsupported namespace: cosmos"},
		{"an EVM address with the bare reference of Solana", &activityv1.GetHistoryRequest{Address: address, ChainId: "5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp"}, "ADDRESS_INVALID", "address", "The address provided is invalid"},
		{"an invalid chain", &activityv1.GetHistoryRequest{Address: address, ChainId: "eip155:"}, "IDENTIFIER_INVALID", "", `Crypto utils error: not a CAIP-2 chain id: "eip155:"`},
		{"a chain that is not served", &activityv1.GetHistoryRequest{Address: address, ChainId: "999999"}, "CHAIN_UNSUPPORTED", "chainId", "We don't support the chainId you provided: eip155:999999. See the list of supported chains here: /v1/supported-chains"},
	} {
		t.Run(tt.behaviour, func(t *testing.T) { wantFault(t, w, tt.ask, tt.reason, tt.field, tt.public) })
	}
}

func TestABareNumberIsAnEIP155Chain(t *testing.T) {
	w := open(t)
	from, to := w.fresh(t), w.fresh(t)
	hash := w.pay(t, from, to)
	res, err := w.GetHistory(t.Context(), &activityv1.GetHistoryRequest{Address: strings.ToLower(to), ChainId: "31337"})
	if err != nil || len(res.GetData()) != 1 || res.GetData()[0].GetMetadata().GetHash() != hash {
		t.Errorf("%v, %v", res, err)
	}
}

func TestWithoutAChainAllChainsOfTheAccountAreListed(t *testing.T) {
	w := open(t)
	from, to := w.fresh(t), w.fresh(t)
	w.pay(t, from, to)
	everywhere := &activityv1.GetHistoryRequest{Address: to}
	if res, err := w.GetHistory(t.Context(), everywhere); err != nil || len(res.GetData()) != 0 || res.Next != nil {
		t.Errorf("tracked on no chain: %v, %v", res, err)
	}
	w.request(t, to, "")
	if res, err := w.GetHistory(t.Context(), everywhere); err != nil || len(res.GetData()) != 1 {
		t.Errorf("tracked on one chain: %v, %v", res, err)
	}
}
