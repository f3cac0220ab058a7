package access

import (
	"fmt"
	"math/big"
	"testing"
)

func TestTheMostValueAtRiskIsFirstAndOthersKeepTheirOrder(t *testing.T) {
	fungible := func(id string, units int64, warning string) Approval {
		return Approval{Kind: Allowance, Token: Token{ID: id, Decimals: 2, Warning: warning}, AtRisk: big.NewInt(units)}
	}
	list := Listing{Approvals: []Approval{
		fungible("unknown", 1_000_000, ""), fungible("a", 100, ""), {Kind: Operator, Token: Token{ID: "a"}, AtRisk: big.NewInt(1_000_000)},
		fungible("b", 300, ""), fungible("c", 1_000_000, "look_alike"), fungible("a", 0, ""), {Kind: Delegate, Token: Token{ID: "b"}, AtRisk: big.NewInt(2)},
	}}
	if ids := fmt.Sprint(list.priced()); ids != "[unknown a b]" {
		t.Errorf("prices are read of %s", ids)
	}
	list.value(map[string]float64{"a": 7, "b": 2, "c": 1})
	list.sort()
	got := ""
	for _, a := range list.Approvals {
		got += fmt.Sprintf("%s %s", a.Kind, a.Token.ID)
		if a.Value != nil {
			got += fmt.Sprintf(" %v", *a.Value)
		}
		got += ", "
	}
	if want := "erc20 a 7, erc20 b 6, delegate b 4, erc20 unknown, operator a, erc20 c, erc20 a, "; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestAThousandApprovalsAreListed(t *testing.T) {
	list := Listing{Approvals: make([]Approval, listedMost+1)}
	list.Approvals[listedMost].Value = new(1.0)
	list.sort()
	if len(list.Approvals) != listedMost || !list.Truncated || list.Approvals[0].Value == nil {
		t.Errorf("%d approvals, truncated %t", len(list.Approvals), list.Truncated)
	}
}

func TestAnAllowanceOfHalfTheLargestOrOfTheSupplyIsUnlimited(t *testing.T) {
	for _, tt := range []struct {
		units, supply *big.Int
		want          bool
	}{
		{big.NewInt(10), nil, false}, {big.NewInt(10), big.NewInt(11), false}, {big.NewInt(10), big.NewInt(10), true},
		{halfOf160, nil, true}, {new(big.Int).Sub(halfOf160, big.NewInt(1)), nil, false},
	} {
		if got := isUnlimited(tt.units, halfOf160, tt.supply); got != tt.want {
			t.Errorf("%s of %s: %t", tt.units, tt.supply, got)
		}
	}
}

func TestTheCodeOfADelegationIsThePrefixAndAnAddress(t *testing.T) {
	for code, want := range map[string]bool{
		"\xef\x01\x00aaaaaaaaaaaaaaaaaaaa": true, "\xef\x01\x00aaaaaaaaaaaaaaaaaaa": false, "\xef\x01\x00aaaaaaaaaaaaaaaaaaaaa": false, "\xef\x01\x01aaaaaaaaaaaaaaaaaaaa": false, "": false,
	} {
		if _, got := delegate([]byte(code)); got != want {
			t.Errorf("%x: %t", code, got)
		}
	}
}
