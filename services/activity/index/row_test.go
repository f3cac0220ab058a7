package index

import "testing"

func TestACursorIsParsedAsItWasWritten(t *testing.T) {
	for _, p := range []Place{{Time: 1_700_000_000, ChainID: "eip155:31337", Block: 1<<63 - 1, Index: 7}, {Time: -1, ChainID: "eip155:1"}} {
		if got, err := ParseCursor(p.Cursor()); err != nil || got != p {
			t.Errorf("%+v became %+v, %v", p, got, err)
		}
	}
}

func TestACursorThatNoDatabaseAcceptsIsInvalid(t *testing.T) {
	for _, p := range []Place{{}, {ChainID: "eip155:\x00"}, {ChainID: "eip155:\xff"}, {ChainID: "eip155:1", Block: 1 << 63}, {ChainID: "eip155:1", Index: 1 << 63}} {
		if got, err := ParseCursor(p.Cursor()); err == nil {
			t.Errorf("%+v is parsed as %+v", p, got)
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
