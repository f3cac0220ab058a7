package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"github.com/hawser-dev/hawser/services/platform/files"
	"github.com/hawser-dev/hawser/services/platform/store"
)

// protect restricts the data folder, which holds keys and events, to the user of this process.
func (c Config) protect() error {
	files.Umask(c.DataDirGroup)
	if c.Bus.Credentials != "" {
		files.WarnOfReaders(c.Bus.Credentials)
	}
	if err := files.ProtectFolder(c.DataDir, c.DataDirGroup); err != nil && !errors.Is(err, syscall.ENOTDIR) {
		return fmt.Errorf("data_dir: %w", err)
	}
	kept := map[string]string{filepath.Join(c.DataDir, "convert"): "data_dir"}
	if c.Bus.URL == "" {
		if err := requireWritable(cmp.Or(c.Bus.Dir, c.DataDir)); err != nil {
			return fmt.Errorf("%s: %w", settingOf(c.Bus.Dir, "bus.dir"), err)
		}
		kept[c.events().Dir] = "bus.dir"
	}
	if dsn := c.dsn(); !store.IsServer(dsn) {
		if err := requireWritable(filepath.Dir(dsn)); err != nil {
			return fmt.Errorf("%s: %w", settingOf(c.Store.DSN, "store.dsn"), err)
		}
		for _, suffix := range []string{"", "-wal", "-shm"} {
			kept[dsn+suffix] = "store.dsn"
		}
	}
	for path, setting := range kept {
		if err := files.Protect(path, c.DataDirGroup); err != nil {
			return fmt.Errorf("%s: %w", setting, err)
		}
	}
	return nil
}

// settingOf returns the setting that a place comes from: data_dir, unless key has a value of its own.
func settingOf(value, key string) string {
	if value == "" {
		return "data_dir"
	}
	return key
}

// requireWritable makes a folder unless there is one, and checks that this process can create files in it.
func requireWritable(folder string) error {
	err := os.MkdirAll(folder, 0o700)
	if err == nil {
		var probe *os.File
		if probe, err = os.CreateTemp(folder, ".write-*"); err == nil {
			return errors.Join(probe.Close(), os.Remove(probe.Name()))
		}
	}
	if broken, ok := errors.AsType[*fs.PathError](err); ok {
		err = broken.Err
	}
	return fmt.Errorf("%s cannot be written to: %w", folder, err)
}
