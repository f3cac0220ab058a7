package clock

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestTheClockOfABinaryForTestsIsOffByWhatItsFileSays(t *testing.T) {
	hasOffset = "yes"
	defer func() { hasOffset = "" }()
	file := filepath.Join(t.TempDir(), "clock")
	t.Setenv(OffsetFile, file)
	for _, by := range []time.Duration{0, time.Hour, -90 * time.Second, 0} {
		if by == 0 {
			_ = os.Remove(file)
		} else if err := os.WriteFile(file, []byte(by.String()), 0o600); err != nil {
			t.Fatal(err)
		}
		offset.read = time.Time{}
		if off := time.Until((System{}).Now()) - by; off.Abs() > time.Second {
			t.Errorf("an offset of %s gives a time that is %s from it", by, off)
		}
	}
}

func TestTheClockOfOtherBinariesIsRight(t *testing.T) {
	file := filepath.Join(t.TempDir(), "clock")
	t.Setenv(OffsetFile, file)
	if err := os.WriteFile(file, []byte("1h"), 0o600); err != nil {
		t.Fatal(err)
	}
	if off := time.Until((System{}).Now()); off.Abs() > time.Second {
		t.Errorf("it is off by %s", off)
	}
}
