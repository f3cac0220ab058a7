package clearsign

import (
	"encoding/json"
	"fmt"
	"math/big"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/ethereum/go-ethereum/common"

	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/evm/calldata"
	"github.com/hawser-dev/hawser/services/preview/effect"
)

var (
	account = evm.MustAddress("0x52908400098527886E0F7030069857D2E4169EE7")
	vault   = evm.MustAddress("0x8617E340B3D01FA5F11F306F4090FD50E238070D")
	dollar  = evm.MustAddress("0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48")
	euro    = evm.MustAddress("0x1aBaEA1f7C830bD89Acc67eC4af516284b1bC33c")
	mainnet = big.NewInt(1)
)

// nothing is no contract of any role.
func nothing(Role, evm.Address) bool { return false }

// only returns that every contract has one role.
func only(role Role) func(Role, evm.Address) bool {
	return func(r Role, _ evm.Address) bool { return r == role }
}

// read reads files of a folder.
func read(files map[string]string) (*Descriptors, error) {
	d, err := Load("")
	if err != nil {
		return nil, err
	}
	folder := fstest.MapFS{}
	for name, text := range files {
		folder[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return d, d.load(folder)
}

func mustRead(t testing.TB, files map[string]string) *Descriptors {
	t.Helper()
	d, err := read(files)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// forVault is a descriptor of the vault with one function, whose format has these members beside its intent.
func forVault(function, format string) string {
	return fmt.Sprintf(`{
		"context": {"contract": {"deployments": [{"chainId": 1, "address": %q}]}},
		"metadata": {"owner": "Example", "contractName": "Vault", "enums": {"modes": {"1": "stable", "0xab": "bytes", "true": "on", "x": "text"}},
			"constants": {"native": "0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE", "much": "0xff", "note": "noted"}},
		"display": {"definitions": {"sum": {"label": "Sum", "format": "tokenAmount", "params": {"token": %q}}}, "formats": {%q: {"intent": "Deposit", %s}}}
	}`, vault, dollar, function, format)
}

// types returns a function without the names of its arguments.
func types(t testing.TB, function string) string {
	t.Helper()
	f, err := parseFunction(function)
	if err != nil {
		t.Fatal(err)
	}
	return f.signature()
}

// callOf returns a call of the vault. Its data is encoded by go-ethereum.
func callOf(t testing.TB, function string, arguments ...any) Call {
	t.Helper()
	return Call{Chain: mainnet, Account: account, To: vault, Value: big.NewInt(7), Data: calldata.Parse(types(t, function)).Write(arguments...)}
}

// text writes rows as text, one on a line.
func text(rows []Row) string {
	var b strings.Builder
	for _, r := range rows {
		fmt.Fprintf(&b, "%s: ", r.Label)
		switch r.Kind {
		case Text, Bytes:
			b.WriteString(r.Text)
		case Number:
			fmt.Fprintf(&b, "number %s", r.Number)
		case Flag:
			fmt.Fprintf(&b, "flag %s", r.Number)
		case Address:
			b.WriteString(nameOf(r.Address))
		case Amount:
			fmt.Fprintf(&b, "%s of %s", r.Number, nameOf(r.Asset.Contract))
			if r.IsOver {
				fmt.Fprintf(&b, ", over %q", r.Message)
			}
		case Collectible:
			fmt.Fprintf(&b, "%s #%s", nameOf(r.Asset.Contract), r.Asset.ID)
		case Token:
			fmt.Fprintf(&b, "token %s", nameOf(r.Asset.Contract))
		case Time, Duration:
			fmt.Fprintf(&b, "%s seconds", r.Number)
		case Quantity:
			fmt.Fprintf(&b, "%s e-%d %s", r.Number, r.Decimals, r.Unit)
		case Called:
			b.WriteString("call of " + nameOf(r.Address))
			if r.Inner != nil {
				b.WriteString(" {" + r.Inner.Intent + " " + strings.TrimSuffix(text(r.Inner.Rows), "\n") + "}")
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func nameOf(a evm.Address) string {
	switch a {
	case account:
		return "account"
	case vault:
		return "vault"
	case dollar:
		return "dollar"
	case euro:
		return "euro"
	case evm.Address{}:
		return "native"
	}
	return a.Hex()
}

func TestFormatsShowTheValuesOfACall(t *testing.T) {
	one, two := big.NewInt(1), big.NewInt(2)
	for _, tt := range []struct {
		name, function, fields string
		arguments              []any
		want                   string
	}{
		{"raw", "f(uint256 n,int8 m,bool b,address a,bytes d,bytes4 e,string s)",
			`{"path": "n", "label": "N"}, {"path": "#.m"}, {"path": "b", "format": "raw"}, {"path": "a"}, {"path": "d"}, {"path": "e"}, {"path": "s"}`,
			[]any{big.NewInt(9), int8(-3), true, vault, []byte{1, 2}, [4]byte{0xab}, "Ahoy"},
			"N: number 9\nm: number -3\nb: flag 1\na: vault\nd: 0x0102\ne: 0xab000000\ns: Ahoy\n"},
		{"a long value", "f(bytes d,string s)", `{"path": "d"}, {"path": "s"}`, []any{make([]byte, 100), strings.Repeat("x", 300)},
			"d: 0x" + strings.Repeat("00", 64) + "…\ns: " + strings.Repeat("x", 255) + "…\n"},
		{"what surrounds the data", "f()", `{"path": "@.from"}, {"path": "@.to", "format": "addressName"}, {"path": "@.value", "format": "amount"}, {"path": "@.chainId"}`,
			nil, "from: account\nto: vault\nvalue: 7 of native\nchainId: number 1\n"},
		{"addressName", "f(address a,address b)", `{"path": "a", "format": "addressName", "params": {"types": ["eoa"], "sources": ["ens"]}},
			{"path": "b", "format": "addressName", "params": {"senderAddress": "0x0000000000000000000000000000000000000001"}}`,
			[]any{euro, evm.Address{19: 1}}, "a: euro\nb: account\n"},
		{"tokenAmount by a path", "f(address t,uint256 n)", `{"path": "n", "label": "Pay", "format": "tokenAmount", "params": {"tokenPath": "t"}}`, []any{dollar, two}, "Pay: 2 of dollar\n"},
		{"tokenAmount by a constant", "f(uint128 n)", `{"path": "n", "format": "tokenAmount", "params": {"token": "` + euro.Hex() + `"}}`, []any{two}, "n: 2 of euro\n"},
		{"tokenAmount of the native token", "f(address t,uint256 n)",
			`{"path": "n", "format": "tokenAmount", "params": {"tokenPath": "t", "nativeCurrencyAddress": ["$.metadata.constants.native"]}}`, []any{evm.Native, two}, "n: 2 of native\n"},
		{"tokenAmount without a token", "f(uint256 n)", `{"path": "n", "format": "tokenAmount"}`, []any{two}, "n: number 2\n"},
		{"tokenAmount over a threshold", "f(uint256 n,uint256 m,uint256 k)", `{"path": "n", "format": "tokenAmount", "params": {"tokenPath": "@.to", "threshold": "0xff", "message": "All"}},
			{"path": "m", "format": "tokenAmount", "params": {"tokenPath": "@.to", "threshold": 255}},
			{"path": "k", "format": "tokenAmount", "params": {"tokenPath": "@.to", "threshold": "$.metadata.constants.much"}}`,
			[]any{big.NewInt(255), big.NewInt(254), big.NewInt(256)}, "n: 255 of vault, over \"All\"\nm: 254 of vault\nk: 256 of vault, over \"\"\n"},
		{"nftName", "f(address c,uint256 id)", `{"path": "id", "format": "nftName", "params": {"collectionPath": "c"}}`, []any{euro, two}, "id: euro #2\n"},
		{"date, duration, and a time that is none", "f(uint256 a,uint64 b,uint256 c)", `{"path": "a", "format": "date", "params": {"encoding": "timestamp"}}, {"path": "b", "format": "duration"},
			{"path": "c", "format": "date", "params": {"encoding": "timestamp"}}`, []any{big.NewInt(1700000000), uint64(60), common.MaxHash.Big()},
			"a: 1700000000 seconds\nb: 60 seconds\nc: number " + common.MaxHash.Big().String() + "\n"},
		{"unit", "f(uint16 n)", `{"path": "n", "label": "Fee", "format": "unit", "params": {"base": "%", "decimals": 2}}`, []any{uint16(30)}, "Fee: 30 e-2 %\n"},
		{"enum", "f(uint8 a,bytes1 b,bool c,string d,uint8 e)",
			`{"path": "a", "format": "enum", "params": {"$ref": "$.metadata.enums.modes"}}, {"path": "b", "format": "enum", "params": {"$ref": "$.metadata.enums.modes"}},
			{"path": "c", "format": "enum", "params": {"$ref": "$.metadata.enums.modes"}}, {"path": "d", "format": "enum", "params": {"$ref": "$.metadata.enums.modes"}},
			{"path": "e", "format": "enum", "params": {"$ref": "$.metadata.enums.modes"}}`,
			[]any{uint8(1), [1]byte{0xab}, true, "x", uint8(9)}, "a: stable\nb: bytes\nc: on\nd: text\ne: number 9\n"},
		{"tokenTicker", "f(address t)", `{"path": "t", "format": "tokenTicker"}`, []any{dollar}, "t: token dollar\n"},
		{"a constant", "f()", `{"value": "$.metadata.constants.note", "label": "Note"}, {"value": 5, "label": "Five", "format": "duration"}`, nil, "Note: noted\nFive: 5 seconds\n"},
		{"a definition", "f(uint256 n,uint256 m)", `{"path": "n", "$ref": "$.display.definitions.sum"},
			{"path": "m", "$ref": "$.display.definitions.sum", "label": "Rest", "params": {"token": "` + euro.Hex() + `"}}`, []any{one, two}, "Sum: 1 of dollar\nRest: 2 of euro\n"},
		{"ranges of bytes", "f(bytes path,uint256 n)", `{"path": "n", "format": "tokenAmount", "params": {"tokenPath": "path.[0:20]"}},
			{"path": "path.[-20:]", "label": "Last", "format": "addressName"}, {"path": "n.[-1:]", "label": "Low", "format": "raw"}, {"path": "path.[20:23]", "label": "Fee", "format": "duration"}`,
			[]any{append(append(dollar.Bytes(), 0, 11, 184), euro[:]...), big.NewInt(0x1234)}, "n: 4660 of dollar\nLast: euro\nLow: 0x34\nFee: 3000 seconds\n"},
		{"lists", "f(address[] t,uint256[3] n,(address a,uint256[] b)[] s)",
			`{"path": "t.[]", "label": "T", "format": "addressName"}, {"path": "n[-1]", "label": "Last"}, {"path": "n.[1:]", "label": "Rest"}, {"path": "s.[1].b.[0]", "label": "Deep"}, {"path": "s.[].a", "label": "A"}`,
			[]any{[]evm.Address{dollar, euro}, [3]*big.Int{one, two, big.NewInt(3)}, []any{[]any{vault, []any{}}, []any{euro, []any{big.NewInt(8)}}}},
			"T: dollar\nT: euro\nLast: number 3\nRest: number 2\nRest: number 3\nDeep: number 8\nA: vault\nA: euro\n"},
		{"a group with its lists bundled", "f(address[] t,uint256[] n)",
			`{"iteration": "bundled", "fields": [{"path": "t.[]", "label": "T"}, {"path": "n.[]", "label": "N", "format": "tokenAmount", "params": {"tokenPath": "t.[]"}}]}`,
			[]any{[]evm.Address{dollar, euro}, []any{one, two}}, "T: dollar\nN: 1 of dollar\nT: euro\nN: 2 of euro\n"},
		{"a group below a path", "f((address t,uint256 n)[] s)",
			`{"path": "s.[]", "fields": [{"path": "t", "label": "T"}, {"path": "n", "label": "N", "format": "tokenAmount", "params": {"tokenPath": "t"}}]}`,
			[]any{[]any{[]any{dollar, one}, []any{euro, two}}}, "T: dollar\nN: 1 of dollar\nT: euro\nN: 2 of euro\n"},
		{"a group with its lists in sequence", "f((address t,uint256 n)[] s)",
			`{"path": "s.[]", "iteration": "sequential", "fields": [{"path": "t", "label": "T"}, {"path": "n", "label": "N"}]}`,
			[]any{[]any{[]any{dollar, one}, []any{euro, two}}}, "T: dollar\nT: euro\nN: number 1\nN: number 2\n"},
		{"rules", "f(uint256 a,uint256 b,uint256 c,bool d)", `{"path": "a", "visible": "never"}, {"path": "b", "visible": {"ifNotIn": ["0x2", 5]}}, {"path": "c", "visible": {"mustMatch": [3]}},
			{"path": "d", "visible": "optional"}`, []any{one, two, big.NewInt(3), false}, "d: flag 0\n"},
		{"calldata", "f(address to,bytes data,uint256 n)", `{"path": "data", "label": "Then", "format": "calldata", "params": {"calleePath": "to", "amountPath": "n", "spenderPath": "@.to"}}`,
			[]any{vault, append([]byte{0x26, 0x12, 0x1f, 0xf0}, nil...), two}, "Then: call of vault\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := mustRead(t, map[string]string{"vault.json": forVault(tt.function, `"fields": [`+tt.fields+`]`)})
			got, ok := d.Call(callOf(t, tt.function, tt.arguments...), nothing)
			if !ok || text(got.Rows) != tt.want || got.Owner != "Example" || got.Contract != "Vault" || got.Intent != "Deposit" || got.IsBundled {
				t.Errorf("got %t, %+v\n%swant\n%s", ok, got, text(got.Rows), tt.want)
			}
		})
	}
}

// TestDescriptorsOfVersion1AreRead: names may be in the ABI, and paths are required or excluded. What is null is absent.
func TestDescriptorsOfVersion1AreRead(t *testing.T) {
	descriptor := fmt.Sprintf(`{"$schema": "../specs/erc7730-v1.schema.json", "context": {"$id": "Vault", "contract": {"deployments": [{"chainId": 1, "address": %q}], "addressMatcher": null,
		"abi": [{"type": "event", "name": "deposit"}, {"type": "function", "name": "deposit", "inputs": [{"name": "order", "type": "tuple[]", "components": [{"name": "sum", "type": "uint256"}]}, {"name": "nonce", "type": "uint256"}]}]}},
		"metadata": {"owner": "Example", "info": {"legalName": "Example Ltd", "url": "https://example.org"}},
		"display": {"formats": {"deposit((uint256)[],uint256)": {"$id": null, "intent": "Deposit", "screens": null, "required": ["#.order.[].sum"], "excluded": ["#.nonce"],
			"fields": [{"path": "#.order.[].sum", "label": "Sum", "format": "raw"}, {"path": "nonce", "label": "Nonce"}]}}}}`, vault)
	d := mustRead(t, map[string]string{"vault.json": descriptor})
	got, ok := d.Call(callOf(t, "deposit((uint256)[],uint256)", []any{[]any{big.NewInt(5)}}, big.NewInt(9)), nothing)
	if !ok || text(got.Rows) != "Sum: number 5\n" {
		t.Errorf("got %t, %s", ok, text(got.Rows))
	}
}

func TestACallWithinTheDataHasItsOwnDescription(t *testing.T) {
	const function = "run(bytes[] steps)"
	d := mustRead(t, map[string]string{"vault.json": forVault(function, `"fields": [{"path": "steps.[]", "label": "Step", "format": "calldata", "params": {"calleePath": "@.to"}}]`)})
	send := calldata.Parse("transfer(address,uint256)").Write(euro, big.NewInt(5))
	nested := calldata.Parse("run(bytes[])").Write([][]byte{send, {1, 2, 3, 4}})
	got, ok := d.Call(callOf(t, function, [][]byte{send, nested}), only(ERC20))
	want := "Step: call of vault {Send tokens Amount: 5 of vault\nTo: euro}\nStep: call of vault {Deposit Step: call of vault {Send tokens Amount: 5 of vault\nTo: euro}\nStep: call of vault}\n"
	if !ok || text(got.Rows) != want {
		t.Errorf("got %t\n%swant\n%s", ok, text(got.Rows), want)
	}
}

func TestASentenceHasTheValuesOfItsFields(t *testing.T) {
	const function = "f(uint256 n,address[] a)"
	d := mustRead(t, map[string]string{"vault.json": forVault(function, `"interpolatedIntent": "Give {{n}} {#.n} to {a.[]}.", "fields": [{"path": "n"}, {"path": "a.[]"}]`)})
	got, _ := d.Call(callOf(t, function, big.NewInt(1), []evm.Address{euro}), nothing)
	if fmt.Sprint(got.Sentence) != "[{Give {n}  -1} { 0} { to  -1} { 1} {. -1}]" {
		t.Errorf("the sentence is %v", got.Sentence)
	}
	// Where a field has several values, only the intent is left.
	got, ok := d.Call(callOf(t, function, big.NewInt(1), []evm.Address{euro, dollar}), nothing)
	if !ok || got.Sentence != nil || got.Intent != "Deposit" {
		t.Errorf("got %t, %+v", ok, got)
	}
}

func TestAnIntentOfSeveralPartsIsShownAsRows(t *testing.T) {
	d := mustRead(t, map[string]string{"vault.json": strings.Replace(forVault("f()", `"fields": []`), `"Deposit"`, `{"Staking": "Withdraw", "Rewards": "All"}`, 1)})
	got, ok := d.Call(callOf(t, "f()"), nothing)
	if !ok || got.Intent != "" || text(got.Rows) != "Staking: Withdraw\nRewards: All\n" {
		t.Errorf("got %t, %+v", ok, got)
	}
}

// TestOnlyTheNamedContractIsDescribed: not the same address on another chain, and no other address, whatever the function is.
func TestOnlyTheNamedContractIsDescribed(t *testing.T) {
	d := mustRead(t, map[string]string{"vault.json": forVault("f(uint256 n)", `"fields": [{"path": "n"}]`)})
	for _, change := range []func(*Call){
		func(c *Call) { c.To = euro },
		func(c *Call) { c.Chain = big.NewInt(10) },
		func(c *Call) { c.Data[0]++ },
		func(c *Call) { c.Data = c.Data[:20] },
		func(c *Call) { c.Data = nil },
	} {
		c := callOf(t, "f(uint256 n)", big.NewInt(1))
		change(&c)
		if got, ok := d.Call(c, nothing); ok {
			t.Errorf("%+v is described: %+v", c, got)
		}
	}
}

func TestADescriptorOfTheOperatorComesFirst(t *testing.T) {
	const function = "transfer(address to,uint256 value)"
	c := callOf(t, function, euro, big.NewInt(1))
	bundled, ok := mustRead(t, nil).Call(c, only(ERC20))
	if !ok || bundled.Intent != "Send tokens" || !bundled.IsBundled {
		t.Errorf("got %t, %+v", ok, bundled)
	}
	own, ok := mustRead(t, map[string]string{"vault.json": forVault(function, `"fields": [{"path": "value", "label": "Shares"}]`)}).Call(c, only(ERC20))
	if !ok || own.Intent != "Deposit" || own.IsBundled {
		t.Errorf("got %t, %+v", ok, own)
	}
}

func TestDataThatDoesNotFitIsNotDescribed(t *testing.T) {
	const function = "f(address a,uint8 n,bytes d,address[] t,address[] u)"
	fields := `"fields": [{"path": "a"}, {"path": "n", "visible": {"mustMatch": [1]}}, {"path": "d.[0:4]"}, {"path": "t.[1]"}, {"iteration": "bundled", "fields": [{"path": "t.[]"}, {"path": "u.[]"}]}]`
	d := mustRead(t, map[string]string{"vault.json": forVault(function, fields)})
	list := []evm.Address{euro, dollar}
	call := func(n uint8, bytes int, t1, t2 []evm.Address) Call {
		return callOf(t, function, vault, n, make([]byte, bytes), t1, t2)
	}
	if _, ok := d.Call(call(1, 4, list, list), nothing); !ok {
		t.Fatal("the call is not described")
	}
	dirty := call(1, 4, list, list)
	dirty.Data[selectorSize] = 1 // above the address
	long := make([]evm.Address, maxRows+1)
	for name, c := range map[string]Call{
		"a value that must not be": call(2, 4, list, list), "a range beyond the bytes": call(1, 3, list, list), "an index beyond the list": call(1, 4, list[:1], list[:1]),
		"lists of other lengths": call(1, 4, list, list[:1]), "bits above an address": dirty, "too many rows": call(1, 4, long, long),
	} {
		if got, ok := d.Call(c, nothing); ok {
			t.Errorf("%s: got %+v", name, got)
		}
	}
}

// typedData returns typed data with one struct.
func typedData(t testing.TB, name string, contract evm.Address, types, message string) Message {
	t.Helper()
	text := fmt.Sprintf(`{"types": %s, "domain": {"name": %q, "chainId": 1, "verifyingContract": %q}, "message": %s}`, types, name, contract.Hex(), message)
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber()
	var v map[string]map[string]any
	if err := decoder.Decode(&v); err != nil {
		t.Fatal(err)
	}
	return Message{Chain: mainnet, Account: account, PrimaryType: "Mail", Types: v["types"], Domain: v["domain"], Values: v["message"]}
}

const mailTypes = `{"Mail": [{"name": "to", "type": "Person[]"}, {"name": "sum", "type": "uint256"}, {"name": "ok", "type": "bool"}], "Person": [{"name": "wallet", "type": "address"}, {"name": "id", "type": "bytes2"}],
	"EIP712Domain": [{"name": "name", "type": "string"}]}`

func forMail(key, context string) string {
	return fmt.Sprintf(`{"context": {"eip712": {%s}}, "metadata": {"owner": "Post"}, "display": {"formats": {%q: {"intent": "Send", "fields": [
		{"path": "to.[]", "fields": [{"path": "wallet", "label": "To"}, {"path": "id", "label": "Id"}]},
		{"path": "sum", "label": "Sum", "format": "tokenAmount", "params": {"tokenPath": "@.to"}}, {"path": "ok", "label": "Ok"}]}}}}`, context, key)
}

const (
	mailKey    = "Mail(Person[] to,uint256 sum,bool ok)Person(address wallet,bytes2 id)"
	mailValues = `{"to": [{"wallet": "0x8617E340B3D01FA5F11F306F4090FD50E238070D", "id": "0x0102"}], "sum": "0x10", "ok": true, "beside": 1}`
)

func TestTypedDataIsDescribed(t *testing.T) {
	at := fmt.Sprintf(`"deployments": [{"chainId": 1, "address": %q}]`, vault)
	schemas := `, "schemas": [{"primaryType": "Mail", "types": ` + mailTypes + `}]`
	for name, descriptor := range map[string]string{
		"by its encoded type": forMail(mailKey, at),
		"by its domain":       forMail(mailKey, fmt.Sprintf(`"domain": {"name": "Post", "chainId": 1, "verifyingContract": %q}`, vault)),
		"by a schema":         forMail("Mail", at+schemas),
	} {
		d := mustRead(t, map[string]string{"mail.json": descriptor})
		got, ok := d.Message(typedData(t, "Post", vault, mailTypes, mailValues), nothing)
		if want := "To: vault\nId: 0x0102\nSum: 16 of vault\nOk: flag 1\n"; !ok || text(got.Rows) != want || got.Owner != "Post" {
			t.Errorf("%s: got %t\n%swant\n%s", name, ok, text(got.Rows), want)
		}
	}
}

func TestOtherTypedDataIsNotDescribed(t *testing.T) {
	d := mustRead(t, map[string]string{"mail.json": forMail(mailKey, fmt.Sprintf(`"domain": {"name": "Post"}, "deployments": [{"chainId": 1, "address": %q}]`, vault))})
	change := func(from, to string) Message {
		return typedData(t, "Post", vault, strings.Replace(mailTypes, from, to, 1), strings.Replace(mailValues, from, to, 1))
	}
	otherChain := change("", "")
	otherChain.Domain["chainId"] = json.Number("10")
	noContract := change("", "")
	delete(noContract.Domain, "verifyingContract")
	for name, m := range map[string]Message{
		"another domain": typedData(t, "Parcel", vault, mailTypes, mailValues), "another contract": typedData(t, "Post", euro, mailTypes, mailValues),
		"another chain": otherChain, "no contract": noContract, "another type": change("bytes2", "bytes3"), "a type without a name": change(`"name": "ok", `, ""),
		"a number that is too large": change(`"0x10"`, `"`+strings.Repeat("9", 79)+`"`), "a negative number": change(`"0x10"`, "-1"), "a fraction": change(`"0x10"`, "1.5"),
		"a text for a flag": change("true", `"true"`), "an address that is too short": change("0x8617", "0x"), "bytes that are too short": change("0x0102", "0x01"),
		"a value that is absent": change(`"sum"`, `"som"`), "no list": change(`"to": [{"wallet": "0x8617E340B3D01FA5F11F306F4090FD50E238070D", "id": "0x0102"}]`, `"to": {}`),
	} {
		if got, ok := d.Message(m, nothing); ok {
			t.Errorf("%s: got %+v", name, got)
		}
	}
}

func TestIncludedFilesAreMerged(t *testing.T) {
	token := `{"includes": "../shared/erc20.json", "context": {"contract": {"deployments": [{"chainId": 1, "address": "` + vault.Hex() + `"}]}}, "metadata": {"owner": "Example"},
		"display": {"formats": {"approve(address spender,uint256 value)": {"fields": [{"path": "value", "params": {"threshold": "0x10"}}, {"path": "@.from", "label": "From"}]}}}}`
	shared := `{"display": {"formats": {"approve(address spender,uint256 value)": {"intent": "Approve", "fields": [
		{"path": "spender", "label": "Spender", "format": "addressName"}, {"path": "value", "label": "Amount", "format": "tokenAmount", "params": {"tokenPath": "@.to", "message": "All"}}]}}}}`
	d := mustRead(t, map[string]string{"tokens/token.json": token, "shared/erc20.json": shared})
	got, ok := d.Call(callOf(t, "approve(address spender,uint256 value)", euro, big.NewInt(16)), nothing)
	if want := "Spender: euro\nAmount: 16 of vault, over \"All\"\nFrom: account\n"; !ok || text(got.Rows) != want || got.Intent != "Approve" || got.Owner != "Example" {
		t.Errorf("got %t, %+v\n%s", ok, got, text(got.Rows))
	}
}

func TestTextsOfADescriptorArePlain(t *testing.T) {
	descriptor := strings.NewReplacer(`"Example"`, `"\u202eExample\u0000"`, `"Deposit"`, `"De\u200bposit\n\nall"`).Replace(
		forVault("f(uint256 n,string s)", `"interpolatedIntent": "\u2066Pay\u001b {n}", "fields": [{"path": "n", "label": "`+strings.Repeat("long ", 50)+`\u202e"}, {"path": "s", "label": "\u061cText"}]`))
	got, ok := mustRead(t, map[string]string{"vault.json": descriptor}).Call(callOf(t, "f(uint256 n,string s)", big.NewInt(1), "\u202eevil\x00\x1b"), nothing)
	if !ok || got.Owner != "Example" || got.Intent != "Deposit all" || got.Sentence[0].Text != "Pay " || got.Rows[1].Label != "Text" || got.Rows[1].Text != "evil" {
		t.Errorf("got %t, %q", ok, fmt.Sprint(got))
	}
	if label := []rune(got.Rows[0].Label); len(label) > labelLimit || label[len(label)-1] != '…' {
		t.Errorf("the label is %q", string(label))
	}
}

// TestSwapsAreDescribedStepByStep: a trade in steps as the swap service builds it, with the native token at its end.
func TestSwapsAreDescribedStepByStep(t *testing.T) {
	path := append(append(dollar.Bytes(), 0, 11, 184), euro[:]...)
	router := evm.Address{19: 2}
	data := calldata.Parse("multicall(uint256,bytes[])").Write(big.NewInt(1700000000), [][]byte{
		calldata.Parse("selfPermitIfNecessary(address,uint256,uint256,uint8,bytes32,bytes32)").Write(dollar, big.NewInt(9), big.NewInt(1700000000), uint8(27), [32]byte{}, [32]byte{}),
		calldata.Parse("exactInput((bytes,address,uint256,uint256))").Write([]any{path, router, big.NewInt(9), big.NewInt(0)}),
		calldata.Parse("swapExactTokensForTokens(uint256,uint256,address[],address)").Write(big.NewInt(0), big.NewInt(8), []evm.Address{euro, dollar}, evm.Address{19: 1}),
		calldata.Parse("unwrapWETH9(uint256,address)").Write(big.NewInt(7), account),
		calldata.Parse("refundETH()").Write(),
	})
	got, ok := mustRead(t, nil).Call(Call{Chain: mainnet, Account: account, To: vault, Value: new(big.Int), Data: data}, only(SwapRouter02))
	want := strings.Join([]string{
		"Step: call of vault {Allow spending At most: 9 of dollar\nUntil: 1700000000 seconds}",
		"Step: call of vault {Swap Pay: 9 of dollar}",
		"Step: call of vault {Swap Receive at least: 8 of dollar\nRecipient: account}",
		"Step: call of vault {Receive the native token At least: 7 of native\nRecipient: account}",
		"Step: call of vault {Return what is left of the native token }",
		"Until: 1700000000 seconds\n",
	}, "\n")
	if !ok || got.Intent != "Run several steps" || text(got.Rows) != want {
		t.Errorf("got %t\n%swant\n%s", ok, text(got.Rows), want)
	}
}

func TestTheExampleOfTheDocumentationIsRead(t *testing.T) {
	raw, err := os.ReadFile("../../../docs/configure/descriptors.md")
	if err != nil {
		t.Fatal(err)
	}
	_, after, _ := strings.Cut(string(raw), "```json\n")
	example, _, _ := strings.Cut(after, "```")
	got, ok := mustRead(t, map[string]string{"vault.json": example}).Call(callOf(t, "deposit(uint256 assets,address receiver)", big.NewInt(5), account), nothing)
	if !ok || text(got.Rows) != "Amount: 5 of dollar\nShares go to: account\n" {
		t.Errorf("got %t, %s", ok, text(got.Rows))
	}
	_, err = read(map[string]string{"vault.json": strings.Replace(example, `"path": "assets"`, `"path": "amount"`, 1)})
	if err == nil || !strings.Contains(string(raw), "hawser: preview.descriptors: "+err.Error()) {
		t.Errorf("the error is not that of the documentation: %v", err)
	}
}

func TestNativeAssetsHaveNoContract(t *testing.T) {
	got, _ := mustRead(t, nil).Call(Call{Chain: mainnet, Account: account, To: vault, Value: big.NewInt(3), Data: calldata.Parse("deposit()").Write()}, only(Wrapped))
	if len(got.Rows) != 1 || !got.Rows[0].Asset.Same(effect.Asset{Kind: effect.Native}) || got.Rows[0].Number.Int64() != 3 {
		t.Errorf("got %+v", got)
	}
}
