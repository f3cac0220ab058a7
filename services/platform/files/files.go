// Package files protects the files that a process writes, and the secrets that it reads, from other users of the
// machine.
package files

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
)

// Permission bits of other users: those of everyone, and those of a file's group.
const (
	world fs.FileMode = 0o007
	group fs.FileMode = 0o070
)

// Protect removes the permissions of other users from path, and from everything in it if it is a folder: folders get at
// most 0700 and files 0600. If byGroup is true the group keeps its permissions. It fails for a file whose permissions
// this process may not change, with a text that says what to do. A path that does not exist is not an error; symbolic
// links are not changed.
func Protect(path string, byGroup bool) error {
	return filepath.WalkDir(path, func(path string, entry fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
		return protectOne(path, entry, byGroup)
	})
}

// ProtectFolder is [Protect] for a folder itself, without its contents.
func ProtectFolder(path string, byGroup bool) error {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return protectOne(path, fs.FileInfoToDirEntry(info), byGroup)
}

func protectOne(path string, entry fs.DirEntry, byGroup bool) error {
	info, err := entry.Info()
	if errors.Is(err, fs.ErrNotExist) || err == nil && info.Mode()&fs.ModeSymlink != 0 {
		return nil
	}
	if err != nil {
		return err
	}
	refused := world | group
	if byGroup {
		refused = world
	}
	if info.Mode().Perm()&refused == 0 {
		return nil
	}
	// The set-group-id bit stays: volumes of a cluster need it.
	err = os.Chmod(path, info.Mode()&^refused&(fs.ModePerm|fs.ModeSetgid|fs.ModeSetuid|fs.ModeSticky))
	if err == nil {
		return nil
	}
	if info.Mode().Perm()&world != 0 {
		return fmt.Errorf("%s has mode %04o: every user of this machine can reach what is kept there, and this process may not change it", path, info.Mode().Perm())
	}
	return fmt.Errorf("%s has mode %04o: its group can reach what is kept there, and this process may not change it; set data_dir_group where that is meant",
		path, info.Mode().Perm())
}

// ReadSecret returns the content of a file, and logs a warning if every user of this machine can read it too. It does
// not fail then, because the volumes on which an orchestrator mounts secrets are readable by all users within a
// container.
func ReadSecret(path string) ([]byte, error) {
	WarnOfReaders(path)
	return os.ReadFile(path)
}

// WarnOfReaders logs a warning when every user of this machine can read a file.
func WarnOfReaders(path string) {
	if info, err := os.Stat(path); err == nil && info.Mode().Perm()&world != 0 {
		slog.Warn("every user of this machine can read a file with a secret", "file", path, "mode", fmt.Sprintf("%04o", info.Mode().Perm()))
	}
}
