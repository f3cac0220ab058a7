package statement_test

import (
	"fmt"
	"math/big"
	"runtime"
	"strings"
	"testing"

	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/preview/effect"
	"github.com/hawser-dev/hawser/services/preview/statement"
)

var (
	victim = evm.MustAddress("0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266")
	thief  = evm.MustAddress("0x70997970C51812dc3A010C7d01b50e0d17dc79C8")
)

const (
	token  = `"0x5FbDB2315678afecb367f032d93F642f64180aa3"`
	permit = `{"spender":"0x70997970C51812dc3A010C7d01b50e0d17dc79C8","value":"1000"}`
)

func parse(t *testing.T, text string) statement.Statement {
	t.Helper()
	s, err := statement.ParseTypedData(victim, text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return s
}

// A wallet finds members by their exact names, and the last of equal names counts.
func TestMembersOfOtherNamesDoNotReplaceThoseThatAreSigned(t *testing.T) {
	for behaviour, text := range map[string]string{
		"the message in another case":  `{"primaryType":"Permit","domain":{"verifyingContract":` + token + `},"message":` + permit + `,"Message":{"hello":"world"}}`,
		"the type in another case":     `{"primaryType":"Permit","domain":{"verifyingContract":` + token + `},"message":` + permit + `,"PrimaryType":"Mail"}`,
		"the contract in another case": `{"primaryType":"Permit","domain":{"verifyingContract":` + token + `,"verifyingcontract":"none"},"message":` + permit + `}`,
		"a message that is replaced":   `{"primaryType":"Permit","domain":{"verifyingContract":` + token + `},"message":{"allowed":false},"message":` + permit + `}`,
	} {
		s := parse(t, text)
		if s.Kind != statement.Permit || len(s.Approvals) != 1 || s.Approvals[0].Spender != thief || s.Approvals[0].Revoked || s.Approvals[0].Amount.Int64() != 1000 {
			t.Errorf("%s: %+v", behaviour, s)
		}
	}
}

func TestMembersThatTheTypeDoesNotDeclareAreNotShown(t *testing.T) {
	const types = `"types":{"Permit":[{"name":"spender","type":"address"},{"name":"value","type":"uint256"}],` +
		`"PermitBatch":[{"name":"details","type":"Details[]"},{"name":"spender","type":"address"}],"Details":[{"name":"token","type":"address"},{"name":"amount","type":"uint160"}]}`
	s := parse(t, `{"primaryType":"Permit",`+types+`,"domain":{"verifyingContract":`+token+`},"message":{"allowed":false,`+permit[1:]+`}`)
	if len(s.Approvals) != 1 || s.Approvals[0].Revoked || len(s.Members) != 2 {
		t.Errorf("a permit: %+v", s)
	}
	s = parse(t, `{"primaryType":"PermitBatch",`+types+`,"domain":{},"message":{"spender":"`+thief.Hex()+`","details":[{"token":`+token+`,"amount":1,"expiration":7}]}}`)
	if len(s.Approvals) != 1 || s.Approvals[0].Expires != 0 || len(s.Members) != 3 {
		t.Errorf("a member of a list: %+v", s)
	}
}

// Wallets read more forms of a number than decimal and hex digits.
func TestManyValuesTakeFewBytes(t *testing.T) {
	var members []string
	for n := range 2_000 {
		members = append(members, fmt.Sprintf(`{"name":"m%d","type":"A"}`, n))
	}
	for behaviour, text := range map[string]string{
		"of a long type": `{"primaryType":"P","types":{"P":[{"name":"list","type":"A[]"}],"A":[` + strings.Join(members, ",") + `]},"message":{"list":[{}` + strings.Repeat(",{}", 20_000) + `]}}`,
		"of a long name": `{"primaryType":"P","message":{"` + strings.Repeat("n", 60_000) + `":[[]` + strings.Repeat(",[]", 20_000) + `]}}`,
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		parse(t, text)
		runtime.ReadMemStats(&after)
		if taken := after.TotalAlloc - before.TotalAlloc; taken > 128<<20 {
			t.Errorf("%s: %d bytes are taken for %d", behaviour, taken, len(text))
		}
	}
}

func TestWhatIsNotShownMayMove(t *testing.T) {
	for behaviour, filler := range map[string]string{"many members": `"x",`, "many empty ones": `[],`} {
		text := `{"primaryType":"P","message":{"a":[` + strings.Repeat(filler, 2_000) + `""],"to":"0x70997970C51812dc3A010C7d01b50e0d17dc79C8","value":"1000"}}`
		if s := parse(t, text); !s.Moves {
			t.Errorf("after %s, an amount and an account are not found", behaviour)
		}
	}
}

func TestAnAmountThatCannotBeReadCountsAsUnlimited(t *testing.T) {
	for _, amount := range []string{`1e40`, `" 1000000"`, `"0b1111"`} {
		text := fmt.Sprintf(`{"primaryType":"PermitSingle","domain":{},"message":{"spender":%q,"details":{"token":%s,"amount":%s}}}`, thief.Hex(), token, amount)
		if s := parse(t, text); s.Kind != statement.Permit2 || len(s.Approvals) != 1 || s.Approvals[0].Amount != nil || s.Approvals[0].Revoked {
			t.Errorf("%s: %+v", amount, s)
		}
	}
}

func TestAnAddressIsReadInTheFormsThatWalletsRead(t *testing.T) {
	number := new(big.Int).SetBytes(thief[:])
	for _, spender := range []string{fmt.Sprintf("%q", number.Text(10)), fmt.Sprintf(`"0X%x"`, thief[:]), number.Text(10)} {
		s := parse(t, `{"primaryType":"Permit","domain":{"verifyingContract":"1"},"message":{"spender":`+spender+`,"value":"1"}}`)
		if len(s.Approvals) != 1 || s.Approvals[0].Spender != thief || s.Approvals[0].Asset.Contract != (evm.Address{19: 1}) {
			t.Errorf("%s: %+v", spender, s)
		}
	}
}

func TestAnAuthorizedTransferIsARightToTakeTokens(t *testing.T) {
	for _, kind := range []string{"TransferWithAuthorization", "ReceiveWithAuthorization"} {
		s := parse(t, fmt.Sprintf(`{"primaryType":%q,"domain":{"verifyingContract":%s},"message":{"from":%q,"to":%q,"value":"1000","validBefore":7}}`, kind, token, victim.Hex(), thief.Hex()))
		if s.Kind != statement.Permit || len(s.Approvals) != 1 || s.Approvals[0].Spender != thief || s.Approvals[0].Amount.Int64() != 1000 || s.Approvals[0].Expires != 7 {
			t.Errorf("%s: %+v", kind, s)
		}
	}
}

func TestSeveralOrdersInOneSignatureAreOrders(t *testing.T) {
	order := func(recipient evm.Address) string {
		return `{"offer":[{"token":` + token + `}],"consideration":[{"recipient":"` + recipient.Hex() + `","startAmount":"1000000"}]}`
	}
	bulk := func(orders ...string) string {
		return `{"primaryType":"BulkOrder","domain":{},"message":{"tree":[[` + strings.Join(orders, `],[`) + `]]}}`
	}
	if s := parse(t, bulk(order(victim), order(victim), `{"offer":[],"consideration":[]}`)); s.Kind != statement.Order || !s.Proceeds {
		t.Errorf("orders that pay: %+v", s)
	}
	if s := parse(t, bulk(order(victim), order(thief))); s.Kind != statement.Order || s.Proceeds {
		t.Errorf("an order that does not pay: %+v", s)
	}
}

func TestTextThatIsNotTypedDataIsRefused(t *testing.T) {
	for _, text := range []string{``, `{}`, `[]`, `{"primaryType":"Mail"}`, `{"primaryType":"Mail","message":{}} {}`, `{"primaryType":"","message":{}}`} {
		if s, err := statement.ParseTypedData(victim, text); err == nil {
			t.Errorf("%s: %+v", text, s)
		}
	}
}

// A site may accept a sign-in message that is not spelled exactly as the standard says.
func TestASignInThatIsMisspelledStillNamesItsSite(t *testing.T) {
	const head = "bank.example wants you to sign in with your Ethereum account:\n0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266\n\n"
	for _, text := range []string{
		head + "\nURI: https://bank.example\nVersion: 1\nChain ID: 1\nNonce: 12345678\nIssued At: yesterday",
		"https://" + head + "Sign in.",
		"\n" + head,
	} {
		if s := statement.ParseMessage([]byte(text)); s.Kind != statement.SignIn || s.Domain != "bank.example" {
			t.Errorf("%q: %+v", text, s)
		}
	}
	if s := statement.ParseMessage([]byte("He wants you to sign in with your name.")); s.Kind != statement.Text {
		t.Errorf("prose: %+v", s)
	}
}

func TestATransactionOfASafeIsReadAsACallOfTheSafe(t *testing.T) {
	safe := evm.MustAddress("0x00000000000000000000000000000000000000a5")
	transaction := func(members string) statement.Statement {
		return parse(t, `{"primaryType":"SafeTx","domain":{"verifyingContract":"`+safe.Hex()+`"},"message":{`+members+`}}`)
	}
	pay := `"to":` + token + `,"value":"0","data":"0xa9059cbb` + strings.Repeat("0", 24) + thief.Hex()[2:] + strings.Repeat("0", 60) + `03e8"`

	s := transaction(pay + `,"operation":0`)
	if s.Kind != statement.Operation || *s.Holder != safe || s.UnknownCall || s.UnknownCode != nil || len(s.Changes) != 1 {
		t.Fatalf("a transfer: %+v", s)
	}
	if c := s.Changes[0]; !c.Outgoing || c.Other != thief || c.Amount.Int64() != 1000 {
		t.Errorf("a transfer: %+v", c)
	}
	for _, operation := range []string{`"1"`, `1`, `"0x1"`, `2`, `"no number"`, `null`} {
		if s := transaction(pay + `,"operation":` + operation); s.UnknownCode == nil || *s.UnknownCode != evm.MustAddress(strings.Trim(token, `"`)) || len(s.Changes) > 0 {
			t.Errorf("a delegate call of operation %s: %+v", operation, s)
		}
	}
	if s := transaction(`"to":` + token + `,"value":"0","data":"0x12345678","operation":0`); !s.UnknownCall {
		t.Errorf("a function that is not known: %+v", s)
	}
	if s := transaction(`"to":"nobody","operation":0`); s.Kind != statement.Operation || !s.UnknownCall {
		t.Errorf("a contract that cannot be read: %+v", s)
	}
	s = transaction(`"to":"` + safe.Hex() + `","value":"0","data":"0x610b5925` + strings.Repeat("0", 24) + thief.Hex()[2:] + `","operation":0`)
	if len(s.Controls) != 1 || s.Controls[0].To != thief || s.Controls[0].Contract != safe {
		t.Errorf("a module: %+v", s)
	}
	s = transaction(`"to":"` + safe.Hex() + `","value":"0","data":"0x","operation":0,"safeTxGas":1,"baseGas":9,"gasPrice":"100","gasToken":` + token + `,"refundReceiver":"` + thief.Hex() + `"`)
	if len(s.Changes) != 1 || s.Changes[0].Other != thief || s.Changes[0].Amount.Int64() != 1000 {
		t.Errorf("a refund: %+v", s)
	}
}

func TestAMetaTransactionIsACallOfTheAccount(t *testing.T) {
	approve := "0x095ea7b3" + strings.Repeat("0", 24) + thief.Hex()[2:] + strings.Repeat("f", 64)
	meta := func(from evm.Address, call string) statement.Statement {
		return parse(t, fmt.Sprintf(`{"primaryType":"MetaTransaction","domain":{"verifyingContract":%s},"message":{"nonce":1,"from":%q,"functionSignature":%q}}`, token, from.Hex(), call))
	}
	s := meta(victim, approve)
	if s.Kind != statement.Operation || s.UnknownCall || len(s.Approvals) != 1 || s.Approvals[0].Spender != thief || s.Approvals[0].Amount != nil {
		t.Errorf("an approval: %+v", s)
	}
	for _, call := range []string{"0x12345678", "no digits"} {
		if s := meta(victim, call); s.Kind != statement.Operation || !s.UnknownCall {
			t.Errorf("%s: %+v", call, s)
		}
	}
	if s := meta(thief, approve); s.Kind != statement.TypedData || len(s.Approvals) != 0 {
		t.Errorf("of another account: %+v", s)
	}
}

func TestAnOrderOfCoWProtocolSellsForAtLeastAnAmount(t *testing.T) {
	const settlement = `"0x9008D19f58AAbD9eD0D60971565AA8510560ab41"`
	order := func(domain, receiver, buyToken, amount string) statement.Statement {
		return parse(t, `{"primaryType":"Order","domain":{"name":"`+domain+`","verifyingContract":`+settlement+`},"message":{"sellToken":`+token+`,"buyToken":"`+buyToken+
			`","receiver":"`+receiver+`","sellAmount":"1000","buyAmount":"`+amount+`","feeAmount":"5"}}`)
	}
	const usd, none, native = "0x00000000000000000000000000000000000000a2", "0x0000000000000000000000000000000000000000", "0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE"
	for _, receiver := range []string{none, victim.Hex()} {
		s := order("Gnosis Protocol", receiver, usd, "900")
		if s.Kind != statement.Order || !s.Proceeds || len(s.Changes) != 2 || s.Changes[0].Amount.Int64() != 1005 || !s.Changes[0].Outgoing || s.Changes[1].Amount.Int64() != 900 || s.Changes[1].Outgoing {
			t.Errorf("to %s: %+v", receiver, s)
		}
	}
	if s := order("Gnosis Protocol", none, native, "900"); s.Changes[1].Asset.Kind != effect.Native {
		t.Errorf("for the native token: %+v", s)
	}
	for behaviour, s := range map[string]statement.Statement{
		"to another account":    order("Gnosis Protocol", thief.Hex(), usd, "900"),
		"for nothing":           order("Gnosis Protocol", none, usd, "1"),
		"for what is no amount": order("Gnosis Protocol", none, usd, "all"),
	} {
		if s.Kind != statement.Order || s.Proceeds || len(s.Changes) > 1 {
			t.Errorf("%s: %+v", behaviour, s)
		}
	}
	if s := order("Another Protocol", thief.Hex(), usd, "900"); s.Kind != statement.TypedData {
		t.Errorf("of another protocol: %+v", s)
	}
}
