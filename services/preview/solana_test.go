package preview

import (
	"context"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"regexp"
	"slices"
	"strings"
	"testing"

	sol "github.com/gagliardetto/solana-go"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"

	chainsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/chains/v1"
	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	previewv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/preview/v1"
	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/onchain/svm"
	"github.com/hawser-dev/hawser/services/onchain/tokens"
	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/devnettest"
	"github.com/hawser-dev/hawser/services/platform/fault"
	"github.com/hawser-dev/hawser/services/preview/cause"
)

// solanaWorld is the service on the local Solana chain.
type solanaWorld struct {
	*server
	t     *testing.T
	chain *devnettest.Solana
	// lacks makes the nodes refuse this method.
	lacks string
	// isOld makes the nodes return simulations without their fee, as before version 3.
	isOld bool
	// isDown makes no node answer.
	isDown bool
	// forgets is how many times the nodes do not know a blockhash.
	forgets int
	// limit is the size of the largest answer in bytes; 0 for none.
	limit int
	owner svm.Address
}

var validMember = regexp.MustCompile(`"value":\s*true`)

var feeMember = regexp.MustCompile(`"fee":\d+,`)

// stranger is an address with a private key; program is an address without one.
var (
	unknownAccount = svm.MustAddress("7S3P4HxJpyyigGzodYwHtCxZyUQe9JiBMHyRWXArAaKv")
	program        = svm.Derive(svm.TokenProgram, []byte("a program's account"))
)

func newSolanaWorld(t *testing.T) *solanaWorld {
	t.Helper()
	chain := devnettest.StartSolana(t)
	w := &solanaWorld{t: t, chain: chain, owner: svm.MustAddress(chain.Accounts[1].Address)}
	client := chainclient.NewFrom(w, w, clock.System{})
	lists, err := tokens.Load(tokens.Config{}, client)
	if err != nil {
		t.Fatal(err)
	}
	w.server = serverOf(t, DefaultConfig(), Deps{Chain: client, Lists: lists, Clock: clock.System{}})
	return w
}

func (w *solanaWorld) ListNetworks(context.Context, *chainsv1.ListNetworksRequest, ...grpc.CallOption) (*chainsv1.ListNetworksResponse, error) {
	return &chainsv1.ListNetworksResponse{Networks: []*chainsv1.Network{{ChainId: w.chain.CAIP2, Name: "Solana", Development: w.chain.Raw}}}, nil
}

func (w *solanaWorld) Forward(ctx context.Context, r *chainsv1.ForwardRequest, _ ...grpc.CallOption) (*chainsv1.ForwardResponse, error) {
	body := string(r.GetBody())
	if w.lacks != "" {
		body = strings.ReplaceAll(body, w.lacks, "aMethodThatIsMissing")
	}
	if w.isDown {
		return nil, errors.New("no node answers")
	}
	answer, err := w.chain.Forward(ctx, []byte(body))
	if w.limit > 0 && len(answer) > w.limit {
		answer = []byte(`{"jsonrpc":"2.0","id":null,"error":{"code":-32005,"message":"the answer is too large: ask for less at once"}}`)
	}
	if w.forgets > 0 && strings.Contains(body, "isBlockhashValid") {
		w.forgets--
		answer = validMember.ReplaceAll(answer, []byte(`"value":false`))
	}
	if w.isOld {
		answer = feeMember.ReplaceAll(answer, nil)
	}
	return &chainsv1.ForwardResponse{Body: answer}, err
}

// call returns an instruction. Accounts are addresses after their flags, such as `sw`: s signs, w is written.
func call(program svm.Address, data []byte, accounts ...*sol.AccountMeta) sol.Instruction {
	return sol.NewInstruction(program, accounts, data)
}

func u64(first []byte, amounts ...uint64) []byte {
	data := slices.Clone(first)
	for _, a := range amounts {
		data = binary.LittleEndian.AppendUint64(data, a)
	}
	return data
}

func (w *solanaWorld) payLamports(to svm.Address, amount uint64) sol.Instruction {
	return call(svm.SystemProgram, u64([]byte{2, 0, 0, 0}, amount), sol.Meta(w.owner).SIGNER().WRITE(), sol.Meta(to).WRITE())
}

// token is a token of the chain with the owner's account.
type token struct {
	mint, program, account svm.Address
	symbol                 string
}

func (w *solanaWorld) token(symbol string) token {
	found := w.chain.Token(w.t, symbol)
	mint, program := svm.MustAddress(found.Address), svm.MustAddress(found.Program)
	return token{mint, program, svm.AssociatedAccount(w.owner, mint, program), symbol}
}

func (w *solanaWorld) payTokens(t token, to svm.Address, amount uint64) []sol.Instruction {
	account := svm.AssociatedAccount(to, t.mint, t.program)
	create := call(svm.AssociatedTokenProgram, []byte{1}, sol.Meta(w.owner).SIGNER().WRITE(), sol.Meta(account).WRITE(), sol.Meta(to), sol.Meta(t.mint), sol.Meta(svm.SystemProgram), sol.Meta(t.program))
	transfer := call(t.program, append(u64([]byte{12}, amount), 6), sol.Meta(t.account).WRITE(), sol.Meta(t.mint), sol.Meta(account).WRITE(), sol.Meta(w.owner).SIGNER())
	return []sol.Instruction{create, transfer}
}

// wire returns an unsigned transaction of the owner in base 64.
func (w *solanaWorld) wire(instructions ...sol.Instruction) string {
	w.t.Helper()
	return w.wireWith(w.blockhash(), instructions...)
}

// blockhash returns the newest blockhash of the chain.
func (w *solanaWorld) blockhash() svm.Address {
	w.t.Helper()
	var newest struct{ Value struct{ Blockhash string } }
	if err := json.Unmarshal(w.chain.Call(w.t, "getLatestBlockhash"), &newest); err != nil {
		w.t.Fatal(err)
	}
	return svm.MustAddress(newest.Value.Blockhash)
}

// wireWith is wire with another blockhash.
func (w *solanaWorld) wireWith(blockhash svm.Address, instructions ...sol.Instruction) string {
	w.t.Helper()
	t, err := sol.NewTransaction(instructions, sol.Hash(blockhash), sol.TransactionPayer(w.owner))
	if err != nil {
		w.t.Fatal(err)
	}
	message, err := t.Message.MarshalBinary()
	if err != nil {
		w.t.Fatal(err)
	}
	return base64.StdEncoding.EncodeToString(append([]byte{0}, message...))
}

// preview previews a transaction of the owner.
func (w *solanaWorld) preview(instructions ...sol.Instruction) *previewv1.SimulateResponse {
	w.t.Helper()
	res, err := w.Simulate(w.t.Context(), &previewv1.SimulateRequest{ChainId: w.chain.CAIP2, Account: w.owner.String(), Transaction: w.wire(instructions...)})
	if err != nil {
		w.t.Fatal(err)
	}
	return res
}

func kindsOf(list []*previewv1.Warning) (kinds []string) {
	for _, w := range list {
		kinds = append(kinds, kindOf(w))
	}
	return kinds
}

func TestATransferOfSOLSaysWhatLeavesAndItsFee(t *testing.T) {
	w := newSolanaWorld(t)
	priority := call(svm.ComputeBudgetProgram, u64([]byte{3}, 1_000_000))
	limit := call(svm.ComputeBudgetProgram, []byte{2, 0x10, 0x27, 0, 0})
	res := w.preview(limit, priority, w.payLamports(unknownAccount, 1_234_567_891))
	if res.GetOutcome() != previewv1.Outcome_OUTCOME_SUCCEEDS || len(res.GetWarnings()) > 0 || len(res.GetChanges()) != 1 || res.GetGas() == 0 {
		t.Fatalf("the preview is %v", res)
	}
	if c := res.GetChanges()[0]; !c.GetOutgoing() || c.GetAmount() != "1234567891" || c.GetCounterparty() != unknownAccount.String() || c.GetAsset().GetKind() != previewv1.AssetKind_ASSET_KIND_NATIVE {
		t.Errorf("the change is %v", c)
	}
	if res.GetFee() != "15000" {
		t.Errorf("the fee is %s, want 5,000 for the signature and 10,000 for 10,000 units", res.GetFee())
	}
	w.isOld = true
	if again := w.preview(limit, priority, w.payLamports(unknownAccount, 1_234_567_891)); !proto.Equal(again, res) {
		t.Errorf("where the simulation does not say the fee: %v", again)
	}
}

func TestATransferOfATokenNamesTheOwnerOfTheReceivingAccount(t *testing.T) {
	w := newSolanaWorld(t)
	for _, symbol := range []string{"tUSD", "tPYUSD"} {
		token := w.token(symbol)
		res := w.preview(w.payTokens(token, unknownAccount, 12_345_678)...)
		if res.GetOutcome() != previewv1.Outcome_OUTCOME_SUCCEEDS || len(res.GetWarnings()) > 0 || len(res.GetChanges()) != 2 {
			t.Fatalf("%s: the preview is %v", symbol, res)
		}
		account := svm.AssociatedAccount(unknownAccount, token.mint, token.program)
		if rent := res.GetChanges()[0]; !rent.GetOutgoing() || rent.GetCounterparty() != account.String() || rent.GetAsset().GetKind() != previewv1.AssetKind_ASSET_KIND_NATIVE {
			t.Errorf("%s: the rent of the new account is %v", symbol, rent)
		}
		c := res.GetChanges()[1]
		if !c.GetOutgoing() || c.GetAmount() != "12345678" || c.GetCounterparty() != unknownAccount.String() {
			t.Errorf("%s: the change is %v", symbol, c)
		}
		if a := c.GetAsset(); a.GetKind() != previewv1.AssetKind_ASSET_KIND_SPL || a.GetContract() != token.mint.String() || a.GetSymbol() != symbol || a.GetDecimals() != 6 || !a.GetListed() {
			t.Errorf("%s: the asset is %v", symbol, a)
		}
	}
}

func TestATransactionThatFailsSaysWhyInWords(t *testing.T) {
	w := newSolanaWorld(t)
	usd := w.token("tUSD")
	otherDecimals := slices.Concat(w.payTokens(usd, unknownAccount, 1)[:1], []sol.Instruction{call(usd.program, append(u64([]byte{12}, 1), 5), sol.Meta(usd.account).WRITE(), sol.Meta(usd.mint),
		sol.Meta(svm.AssociatedAccount(unknownAccount, usd.mint, usd.program)).WRITE(), sol.Meta(w.owner).SIGNER())})
	for name, c := range map[string]struct {
		instructions []sol.Instruction
		reason       string
	}{
		"too little SOL":                {[]sol.Instruction{w.payLamports(unknownAccount, 1<<60)}, "The account has too little SOL"},
		"too little of a token":         {w.payTokens(usd, unknownAccount, 1<<60), "The account has too little of the token"},
		"other decimals":                {otherDecimals, "The token has other decimals than the transaction says"},
		"rent of the receiver":          {[]sol.Instruction{w.payLamports(unknownAccount, 1)}, "An account would be left with too little SOL to exist"},
		"a program that does not exist": {[]sol.Instruction{call(program, nil)}, "A program that is called cannot be run"},
	} {
		res := w.preview(c.instructions...)
		if res.GetOutcome() != previewv1.Outcome_OUTCOME_REVERTS || res.GetReason() != c.reason {
			t.Errorf("%s: %s %q, want %q", name, res.GetOutcome(), res.GetReason(), c.reason)
		}
		if want := cause.Of(c.reason); int32(res.GetCause()) != int32(want) || (res.Cause == nil) != (want == 0) {
			t.Errorf("%s: the cause is %s, want %d", name, res.GetCause(), want)
		}
		if !slices.Contains(kindsOf(res.GetWarnings()), "REVERTS") {
			t.Errorf("%s: the warnings are %v", name, res.GetWarnings())
		}
	}
	res := w.preview(w.payLamports(unknownAccount, 1<<60))
	if len(res.GetChanges()) != 1 || res.GetChanges()[0].GetCounterparty() != unknownAccount.String() {
		t.Errorf("what the instructions say is missing: %v", res.GetChanges())
	}
}

func TestDrainersOfSolanaAreCalledDangerous(t *testing.T) {
	w := newSolanaWorld(t)
	usd := w.token("tUSD")
	own := sol.Meta(w.owner).SIGNER().WRITE()
	var balance struct {
		Value struct {
			Amount uint64 `json:",string"`
		}
	}
	if err := json.Unmarshal(w.chain.Call(t, "getTokenAccountBalance", usd.account.String()), &balance); err != nil {
		t.Fatal(err)
	}
	var lamports struct{ Value uint64 }
	if err := json.Unmarshal(w.chain.Call(t, "getBalance", w.owner.String()), &lamports); err != nil {
		t.Fatal(err)
	}
	setAuthority := func(kind byte, to svm.Address) sol.Instruction {
		return call(usd.program, append([]byte{6, kind, 1}, to[:]...), sol.Meta(usd.account).WRITE(), own)
	}
	approve := func(to svm.Address, amount uint64) sol.Instruction {
		return call(usd.program, u64([]byte{4}, amount), sol.Meta(usd.account).WRITE(), sol.Meta(to), own)
	}
	everything := w.payTokens(usd, unknownAccount, balance.Value.Amount)
	halves := append(w.payTokens(usd, unknownAccount, balance.Value.Amount/2), w.payTokens(usd, program, balance.Value.Amount/2)...)
	closed := append(slices.Clone(everything), call(usd.program, []byte{9}, sol.Meta(usd.account).WRITE(), sol.Meta(unknownAccount).WRITE(), own))
	given := call(svm.SystemProgram, append([]byte{1, 0, 0, 0}, svm.TokenProgram[:]...), own)
	for name, c := range map[string]struct {
		instructions []sol.Instruction
		warnings     []string
	}{
		"nearly all SOL":                        {[]sol.Instruction{w.payLamports(unknownAccount, lamports.Value/100*95)}, []string{"DRAINS"}},
		"all of a token":                        {everything, []string{"DRAINS"}},
		"all of a token in halves":              {halves, []string{"DRAINS"}},
		"an account of a token changes hands":   {[]sol.Instruction{setAuthority(2, unknownAccount)}, []string{"OWNERSHIP", "DRAINS"}},
		"a right to close":                      {[]sol.Instruction{setAuthority(3, unknownAccount)}, []string{"OWNERSHIP"}},
		"an approval without a limit":           {[]sol.Instruction{approve(program, 1<<64-1)}, []string{"UNLIMITED_APPROVAL"}},
		"an approval of nearly all":             {[]sol.Instruction{approve(program, balance.Value.Amount/100*99)}, []string{"UNLIMITED_APPROVAL"}},
		"an approval of all to a person":        {[]sol.Instruction{approve(unknownAccount, balance.Value.Amount)}, []string{"UNLIMITED_APPROVAL", "SPENDER_NOT_CONTRACT"}},
		"an account is closed for the stranger": {closed, []string{"DRAINS", "ACCOUNT_CLOSED"}},
		"the wallet itself goes to a program":   {[]sol.Instruction{given}, []string{"OWNERSHIP"}},
	} {
		res := w.preview(c.instructions...)
		if res.GetOutcome() != previewv1.Outcome_OUTCOME_SUCCEEDS {
			t.Errorf("%s: %s %s", name, res.GetOutcome(), res.GetReason())
		}
		if len(res.GetWarnings()) == 0 || res.GetWarnings()[0].GetSeverity() != previewv1.Severity_SEVERITY_DANGER {
			t.Errorf("%s: the first warning is no danger: %v", name, res.GetWarnings())
		}
		w.lacks = "simulateTransaction"
		decoded := w.preview(c.instructions...)
		w.lacks = ""
		if decoded.GetOutcome() != previewv1.Outcome_OUTCOME_NOT_SIMULATED {
			t.Errorf("%s: %s where the nodes cannot simulate", name, decoded.GetOutcome())
		}
		for _, want := range c.warnings {
			if !slices.Contains(kindsOf(res.GetWarnings()), want) {
				t.Errorf("%s: %s is missing: %v", name, want, res.GetWarnings())
			}
			// Decoding alone does not show the contents of an account whose control changes.
			if !slices.Contains(kindsOf(decoded.GetWarnings()), want) && (want != "DRAINS" || !slices.Contains(c.warnings, "OWNERSHIP")) {
				t.Errorf("%s: %s is missing where the nodes cannot simulate: %v", name, want, decoded.GetWarnings())
			}
		}
	}
}

func TestAnApprovalOfAPartSaysHowMuchAndItsEndIsARevocation(t *testing.T) {
	w := newSolanaWorld(t)
	usd := w.token("tUSD")
	approve := call(usd.program, append(u64([]byte{13}, 5), 6), sol.Meta(usd.account).WRITE(), sol.Meta(usd.mint), sol.Meta(program), sol.Meta(w.owner).SIGNER())
	res := w.preview(approve)
	if len(res.GetApprovals()) != 1 || len(res.GetWarnings()) > 0 || res.GetApprovals()[0].GetAmount() != "5" || res.GetApprovals()[0].GetSpender() != program.String() {
		t.Errorf("the preview is %v", res)
	}
	revoke := call(usd.program, []byte{5}, sol.Meta(usd.account).WRITE(), sol.Meta(w.owner).SIGNER())
	if res := w.preview(approve, revoke); len(res.GetApprovals()) > 0 {
		t.Errorf("an approval that the transaction ends is shown: %v", res.GetApprovals())
	}
}

func TestAProgramThatIsNotKnownIsNamed(t *testing.T) {
	w := newSolanaWorld(t)
	res := w.preview(call(program, []byte{1}), w.payLamports(unknownAccount, 5_000_000))
	i := slices.IndexFunc(res.GetWarnings(), func(w *previewv1.Warning) bool { return kindOf(w) == "UNKNOWN_PROGRAM" })
	if i < 0 || res.GetWarnings()[i].GetSubject() != program.String() {
		t.Errorf("the warnings are %v", res.GetWarnings())
	}
}

// severityOf returns the severity of a kind of warning; SEVERITY_UNSPECIFIED if it is absent.
func severityOf(res *previewv1.SimulateResponse, kind string) previewv1.Severity {
	for _, w := range res.GetWarnings() {
		if kindOf(w) == kind {
			return w.GetSeverity()
		}
	}
	return previewv1.Severity_SEVERITY_UNSPECIFIED
}

func TestATransactionThatDoesNotExpireIsDangerous(t *testing.T) {
	w := newSolanaWorld(t)
	own := sol.Meta(w.owner).SIGNER().WRITE()
	advance := call(svm.SystemProgram, []byte{4, 0, 0, 0}, sol.Meta(program).WRITE(), sol.Meta(sol.SysVarRecentBlockHashesPubkey), own)
	if res := w.preview(advance, w.payLamports(unknownAccount, 5_000_000)); severityOf(res, "DELEGATION") != previewv1.Severity_SEVERITY_DANGER {
		t.Errorf("the warnings are %v", res.GetWarnings())
	}
	// Nodes read the nonce only in the first instruction.
	if res := w.preview(w.payLamports(unknownAccount, 5_000_000), advance); severityOf(res, "DELEGATION") != previewv1.Severity_SEVERITY_UNSPECIFIED {
		t.Errorf("as the second instruction: the warnings are %v", res.GetWarnings())
	}
}

// previewOf previews transactions, or another request of the owner.
func (w *solanaWorld) previewOf(r *previewv1.SimulateRequest) *previewv1.SimulateResponse {
	w.t.Helper()
	r.ChainId, r.Account = w.chain.CAIP2, w.owner.String()
	res, err := w.Simulate(w.t.Context(), r)
	if err != nil {
		w.t.Fatal(err)
	}
	return res
}

func TestATransactionOfAnotherNetworkIsDangerous(t *testing.T) {
	w := newSolanaWorld(t)
	pay := w.payLamports(unknownAccount, 5_000_000)
	own := sol.Meta(w.owner).SIGNER().WRITE()
	advance := call(svm.SystemProgram, []byte{4, 0, 0, 0}, sol.Meta(program).WRITE(), sol.Meta(sol.SysVarRecentBlockHashesPubkey), own)
	for name, wire := range map[string]string{
		"a blockhash of another network": w.wireWith(svm.Address{7}, pay), "a durable nonce of another network": w.wireWith(svm.Address{7}, advance, pay),
		"a program that is not known": w.wireWith(svm.Address{7}, call(program, nil)),
	} {
		res := w.previewOf(&previewv1.SimulateRequest{Transaction: wire})
		if res.GetOutcome() != previewv1.Outcome_OUTCOME_REVERTS || res.GetCause() != previewv1.Cause_CAUSE_OTHER_NETWORK || severityOf(res, "OTHER_CHAIN") != previewv1.Severity_SEVERITY_DANGER {
			t.Errorf("%s: %v", name, res)
		}
	}
	table := svm.Derive(svm.TokenProgram, []byte("a table of another network"))
	withTable, err := sol.NewTransaction([]sol.Instruction{pay}, sol.Hash{7}, sol.TransactionPayer(w.owner), sol.TransactionAddressTables(map[sol.PublicKey]sol.PublicKeySlice{table: {unknownAccount}}))
	if err != nil {
		t.Fatal(err)
	}
	message, err := withTable.Message.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	res := w.previewOf(&previewv1.SimulateRequest{Transaction: base64.StdEncoding.EncodeToString(append([]byte{0}, message...))})
	if res.GetCause() != previewv1.Cause_CAUSE_OTHER_NETWORK || severityOf(res, "OTHER_CHAIN") != previewv1.Severity_SEVERITY_DANGER {
		t.Errorf("with a lookup table of another network: %v", res)
	}
	// A page that asks before it knows a blockhash leaves it out: no network accepts that.
	if res := w.previewOf(&previewv1.SimulateRequest{Transaction: w.wireWith(svm.Address{}, pay)}); res.GetOutcome() != previewv1.Outcome_OUTCOME_SUCCEEDS || len(res.GetWarnings()) > 0 {
		t.Errorf("without a blockhash: %v", res)
	}
}

func TestADurableNonceOfThisNetworkIsAccepted(t *testing.T) {
	w := newSolanaWorld(t)
	nonce, value := svm.Derive(svm.TokenProgram, []byte("a durable nonce")), svm.Address{7}
	data := slices.Concat([]byte{1, 0, 0, 0, 1, 0, 0, 0}, w.owner[:], value[:], make([]byte, 8))
	w.chain.SetAccount(t, nonce.String(), svm.SystemProgram.String(), data)
	advance := call(svm.SystemProgram, []byte{4, 0, 0, 0}, sol.Meta(nonce).WRITE(), sol.Meta(sol.SysVarRecentBlockHashesPubkey), sol.Meta(w.owner).SIGNER())
	res := w.previewOf(&previewv1.SimulateRequest{Transaction: w.wireWith(value, advance, w.payLamports(unknownAccount, 5_000_000))})
	if severityOf(res, "OTHER_CHAIN") != previewv1.Severity_SEVERITY_UNSPECIFIED || severityOf(res, "DELEGATION") != previewv1.Severity_SEVERITY_DANGER {
		t.Errorf("the warnings are %v", res.GetWarnings())
	}
}

func TestHonestRequestsOfSolanaAreNotCalledDangerous(t *testing.T) {
	w := newSolanaWorld(t)
	own := sol.Meta(w.owner).SIGNER().WRITE()
	memo := call(svm.MemoProgram, []byte("thanks"), sol.Meta(w.owner).SIGNER())
	var list [][]sol.Instruction
	for _, lamports := range []uint64{1_000_000, 5_000_000, 100_000_000} {
		list = append(list, []sol.Instruction{w.payLamports(unknownAccount, lamports)}, []sol.Instruction{w.payLamports(unknownAccount, lamports), memo})
		for _, symbol := range []string{"tUSD", "tPYUSD"} {
			token := w.token(symbol)
			list = append(list, w.payTokens(token, unknownAccount, lamports/1000), []sol.Instruction{
				call(token.program, append(u64([]byte{13}, lamports/1000), 6), sol.Meta(token.account).WRITE(), sol.Meta(token.mint), sol.Meta(program), sol.Meta(w.owner).SIGNER()),
			}, []sol.Instruction{call(token.program, []byte{5}, sol.Meta(token.account).WRITE(), own)})
		}
	}
	for i, instructions := range list {
		if res := w.preview(instructions...); len(res.GetWarnings()) > 0 && res.GetWarnings()[0].GetSeverity() == previewv1.Severity_SEVERITY_DANGER {
			t.Errorf("request %d: %v", i, res.GetWarnings())
		}
	}
}

func TestALargeAccountDoesNotPreventASimulation(t *testing.T) {
	w := newSolanaWorld(t)
	w.limit = 100 << 10
	large := svm.Derive(svm.TokenProgram, []byte("a large account"))
	w.chain.SetAccount(t, large.String(), program.String(), make([]byte, w.limit))
	res := w.preview(w.payLamports(unknownAccount, 5_000_000), w.payLamports(large, 7))
	if res.GetOutcome() != previewv1.Outcome_OUTCOME_SUCCEEDS || len(res.GetChanges()) != 2 {
		t.Fatalf("the preview is %v", res)
	}
	if c := res.GetChanges()[0]; c.GetAmount() != "5000000" || c.GetCounterparty() != unknownAccount.String() {
		t.Errorf("the change is %v", c)
	}
	if c := res.GetChanges()[1]; c.GetAmount() != "7" || c.GetCounterparty() != "" {
		t.Errorf("the change of the large account is %v", c)
	}
}

func TestWhatCouldNotBeSimulatedIsDangerousWithAProgramThatIsNotKnown(t *testing.T) {
	w := newSolanaWorld(t)
	w.isDown = true
	pay := w.payLamports(unknownAccount, 5_000_000)
	res := w.preview(pay)
	if severityOf(res, "NOT_SIMULATED") != previewv1.Severity_SEVERITY_CAUTION || len(res.GetWarnings()) != 1 {
		t.Errorf("the warnings of a payment are %v", res.GetWarnings())
	}
	if res := w.preview(pay, call(program, nil)); severityOf(res, "NOT_SIMULATED") != previewv1.Severity_SEVERITY_DANGER {
		t.Errorf("the warnings are %v", res.GetWarnings())
	}
}

func TestRequestsOfSolanaAreChecked(t *testing.T) {
	w := newSolanaWorld(t)
	valid := w.wire(w.payLamports(unknownAccount, 5))
	for name, c := range map[string]struct {
		r      *previewv1.SimulateRequest
		reason faultv1.Reason
	}{
		"no transaction":     {&previewv1.SimulateRequest{Account: w.owner.String()}, faultv1.Reason_REASON_PARAMETER_INVALID},
		"a message beside":   {&previewv1.SimulateRequest{Account: w.owner.String(), Transaction: valid, Message: "0x00"}, faultv1.Reason_REASON_PARAMETER_INVALID},
		"a malformed one":    {&previewv1.SimulateRequest{Account: w.owner.String(), Transaction: "AAAA"}, faultv1.Reason_REASON_PARAMETER_INVALID},
		"of another signer":  {&previewv1.SimulateRequest{Account: unknownAccount.String(), Transaction: valid}, faultv1.Reason_REASON_PARAMETER_INVALID},
		"an address of EVM":  {&previewv1.SimulateRequest{Account: "0x00000000000000000000000000000000000bad01", Transaction: valid}, faultv1.Reason_REASON_ADDRESS_INVALID},
		"a chain not served": {&previewv1.SimulateRequest{ChainId: "solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1", Account: w.owner.String(), Transaction: valid}, faultv1.Reason_REASON_CHAIN_UNSUPPORTED},
	} {
		if c.r.GetChainId() == "" {
			c.r.ChainId = w.chain.CAIP2
		}
		if _, err := w.Simulate(t.Context(), c.r); fault.From(err).Reason != c.reason {
			t.Errorf("%s: %v", name, err)
		}
	}
}
