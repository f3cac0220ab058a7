package preview

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	previewv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/preview/v1"
)

// gives is the code that gives back the value of a call and 0.01 of the native token.
const gives = "5f5f5f5f662386f26fc100003401335af100"

// of deploys a contract that can give, and returns its address.
func (w *world) of(code string) string {
	w.t.Helper()
	const at = "0x000000000000000000000000000000000000beef"
	w.chain.Call(w.t, "anvil_setCode", at, hexutil.Bytes(common.FromHex(code)))
	w.chain.Call(w.t, "anvil_setBalance", at, "0x8ac7230489e80000")
	return at
}

// next returns the number of the next block as the constant of an instruction.
func (w *world) next() string {
	w.t.Helper()
	var number hexutil.Uint64
	if err := json.Unmarshal(w.chain.Call(w.t, "eth_blockNumber"), &number); err != nil {
		w.t.Fatal(err)
	}
	return fmt.Sprintf("63%08x", uint64(number)+1)
}

func TestARevertThatLessGasWouldNotCauseIsSeen(t *testing.T) {
	w := newWorld(t)
	defer w.chain.Call(t, "evm_revert", w.chain.Call(t, "evm_snapshot"))
	isNext := "43" + w.next() + "14"
	for name, c := range map[string]struct {
		code string
		gas  uint64
		want previewv1.Severity
	}{
		// In another block than the next it gives only with far more gas than the call has.
		"it reverts in another block, with gas left": {isNext + "601657" + "5a620f42401060" + "1657" + "5f5ffd" + "5b" + gives, 200_000, previewv1.Severity_SEVERITY_DANGER},
		// In another block it first hashes 256 KiB.
		"it needs more gas in another block": {isNext + "601157" + "620400005f2050" + "5b" + gives, 60_000, previewv1.Severity_SEVERITY_UNSPECIFIED},
		// GAS < 5 million: REVERT.
		"it reverts with the gas that a wallet sets": {"5a624c4b401060" + "0c57" + "5f5ffd" + "5b" + gives, 0, previewv1.Severity_SEVERITY_DANGER},
		// GAS < 70,000: INVALID.
		"it needs more gas than it uses": {"620111705a1060" + "1b57" + gives + "5bfe", 0, previewv1.Severity_SEVERITY_UNSPECIFIED},
	} {
		at := w.of(c.code)
		res := w.simulate(&previewv1.SimulateRequest{Calls: []*previewv1.Call{{To: at, Value: "1000", Data: "0x4e71d92d", Gas: c.gas}}})
		if res.GetOutcome() != previewv1.Outcome_OUTCOME_SUCCEEDS || severityOf(res, "BEHAVES_DIFFERENTLY") != c.want {
			t.Errorf("%s: %s %v", name, res.GetOutcome(), res.GetWarnings())
		}
	}
}
