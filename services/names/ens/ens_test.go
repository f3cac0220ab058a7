package ens_test

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"math/big"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common/hexutil"

	"github.com/hawser-dev/hawser/services/names/ens"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/evm/account"
	"github.com/hawser-dev/hawser/services/onchain/evm/calldata"
)

var first = evm.MustAddress("0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266")

func unhex(text string) []byte {
	b, err := hex.DecodeString(strings.TrimPrefix(text, "0x"))
	if err != nil {
		panic(err)
	}
	return b
}

func TestQuestions(t *testing.T) {
	const alice = "alice.hawser.id"
	for call, want := range map[string]ens.Question{
		callAddr:    {Name: alice, Kind: ens.Address},
		callCoin:    {Name: alice, Kind: ens.CoinAddress, CoinType: big.NewInt(0x8000_7a69)},
		callText:    {Name: alice, Kind: ens.Text, Key: "com.github"},
		callContent: {Name: alice, Kind: ens.ContentHash},
		callName:    {Name: "f39fd6e51aad88f6f4ce6ab8827279cfffb92266.addr.reverse", Kind: ens.PrimaryName},
		callPubkey:  {Name: alice, Kind: ens.Other},
	} {
		got, err := ens.ReadCall(unhex(call))
		if err != nil || got.Name != want.Name || !reflect.DeepEqual(got.Questions, []ens.Question{want}) {
			t.Errorf("%+v, %v; want %+v", got, err, want)
		}
		if answer := got.Answer([]ens.Record{ens.StringRecord("yes")}); !bytes.Equal(answer, ens.StringRecord("yes")) {
			t.Errorf("%x", answer)
		}
	}
}

func TestSeveralLookupsInOneCall(t *testing.T) {
	const alice = "alice.hawser.id"
	want := []ens.Question{
		{Name: alice, Kind: ens.Address}, {Name: alice, Kind: ens.Text, Key: "com.github"}, {Name: alice, Kind: ens.Other},
	}
	got, err := ens.ReadCall(unhex(callSeveral))
	if err != nil || got.Name != alice || !reflect.DeepEqual(got.Questions, want) {
		t.Fatalf("%+v, %v", got, err)
	}
	records := []ens.Record{ens.AddressRecord(first), ens.StringRecord("octocat"), ens.None}
	all, ok := calldata.View(got.Answer(records)).BytesList(0)
	if !ok || len(all) != 3 {
		t.Fatalf("%x, %t", all, ok)
	}
	for i, record := range records {
		if !bytes.Equal(all[i], record) {
			t.Errorf("%d: %x, want %x", i, all[i], record)
		}
	}

	t.Run("are limited, also if one is repeated many times", func(t *testing.T) {
		var about [32]byte
		copy(about[:], unhex(callAddr)[4+5*32+4:])
		question := calldata.Parse("addr(bytes32)").Write(about)
		all := make([][]byte, 65)
		for i := range all {
			all[i] = question
		}
		for n, err := range map[int]error{64: nil, 65: ens.ErrMalformed} {
			call := calldata.Parse("resolve(bytes,bytes)").Write([]byte("\x05alice\x06hawser\x02id\x00"), calldata.Parse("multicall(bytes[])").Write(all[:n]))
			if _, got := ens.ReadCall(call); !errors.Is(got, err) || err == nil && got != nil {
				t.Errorf("%d: %v", n, got)
			}
		}
	})
}

func TestInvalidLookupsAreRefused(t *testing.T) {
	// The offsets of the length of the name, of its first label, and of the node in the inner call.
	const nameLength, label, node = 4 + 2*32 + 31, 4 + 3*32, 4 + 5*32 + 4
	changed := func(at int, to byte) []byte {
		call := unhex(callAddr)
		call[at] = to
		return call
	}
	for what, call := range map[string][]byte{
		"nothing":                                  nil,
		"a selector":                               unhex("0x9061b923"),
		"another function":                         changed(0, 0),
		"a wrong offset of the name":               changed(4, 1),
		"a name longer than the call":              changed(nameLength-1, 1),
		"a name without an end":                    changed(nameLength, 16),
		"a name with more after it":                changed(label, 0),
		"a label with a dot":                       changed(label+2, '.'),
		"a question about another name":            changed(node, 0xff),
		"a call that is cut short":                 unhex(callText)[:len(callText)/2-40],
		"a question with the node of another name": changed(label+1, 'b'),
		"one of several questions with the node of another name": bytes.Replace(unhex(callSeveral), []byte("alice"), []byte("blice"), 1),
		"several that cannot be read":                            unhex(callSeveral)[:len(unhex(callSeveral))/2],
		"data beside a name, but no data":                        unhex(callAddr)[:4+5*32],
		"an offset that reaches past int 64":                     append(unhex("0x9061b923"), bytes.Repeat([]byte{0xff}, 64)...),
	} {
		if q, err := ens.ReadCall(call); !errors.Is(err, ens.ErrMalformed) {
			t.Errorf("%s: %+v, %v", what, q, err)
		}
	}
}

func FuzzReadCall(f *testing.F) {
	for _, call := range []string{callAddr, callCoin, callText, callContent, callName, callPubkey, callSeveral} {
		f.Add(unhex(call))
	}
	f.Fuzz(func(t *testing.T, call []byte) {
		c, err := ens.ReadCall(call)
		if err != nil && !errors.Is(err, ens.ErrMalformed) {
			t.Error(err)
		}
		for _, q := range c.Questions {
			if (q.Kind == ens.CoinAddress) != (q.CoinType != nil) {
				t.Errorf("%+v", q)
			}
		}
		if err == nil {
			c.Answer(make([]ens.Record, len(c.Questions)))
		}
	})
}

func TestNamesOfAccounts(t *testing.T) {
	const digits = "f39fd6e51aad88f6f4ce6ab8827279cfffb92266"
	for name, want := range map[string]uint32{
		digits + ".addr.reverse":        60,
		digits + ".80007a69.reverse":    0x8000_7a69,
		digits + ".default.reverse":     0x8000_0000,
		digits + ".80000000.reverse":    0,
		digits + ".3c.reverse":          0,
		digits + ".080007a69.reverse":   0,
		digits + ".80007A69.reverse":    0,
		digits + ".1ffffffff.reverse":   0,
		digits[2:] + ".addr.reverse":    0,
		digits + ".addr.hawser.id":      0,
		digits + ".reverse":             0,
		"x." + digits + ".addr.reverse": 0,
	} {
		account, coin, ok := ens.Account(name)
		if ok != (want != 0) || ok && (coin != want || account != first) {
			t.Errorf("%s: %s, %d, %t", name, account, coin, ok)
		}
	}
}

func TestRecords(t *testing.T) {
	text := ens.StringRecord("Hello, this text is longer than one word of the ABI is")
	if got := hexutil.Encode(text); got != longText {
		t.Errorf("text: %s", got)
	}
	zero := strings.Repeat("00", 32)
	for kind, want := range map[ens.Kind]string{
		ens.Address: "0x" + zero,
		ens.Text:    "0x" + zero[:62] + "20" + zero,
		ens.Other:   "0x",
	} {
		if got := hexutil.Encode(ens.Empty(kind)); got != want {
			t.Errorf("%s: %s", kind, got)
		}
	}
}

func TestKeys(t *testing.T) {
	const secret = "ebf54752139227e6e0e4a3190464482530680d0f6fd0fa35b4ea80234cb28ddc"
	key, err := ens.ParseKey("0x" + secret)
	if err != nil {
		t.Fatal(err)
	}

	t.Run("sign as others do", func(t *testing.T) {
		resolver := evm.MustAddress("0x4FBcBAe4aDFdD91e32E86A269F73F0304503c503")
		got := key.Answer(resolver, unhex(callAddr), ens.AddressRecord(first), time.Unix(1_800_000_000, 999))
		if hexutil.Encode(got) != answerAddr {
			t.Errorf("%x", got)
		}
		if want := "0x8c408c9ce6718F4a3AFa7860f2E7B190B25fBDfA"; key.Address().String() != want {
			t.Errorf("by %s", key.Address())
		}
	})

	t.Run("are not printed", func(t *testing.T) {
		for _, format := range []string{"%v", "%+v", "%#v", "%s", "%x"} {
			if got := fmt.Sprintf(format, key); strings.Contains(got, secret) {
				t.Errorf("%s: %s", format, got)
			}
		}
	})

	t.Run("are 32 bytes, and a number of the curve", func(t *testing.T) {
		for _, text := range []string{"", "0x", secret[2:], secret + "00", strings.Repeat("zz", 32), strings.Repeat("00", 32), strings.Repeat("ff", 32)} {
			if _, err := ens.ParseKey(text); !errors.Is(err, account.ErrKey) || text != "" && strings.Contains(err.Error(), text) {
				t.Errorf("%q: %v", text, err)
			}
		}
	})
}
