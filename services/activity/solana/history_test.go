package solana

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	sdk "github.com/gagliardetto/solana-go"

	"github.com/hawser-dev/hawser/services/activity/index"
	"github.com/hawser-dev/hawser/services/onchain/svm"
)

func TestEveryKindOfTransactionIsOneRow(t *testing.T) {
	w := open(t)
	rich, alice, bob := w.account(t, 0), w.fresh(t, 5_000_000_000), w.fresh(t, 0)
	a, b := alice.address(), bob.address()
	dollar, tax, pyusd := w.token(t, "tUSD"), w.token(t, "TAX"), w.token(t, "tPYUSD")

	alice.send(t, one(pay(a, b, 1_000_000_001)))
	alice.send(t, one(pay(a, b, 1_000_000_000_000)))
	rich.send(t, []sdk.Instruction{dollar.create(rich.address(), a), dollar.transfer(rich.address(), a, 10_000_000, 6)})
	alice.send(t, []sdk.Instruction{dollar.create(a, b), dollar.transfer(a, b, 2_500_000, 6)})
	alice.send(t, one(pyusd.create(a, a)))
	rich.send(t, one(pyusd.transfer(rich.address(), a, 7, 6)))
	alice.send(t, one(dollar.approve(a, b, 123)))
	alice.send(t, one(dollar.revoke(a)))
	alice.send(t, one(dollar.burn(a, 500_000)))
	alice.send(t, []sdk.Instruction{pyusd.burn(a, 7), pyusd.closeAccount(a, a)})
	rich.send(t, []sdk.Instruction{tax.create(rich.address(), a), tax.transfer(rich.address(), a, 1_000, 8)})
	alice.send(t, []sdk.Instruction{pay(a, b, 1_000_000), pay(a, rich.address(), 2_000_000)})
	alice.send(t, one(pay(a, a, 5)))
	alice.send(t, []sdk.Instruction{pay(a, b, 1_000_000), dollar.transfer(rich.address(), a, 4_000_000, 6)}, rich)

	p := w.page(t, a, nil)
	names := map[svm.Address]string{a: "alice", b: "bob", rich.address(): "rich", pyusd.account(a): "account"}
	got := p.lines(names)
	want := []string{
		"trade; in 4000000 tUSD rich>alice; out 1000000 SOL alice>bob",
		"execute; out 0 SOL alice>?",
		"send; out 2000000 SOL alice>rich; out 1000000 SOL alice>bob",
		"receive; in 990 TAX rich>alice",
		"burn; out 7 tPYUSD alice>?; self 2074080 SOL account>alice rent",
		"burn; out 500000 tUSD alice>?",
		"approve; out 0 tUSD alice>?",
		"approve; out 123 tUSD alice>bob",
		// 7 tPYUSD were sent to an account that was closed later, in a transaction that does not name the owner, so it
		// cannot be found by the owner.
		"execute; self 2074080 SOL alice>account rent",
		"send; out 2500000 tUSD alice>bob; out 2039280 SOL alice>bob rent",
		"receive; in 10000000 tUSD rich>alice",
		"send failed (Instruction 1: custom program error 0x1); out 0 SOL alice>bob",
		"send; out 1000000001 SOL alice>bob",
		"receive; in 5000000000 SOL other>alice",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if p.Next != nil {
		t.Error("the only page has a next one")
	}
	first := p.Rows[len(p.Rows)-2]
	if first.FeePayer != a || first.Fee != 5_000 || first.From != a || first.To != b || first.Time == 0 || first.Slot == 0 {
		t.Errorf("the send is %+v", first)
	}
	if token := p.Tokens[dollar.mint]; token.Icon != "https://icons.example/tUSD" || !token.Listed {
		t.Errorf("the listed token is %+v", token)
	}
	if token := p.Tokens[tax.mint]; token.Name != "Takes one percent" || token.Listed {
		t.Errorf("the unlisted token is %+v", token)
	}
}

func TestRentIsNotPartOfWhatWasSentOrReceived(t *testing.T) {
	w := open(t)
	rich, alice, bob := w.account(t, 0), w.fresh(t, 5_000_000_000), w.fresh(t, 1_000_000_000)
	a, b := alice.address(), bob.address()
	dollar, pyusd := w.token(t, "tUSD"), w.token(t, "tPYUSD")
	alice.send(t, one(pyusd.create(a, a)))
	alice.send(t, []sdk.Instruction{pyusd.closeAccount(a, a), pay(a, b, 1_000_000_000)})
	rich.send(t, []sdk.Instruction{dollar.create(rich.address(), a), pay(a, b, 1_000_000_000)}, alice)
	alice.send(t, []sdk.Instruction{dollar.closeAccount(a, a), dollar.create(a, a), pyusd.create(a, a), pay(b, a, 500_000_000)}, bob)
	names := map[svm.Address]string{a: "alice", b: "bob", pyusd.account(a): "account"}
	got := w.page(t, a, nil).lines(names)
	want := []string{
		"receive; in 500000000 SOL bob>alice; self 2074080 SOL alice>account rent",
		"send; out 1000000000 SOL alice>bob",
		"send; out 1000000000 SOL alice>bob; self 2074080 SOL account>alice rent",
		"execute; self 2074080 SOL alice>account rent",
		"receive; in 5000000000 SOL other>alice",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if got := w.page(t, b, nil).lines(names)[2]; got != "receive; in 1000000000 SOL alice>bob" {
		t.Errorf("bob: got %s", got)
	}
}

func TestATokenThatCameToATokenAccountIsARow(t *testing.T) {
	w := open(t)
	rich, owner := w.account(t, 0), w.fresh(t, 0)
	dollar := w.token(t, "tUSD")
	rich.send(t, one(dollar.create(rich.address(), owner.address())))
	rich.send(t, one(dollar.transfer(rich.address(), owner.address(), 3, 6)))
	p := w.page(t, owner.address(), nil)
	if got := p.lines(nil); !slices.Equal(got, []string{"receive; in 3 tUSD other>other"}) {
		t.Errorf("got %q: the transfer names the token account only, and the account that another one opened is no row", got)
	}
}

func TestAnAccountThatIsOnlyNamedHasNoRow(t *testing.T) {
	w := open(t)
	owner := w.fresh(t, 0)
	other := w.account(t, 4)
	other.send(t, one(sdk.NewInstruction(svm.SystemProgram, sdk.AccountMetaSlice{meta(other.address(), "sw"), meta(w.account(t, 6).address(), "w"), meta(owner.address(), "")}, le(2, 4, 1))))
	if p := w.page(t, owner.address(), nil); len(p.Rows) != 0 || p.Next != nil {
		t.Errorf("got %q, next %v", p.lines(nil), p.Next)
	}
}

func TestTokensWithASuspiciousNameThatAnotherSentAreSpam(t *testing.T) {
	w := open(t)
	rich, owner := w.account(t, 0), w.fresh(t, 1_000_000_000)
	spam := w.token(t, "CLAIM")
	rich.send(t, []sdk.Instruction{spam.create(rich.address(), owner.address()), spam.transfer(rich.address(), owner.address(), 9, 6)})
	p := w.page(t, owner.address(), nil)
	if len(p.Rows) != 2 || !p.Rows[0].Spam || p.Tokens[spam.mint].Warning != "link" {
		t.Fatalf("got %q %+v", p.lines(nil), p.Tokens)
	}
	hidden, err := w.Page(t.Context(), Query{ChainID: w.chain.CAIP2, Owner: owner.address()})
	if err != nil || len(hidden.Rows) != 1 || hidden.Rows[0].Spam {
		t.Errorf("without spam: %q %v", hidden.lines(nil), err)
	}
}

func TestClaimsAreJudgedOneByOne(t *testing.T) {
	w := open(t)
	rich, owner := w.account(t, 0), w.fresh(t, 1_000_000_000)
	a, spam := owner.address(), w.token(t, "CLAIM")
	arrive := func(lamports uint64, signers ...wallet) {
		t.Helper()
		rich.send(t, []sdk.Instruction{spam.create(rich.address(), a), spam.transfer(rich.address(), a, 9, 6), pay(rich.address(), a, lamports)}, signers...)
	}
	arrive(1)
	rich.send(t, one(pay(rich.address(), a, dust-1)))
	rich.send(t, one(pay(rich.address(), a, dust)))
	arrive(dust)
	rich.send(t, []sdk.Instruction{spam.transfer(rich.address(), a, 9, 6), pay(a, rich.address(), 1)}, owner)
	names := map[svm.Address]string{a: "owner"}

	all := w.page(t, a, nil)
	want := []string{
		"trade; in 9 CLAIM other>owner; out 1 SOL owner>other",
		"receive; in 10000 SOL other>owner; in 9 CLAIM other>owner",
		"receive; in 10000 SOL other>owner",
		"receive; in 9999 SOL other>owner",
		"receive; in 9 CLAIM other>owner; in 1 SOL other>owner",
		"receive; in 1000000000 SOL other>owner",
	}
	if got := all.lines(names); !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	for i, isSpam := range []bool{false, false, false, true, true, false} {
		if all.Rows[i].Spam != isSpam {
			t.Errorf("row %d: spam is %v", i, !isSpam)
		}
	}
	hidden, err := w.Page(t.Context(), Query{ChainID: w.chain.CAIP2, Owner: a, Native: index.Token{Symbol: "SOL"}})
	want = []string{want[0], want[2], want[2], want[5]}
	if got := hidden.lines(names); err != nil || !slices.Equal(got, want) {
		t.Errorf("without spam: %v\n%s", err, strings.Join(got, "\n"))
	}
}

func TestTokenAccountsWithoutARecordedOwnerAreTheOwners(t *testing.T) {
	w := open(t)
	rich, owner := w.account(t, 0), w.fresh(t, 1_000_000_000)
	a, dollar := owner.address(), w.token(t, "tUSD")
	rich.send(t, []sdk.Instruction{dollar.create(rich.address(), a), dollar.transfer(rich.address(), a, 3, 6)})
	owner.send(t, []sdk.Instruction{dollar.transfer(a, rich.address(), 3, 6), dollar.closeAccount(a, a)})
	w.nodes.change = func(body, response []byte) ([]byte, error) {
		if !strings.Contains(string(body), "getTransaction") {
			return response, nil
		}
		var results []map[string]any
		if err := json.Unmarshal(response, &results); err != nil {
			return nil, err
		}
		for _, r := range results {
			recorded := r["result"].(map[string]any)["meta"].(map[string]any)
			for _, list := range []string{"preTokenBalances", "postTokenBalances"} {
				for _, b := range recorded[list].([]any) {
					delete(b.(map[string]any), "owner")
				}
			}
		}
		return json.Marshal(results)
	}
	names := map[svm.Address]string{a: "owner", dollar.account(a): "account", dollar.account(rich.address()): "rich's"}
	got := w.page(t, a, nil).lines(names)
	want := []string{
		"send; out 3 tUSD owner>rich's; self 2039280 SOL account>owner rent",
		"receive; in 3 tUSD rich's>owner",
		"receive; in 1000000000 SOL other>owner",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestPagesStayTheSameWhileTransactionsArrive(t *testing.T) {
	w := open(t)
	rich, owner := w.account(t, 0), w.fresh(t, 100_000_000)
	dollar := w.token(t, "tUSD")
	rich.send(t, one(dollar.create(rich.address(), owner.address())))
	var sent []string
	for i := range 2*pageSize + 7 {
		if i%2 == 0 {
			sent = append(sent, owner.send(t, one(pay(owner.address(), rich.address(), uint64(i+1)))))
		} else {
			sent = append(sent, rich.send(t, one(dollar.transfer(rich.address(), owner.address(), uint64(i), 6))))
		}
	}
	slices.Reverse(sent)
	var got []string
	var after *Place
	pages := 0
	for {
		p := w.page(t, owner.address(), after)
		for _, r := range p.Rows {
			got = append(got, r.Signature.String())
		}
		if pages++; p.Next == nil {
			break
		}
		place, err := ParseCursor(p.Next.Cursor())
		if err != nil || place != *p.Next {
			t.Fatalf("the cursor is %+v %v", place, err)
		}
		after = &place
		// Transactions that arrive meanwhile are not on later pages.
		rich.send(t, one(dollar.transfer(rich.address(), owner.address(), 1_000, 6)))
	}
	// The airdrop is the oldest transaction.
	if pages != 3 || len(got) != len(sent)+1 || !slices.Equal(got[:len(sent)], sent) {
		t.Errorf("got %d rows on %d pages, want %d on 3, in the order of the chain", len(got), pages, len(sent)+1)
	}
}

func TestFinalTransactionsAreReadOnce(t *testing.T) {
	w := open(t)
	owner := w.fresh(t, 1_000_000_000)
	w.page(t, owner.address(), nil)
	w.page(t, owner.address(), nil)
	if n := w.count("getTransaction"); n != 2 {
		t.Errorf("a transaction that may be removed by a fork was read %d times in 2 requests", n)
	}
	w.chain.Call(t, "devnet_advanceSlots", 33)
	w.page(t, owner.address(), nil)
	before := w.count("getTransaction")
	if p := w.page(t, owner.address(), nil); len(p.Rows) != 1 {
		t.Errorf("got %q", p.lines(nil))
	}
	if n := w.count("getTransaction") - before; n != 0 {
		t.Errorf("a final transaction was read %d times more", n)
	}
}

func TestATransactionThatNoNodeHasIsARowWithoutAmounts(t *testing.T) {
	w := open(t)
	owner := w.fresh(t, 1_000_000_000)
	w.nodes.change = func(body, response []byte) ([]byte, error) {
		if strings.Contains(string(body), "getTransaction") {
			return []byte(`[{"jsonrpc":"2.0","id":0,"result":null}]`), nil
		}
		return response, nil
	}
	p := w.page(t, owner.address(), nil)
	if got := p.lines(nil); !slices.Equal(got, []string{"execute; out 0 SOL other>?"}) || !p.Rows[0].FeePayer.IsZero() || p.Rows[0].Time == 0 {
		t.Errorf("got %q", got)
	}
	if n := w.count("getTransaction"); n != 2 {
		t.Errorf("it was read %d times, want once in the batch and once alone", n)
	}
}

func TestATransactionThatDoesNotParseKeepsNoOtherOneOut(t *testing.T) {
	w := open(t)
	owner := w.fresh(t, 1_000_000_000)
	sent := owner.send(t, one(pay(owner.address(), w.account(t, 6).address(), 1)))
	w.nodes.change = func(body, response []byte) ([]byte, error) {
		if !strings.Contains(string(body), "getTransaction") {
			return response, nil
		}
		var results []map[string]any
		if err := json.Unmarshal(response, &results); err != nil {
			return nil, err
		}
		for _, r := range results {
			if result := r["result"].(map[string]any); !strings.Contains(fmt.Sprint(result["transaction"]), sent) {
				result["meta"] = nil
			}
		}
		return json.Marshal(results)
	}
	if got := w.page(t, owner.address(), nil).lines(map[svm.Address]string{owner.address(): "owner"}); !slices.Equal(got, []string{"send; out 1 SOL owner>other", "execute; out 0 SOL owner>?"}) {
		t.Errorf("got %q", got)
	}
}

func TestTransactionsThatAreTooLargeTogetherAreReadAlone(t *testing.T) {
	w := open(t)
	owner := w.fresh(t, 1_000_000_000)
	owner.send(t, one(pay(owner.address(), w.account(t, 6).address(), 1)))
	w.nodes.change = func(body, response []byte) ([]byte, error) {
		if strings.Count(string(body), "getTransaction") < 2 {
			return response, nil
		}
		refusal := `{"jsonrpc":"2.0","id":%d,"error":{"code":-32005,"message":"the answer is too large"}}`
		return []byte("[" + fmt.Sprintf(refusal, 0) + "," + fmt.Sprintf(refusal, 1) + "]"), nil
	}
	if p := w.page(t, owner.address(), nil); len(p.Rows) != 2 || p.Rows[0].Fee != 5_000 {
		t.Errorf("got %q", p.lines(nil))
	}
}

func TestWithoutANodeTheHistoryIsUnavailable(t *testing.T) {
	w := open(t)
	for name, response := range map[string]string{
		"a node that keeps no history": `[{"jsonrpc":"2.0","id":0,"error":{"code":-32011,"message":"Transaction history is not available from this node"}}]`,
		"an invalid list":              `[{"jsonrpc":"2.0","id":0,"result":[{"signature":"x","slot":1}]}]`,
		"an unreachable node":          "",
	} {
		w.nodes.change = func(body, answer []byte) ([]byte, error) {
			if strings.Contains(string(body), "getTransaction") || strings.Contains(string(body), "getTokenAccounts") || !strings.Contains(string(body), "[{") {
				return answer, nil
			}
			if response == "" {
				return nil, errors.New("no node")
			}
			return []byte(response), nil
		}
		if _, err := w.Page(t.Context(), Query{ChainID: w.chain.CAIP2, Owner: w.fresh(t, 1_000_000_000).address()}); !errors.Is(err, ErrUnavailable) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}
