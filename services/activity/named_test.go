package activity

import (
	"encoding/json"
	"testing"

	"github.com/hawser-dev/hawser/services/onchain/devnet"
)

func TestARowNamesTheRegistryThatItCalls(t *testing.T) {
	w := open(t)
	var chain devnet.Chain
	if err := json.Unmarshal(w.devnet.Describe(w.chain.CAIP2), &chain); err != nil {
		t.Fatal(err)
	}
	sender, other := w.fresh(t), w.fresh(t)
	w.send(t, map[string]any{"from": sender, "to": chain.ENS.Registry.String(), "data": callData("setApprovalForAll(address,bool)", other, 1)})
	if row := w.newest(t, sender); row.GetMetadata().GetApplication().GetName() != "ENS registry" {
		t.Errorf("%v", row.GetMetadata())
	}
}
