package registry

import (
	"encoding/json"
	"errors"
	"maps"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/hawser-dev/hawser/services/onchain/evm"
)

// vector is a sentence and its text. The page's tests read the same vectors.
type vector struct {
	Behaviour string
	Sentence  struct {
		Installation, Action, Name, Account, Code string
		CoinType                                  CoinType
		Records                                   Attributes
		Target                                    *struct {
			Address  string
			CoinType CoinType
		}
		Issued, Expires int64
	}
	Text string
}

func vectors(tb testing.TB) (list []vector) {
	tb.Helper()
	raw, err := os.ReadFile("../testdata/sentences.json")
	if err == nil {
		err = json.Unmarshal(raw, &list)
	}
	if err != nil || len(list) == 0 {
		tb.Fatal(err)
	}
	return list
}

func (v vector) sentence() sentence {
	actions := map[string]Action{"register": Registered, "records": SetAttributes, "address": SetAddress, "transfer": Transferred, "release": Released}
	s := sentence{
		Installation: v.Sentence.Installation, Action: actions[v.Sentence.Action], Name: v.Sentence.Name,
		Account: target{evm.MustAddress(v.Sentence.Account), v.Sentence.CoinType}, Records: v.Sentence.Records,
		Issued: time.Unix(v.Sentence.Issued, 0).UTC(), Expires: time.Unix(v.Sentence.Expires, 0).UTC(), Code: v.Sentence.Code,
	}
	if t := v.Sentence.Target; t != nil {
		s.Target = &target{evm.MustAddress(t.Address), t.CoinType}
	}
	return s
}

func TestStatementHasOneEncoding(t *testing.T) {
	for _, v := range vectors(t) {
		want := v.sentence()
		if got := want.String(); got != v.Text {
			t.Errorf("%s is spelled\n%s\nwant\n%s", v.Behaviour, got, v.Text)
		}
		got, err := parseSentence(v.Text)
		if err != nil || got.Installation != want.Installation || got.Action != want.Action || got.Name != want.Name || got.Account != want.Account ||
			!maps.Equal(got.Records, want.Records) || !got.Issued.Equal(want.Issued) || !got.Expires.Equal(want.Expires) || got.Code != want.Code ||
			(got.Target == nil) != (want.Target == nil) || got.Target != nil && *got.Target != *want.Target {
			t.Errorf("%s is read as %+v, %v", v.Behaviour, got, err)
		}
	}
}

func TestMalformedStatementsAreRefused(t *testing.T) {
	text := vectors(t)[0].Text
	replaced := func(old, new string) string {
		if !strings.Contains(text, old) {
			t.Fatalf("no %q", old)
		}
		return strings.Replace(text, old, new, 1)
	}
	for behaviour, text := range map[string]string{
		"another action":          replaced("register", "sell"),
		"no name":                 replaced("register alice.hawser.id", "register "),
		"a word after the name":   replaced("alice.hawser.id", "alice.hawser.id now"),
		"an unknown line":         replaced("Issued", "Note: x\nIssued"),
		"a line twice":            replaced("Issued: 2026-01-02T03:04:05Z", "Issued: 2026-01-02T03:04:05Z\nIssued: 2026-01-02T03:04:05Z"),
		"lines in another order":  replaced("Expires: 2026-01-02T03:09:05Z\nCode: 8c2d6a1f0b9e4d7795d0d9a9f1c3b2e4", "Code: 8c2d6a1f0b9e4d7795d0d9a9f1c3b2e4\nExpires: 2026-01-02T03:09:05Z"),
		"a line at the end":       text + "\n",
		"space at the end":        text + " ",
		"windows' line ends":      strings.ReplaceAll(text, "\n", "\r\n"),
		"an address of any case":  replaced("0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266", "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"),
		"a chain with a zero":     replaced("eip155:1", "eip155:01"),
		"a chain without a coin":  replaced("eip155:1", "eip155:2147483648"),
		"another time zone":       replaced("03:04:05Z", "04:04:05+01:00"),
		"a fraction of a second":  replaced("03:04:05Z", "03:04:05.5Z"),
		"more than an hour":       replaced("2026-01-02T03:09:05Z", "2026-01-02T04:04:06Z"),
		"an end before its start": replaced("2026-01-02T03:09:05Z", "2026-01-02T03:04:04Z"),
		"no code":                 replaced("Code: 8c2d6a1f0b9e4d7795d0d9a9f1c3b2e4", "Code: "),
		"capital digits":          replaced("8c2d", "8C2D"),
		"a target of no action":   replaced("Issued", "Address: 0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266 on eip155:1\nIssued"),
		"no account":              replaced("Account: 0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266 on eip155:1\n", ""),
	} {
		s, err := parseSentence(text)
		if err == nil {
			err = (&registration{}).take(s)
		}
		if !errors.Is(err, ErrMessage) {
			t.Errorf("%s: %v", behaviour, err)
		}
	}
}

func TestStatementIsValidForOneActionOnly(t *testing.T) {
	forms := map[Action]func() signed{
		Registered: func() signed { return &registration{} }, SetAttributes: func() signed { return &attributesChange{} },
		SetAddress: func() signed { return &addressChange{} }, Transferred: func() signed { return &transfer{} }, Released: func() signed { return &release{} },
	}
	for _, v := range vectors(t) {
		s := v.sentence()
		for action, form := range forms {
			m := form()
			if err := m.take(s); (err == nil) != (action == s.Action) {
				t.Errorf("%s as %s: %v", v.Behaviour, action, err)
			} else if err == nil && (m.timestamp() != uint64(s.Issued.Unix()) || m.missing() != "") {
				t.Errorf("%s: %+v", v.Behaviour, m)
			}
		}
	}
}

// FuzzParseSentence checks that parsing any text terminates, and that formatting an accepted sentence returns the same
// text.
func FuzzParseSentence(f *testing.F) {
	for _, v := range vectors(f) {
		f.Add(v.Text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if s, err := parseSentence(text); err == nil && s.String() != text {
			t.Errorf("took %q, which is %q", text, s.String())
		}
	})
}
