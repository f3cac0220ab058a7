package files_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/hawser-dev/hawser/services/platform/files"
)

func make0(t *testing.T) (dir string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "data")
	for _, err := range []error{
		os.MkdirAll(filepath.Join(dir, "nats"), 0o755),
		os.WriteFile(filepath.Join(dir, "hawser.db"), nil, 0o644),
		os.WriteFile(filepath.Join(dir, "nats", "1.blk"), nil, 0o664),
		os.Chmod(dir, 0o755), os.Chmod(filepath.Join(dir, "nats"), 0o775|fs.ModeSetgid), os.Chmod(filepath.Join(dir, "nats", "1.blk"), 0o664),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func wantMode(t *testing.T, path string, want fs.FileMode) {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if got := info.Mode() & (fs.ModePerm | fs.ModeSetgid); got != want {
		t.Errorf("%s has mode %v, want %v", path, got, want)
	}
}

func TestProtectTakesTheAccessOfOthersAway(t *testing.T) {
	dir := make0(t)
	if err := files.Protect(dir, false); err != nil {
		t.Fatal(err)
	}
	wantMode(t, dir, 0o700)
	wantMode(t, filepath.Join(dir, "hawser.db"), 0o600)
	wantMode(t, filepath.Join(dir, "nats"), 0o700|fs.ModeSetgid)
	wantMode(t, filepath.Join(dir, "nats", "1.blk"), 0o600)
}

func TestProtectLeavesTheGroupWhatItHasWhereItMay(t *testing.T) {
	dir := make0(t)
	if err := files.Protect(dir, true); err != nil {
		t.Fatal(err)
	}
	wantMode(t, dir, 0o750)
	wantMode(t, filepath.Join(dir, "hawser.db"), 0o640)
	wantMode(t, filepath.Join(dir, "nats"), 0o770|fs.ModeSetgid)
	wantMode(t, filepath.Join(dir, "nats", "1.blk"), 0o660)
}

func TestProtectFolderLeavesWhatIsInIt(t *testing.T) {
	dir := make0(t)
	if err := files.ProtectFolder(dir, false); err != nil {
		t.Fatal(err)
	}
	wantMode(t, dir, 0o700)
	wantMode(t, filepath.Join(dir, "hawser.db"), 0o644)
}

func TestWhatIsAbsentNeedsNoProtection(t *testing.T) {
	if err := files.Protect(filepath.Join(t.TempDir(), "absent"), false); err != nil {
		t.Error(err)
	}
}
