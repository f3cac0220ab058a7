package preview

import (
	"strings"
	"testing"

	previewv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/preview/v1"
	"github.com/hawser-dev/hawser/services/preview/warning"
)

func TestEveryPhraseOfTheAPIHasASentence(t *testing.T) {
	for number, name := range previewv1.Phrase_name {
		if number == int32(previewv1.Phrase_PHRASE_UNSPECIFIED) {
			continue
		}
		text := warning.Warning{Phrase: warning.Phrase(number), Value: "0xab"}.Text()
		if !strings.HasSuffix(text, ".") || strings.Contains(text, "%") {
			t.Errorf("%s says %q", name, text)
		}
	}
}

func TestASentenceNamesItsValue(t *testing.T) {
	for _, c := range []struct {
		phrase      warning.Phrase
		value, want string
	}{
		{warning.TakesAll, "0xab", "0xab could take all that you have of this token, at any time."},
		{warning.NearlyAll, "", "Nearly all that you have of this would go to an account that is not known, for nothing."},
		{warning.UnsaidTraded, "0xab", "What you send goes to 0xab. Compare it with what you receive."},
		{warning.WouldFail, "", "This would fail, and cost its fee."},
	} {
		if text := (warning.Warning{Phrase: c.phrase, Value: c.value}).Text(); text != c.want {
			t.Errorf("got %q, want %q", text, c.want)
		}
	}
}
