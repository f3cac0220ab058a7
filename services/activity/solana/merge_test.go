package solana

import (
	"slices"
	"testing"

	"github.com/hawser-dev/hawser/services/onchain/svm"
)

// entriesOf returns one entry per text, written as a letter and the digit of the slot.
func entriesOf(texts ...string) (list []entry) {
	for _, text := range texts {
		list = append(list, entry{signature: svm.Signature{text[0]}, slot: uint64(text[1] - '0')})
	}
	return list
}

func texts(list []entry) (out []string) {
	for _, e := range list {
		out = append(out, string([]byte{e.signature[0], byte(e.slot) + '0'}))
	}
	return out
}

func TestListsAreMergedInTheOrderOfTheChain(t *testing.T) {
	got := texts(merge([][]entry{
		entriesOf("h9", "d5", "b5", "a1"),
		entriesOf("g8", "e5", "d5", "c5", "b5"),
		nil,
		entriesOf("e5", "c5"),
	}))
	if want := []string{"h9", "g8", "e5", "d5", "c5", "b5", "a1"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestListsThatContradictEachOtherAreMergedWithoutRepetitions(t *testing.T) {
	got := texts(merge([][]entry{entriesOf("a5", "b5"), entriesOf("b5", "a5")}))
	if len(got) != 2 || got[0] == got[1] {
		t.Errorf("got %v", got)
	}
}

func TestAPageEndsWithItsSlot(t *testing.T) {
	list := make([]entry, pageSize+10)
	for i := range list {
		list[i] = entry{signature: svm.Signature{byte(i)}, slot: uint64(1000 - i)}
	}
	for i := pageSize - 2; i < pageSize+3; i++ {
		list[i].slot = 500
	}
	if page, more := cutPage(list); len(page) != pageSize+3 || !more {
		t.Errorf("got %d entries, more %v", len(page), more)
	}
	for i := range list {
		list[i].slot = 7
	}
	if page, more := cutPage(list); len(page) != len(list) || more {
		t.Errorf("of one slot: got %d entries, more %v", len(page), more)
	}
}

func TestAListThatIsCutHidesNothingOfAnother(t *testing.T) {
	if slot, cut := horizon([][]entry{entriesOf("a9", "b8"), entriesOf("c7")}, 2); slot != 8 || !cut {
		t.Errorf("got %d %v", slot, cut)
	}
	if _, cut := horizon([][]entry{entriesOf("a9"), nil}, 2); cut {
		t.Error("whole lists count as cut")
	}
}

func TestACursorOfAnotherFormIsRefused(t *testing.T) {
	p := Place{ChainID: "solana:HawserDevnet11111111111111111111", Slot: 300_000_000, Signature: svm.Signature{1, 2, 3}}
	if got, err := ParseCursor(p.Cursor()); err != nil || got != p || len(p.Cursor()) > 256 {
		t.Errorf("got %+v %v", got, err)
	}
	for _, text := range []string{"", "abc", "AQAB", p.Cursor()[1:], p.Cursor() + "A"} {
		if got, err := ParseCursor(text); err == nil {
			t.Errorf("%q: got %+v", text, got)
		}
	}
}
