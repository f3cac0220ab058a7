package account_test

import (
	"crypto/rand"
	"fmt"
	"strings"
	"testing"

	"github.com/hawser-dev/hawser/services/onchain/evm/account"
)

func TestInvalidKeysAreRefusedWithoutRepeatingThem(t *testing.T) {
	order := "fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141"
	for _, text := range []string{"", "0x", "12", strings.Repeat("0", 64), strings.Repeat("z", 64), order, strings.Repeat("1", 66)} {
		_, err := account.ParseKey(text)
		if err == nil {
			t.Errorf("%q is accepted as a key", text)
			continue
		}
		if text != "" && len(text) > 2 && strings.Contains(err.Error(), text) {
			t.Errorf("the error contains the key: %v", err)
		}
	}
}

func TestAKeyIsNeverPrinted(t *testing.T) {
	const digits = "ebf54752139227e6e0e4a3190464482530680d0f6fd0fa35b4ea80234cb28ddc"
	key, err := account.ParseKey("0x" + digits)
	if err != nil {
		t.Fatal(err)
	}
	for _, verb := range []string{"%v", "%+v", "%#v", "%s"} {
		if printed := fmt.Sprintf(verb, key); strings.Contains(printed, digits) {
			t.Errorf("%s prints the key", verb)
		}
	}
}

func TestAGeneratedKeyIsParsedAgain(t *testing.T) {
	generated, err := account.NewKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	if parsed, err := account.ParseKey(generated.Hex()); err != nil || parsed.Address() != generated.Address() {
		t.Errorf("%v, want %v: %v", parsed, generated, err)
	}
}
