package clearsign

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"testing/fstest"
)

// TestADescriptorThatIsWrongIsAFaultWithItsPlace: what is not supported is refused by its name.
func TestADescriptorThatIsWrongIsAFaultWithItsPlace(t *testing.T) {
	const function = "f(uint256 n,address a,bytes d,uint256[] l,(uint256 m) s)"
	field := func(members string) string { return forVault(function, `"fields": [{"path": "n"}, {`+members+`}]`) }
	format := func(members string) string { return forVault(function, members) }
	change := func(from, to string) string { return strings.Replace(field(`"path": "a"`), from, to, 1) }
	const at = `vault.json: display.formats["` + function + `"]`
	for _, tt := range []struct{ descriptor, want string }{
		{"", "vault.json: line 1: EOF"},
		{"{\n\"a\": 1,\n\"a\": 2}", `vault.json: line 3: the member "a" is there twice`},
		{"{}{}", "vault.json: line 1: there is more after the JSON value"},
		{"[]", "vault.json: it is a list, not an object"},
		{strings.Repeat(`{"a":`, 30), "nested deeper"},
		{"[" + strings.Repeat("0,", maxNodes) + "0]", "over 20000 values"},
		{`{"` + strings.Repeat(" ", maxFileBytes) + `": 1}`, "vault.json: it has over 262144 bytes"},
		{change(`"metadata"`, `"metaData"`), "vault.json: metaData: there is no such member here"},
		{change(`{`, `{"$schema": "https://example.org/erc7730-v3.0.0.schema.json",`), "vault.json: $schema: it is no schema of ERC-7730 in version 1 or 2"},
		{change(`"deployments": [{"chainId": 1, "address"`, `"deployments": [{"chainId": "1", "address"`), "vault.json: context.contract.deployments[0].chainId: it is no chain id"},
		{change(`"address": "0x86`, `"address": "0x`), "vault.json: context.contract.deployments[0].address: not an address"},
		{change(`"deployments": [{`, `"deployments": [], "$x": [{`), "vault.json: context: it names no contract"},
		{change(`"deployments"`, `"factory": {}, "deployments"`), "vault.json: context.contract.factory: contracts of a factory are not supported"},
		{change(`"deployments"`, `"addressMatcher": "https://x", "deployments"`), "vault.json: context.contract.addressMatcher: no list of addresses is fetched"},
		{change(`"enums"`, `"maps": {}, "enums"`), "vault.json: metadata.maps: maps are not supported"},
		{change(`"enums"`, `"token": {"ticker": "X"}, "enums"`), "vault.json: metadata.token: the symbol and the decimals of a token are read from its contract"},
		{change(`"Deposit"`, `5`), at + ".intent: it is a number, not an object"},
		{change(`"intent": "Deposit", `, ``), at + ": it has no intent"},
		{format(`"screens": {}, "fields": []`), at + ".screens: screens of single wallets are not supported"},
		{format(`"fields": {}`), at + ".fields: it is an object, not a list"},
		{format(`"fields": [` + strings.Repeat(`{"path": "n"},`, maxFields) + `{"path": "n"}]`), at + ".fields: it has over 64 items"},
		{format(`"required": ["x"], "fields": []`), at + ".required[0]: the path #.x: there is no x"},
		{format(`"interpolatedIntent": "Pay {a}", "fields": [{"path": "n"}]`), at + ".interpolatedIntent: {a} is no field that is always shown"},
		{format(`"interpolatedIntent": "Pay {n}", "fields": [{"path": "n", "visible": {"ifNotIn": [1]}}]`), "is no field that is always shown"},
		{format(`"interpolatedIntent": "Pay {n", "fields": [{"path": "n"}]`), "a brace is not closed"},
		{format(`"interpolatedIntent": "Pay n}", "fields": [{"path": "n"}]`), "a brace is not opened"},
		{field(`"path": "x"`), at + ".fields[1].path: the path #.x: there is no x"},
		{field(`"path": "n.m"`), "there is no m"},
		{field(`"path": "s"`), at + ".fields[1]: the format raw is not one of the type (uint256)"},
		{field(`"path": "n.[0]"`), "an index is not one of a list"},
		{field(`"path": "l.[x]"`), `"x" is no index`},
		{field(`"path": "l.[0"`), "has no end"},
		{field(`"path": "d.[0:4].[0:1]"`), "goes on after bytes"},
		{field(`"path": "@.gas"`), "is none of @.from, @.to, @.value and @.chainId"},
		{field(`"path": "$.metadata.owner"`), "is not one of the data"},
		{field(`"path": "` + strings.Repeat("s.", 30) + `m"`), "is too long"},
		{field(`"path": "n", "value": 1`), "it has not exactly one of path and value"},
		{field(`"path": "n", "label": "\u202e"`), "it has no label"},
		{field(`"path": "n", "format": "number"`), at + `.fields[1].format: the format "number" is not supported: want one of addressName`},
		{field(`"path": "n", "format": "interoperableAddressName"`), "is not supported"},
		{field(`"path": "n", "format": "addressName"`), "the format addressName is not one of the type uint256"},
		{field(`"path": "a", "format": "tokenAmount"`), "the format tokenAmount is not one of the type address"},
		{field(`"path": "n", "format": "tokenAmount", "params": {"tokenPath": "n"}`), at + ".fields[1].params.tokenPath: it is no address"},
		{field(`"path": "n", "format": "tokenAmount", "params": {"token": "0x1"}`), at + ".fields[1].params.token: it is no address"},
		{field(`"path": "n", "format": "tokenAmount", "params": {"token": "x", "tokenPath": "a"}`), "there is token as well"},
		{field(`"path": "n", "format": "tokenAmount", "params": {"chainId": 5}`), at + ".fields[1].params.chainId: values of another chain are not supported"},
		{field(`"path": "n", "format": "tokenAmount", "params": {"threshold": "many"}`), "it is neither an address nor an integer"},
		{field(`"path": "n", "format": "tokenAmount", "params": {"token": {"map": "$.metadata.maps.x"}}`), "it is neither an address nor an integer"},
		{field(`"path": "n", "format": "tokenAmount", "params": {"ticker": "X"}`), at + ".fields[1].params.ticker: there is no such member here"},
		{field(`"path": "n", "format": "date", "params": {"encoding": "blockheight"}`), "the encoding of a date is not timestamp"},
		{field(`"path": "n", "format": "unit", "params": {"base": "s", "prefix": true}`), at + ".fields[1].params.prefix: prefixes of units are not supported"},
		{field(`"path": "n", "format": "unit", "params": {"base": "s", "decimals": 100}`), "it is no number from 0 to 77"},
		{field(`"path": "n", "format": "enum", "params": {"$ref": "$.metadata.enums.none"}`), `there is no "$.metadata.enums.none"`},
		{field(`"path": "d", "format": "calldata"`), "calldata has no callee"},
		{field(`"path": "d", "format": "calldata", "params": {"calleePath": "a", "selector": "0x00000000"}`), at + ".fields[1].params.selector: a selector beside the data is not supported"},
		{field(`"path": "n", "separator": "and"`), at + ".fields[1].separator: separators are not supported"},
		{field(`"path": "n", "encryption": {}`), at + ".fields[1].encryption: encrypted values are not supported"},
		{field(`"path": "n", "visible": "sometimes"`), at + ".fields[1].visible: it is none of never, always and optional"},
		{field(`"path": "n", "visible": {}`), "it has not exactly one rule"},
		{field(`"path": "n", "$ref": "$.display.definitions.none"`), `there is no "$.display.definitions.none"`},
		{field(`"path": "l.[]", "fields": [{"path": "@.to"}, {"path": "n", "fields": []}]`), "groups in bundled groups are not supported"},
		{field(`"fields": [], "iteration": "random"`), "it is neither sequential nor bundled"},
		{field(`"label": "Group", "fields": []`), at + ".fields[1].label: there is no such member here"},
		{forVault("f(uint n)", `"fields": []`), `"uint" is no type`},
		{forVault("f(uint256)", `"fields": []`), "its arguments have no names"},
		{forVault("f(uint256 a,uint256 a)", `"fields": []`), `the name "a" is there twice`},
		{forVault("f(uint256 a", `"fields": []`), "a parenthesis is missing"},
		{forVault("f"+strings.Repeat("(", 40), `"fields": []`), "nested too deep"},
		{forVault("f(uint256[9999] a)", `"fields": []`), "is too large"},
		{forVault("f(uint256[1024][1024] a)", `"fields": []`), "is too large"},
		{forVault("f(uint256"+strings.Repeat("[]", 20)+" a)", `"fields": []`), "is no list type"},
		{forMail("Mail(Person to)Person(Mail[] all)", `"domain": {"chainId": 1, "verifyingContract": "`+vault.Hex()+`"}`), "the struct Mail contains itself"},
		{forMail("Mail(address to) ", `"domain": {"chainId": 1, "verifyingContract": "`+vault.Hex()+`"}`), "it is no encoding of a type"},
		{forMail("Mail(Person to,Other o)Person(address a)Other(address a)", `"domain": {"chainId": 1, "verifyingContract": "`+vault.Hex()+`"}`), "it is not the encoding of its type"},
		{forMail(mailKey, `"domain": {"name": "Post"}`), "vault.json: context: it names no contract"},
		{forMail(mailKey, `"domain": {"chainId": 1}`), "want chainId and verifyingContract here"},
		{forMail(mailKey, `"domainSeparator": "0x00"`), "vault.json: context.eip712.domainSeparator: a hash of a domain is not supported"},
		{forMail("Mail", `"domain": {"chainId": 1, "verifyingContract": "`+vault.Hex()+`"}`), `there is no schema of "Mail"`},
		{change(`{`, `{"includes": "https://example.org/erc20.json",`), "vault.json: includes: open"},
		{change(`{`, `{"includes": "../../etc/passwd",`), "vault.json: includes: it is no file in the folder of the descriptors"},
		{change(`{`, `{"includes": "vault.json",`), "includes are nested deeper than 4"},
	} {
		_, err := read(map[string]string{"vault.json": tt.descriptor})
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%.200s\ngot  %v\nwant %s", tt.descriptor, err, tt.want)
		}
	}
}

func TestTwoDescriptorsOfOneFunctionAreAFault(t *testing.T) {
	one := forVault("f(uint256 n)", `"fields": []`)
	_, err := read(map[string]string{"a.json": one, "b/b.json": strings.Replace(one, "uint256 n", "uint256 m", 1)})
	if err == nil || !strings.Contains(err.Error(), "b/b.json: a.json describes f(uint256) of "+vault.Hex()+" on chain 1 as well") {
		t.Errorf("got %v", err)
	}
}

func TestFilesThatBeginWithADotAreLeftOut(t *testing.T) {
	one := forVault("f(uint256 n)", `"fields": []`)
	if _, err := read(map[string]string{"a.json": one, "..2026_01/a.json": one, ".b.json": "", "README.md": "x"}); err != nil {
		t.Error(err)
	}
}

// TestAMountedFolderIsRead: Kubernetes mounts each file as a link into a folder of the version, whose name begins with dots.
func TestAMountedFolderIsRead(t *testing.T) {
	folder := t.TempDir()
	if err := os.Mkdir(folder+"/..2026_01", 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(folder+"/..2026_01/vault.json", []byte(forVault("f()", `"fields": []`)), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, to := range map[string]string{"..data": "..2026_01", "vault.json": "..data/vault.json"} {
		if err := os.Symlink(to, folder+"/"+name); err != nil {
			t.Fatal(err)
		}
	}
	d, err := Load(folder)
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := d.Call(callOf(t, "f()"), nothing); !ok {
		t.Error("the call is not described")
	}
	if err := os.Symlink("/etc/hostname", folder+"/outside.json"); err != nil {
		t.Fatal(err)
	}
	if _, err := Load(folder); err == nil || !strings.Contains(err.Error(), "outside.json") {
		t.Errorf("a file outside of the folder: %v", err)
	}
}

// TestHostileDataTakesNoMemory: a list of offsets that point to one item is not copied once for each.
func TestHostileDataTakesNoMemory(t *testing.T) {
	const function = "f(bytes[][] d)"
	d := mustRead(t, map[string]string{"vault.json": forVault(function, `"fields": [{"path": "d.[].[0:1]"}]`)})
	words := make([]string, 0, 4096)
	word := func(n int) { words = append(words, fmt.Sprintf("%064x", n)) }
	word(32)
	word(2000)
	for range 2000 {
		word(0) // the list itself
	}
	c := callOf(t, function, []any{})
	c.Data = append(c.Data[:selectorSize], calldataOf(strings.Join(words, ""))...)
	if allocated := testing.AllocsPerRun(1, func() { d.Call(c, nothing) }); allocated > 2000 {
		t.Errorf("%f allocations", allocated)
	}
}

func calldataOf(hex string) []byte {
	raw := make([]byte, len(hex)/2)
	if _, err := fmt.Sscanf(hex, "%x", &raw); err != nil {
		panic(err)
	}
	return raw
}

func FuzzDescriptor(f *testing.F) {
	f.Add(forVault("f(address t,uint256[] n)", `"fields": [{"path": "n.[]", "format": "tokenAmount", "params": {"tokenPath": "t"}}]`), []byte{1})
	f.Add(forVault("f((bytes p,uint256 n) s)", `"interpolatedIntent": "Pay {s.n}", "fields": [{"path": "s.n"}, {"path": "s.p.[-20:]", "format": "addressName"}]`), make([]byte, 200))
	f.Add(forMail(mailKey, `"domain": {"chainId": 1, "verifyingContract": "`+vault.Hex()+`"}`), []byte{})
	f.Fuzz(func(t *testing.T, descriptor string, raw []byte) {
		d := empty()
		if d.load(fstest.MapFS{"vault.json": &fstest.MapFile{Data: []byte(descriptor)}}) != nil {
			return
		}
		for at, functions := range d.calls {
			for function := range functions {
				d.Call(Call{Chain: mainnet, Account: account, To: at.contract, Value: mainnet, Data: append(function[:], raw...)}, nothing)
			}
		}
		d.Message(typedData(t, "Post", vault, mailTypes, mailValues), nothing)
	})
}

func FuzzCalldata(f *testing.F) {
	const function = "f((bytes p,(address t,int256 n)[] l)[2] s,bytes[] d,string x)"
	d := mustRead(f, map[string]string{"vault.json": forVault(function, `"fields": [{"path": "s.[].p", "label": "P"}, {"path": "s.[1].l.[].t", "label": "T"}, {"path": "s.[0].l.[-1].n", "label": "N"},
		{"path": "d.[]", "label": "D", "format": "calldata", "params": {"calleePath": "@.to"}}, {"path": "x"}]`)})
	parsed, err := parseFunction(function)
	if err != nil {
		f.Fatal(err)
	}
	selector := parsed.selector()
	f.Add(make([]byte, 640))
	f.Fuzz(func(_ *testing.T, raw []byte) {
		d.Call(Call{Chain: mainnet, Account: account, To: vault, Value: mainnet, Data: append(selector[:], raw...)}, only(ERC20))
	})
}
