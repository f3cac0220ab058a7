package sessions

import (
	"context"
	"encoding/json"
	"fmt"
	"math/big"
	"strings"
	"testing"

	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/onchain/devnet"
	"github.com/hawser-dev/hawser/services/sessions/onchain"
)

// counting are nodes that return the same number for each call: one number from a single node, and one on which several nodes agree.
type counting struct{ single, agreed int }

func (counting) Describe() *devnet.Description { return &devnet.Description{} }

func (n counting) Transport(string) chainclient.Transport { return answer(n.single) }

func (n counting) Agreed(string) chainclient.Transport { return answer(n.agreed) }

func answer(number int) chainclient.Transport {
	return func(_ context.Context, body []byte) ([]byte, error) {
		var calls []struct {
			ID int `json:"id"`
		}
		if err := json.Unmarshal(body, &calls); err != nil {
			return nil, err
		}
		results := make([]string, len(calls))
		for i, c := range calls {
			results[i] = fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":"0x%064x"}`, c.ID, number)
		}
		return []byte("[" + strings.Join(results, ",") + "]"), nil
	}
}

func TestADelegationEndsWhenNodesAgree(t *testing.T) {
	for of, want := range map[counting]bool{{0, 0}: false, {1, 0}: false, {0, 1}: false, {1, 1}: true} {
		states, err := onchain.New(of, nil).States(t.Context(), "eip155:1", []onchain.Query{{Nonce: big.NewInt(9)}, {Nonce: big.NewInt(9)}})
		if err != nil || states[0].Ended != want || states[1].Ended != want {
			t.Errorf("%+v: %+v, %v", of, states, err)
		}
	}
}
