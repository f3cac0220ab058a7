package classifier

import (
	"testing"

	"github.com/hawser-dev/hawser/services/activity/node"
	"github.com/hawser-dev/hawser/services/onchain/contracts"
	"github.com/hawser-dev/hawser/services/onchain/evm"
)

func TestMalformedLogsAreIgnored(t *testing.T) {
	long := make([]byte, 64)
	long[31] = 0xff
	for behaviour, l := range map[string]node.Log{
		"no topics":                                {},
		"a transfer without an amount":             {Topics: []node.Hash{node.Transfer, {}, {}}},
		"two topics":                               {Topics: []node.Hash{node.Transfer, {}}, Data: long},
		"a single without data":                    {Topics: []node.Hash{node.TransferSingle, {}, {}, {}}, Data: long[:32]},
		"a batch without data":                     {Topics: []node.Hash{node.TransferBatch, {}, {}, {}}},
		"a batch that points outside":              {Topics: []node.Hash{node.TransferBatch, {}, {}, {}}, Data: long},
		"another event":                            {Topics: []node.Hash{{1}, {}, {}}, Data: long},
		"an approval of Permit2 without an amount": {Contract: contracts.Permit2, Topics: []node.Hash{node.Permit2Approval, {}, {}, {}}},
		"a permit with a topic too few":            {Contract: contracts.Permit2, Topics: []node.Hash{node.Permit2Permit, {}, {}}, Data: long},
		"a lockdown without data":                  {Contract: contracts.Permit2, Topics: []node.Hash{node.Permit2Lockdown, {}}, Data: long[:32]},
	} {
		t.Run(behaviour, func(t *testing.T) {
			if list := moves(l); len(list) != 0 {
				t.Errorf("%v", list)
			}
			if a, ok := allowanceOf(l); ok {
				t.Errorf("%v", a)
			}
		})
	}
}

func FuzzLogs(f *testing.F) {
	f.Add([]byte{}, 4, true)
	f.Add(make([]byte, 256), 4, true)
	f.Fuzz(func(t *testing.T, data []byte, topics int, batch bool) {
		l := node.Log{Data: data, Topics: make([]node.Hash, max(1, topics%5)), Contract: evm.Address{1}}
		l.Topics[0] = node.TransferSingle
		if batch {
			l.Topics[0] = node.TransferBatch
		}
		for _, m := range moves(l) {
			if m.units == nil || m.units.Sign() < 0 || m.TokenID == "" {
				t.Errorf("%+v", m)
			}
		}
	})
}
