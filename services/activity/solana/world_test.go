package solana

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"

	sdk "github.com/gagliardetto/solana-go"
	"go.uber.org/goleak"

	"github.com/hawser-dev/hawser/services/activity/index"
	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/onchain/svm"
	"github.com/hawser-dev/hawser/services/onchain/tokens"
	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/devnettest"
)

// TestMain fails if a goroutine leaks, except those of caches, which end when their cache is garbage collected.
func TestMain(m *testing.M) {
	devnettest.VerifyNoLeaks(m, goleak.IgnoreAnyFunction("github.com/maypok86/otter/v2.periodicCleanUp[...]"))
}

// world is a history of the local Solana chain.
type world struct {
	*History
	chain *devnettest.Solana
	// nodes is the server that transports forward to; it records the methods of each body.
	nodes *nodes
}

type nodes struct {
	mu     sync.Mutex
	bodies []string
	// change replaces a response; nil leaves responses unchanged.
	change func(body, response []byte) ([]byte, error)
}

// listed holds the listed tokens of a test.
type listed map[svm.Address]tokens.Mint

func (l listed) Mints(string) []tokens.Mint { return slices.Collect(maps.Values(l)) }

func (l listed) Mint(_ string, mint svm.Address) (tokens.Mint, bool) {
	m, ok := l[mint]
	return m, ok
}

func open(tb testing.TB) *world {
	tb.Helper()
	w := &world{chain: devnettest.StartSolana(tb), nodes: &nodes{}}
	list := listed{}
	for _, symbol := range []string{"tUSD", "tPYUSD"} {
		t := w.chain.Token(tb, symbol)
		list[svm.MustAddress(t.Address)] = tokens.Mint{Address: svm.MustAddress(t.Address), Symbol: t.Symbol, Name: t.Name, Decimals: 6, Icon: "https://icons.example/" + symbol}
	}
	w.History = New(func(chainID string) chainclient.Transport { return w.forward }, list, clock.System{})
	return w
}

func (w *world) forward(ctx context.Context, body []byte) ([]byte, error) {
	var calls []struct{ Method string }
	var methods []string
	if json.Unmarshal(body, &calls) == nil {
		for _, c := range calls {
			methods = append(methods, c.Method)
		}
	}
	w.nodes.mu.Lock()
	w.nodes.bodies = append(w.nodes.bodies, strings.Join(methods, " "))
	change := w.nodes.change
	w.nodes.mu.Unlock()
	response, err := w.chain.Forward(ctx, body)
	if err == nil && change != nil {
		return change(body, response)
	}
	return response, err
}

// count returns how often a method was called in a batch.
func (w *world) count(method string) (n int) {
	w.nodes.mu.Lock()
	defer w.nodes.mu.Unlock()
	for _, b := range w.nodes.bodies {
		n += strings.Count(b, method)
	}
	return n
}

// page returns a page of an owner, with spam.
func (w *world) page(tb testing.TB, owner svm.Address, after *Place) Page {
	tb.Helper()
	p, err := w.Page(tb.Context(), Query{ChainID: w.chain.CAIP2, Owner: owner, After: after, Spam: true, Native: index.Token{Name: "Solana", Symbol: "SOL", Decimals: 9}})
	if err != nil {
		tb.Fatal(err)
	}
	return p
}

// lines prints rows: the operation, then each transfer with its parties, by name if names has them.
func (p Page) lines(names map[svm.Address]string) (lines []string) {
	name := func(a svm.Address) string {
		if a.IsZero() {
			return "?"
		}
		if n, ok := names[a]; ok {
			return n
		}
		return "other"
	}
	for _, r := range p.Rows {
		text := string(r.Operation)
		if r.Failed {
			text += " failed (" + r.Failure + ")"
		}
		for _, t := range r.Transfers {
			symbol := p.Tokens[t.Mint].Symbol
			text += fmt.Sprintf("; %s %d %s %s>%s", t.Direction, t.Units, symbol, name(t.From), name(t.To))
			if t.Rent {
				text += " rent"
			}
		}
		lines = append(lines, text)
	}
	return lines
}

// wallet is an account with its key.
type wallet struct {
	w   *world
	key sdk.PrivateKey
}

func (w *world) account(tb testing.TB, i int) wallet {
	tb.Helper()
	key, err := sdk.PrivateKeyFromBase58(w.chain.Accounts[i].SecretKey)
	if err != nil {
		tb.Fatal(err)
	}
	return wallet{w, key}
}

// fresh returns an account that was never used, with some lamports if it is funded.
func (w *world) fresh(tb testing.TB, lamports uint64) wallet {
	tb.Helper()
	key, err := sdk.NewRandomPrivateKey()
	if err != nil {
		tb.Fatal(err)
	}
	if lamports > 0 {
		w.chain.Call(tb, "requestAirdrop", key.PublicKey().String(), lamports)
	}
	return wallet{w, key}
}

func (a wallet) address() svm.Address { return a.key.PublicKey() }

// send signs and sends instructions. The account pays; signers sign too. Preflight is skipped, so that failing
// transactions are executed.
func (a wallet) send(tb testing.TB, instructions []sdk.Instruction, signers ...wallet) string {
	tb.Helper()
	var latest struct{ Value struct{ Blockhash string } }
	if err := json.Unmarshal(a.w.chain.Call(tb, "getLatestBlockhash", map[string]string{"commitment": "confirmed"}), &latest); err != nil {
		tb.Fatal(err)
	}
	tx, err := sdk.NewTransaction(instructions, sdk.MustHashFromBase58(latest.Value.Blockhash), sdk.TransactionPayer(a.key.PublicKey()))
	if err != nil {
		tb.Fatal(err)
	}
	_, err = tx.Sign(func(key sdk.PublicKey) *sdk.PrivateKey {
		for _, s := range append(signers, a) {
			if s.key.PublicKey() == key {
				return &s.key
			}
		}
		return nil
	})
	if err != nil {
		tb.Fatal(err)
	}
	var signature string
	sent := a.w.chain.Call(tb, "sendTransaction", tx.MustToBase64(), map[string]any{"encoding": "base64", "skipPreflight": true})
	if err := json.Unmarshal(sent, &signature); err != nil {
		tb.Fatal(err)
	}
	return signature
}

// one returns a list with one instruction.
func one(i sdk.Instruction) []sdk.Instruction { return []sdk.Instruction{i} }

func le(first byte, size int, amount uint64) []byte {
	data := append([]byte{first}, make([]byte, size-1)...)
	return binary.LittleEndian.AppendUint64(data, amount)
}

func meta(a svm.Address, flags string) *sdk.AccountMeta {
	return sdk.NewAccountMeta(a, strings.Contains(flags, "w"), strings.Contains(flags, "s"))
}

func pay(from, to svm.Address, lamports uint64) sdk.Instruction {
	return sdk.NewInstruction(svm.SystemProgram, sdk.AccountMetaSlice{meta(from, "sw"), meta(to, "w")}, le(2, 4, lamports))
}

// token is a mint of the chain.
type token struct{ mint, program svm.Address }

func (w *world) token(tb testing.TB, symbol string) token {
	tb.Helper()
	t := w.chain.Token(tb, symbol)
	return token{svm.MustAddress(t.Address), svm.MustAddress(t.Program)}
}

func (t token) account(owner svm.Address) svm.Address {
	return svm.AssociatedAccount(owner, t.mint, t.program)
}

func (t token) create(payer, owner svm.Address) sdk.Instruction {
	return sdk.NewInstruction(svm.AssociatedTokenProgram, sdk.AccountMetaSlice{
		meta(payer, "sw"), meta(t.account(owner), "w"), meta(owner, ""), meta(t.mint, ""), meta(svm.SystemProgram, ""), meta(t.program, ""),
	}, []byte{1})
}

func (t token) transfer(from, to svm.Address, units uint64, decimals byte) sdk.Instruction {
	return sdk.NewInstruction(t.program, sdk.AccountMetaSlice{meta(t.account(from), "w"), meta(t.mint, ""), meta(t.account(to), "w"), meta(from, "s")},
		append(le(tokenTransferChecked, 1, units), decimals))
}

func (t token) approve(owner, delegate svm.Address, units uint64) sdk.Instruction {
	return sdk.NewInstruction(t.program, sdk.AccountMetaSlice{meta(t.account(owner), "w"), meta(delegate, ""), meta(owner, "s")}, le(tokenApprove, 1, units))
}

func (t token) revoke(owner svm.Address) sdk.Instruction {
	return sdk.NewInstruction(t.program, sdk.AccountMetaSlice{meta(t.account(owner), "w"), meta(owner, "s")}, []byte{tokenRevoke})
}

func (t token) burn(owner svm.Address, units uint64) sdk.Instruction {
	return sdk.NewInstruction(t.program, sdk.AccountMetaSlice{meta(t.account(owner), "w"), meta(t.mint, "w"), meta(owner, "s")}, le(tokenBurn, 1, units))
}

func (t token) closeAccount(owner, to svm.Address) sdk.Instruction {
	return sdk.NewInstruction(t.program, sdk.AccountMetaSlice{meta(t.account(owner), "w"), meta(to, "w"), meta(owner, "s")}, []byte{9})
}
