package statement_test

import (
	"encoding/hex"
	"fmt"
	"math/big"
	"strings"
	"testing"

	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/evm/calldata"
	"github.com/hawser-dev/hawser/services/preview/effect"
	"github.com/hawser-dev/hawser/services/preview/statement"
)

// typed returns typed data of a contract.
func typed(kind, message string) string {
	return fmt.Sprintf(`{"primaryType":%q,"domain":{"name":"Any","verifyingContract":%s},"message":{%s}}`, kind, token, message)
}

func TestRightsToActForAnAccountAreRead(t *testing.T) {
	lender := evm.MustAddress(strings.Trim(token, `"`))
	to := fmt.Sprintf("%q", thief.Hex())
	for name, c := range map[string]struct {
		text string
		want effect.Right
	}{
		"of Compound":             {typed("Authorization", `"owner":"`+victim.Hex()+`","manager":`+to+`,"isAllowed":true`), effect.Right{Kind: effect.Acts, Contract: lender, To: thief}},
		"of Compound, with a lie": {typed("Authorization", `"manager":`+to+`,"isAllowed":"false"`), effect.Right{Kind: effect.Acts, Contract: lender, To: thief}},
		"the end of Compound's":   {typed("Authorization", `"manager":`+to+`,"isAllowed":false`), effect.Right{Kind: effect.Acts, Contract: lender, To: thief, Revoked: true}},
		"of Morpho":               {typed("Authorization", `"authorizer":"`+victim.Hex()+`","authorized":`+to+`,"isAuthorized":true`), effect.Right{Kind: effect.Acts, Contract: lender, To: thief}},
		"of Aave":                 {typed("DelegationWithSig", `"delegatee":`+to+`,"value":"1"`), effect.Right{Kind: effect.Borrows, Contract: lender, To: thief}},
		"the end of Aave's":       {typed("DelegationWithSig", `"delegatee":`+to+`,"value":"0"`), effect.Right{Kind: effect.Borrows, Contract: lender, To: thief, Revoked: true}},
	} {
		if s := parse(t, c.text); s.Kind != statement.Authorization || len(s.Rights) != 1 || s.Rights[0] != c.want {
			t.Errorf("%s: %+v", name, s)
		}
	}
	if s := parse(t, typed("Authorization", `"role":"admin"`)); s.Kind != statement.TypedData {
		t.Errorf("of another contract: %+v", s)
	}
}

func TestAPermitForAllIsARightToEveryToken(t *testing.T) {
	s := parse(t, typed("PermitForAll", `"operator":"`+thief.Hex()+`","approved":true`))
	if s.Kind != statement.Permit || len(s.Approvals) != 1 || s.Approvals[0].Asset.Kind != effect.ERC721 || s.Approvals[0].Amount != nil || s.Approvals[0].Revoked {
		t.Errorf("%+v", s)
	}
	if s := parse(t, typed("PermitForAll", `"operator":"`+thief.Hex()+`","approved":false`)); len(s.Approvals) != 1 || !s.Approvals[0].Revoked {
		t.Errorf("its end: %+v", s)
	}
}

func TestADelegationOfVotesIsNoDelegationOfTheAccount(t *testing.T) {
	if s := parse(t, typed("Delegation", `"delegatee":"`+thief.Hex()+`","nonce":0,"expiry":7`)); s.Kind != statement.TypedData {
		t.Errorf("of votes: %+v", s)
	}
	s := parse(t, typed("Delegation", `"delegate":"`+thief.Hex()+`","delegatee":"`+victim.Hex()+`","caveats":[{"enforcer":"`+victim.Hex()+`","terms":"0x"}]`))
	if s.Kind != statement.Delegation || *s.Delegate != thief || len(s.Enforcers) != 1 || s.Enforcers[0] != victim {
		t.Errorf("of the account: %+v", s)
	}
}

func TestAUserOperationOfAnotherSenderIsForeign(t *testing.T) {
	for kind, want := range map[string]bool{`"sender":"` + victim.Hex() + `"`: false, `"sender":"` + thief.Hex() + `"`: true, `"sender":"none"`: true} {
		if s := parse(t, typed("PackedUserOperation", kind)); s.Kind != statement.Operation || s.IsForeign != want {
			t.Errorf("%s: %+v", kind, s)
		}
	}
}

func TestAUserOperationOfASafeIsReadAsACallOfTheSafe(t *testing.T) {
	pay := calldata.Parse("transfer(address,uint256)").Write(thief, big.NewInt(1000))
	operation := func(kind uint8) statement.Statement {
		call := calldata.Parse("executeUserOp(address,uint256,bytes,uint8)").Write(evm.MustAddress(strings.Trim(token, `"`)), new(big.Int), pay, kind)
		return parse(t, typed("SafeOp", `"safe":"`+victim.Hex()+`","callData":"0x`+hex.EncodeToString(call)+`"`))
	}
	if s := operation(0); s.Kind != statement.Operation || *s.Holder != victim || s.UnknownCall || len(s.Changes) != 1 || s.Changes[0].Other != thief {
		t.Errorf("a call: %+v", s)
	}
	if s := operation(1); s.UnknownCode == nil || len(s.Changes) != 0 {
		t.Errorf("a delegate call: %+v", s)
	}
	if s := parse(t, typed("SafeOp", `"safe":"`+victim.Hex()+`","callData":"0x12345678"`)); s.Kind != statement.Operation || !s.UnknownCall {
		t.Errorf("a function that is not known: %+v", s)
	}
}

func TestALimitOrderSellsForAtLeastAnAmount(t *testing.T) {
	const usd = `"0x00000000000000000000000000000000000000a2"`
	oneInch := func(receiver, more string) string {
		return typed("Order", `"makerAsset":`+token+`,"takerAsset":`+usd+`,"receiver":"`+receiver+`","makingAmount":"1000","takingAmount":"900"`+more)
	}
	zeroX := typed("LimitOrder", `"makerToken":`+token+`,"takerToken":`+usd+`,"makerAmount":"1000","takerAmount":"900"`)
	extension := new(big.Int).Lsh(big.NewInt(1), 249).String()
	for name, c := range map[string]struct {
		text     string
		proceeds bool
	}{
		"of 1inch":                           {oneInch(victim.Hex(), ""), true},
		"of 1inch, to its maker":             {oneInch(evm.Address{}.Hex(), `,"makerTraits":"0"`), true},
		"of 1inch, to another":               {oneInch(thief.Hex(), ""), false},
		"of 1inch, with an extension":        {oneInch(victim.Hex(), `,"makerTraits":"`+extension+`"`), false},
		"of 1inch, with traits of no number": {oneInch(victim.Hex(), `,"makerTraits":"x"`), false},
		"of 1inch, with interactions":        {oneInch(victim.Hex(), `,"interactions":"0x01"`), false},
		"of 0x":                              {zeroX, true},
		"of 0x, for nothing":                 {strings.Replace(zeroX, "900", "0", 1), false},
		"of 0x, which cannot be read":        {typed("RfqOrder", `"pool":"1"`), false},
	} {
		if s := parse(t, c.text); s.Kind != statement.Order || s.Proceeds != c.proceeds || c.proceeds != (len(s.Changes) == 2) {
			t.Errorf("%s: %+v", name, s)
		}
	}
	if s := parse(t, typed("Order", `"price":"1"`)); s.Kind != statement.TypedData {
		t.Errorf("of another service: %+v", s)
	}
}

// A site can try inputs until the bytes of their hash are text.
func TestAMessageOfTheSizeOfAHashIsBytes(t *testing.T) {
	for length, want := range map[int]statement.Kind{31: statement.Text, 32: statement.Bytes, 33: statement.Text} {
		if s := statement.ParseMessage([]byte(strings.Repeat("a", length))); s.Kind != want {
			t.Errorf("%d bytes: %+v", length, s)
		}
	}
}
