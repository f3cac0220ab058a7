package grant

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"testing"
	"time"

	"github.com/hawser-dev/hawser/services/onchain/delegation"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/evm/calldata"
)

func TestRulesAreOfWholeWords(t *testing.T) {
	for kind, accepted := range map[string][]Operator{
		"uint8": {Equal, GreaterThan, LessThan}, "int8": {Equal}, "address": {Equal}, "bool": {Equal}, "bytes32": {Equal}, "bytes4": nil, "bytes": nil, "uint8[1]": nil,
	} {
		var got []Operator
		for _, o := range []Operator{Equal, GreaterThan, LessThan} {
			_, err := parseCall(fmt.Sprintf(`[{"type":%q}]`, kind), fmt.Sprintf(`[{"operator":%q,"value":"0x1"}]`, o))
			if err == nil {
				got = append(got, o)
			} else if !errors.Is(err, ErrUnsupported) {
				t.Errorf("%s of %s: %v", o, kind, err)
			}
		}
		if fmt.Sprint(got) != fmt.Sprint(accepted) {
			t.Errorf("%s: %v are accepted, not %v", kind, got, accepted)
		}
	}
}

func TestAGrantKeepsTheAllowanceThatLimitsItsFunctions(t *testing.T) {
	requested := Grant{Native: &Allowance{Amount: big.NewInt(10), Start: 1, Period: 1}, Functions: []Function{{Value: big.NewInt(100)}}}
	if err := requested.Within(requested); err != nil {
		t.Error(err)
	}
	alone := Grant{Functions: requested.Functions}
	if err := alone.Within(requested); !errors.Is(err, ErrWider) {
		t.Errorf("the function without the allowance: %v", err)
	}
	if err := alone.Within(alone); err != nil {
		t.Error(err)
	}
	free := Grant{Functions: []Function{{Value: new(big.Int)}}}
	if err := free.Within(requested); err != nil {
		t.Errorf("a function without value: %v", err)
	}
}

func TestAnAllowanceStartsAboutNow(t *testing.T) {
	for ago, want := range map[time.Duration]error{-time.Hour: nil, 0: nil, 10 * time.Minute: nil, 10*time.Minute + time.Second: ErrMalformed, 30 * 24 * time.Hour: ErrMalformed} {
		data := fmt.Sprintf(`{"allowance":"0x1","start":%d,"period":60}`, now.Add(-ago).Unix())
		g, err := Parse(uint32(now.Unix())+60, []Item{{NativeAllowance, json.RawMessage(data)}}, nil, now)
		if err != nil {
			t.Fatal(err)
		}
		if err := g.CheckStart(now); !errors.Is(err, want) {
			t.Errorf("%s ago: %v", ago, err)
		}
	}
}

func TestTheReceiverOfATokensCallIsFound(t *testing.T) {
	shop := evm.MustAddress("0x00000000000000000000000000000000000000a1")
	other := evm.MustAddress("0x00000000000000000000000000000000000000a2")
	for _, data := range [][]byte{
		calldata.Parse("transfer(address,uint256)").Write(shop, 1),
		calldata.Parse("transferFrom(address,address,uint256)").Write(other, shop, 1),
		calldata.Parse("safeTransferFrom(address,address,uint256,bytes)").Write(other, shop, 1, []byte{1}),
		calldata.Parse("approve(address,uint256)").Write(shop, 1),
		calldata.Parse("setApprovalForAll(address,bool)").Write(shop, true),
	} {
		if got, ok := Receiver(delegation.Call{Data: data}); !ok || got != shop {
			t.Errorf("%x: %s, %t", data[:4], got, ok)
		}
	}
	if got, ok := Receiver(delegation.Call{Data: []byte{1, 2, 3, 4}}); ok {
		t.Errorf("an unknown function has the receiver %s", got)
	}
}
