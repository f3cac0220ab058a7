package preview

import (
	"testing"

	previewv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/preview/v1"
	"github.com/hawser-dev/hawser/services/preview/cause"
)

func TestACauseIsThatOfTheAPI(t *testing.T) {
	said := map[string]previewv1.Cause{
		"the chain does not answer":                               previewv1.Cause_CAUSE_CHAIN_UNAVAILABLE,
		"the nodes of the chain cannot simulate transactions":     previewv1.Cause_CAUSE_UNSUPPORTED,
		"The account has too little of the native token":          previewv1.Cause_CAUSE_NATIVE_LOW,
		"The account has too little SOL for the fee":              previewv1.Cause_CAUSE_FEE_LOW,
		"The account has too little of the token":                 previewv1.Cause_CAUSE_TOKEN_LOW,
		"An account would be left with too little SOL to exist":   previewv1.Cause_CAUSE_RENT_LOW,
		"This transaction has expired":                            previewv1.Cause_CAUSE_EXPIRED,
		"This transaction was sent before":                        previewv1.Cause_CAUSE_ALREADY_SENT,
		"The token account is frozen":                             previewv1.Cause_CAUSE_FROZEN,
		"The transaction is malformed":                            previewv1.Cause_CAUSE_MALFORMED,
		"The transaction is too large for a block":                previewv1.Cause_CAUSE_TOO_LARGE,
		"The transaction is not for this network, or has expired": previewv1.Cause_CAUSE_OTHER_NETWORK,
		"The owner of the token account cannot be changed":        previewv1.Cause_CAUSE_UNSPECIFIED,
	}
	for sentence, want := range said {
		if got := cause.Of(sentence); int32(got) != int32(want) {
			t.Errorf("%q has the cause %d, want %s", sentence, got, want)
		}
	}
	if len(said) != len(previewv1.Cause_name) {
		t.Errorf("%d of %d causes have a sentence", len(said), len(previewv1.Cause_name))
	}
}
