package checkout

import (
	"testing"
	"time"
)

func TestBankDebitsAreChecked(t *testing.T) {
	good := map[string]string{FieldRouting: "110000000", FieldAccount: "000123456789", FieldName: "Ada Lovelace"}
	if plays, by, wrong := ReadAccount(good); len(wrong) > 0 || plays != Slow || by != "Account ending in 6789" {
		t.Errorf("%s by %s: %v", plays, by, wrong)
	}
	for _, test := range []struct{ field, value string }{
		{FieldRouting, ""}, {FieldRouting, "110000001"}, {FieldRouting, "11000000"}, {FieldRouting, "1100 00000"}, {FieldAccount, ""},
		{FieldAccount, "123"}, {FieldAccount, "abc"}, {FieldName, " "},
	} {
		fields := map[string]string{FieldRouting: good[FieldRouting], FieldAccount: good[FieldAccount], FieldName: good[FieldName]}
		fields[test.field] = test.value
		if _, _, wrong := ReadAccount(fields); wrong[test.field] == "" || len(wrong) != 1 {
			t.Errorf("%s %q: %v", test.field, test.value, wrong)
		}
	}
}

func TestACardIsValidUntilTheEndOfItsMonth(t *testing.T) {
	last := time.Date(2027, 2, 28, 23, 59, 59, 0, time.UTC)
	if text := expiryMistake("02/27", last); text != "" {
		t.Errorf("a second before the end: %s", text)
	}
	if text := expiryMistake("2 / 27", last.Add(time.Second)); text != "This card has expired." {
		t.Errorf("at the end: %q", text)
	}
}

func TestEveryTestCardPassesTheCheckOfCardNumbers(t *testing.T) {
	for _, n := range TestCards {
		if !isLuhn(n.Digits) {
			t.Errorf("%s does not", n.Spaced())
		}
	}
}
