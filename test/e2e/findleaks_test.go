package e2e

import (
	"encoding/base64"
	"encoding/hex"
	"strings"
	"testing"
)

func TestASecretIsFoundInADumpInEveryForm(t *testing.T) {
	key := "5de4111afa1a4b94908f83103eb1f1706367c2e68ca870fc3fb9a804cdab365a"
	raw, err := hex.DecodeString(key)
	if err != nil {
		t.Fatal(err)
	}
	const token = "qL8fZ3vYx0mT-session-token"
	for name, test := range map[string]struct {
		private string
		planted []byte
	}{
		"a key as it is":                     {"0x" + key, []byte("0x" + key)},
		"a key without its prefix":           {"0x" + key, []byte(key)},
		"a key in upper case":                {"0x" + key, []byte(strings.ToUpper(key))},
		"a key in a number of a contract":    {"0x" + key, []byte("0x" + strings.Repeat("0", 64) + key)},
		"the bytes of a key, as in a trace":  {"0x" + key, raw},
		"the bytes of a key in base64":       {"0x" + key, []byte(base64.StdEncoding.EncodeToString(raw))},
		"the bytes of a key in base64url":    {"0x" + key, []byte(base64.RawURLEncoding.EncodeToString(raw))},
		"a token":                            {token, []byte("token=" + token + "&")},
		"a token in base64":                  {token, []byte(base64.StdEncoding.EncodeToString([]byte(token)))},
		"a secret that ends in zeros itself": {"0x" + key[:40] + strings.Repeat("0", 24), []byte(key[:40] + strings.Repeat("0", 24))},
	} {
		t.Run(name, func(t *testing.T) {
			if !isTelling(test.private) {
				t.Fatal("it is not looked for")
			}
			dump := []byte("time=1 msg=before " + string(test.planted) + " msg=after")
			if found := findLeaks(map[string]string{test.private: "secret"}, dump); len(found) == 0 {
				t.Error("it is not found")
			}
		})
	}
	if found := findLeaks(nil, []byte(`msg="to alice@shop.example"`)); len(found) != 1 {
		t.Errorf("of an email, %q was found", found)
	}
}

func TestNumbersAndTextsOfContractsAreNoSecrets(t *testing.T) {
	for _, text := range []string{
		strings.Repeat("0", 64),
		"0x" + strings.Repeat("0", 64),
		"0x" + strings.Repeat("0", 62) + "20",
		"0x" + strings.Repeat("0", 48) + "016345785d8a0000",
		"0x616c696365" + strings.Repeat("0", 54),
		"short",
	} {
		if isTelling(text) {
			t.Errorf("%s would be looked for", text)
		}
	}
	abi := "0x70a08231" + strings.Repeat("0", 24) + "f39fd6e51aad88f6f4ce6ab8827279cfffb92266" + strings.Repeat("0", 63) + "1" + strings.Repeat("\x00", 256)
	private := map[string]string{"0x5de4111afa1a4b94908f83103eb1f1706367c2e68ca870fc3fb9a804cdab365a": "key"}
	if found := findLeaks(private, []byte(abi)); len(found) > 0 {
		t.Errorf("found %q", found)
	}
}
