package preview

import (
	"encoding/json"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"

	previewv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/preview/v1"
	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/onchain/contracts"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/preview/clearsign"
	"github.com/hawser-dev/hawser/services/preview/effect"
	"github.com/hawser-dev/hawser/services/preview/simulation"
)

// described writes the rows of a description as text, with their sentence before them.
func described(d *previewv1.Description) string {
	value := func(r *previewv1.DescriptionRow) string {
		text := r.GetValue()
		if r.GetUnlimited() {
			text = "unlimited"
		}
		if a := r.GetAsset(); a != nil {
			text += " " + a.GetSymbol()
			if a.GetTokenId() != "" {
				text += "#" + a.GetTokenId()
			}
		}
		if r.GetInner() != nil {
			text += " {" + described(r.GetInner()) + "}"
		}
		return strings.TrimSpace(text)
	}
	parts := []string{d.GetIntent()}
	if len(d.GetSentence()) > 0 {
		parts[0] = ""
	}
	for _, p := range d.GetSentence() {
		if _, isText := p.GetPart().(*previewv1.DescriptionPart_Text); isText {
			parts[0] += p.GetText()
		} else {
			parts[0] += value(d.GetRows()[p.GetRow()])
		}
	}
	for _, r := range d.GetRows() {
		parts = append(parts, r.GetLabel()+": "+value(r))
	}
	return strings.Join(parts, "; ")
}

// typed returns typed data of the local chain with the types of its structs, such as `Permit(address owner,uint256 value)`.
func typed(t *testing.T, primary string, structs []string, name, contract string, message map[string]any) string {
	t.Helper()
	types := map[string][]map[string]string{}
	for _, text := range structs {
		of, members, _ := strings.Cut(strings.TrimSuffix(text, ")"), "(")
		for _, m := range strings.Split(members, ",") {
			kind, member, _ := strings.Cut(m, " ")
			types[of] = append(types[of], map[string]string{"name": member, "type": kind})
		}
	}
	text, err := json.Marshal(map[string]any{
		"types": types, "primaryType": primary, "domain": map[string]any{"name": name, "chainId": 31337, "verifyingContract": contract}, "message": message,
	})
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestRequestsAreDescribedByBundledDescriptors(t *testing.T) {
	w := newWorld(t)
	defer w.chain.Call(t, "evm_revert", w.chain.Call(t, "evm_snapshot"))
	w.bait()
	const other = "0x00000000000000000000000000000000000000A2"
	to, me := evm.MustAddress(other), evm.MustAddress(w.names["victim"])
	local, _ := w.previewer.local.Describe().Chain(local)
	permit := typed(t, "Permit", []string{"Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)"}, "Test USD", w.names["tUSD"],
		map[string]any{"owner": me.Hex(), "spender": other, "value": "5", "nonce": "0", "deadline": "1900000000"})
	permit2 := typed(t, "PermitSingle", []string{"PermitSingle(PermitDetails details,address spender,uint256 sigDeadline)", "PermitDetails(address token,uint160 amount,uint48 expiration,uint48 nonce)"},
		"Permit2", permit2Contract.Hex(), map[string]any{"details": map[string]any{"token": w.names["tUSD"], "amount": "7", "expiration": "0", "nonce": "0"}, "spender": other, "sigDeadline": "1900000000"})
	delegation := typed(t, "Delegation", []string{"Delegation(address delegate,address delegator,bytes32 authority,Caveat[] caveats,uint256 salt)", "Caveat(address enforcer,bytes terms)"},
		"DelegationManager", local.SmartAccounts.DelegationManager.Hex(), map[string]any{
			"delegate": other, "delegator": me.Hex(), "authority": "0x" + strings.Repeat("ff", 32), "salt": "0", "caveats": []any{map[string]any{"enforcer": other, "terms": "0x01"}}})
	for _, tt := range []struct {
		name    string
		request *previewv1.SimulateRequest
		want    []string
	}{
		{"a transfer", &previewv1.SimulateRequest{Calls: []*previewv1.Call{callOf(w.names["tUSD"], "", "transfer(address,uint256)", to, big.NewInt(5))}},
			[]string{"Send 5 tUSD to " + other + "; Amount: 5 tUSD; To: " + other}},
		{"an allowance without a limit", &previewv1.SimulateRequest{Calls: []*previewv1.Call{callOf(w.names["tUSD"], "", "approve(address,uint256)", to, common.MaxHash.Big())}},
			[]string{"Allow " + other + " to spend unlimited tUSD; Spender: " + other + "; At most: unlimited tUSD"}},
		{"a right to a collection", &previewv1.SimulateRequest{Calls: []*previewv1.Call{callOf(w.names["ANCHOR"], "", "setApprovalForAll(address,bool)", to, true)}},
			[]string{"Let an account manage a collection; Who may take all: " + other + "; Allowed: true; Collection: " + w.names["ANCHOR"]}},
		{"a wrapped native token", &previewv1.SimulateRequest{Calls: []*previewv1.Call{callOf(w.names["WETH"], "9", "deposit()")}}, []string{"Wrap 9; Amount: 9"}},
		{"several calls, of which one sends the native token, and one is not known", &previewv1.SimulateRequest{Calls: []*previewv1.Call{
			{To: other, Value: "3"}, callOf(w.names["tUSD"], "", "transfer(address,uint256)", to, big.NewInt(1)), callOf(w.names["tUSD"], "", "balanceOf(address)", to),
		}}, []string{"Send 1 tUSD to " + other + "; Amount: 1 tUSD; To: " + other}},
		{"a permit", &previewv1.SimulateRequest{TypedData: permit},
			[]string{"Allow " + other + " to spend 5 tUSD; Spender: " + other + "; At most: 5 tUSD; Owner: " + me.Hex() + "; Use until: 1900000000"}},
		{"a permit of Permit2", &previewv1.SimulateRequest{TypedData: permit2}, []string{"Allow " + other + " to spend 7 tUSD; Spender: " + other + "; At most: 7 tUSD; Use until: 1900000000"}},
		{"a delegation", &previewv1.SimulateRequest{TypedData: delegation}, []string{"Let an account act for yours; Who may act: " + other + "; For: " + me.Hex() + "; Limit enforced by: " + other}},
		{"a function of a contract that is not known", &previewv1.SimulateRequest{Calls: []*previewv1.Call{callOf(other, "", "transfer(address,uint256)", to, big.NewInt(0))}}, nil},
	} {
		res := w.simulate(tt.request)
		var got []string
		for _, d := range res.GetDescriptions() {
			got = append(got, described(d))
			if d.GetSource() != previewv1.DescriptionSource_DESCRIPTION_SOURCE_BUNDLED {
				t.Errorf("%s: the source is %s", tt.name, d.GetSource())
			}
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: got %q, want %q; %s %s %v", tt.name, got, tt.want, res.GetOutcome(), res.GetReason(), res.GetWarnings())
		}
	}
}

// TestADescriptorThatSaysAnotherTokenIsLeftOut: the operator describes transfers of one token as those of another.
func TestADescriptorThatSaysAnotherTokenIsLeftOut(t *testing.T) {
	w := newWorld(t)
	defer w.chain.Call(t, "evm_revert", w.chain.Call(t, "evm_snapshot"))
	serve := func(token string) *previewv1.SimulateResponse {
		cfg := DefaultConfig()
		cfg.Descriptors = t.TempDir()
		text := fmt.Sprintf(`{"context": {"contract": {"deployments": [{"chainId": 31337, "address": %q}]}}, "metadata": {"owner": "Example"}, "display": {"formats": {
			"transfer(address to,uint256 value)": {"intent": "Deposit", "fields": [{"path": "value", "label": "Sum", "format": "tokenAmount", "params": {"token": %q}}]}}}}`, w.names["tUSD"], token)
		if err := os.WriteFile(filepath.Join(cfg.Descriptors, "token.json"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		var err error
		if w.previewer.descriptors, err = LoadDescriptors(cfg); err != nil {
			t.Fatal(err)
		}
		return w.simulate(&previewv1.SimulateRequest{Calls: []*previewv1.Call{callOf(w.names["tUSD"], "", "transfer(address,uint256)", evm.MustAddress(w.names["thief"]), big.NewInt(5))}})
	}
	isMisdescribed := func(w *previewv1.Warning) bool { return w.GetPhrase() == previewv1.Phrase_PHRASE_MISDESCRIBED }
	res := serve(w.names["tUSD"])
	if len(res.GetDescriptions()) != 1 || described(res.GetDescriptions()[0]) != "Deposit; Sum: 5 tUSD" || res.GetDescriptions()[0].GetOwner() != "Example" || slices.ContainsFunc(res.GetWarnings(), isMisdescribed) {
		t.Errorf("its own token: %v", res)
	}
	res = serve(w.names["tDAI"])
	if len(res.GetDescriptions()) > 0 || !slices.ContainsFunc(res.GetWarnings(), isMisdescribed) || len(res.GetChanges()) != 1 || res.GetChanges()[0].GetAsset().GetSymbol() != "tUSD" {
		t.Errorf("another token: %v", res)
	}
}

func TestADescriptorThatCannotBeReadIsToldWithItsPlace(t *testing.T) {
	cfg := DefaultConfig()
	cfg.Descriptors = t.TempDir()
	if err := os.WriteFile(filepath.Join(cfg.Descriptors, "x.json"), []byte(`{"display": {"formats": {"f()": {"intent": 1}}}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := LoadDescriptors(cfg); err == nil || err.Error() != `preview.descriptors: x.json: display.formats["f()"].intent: it is a number, not an object` {
		t.Errorf("got %v", err)
	}
	cfg.Descriptors += "/none"
	if _, err := LoadDescriptors(cfg); err == nil {
		t.Error("a folder that is not there is read")
	}
}

func TestDescriptionsAreComparedWithTheEffects(t *testing.T) {
	p := &Previewer{names: contracts.New(chainclient.NewFrom(noChains{}, noChains{}, clock.System{}))}
	wrapped := evm.MustAddress("0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2")
	usd, dai := evm.Address{1}, evm.Address{2}
	token := func(a evm.Address) effect.Asset { return effect.Asset{Kind: effect.ERC20, Contract: a} }
	native := effect.Asset{Kind: effect.Native}
	out := func(a effect.Asset, n int64) effect.Change {
		return effect.Change{Asset: a, Outgoing: true, Amount: big.NewInt(n)}
	}
	in := func(a effect.Asset, n int64) effect.Change { return effect.Change{Asset: a, Amount: big.NewInt(n)} }
	nft := func(id int64) effect.Asset {
		return effect.Asset{Kind: effect.ERC721, Contract: dai, ID: big.NewInt(id)}
	}
	says := func(a effect.Asset, n int64) clearsign.Row {
		return clearsign.Row{Kind: clearsign.Amount, Asset: a, Number: big.NewInt(n)}
	}
	unlimited := says(token(usd), 9)
	unlimited.IsOver = true
	moves := func(list ...effect.Change) effect.Effects { return effect.Effects{Changes: list} }
	allows := func(a effect.Asset, n *big.Int) effect.Effects {
		return effect.Effects{Approvals: []effect.Approval{{Asset: a, Amount: n}}}
	}
	rows := func(list ...clearsign.Row) []clearsign.Row { return list }
	for _, tt := range []struct {
		name    string
		rows    []clearsign.Row
		effects effect.Effects
		want    bool
	}{
		{"what leaves is said", rows(says(token(usd), 5)), moves(out(token(usd), 5)), false},
		{"at most more leaves than leaves", rows(says(token(usd), 9)), moves(out(token(usd), 5)), false},
		{"more leaves", rows(says(token(usd), 5)), moves(out(token(usd), 8)), true},
		{"rounding", rows(says(token(usd), 5)), moves(out(token(usd), 7)), false},
		{"all of it may leave", rows(unlimited), moves(out(token(usd), 50)), false},
		{"another token leaves", rows(says(token(usd), 5)), moves(out(token(dai), 5)), true},
		{"the native token leaves", rows(says(token(usd), 5)), moves(out(native, 5)), true},
		{"the native token leaves and its wrapper is said", rows(says(token(wrapped), 5)), moves(out(native, 5)), false},
		{"something leaves that is not said beside what is", rows(says(token(usd), 5)), moves(out(token(usd), 5), out(token(dai), 5)), false},
		{"a trade with its least proceeds", rows(says(token(usd), 5), says(token(dai), 4)), moves(out(token(usd), 5), in(token(dai), 6)), false},
		{"a trade that brings less", rows(says(token(usd), 5), says(token(dai), 40)), moves(out(token(usd), 5), in(token(dai), 6)), true},
		{"parts of a trade together", rows(says(token(usd), 2), says(token(usd), 3)), moves(out(token(usd), 5)), false},
		{"nothing is said", nil, moves(out(token(usd), 5)), false},
		{"zero is said", rows(says(token(dai), 0)), moves(out(token(usd), 5)), false},
		{"an allowance", rows(says(token(usd), 5)), allows(token(usd), big.NewInt(5)), false},
		{"a larger allowance", rows(says(token(usd), 5)), allows(token(usd), big.NewInt(50)), true},
		{"an allowance without a limit", rows(says(token(usd), 5)), allows(token(usd), nil), true},
		{"an allowance without a limit that is said", rows(unlimited), allows(token(usd), nil), false},
		{"an allowance of another token", rows(says(token(usd), 5)), allows(token(dai), big.NewInt(5)), true},
		{"a collectible", rows(clearsign.Row{Kind: clearsign.Collectible, Asset: nft(1)}), moves(out(nft(1), 1)), false},
		{"another collectible", rows(clearsign.Row{Kind: clearsign.Collectible, Asset: nft(1)}), moves(out(nft(2), 1)), true},
	} {
		all := descriptions{list: []Description{{Description: clearsign.Description{Rows: tt.rows}}}, isWhole: true}
		r := Request{ChainID: "eip155:1", Calls: []simulation.Call{{Value: new(big.Int), Data: []byte{1, 2, 3, 4}}}}
		if got := p.isMisdescribed(r, all, tt.effects); got != tt.want {
			t.Errorf("%s: got %t", tt.name, got)
		}
		all.isWhole = false
		if p.isMisdescribed(r, all, tt.effects) {
			t.Errorf("%s: a request that is described in part is compared", tt.name)
		}
	}
}
