//go:build linux

package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/hawser-dev/hawser/services/platform/store/storetest"
)

func TestOtherUsersCannotReadTheFilesOfASuite(t *testing.T) {
	before := syscall.Umask(0o022)
	t.Cleanup(func() { syscall.Umask(before) })
	dir := filepath.Join(t.TempDir(), "data")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	dsn := filepath.Join(dir, "hawser.db")
	t.Setenv("HAWSER_STORE_DSN", dsn)
	// As earlier versions left them.
	if err := storetest.Open(t, dsn).Ping(t.Context()); err != nil {
		t.Fatal(err)
	}
	s := startSuite(t, dir)
	seen := 0
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err == nil && info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s has mode %v", strings.TrimPrefix(path, dir), info.Mode())
		}
		seen++
		return err
	})
	if err != nil || seen < 5 {
		t.Errorf("%d files, %v", seen, err)
	}
	s.stop(t)
}

func TestAFolderOfSomebodyElseThatEveryoneReachesIsRefused(t *testing.T) {
	if os.Getuid() == 0 {
		// Root may change everything: check as another user.
		asUser(t, 65534)
	}
	c := defaultConfig()
	c.DataDir = "/" // of root, mode 0755
	err := c.protect()
	if err == nil || !strings.Contains(err.Error(), "data_dir: / has mode") || strings.Contains(err.Error(), "\n") {
		t.Errorf("err = %v", err)
	}
}

// asUser makes this test's thread another user to the file system, until the test ends.
func asUser(t *testing.T, uid int) {
	t.Helper()
	runtime.LockOSThread()
	if err := syscall.Setfsuid(uid); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := syscall.Setfsuid(0); err != nil {
			t.Fatal(err)
		}
		runtime.UnlockOSThread()
	})
}
