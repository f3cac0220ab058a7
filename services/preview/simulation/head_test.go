package simulation

import (
	"context"
	"encoding/json"
	"math/big"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"

	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/onchain/evm"
)

// A contract can see a time that no block can have: on a chain with a block every 12 seconds, each time is a multiple of 12 after the first one.
func TestTheNextBlockIsAtTheUsualTime(t *testing.T) {
	for name, c := range map[string]struct{ before, head, now, want uint64 }{
		"12 seconds a block":              {1000, 1012, 1013, 1024},
		"a block was missed":              {1000, 1024, 1025, 1048},
		"the user decides later":          {1000, 1012, 1100, 1024},
		"2 seconds a block":               {1000, 1002, 1010, 1004},
		"several blocks a second":         {1000, 1000, 1001, 1001},
		"blocks only with transactions":   {1000, 1012, 9000, 9000},
		"blocks hours apart":              {1000, 8200, 8201, 8212},
		"the block before is not known":   {0, 1012, 1013, 1024},
		"a time before that of the block": {1000, 1012, 900, 1024},
	} {
		h := Head{Number: 7, Time: c.head, Before: c.before}
		if got := h.nextTime(c.now); got != c.want {
			t.Errorf("%s: got %d, want %d", name, got, c.want)
		}
	}
}

// nodes answer simulations of one call. They refuse what a text of the request says.
type nodes struct {
	refuses string
	bodies  []string
}

func (n *nodes) forward(_ context.Context, body []byte) ([]byte, error) {
	n.bodies = append(n.bodies, string(body))
	var calls []struct{ ID int }
	if err := json.Unmarshal(body, &calls); err != nil {
		return nil, err
	}
	var answers []string
	for _, c := range calls {
		id, _ := json.Marshal(c.ID)
		answer := `"result":[{"calls":[{"status":"0x1","gasUsed":"0x5208","returnData":"0x","logs":[]}]}]`
		if n.refuses != "" && strings.Contains(string(body), n.refuses) {
			answer = `"error":{"code":-32602,"message":"unknown field ` + n.refuses + `"}`
		}
		answers = append(answers, `{"jsonrpc":"2.0","id":`+string(id)+`,`+answer+`}`)
	}
	return []byte("[" + strings.Join(answers, ",") + "]"), nil
}

func simple(support *Support) Request {
	to := evm.Address{2}
	return Request{
		Account: evm.Address{1}, Calls: []Call{{To: &to, Value: new(big.Int), Data: []byte{1, 2, 3, 4}}}, Balance: big.NewInt(1e18), Support: support,
		Head: Head{Number: 7, Time: 1000, GasLimit: 30_000_000, BaseFee: big.NewInt(1e9), HasBeaconRoot: true},
	}
}

func TestTheRootOfAnotherChainDiffersInTheTwoRuns(t *testing.T) {
	var n nodes
	if _, _, err := Run(t.Context(), chainclient.Transport(n.forward), simple(&Support{})); err != nil || len(n.bodies) != 1 {
		t.Fatalf("%v: %d requests", err, len(n.bodies))
	}
	var calls []struct {
		Params []json.RawMessage
	}
	if err := json.Unmarshal([]byte(n.bodies[0]), &calls); err != nil || len(calls) != 2 {
		t.Fatal(err, n.bodies[0])
	}
	var roots []common.Hash
	for _, c := range calls {
		var of struct {
			BlockStateCalls []struct {
				BlockOverrides struct{ BeaconRoot common.Hash }
			}
		}
		if err := json.Unmarshal(c.Params[0], &of); err != nil {
			t.Fatal(err)
		}
		roots = append(roots, of.BlockStateCalls[0].BlockOverrides.BeaconRoot)
	}
	if roots[0] == roots[1] || roots[0] == (common.Hash{}) || roots[1] == (common.Hash{}) {
		t.Errorf("the roots are %v", roots)
	}
}

func TestNodesThatDoNotTakeTheRootAreAskedWithoutIt(t *testing.T) {
	n, support := nodes{refuses: "beaconRoot"}, &Support{}
	for i, want := range []int{2, 3} {
		if _, err := RunOnce(t.Context(), chainclient.Transport(n.forward), simple(support)); err != nil || len(n.bodies) != want {
			t.Errorf("run %d: %v, %d requests", i, err, len(n.bodies))
		}
	}
	if last := n.bodies[len(n.bodies)-1]; strings.Contains(last, "beaconRoot") || !strings.Contains(last, `"validation":true`) {
		t.Errorf("the last request is %s", last)
	}
}

func TestAGasLimitThatNodesWouldLowerIsNotSimulated(t *testing.T) {
	var n nodes
	r := simple(&Support{})
	r.Calls[0].Gas = mostNamed + 1
	if _, err := RunOnce(t.Context(), chainclient.Transport(n.forward), r); err == nil || len(n.bodies) > 0 {
		t.Errorf("%v, %d requests", err, len(n.bodies))
	}
	r.Calls[0].Gas = mostNamed
	if _, err := RunOnce(t.Context(), chainclient.Transport(n.forward), r); err != nil || !strings.Contains(n.bodies[0], `"gas":"0x2dc6c00"`) {
		t.Errorf("%v: %v", err, n.bodies)
	}
}
