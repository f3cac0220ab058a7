package sns

import "testing"

// The addresses are those of the main network.
func TestAccountsHaveTheirKnownAddresses(t *testing.T) {
	bonfida, parent := Name{Label: "bonfida", Suffix: SNS}.account()
	sub, subParent := Name{Sub: "dex", Label: "bonfida", Suffix: SNS}.account()
	for what, pair := range map[string][2]string{
		"a name":                {bonfida.String(), "Crf8hzfthWGbGbLTVCiqRqV5MVnbpHB1L9KQMd6gsinb"},
		"the parent of a name":  {parent.String(), root.String()},
		"a sub-domain":          {sub.String(), "HoFfFXqFHAC8RP3duuQNzag1ieUwJRBv1HtRNiWFq4Qu"},
		"the parent of another": {subParent.String(), bonfida.String()},
		"the class of .sol":     {solClass.String(), "Dqc9TrYg1AZLEa6UkZUqCDrr9zsHQveo1szGTE1BTW5"},
	} {
		if pair[0] != pair[1] {
			t.Errorf("%s: got %s, want %s", what, pair[0], pair[1])
		}
	}
}
