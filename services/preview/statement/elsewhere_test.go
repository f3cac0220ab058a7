package statement_test

import (
	"fmt"
	"testing"

	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/preview/effect"
	"github.com/hawser-dev/hawser/services/preview/statement"
)

func TestARequestToAForwarderIsACallOfTheAccount(t *testing.T) {
	transfer := "0xa9059cbb000000000000000000000000" + thief.Hex()[2:] + "00000000000000000000000000000000000000000000000000000000000003e8"
	for kind, message := range map[string]string{
		"ForwardRequest":       `{"from":%[2]q,"to":%[3]s,"value":"0","data":%[4]q}`,
		"RelayRequest":         `{"request":{"from":%[2]q,"to":%[3]s,"value":"0","data":%[4]q},"relayData":{}}`,
		"SponsoredCallERC2771": `{"user":%[2]q,"target":%[3]s,"data":%[4]q}`,
	} {
		s := parse(t, fmt.Sprintf(`{"primaryType":%q,"domain":{},"message":`+message+`}`, kind, victim.Hex(), token, transfer))
		if s.Kind != statement.Operation || s.UnknownCall || len(s.Changes) != 1 || s.Changes[0].Other != thief || s.Changes[0].Amount.Int64() != 1000 {
			t.Errorf("%s: %+v", kind, s)
		}
		if s := parse(t, fmt.Sprintf(`{"primaryType":%q,"domain":{},"message":`+message+`}`, kind, thief.Hex(), token, transfer)); s.Kind != statement.TypedData {
			t.Errorf("%s of another account: %+v", kind, s)
		}
	}
}

func TestActionsOfServicesBesideTheChainNameWhoReceives(t *testing.T) {
	for text, want := range map[string]*evm.Address{
		`{"primaryType":"HyperliquidTransaction:Withdraw","domain":{},"message":{"destination":"` + thief.Hex() + `","amount":"5"}}`:   &thief,
		`{"primaryType":"HyperliquidTransaction:ApproveAgent","domain":{},"message":{"agentAddress":"` + thief.Hex() + `","nonce":1}}`: &thief,
		`{"primaryType":"Withdraw","domain":{},"message":{"recipient":"` + victim.Hex() + `","amount":"5"}}`:                           &victim,
		`{"primaryType":"HyperliquidTransaction:UsdClassTransfer","domain":{},"message":{"amount":"5","toPerp":true}}`:                 nil,
	} {
		s := parse(t, text)
		if s.Kind != statement.Elsewhere || (s.Delegate == nil) != (want == nil) || want != nil && *s.Delegate != *want {
			t.Errorf("%s: %+v", text, s)
		}
	}
}

func TestTypedDataOfHashesAloneIsBlind(t *testing.T) {
	const hash = `"0x1111111111111111111111111111111111111111111111111111111111111111"`
	if s := parse(t, `{"primaryType":"Root","domain":{},"message":{"root":`+hash+`}}`); !s.Blind {
		t.Errorf("a hash: %+v", s)
	}
	if s := parse(t, `{"primaryType":"Root","domain":{},"message":{"root":`+hash+`,"note":"hello"}}`); s.Blind {
		t.Errorf("a hash and a text: %+v", s)
	}
}

func TestAnOrderOfSeaportMovesWhatItOffersAndWhatTheAccountGets(t *testing.T) {
	item := func(kind int, start, end, recipient string) string {
		return fmt.Sprintf(`{"itemType":%d,"token":%s,"identifierOrCriteria":"7","startAmount":%q,"endAmount":%q,"recipient":%q}`, kind, token, start, end, recipient)
	}
	order := func(offer, consideration string) statement.Statement {
		return parse(t, `{"primaryType":"OrderComponents","domain":{"verifyingContract":"`+thief.Hex()+`"},"message":{"offer":[`+offer+`],"consideration":[`+consideration+`]}}`)
	}
	s := order(item(1, "10", "20", ""), item(0, "90", "30", victim.Hex())+","+item(0, "5", "5", thief.Hex()))
	if len(s.Changes) != 2 || !s.Proceeds || s.Changes[0].Amount.Int64() != 20 || !s.Changes[0].Outgoing || s.Changes[1].Amount.Int64() != 30 || s.Changes[1].Outgoing || s.Changes[1].Asset.Kind != effect.Native {
		t.Errorf("of the amounts that change, the worse ones do not count: %+v", s.Changes)
	}
	s = order(item(1, "10", "10", ""), item(2, "1", "1", victim.Hex()))
	if !s.Proceeds || s.Changes[1].Asset.Kind != effect.ERC721 || s.Changes[1].Asset.ID.Int64() != 7 {
		t.Errorf("for a collectible: %+v", s)
	}
}
