package buy

import (
	"testing"

	"google.golang.org/protobuf/types/known/structpb"

	onrampv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/onramp/v1"
)

func TestMoneyIsDecimalAndPositive(t *testing.T) {
	for _, text := range []string{"100", "0.01", "7500.00", "000000000000001.000000000000000001", "999999999999999"} {
		if got, err := parseMoney("amount", text); err != nil || !got.IsPositive() {
			t.Errorf("%s: got %s, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "0", "0.00", "-1", "+1", "1e3", "NaN", "Infinity", "1,000", "1.", ".5", " 1", "0x10", "1000000000000000", "0.0000000000000000001", "１"} {
		if got, err := parseMoney("amount", text); err == nil {
			t.Errorf("%q: got %s", text, got)
		}
	}
}

func TestANumberKeepsItsShortestDecimalForm(t *testing.T) {
	for number, want := range map[float64]string{100: "100", 100.1: "100.1", 0.07: "0.07", 1234567.89: "1234567.89"} {
		if got := MoneyText(structpb.NewNumberValue(number)); got != want {
			t.Errorf("%v: got %s", number, got)
		}
	}
	if got := MoneyText(structpb.NewBoolValue(true)); got != "" {
		t.Errorf("true is %q", got)
	}
}

func TestAPresetAmountIsOptional(t *testing.T) {
	for _, v := range []*structpb.Value{nil, structpb.NewNullValue(), structpb.NewNumberValue(0), structpb.NewStringValue("0")} {
		if got, err := ParsePreset("presetFiatAmount", v); got != nil || err != nil {
			t.Errorf("%v: got %v, %v", v, got, err)
		}
	}
	if got, err := ParsePreset("presetFiatAmount", structpb.NewNumberValue(50.5)); err != nil || got.String() != "50.5" {
		t.Errorf("got %v, %v", got, err)
	}
	for _, v := range []*structpb.Value{structpb.NewStringValue(""), structpb.NewStringValue("x"), structpb.NewNumberValue(-1), structpb.NewBoolValue(true)} {
		if _, err := ParsePreset("presetFiatAmount", v); err == nil {
			t.Errorf("%v is taken", v)
		}
	}
}

func TestAWalletIsOfEitherNamespace(t *testing.T) {
	const sol = "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM"
	for text, want := range map[string][2]string{
		"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266": {"0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266", eip155},
		sol:                                {sol, solana},
		"11111111111111111111111111111111": {"11111111111111111111111111111111", solana},
	} {
		if got, namespace, err := ParseWallet("w", text); got != want[0] || namespace != want[1] || err != nil {
			t.Errorf("%s: got %s of %s, %v", text, got, namespace, err)
		}
	}
	for _, text := range []string{"", "0x", "alice.hawser.id", sol[1:] + "0", sol + "1111", "111111111111111111111111111111111", "../" + sol, "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb9226600"} {
		if got, _, err := ParseWallet("w", text); err == nil {
			t.Errorf("%q: got %s", text, got)
		}
	}
	if _, err := parseWalletOn("w", sol, "eip155:1"); err == nil {
		t.Error("a wallet of Solana takes tokens of Ethereum")
	}
}

func TestATokenMayBeAnObject(t *testing.T) {
	object := func(fields map[string]any) *structpb.Value {
		v, err := structpb.NewValue(fields)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	for _, tt := range []struct {
		value *structpb.Value
		want  string
	}{
		{structpb.NewStringValue("USDC"), "USDC"},
		{object(map[string]any{"id": "2b92", "symbol": "USDC"}), "USDC"},
		{object(map[string]any{"id": "USD", "payment_method_limits": []any{}}), "USD"},
		{object(map[string]any{"id": 7}), ""},
		{structpb.NewNullValue(), ""},
		{nil, ""},
	} {
		if got := SymbolOf(tt.value); got != tt.want {
			t.Errorf("%v: got %q", tt.value, got)
		}
	}
}

func TestDestinationsSkipUnknownTokensAndNetworks(t *testing.T) {
	wallets, namespace, err := ParseDestinations([]*onrampv1.DestinationWallet{{
		Address: "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266", Blockchains: []string{"ethereum", "base", "moon"}, SupportedNetworks: []string{"base"},
		Assets: []string{"usdc", "DOGE"},
	}}, offered)
	if err != nil || namespace != eip155 || len(wallets) != 1 {
		t.Fatalf("got %v of %s, %v", wallets, namespace, err)
	}
	if got := wallets[0]; len(got.ChainIDs) != 2 || got.ChainIDs[0] != "eip155:1" || got.ChainIDs[1] != "eip155:8453" || len(got.Symbols) != 1 || got.Symbols[0] != "USDC" {
		t.Errorf("got %+v", got)
	}
}

func FuzzMoney(f *testing.F) {
	for _, seed := range []string{"100.00", "0.000000000000000001", "1e9", "-1"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		amount, err := parseMoney("amount", text)
		if err != nil {
			return
		}
		again, err := parseMoney("amount", amount.String())
		if err != nil || !again.Equal(amount) || !amount.IsPositive() {
			t.Errorf("%q is %s, and that %s, %v", text, amount, again, err)
		}
	})
}

func FuzzWallet(f *testing.F) {
	f.Add("0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266")
	f.Add("9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM")
	f.Fuzz(func(t *testing.T, text string) {
		address, namespace, err := ParseWallet("w", text)
		if err != nil {
			return
		}
		if again, same, err := ParseWallet("w", address); again != address || same != namespace || err != nil {
			t.Errorf("%q is %s, and that %s, %v", text, address, again, err)
		}
	})
}
