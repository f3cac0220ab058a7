package preview

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"slices"
	"testing"

	sol "github.com/gagliardetto/solana-go"

	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	previewv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/preview/v1"
	"github.com/hawser-dev/hawser/services/onchain/svm"
	"github.com/hawser-dev/hawser/services/platform/fault"
)

// wireWithTable returns an unsigned transaction whose accounts are in a lookup table where that has them.
func (w *solanaWorld) wireWithTable(table svm.Address, entries []svm.Address, instructions ...sol.Instruction) string {
	w.t.Helper()
	t, err := sol.NewTransaction(instructions, sol.Hash(w.blockhash()), sol.TransactionPayer(w.owner), sol.TransactionAddressTables(map[sol.PublicKey]sol.PublicKeySlice{table: entries}))
	if err != nil {
		w.t.Fatal(err)
	}
	message, err := t.Message.MarshalBinary()
	if err != nil {
		w.t.Fatal(err)
	}
	return base64.StdEncoding.EncodeToString(append([]byte{0}, message...))
}

// Who made a lookup table can add the accounts once the transaction is signed: until then it would only fail.
func TestALookupTableThatLacksAnAccountIsDangerous(t *testing.T) {
	w := newSolanaWorld(t)
	usd := w.token("tUSD")
	table := svm.Derive(svm.TokenProgram, []byte("a lookup table"))
	w.chain.SetAccount(t, table.String(), svm.LookupTableProgram.String(), make([]byte, 56))
	var balance struct {
		Value struct {
			Amount uint64 `json:",string"`
		}
	}
	if err := json.Unmarshal(w.chain.Call(t, "getTokenAccountBalance", usd.account.String()), &balance); err != nil {
		t.Fatal(err)
	}
	theirs := svm.AssociatedAccount(unknownAccount, usd.mint, usd.program)
	take := call(usd.program, u64([]byte{3}, balance.Value.Amount), sol.Meta(usd.account).WRITE(), sol.Meta(theirs).WRITE(), sol.Meta(w.owner).SIGNER())
	res := w.previewOf(&previewv1.SimulateRequest{Transaction: w.wireWithTable(table, []svm.Address{theirs}, take)})
	if res.GetOutcome() != previewv1.Outcome_OUTCOME_REVERTS || severityOf(res, "REVERTS") != previewv1.Severity_SEVERITY_DANGER || severityOf(res, "DRAINS") != previewv1.Severity_SEVERITY_DANGER {
		t.Errorf("the preview is %v", res)
	}
	if i := slices.IndexFunc(res.GetWarnings(), func(w *previewv1.Warning) bool { return w.GetPhrase() == previewv1.Phrase_PHRASE_TABLE_INCOMPLETE }); i < 0 {
		t.Errorf("the reason is missing: %v", res.GetWarnings())
	}
	if len(res.GetChanges()) != 1 || res.GetChanges()[0].GetAsset().GetContract() != usd.mint.String() {
		t.Errorf("of the accounts that the message has itself, the token is not read: %v", res.GetChanges())
	}
}

func TestAFailureOfAProgramThatGetsTheSignatureIsDangerous(t *testing.T) {
	w := newSolanaWorld(t)
	own := sol.Meta(w.owner).SIGNER().WRITE()
	for name, c := range map[string]struct {
		instruction sol.Instruction
		want        previewv1.Severity
	}{
		"with the signature":    {call(program, []byte{1}, own), previewv1.Severity_SEVERITY_DANGER},
		"without the signature": {call(program, []byte{1}), previewv1.Severity_SEVERITY_CAUTION},
	} {
		res := w.preview(c.instruction)
		if res.GetOutcome() != previewv1.Outcome_OUTCOME_REVERTS || severityOf(res, "REVERTS") != c.want {
			t.Errorf("%s: %v", name, res)
		}
	}
}

// A node that is behind the others does not know a blockhash that is seconds old.
func TestABlockhashIsAskedForAgain(t *testing.T) {
	w := newSolanaWorld(t)
	w.forgets = 1
	res := w.preview(w.payLamports(unknownAccount, 5_000_000))
	if res.GetOutcome() != previewv1.Outcome_OUTCOME_SUCCEEDS || len(res.GetWarnings()) > 0 {
		t.Errorf("the preview is %v", res)
	}
}

func TestWhatSeveralTransactionsDoIsAddedUp(t *testing.T) {
	w := newSolanaWorld(t)
	usd := w.token("tUSD")
	var balance struct {
		Value struct {
			Amount uint64 `json:",string"`
		}
	}
	if err := json.Unmarshal(w.chain.Call(t, "getTokenAccountBalance", usd.account.String()), &balance); err != nil {
		t.Fatal(err)
	}
	half := balance.Value.Amount / 2
	one := w.previewOf(&previewv1.SimulateRequest{Transactions: []string{w.wire(w.payTokens(usd, unknownAccount, half)...)}})
	if one.GetOutcome() != previewv1.Outcome_OUTCOME_SUCCEEDS || len(one.GetWarnings()) > 0 {
		t.Errorf("a half: %v", one)
	}
	both := w.previewOf(&previewv1.SimulateRequest{Transactions: []string{w.wire(w.payTokens(usd, unknownAccount, half)...), w.wire(w.payTokens(usd, program, half)...)}})
	if both.GetOutcome() != previewv1.Outcome_OUTCOME_SUCCEEDS || severityOf(both, "DRAINS") != previewv1.Severity_SEVERITY_DANGER || both.GetFee() != "10000" {
		t.Errorf("two halves: %v", both)
	}
	many := slices.Repeat([]string{w.wire(w.payLamports(unknownAccount, 5_000_000))}, 11)
	if res := w.previewOf(&previewv1.SimulateRequest{Transactions: many[:10]}); len(res.GetChanges()) != 1 || res.GetChanges()[0].GetAmount() != "50000000" {
		t.Errorf("ten payments: %v", res)
	}
	if _, err := w.Simulate(t.Context(), &previewv1.SimulateRequest{ChainId: w.chain.CAIP2, Account: w.owner.String(), Transactions: many}); fault.From(err).Reason != faultv1.Reason_REASON_PARAMETER_INVALID {
		t.Errorf("eleven: %v", err)
	}
}

func TestMessagesOfSolanaAreDecoded(t *testing.T) {
	w := newSolanaWorld(t)
	signIn := "bank.example wants you to sign in with your Solana account:\n" + w.owner.String() + "\n\n\nURI: https://bank.example\nVersion: 1\nChain ID: mainnet\nNonce: 32891756\nIssued At: 2026-01-01T00:00:00Z"
	transaction, err := base64.StdEncoding.DecodeString(w.wire(w.payLamports(unknownAccount, 5)))
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		message []byte
		origin  string
		kind    previewv1.StatementKind
		warning string
	}{
		"a sign-in at the same site":   {[]byte(signIn), "https://bank.example", previewv1.StatementKind_STATEMENT_KIND_SIGN_IN, ""},
		"a sign-in at another site":    {[]byte(signIn), "https://evil.example", previewv1.StatementKind_STATEMENT_KIND_SIGN_IN, "OTHER_SITE"},
		"a sign-in without an origin":  {[]byte(signIn), "null", previewv1.StatementKind_STATEMENT_KIND_SIGN_IN, "OTHER_SITE"},
		"a text":                       {[]byte("Hello"), "", previewv1.StatementKind_STATEMENT_KIND_TEXT, ""},
		"bytes":                        {[]byte{1, 2, 0xff}, "", previewv1.StatementKind_STATEMENT_KIND_BYTES, "BLIND"},
		"the message of a transaction": {transaction[1:], "", previewv1.StatementKind_STATEMENT_KIND_BYTES, "BLIND"},
	} {
		res := w.previewOf(&previewv1.SimulateRequest{Message: "0x" + hex.EncodeToString(c.message), Origin: c.origin})
		if res.GetOutcome() != previewv1.Outcome_OUTCOME_MESSAGE || res.GetStatement().GetKind() != c.kind || (c.warning == "") != (len(res.GetWarnings()) == 0) || c.warning != "" && severityOf(res, c.warning) != previewv1.Severity_SEVERITY_DANGER {
			t.Errorf("%s: %v", name, res)
		}
	}
}
