package index

import "testing"

func TestACursorIsParsedAsItWasWritten(t *testing.T) {
	for _, p := range []Place{{}, {Time: 1_700_000_000, ChainID: "eip155:31337", Block: 1<<64 - 1, Index: 7}, {Time: -1, ChainID: "eip155:1"}} {
		if got, err := ParseCursor(p.Cursor()); err != nil || got != p {
			t.Errorf("%+v became %+v, %v", p, got, err)
		}
	}
}

func FuzzParseCursor(f *testing.F) {
	f.Add("")
	f.Add(Place{Time: 5, ChainID: "eip155:1", Block: 6, Index: 7}.Cursor())
	f.Fuzz(func(t *testing.T, text string) {
		if p, err := ParseCursor(text); err == nil && p.Cursor() != text {
			t.Errorf("%q is parsed as %+v, which is written as %q", text, p, p.Cursor())
		}
	})
}
