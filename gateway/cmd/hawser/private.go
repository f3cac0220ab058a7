package main

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/hawser-dev/hawser/services/platform/files"
)

// protect restricts the data folder, which holds keys and events, to the user of this process.
func (c Config) protect() error {
	files.Umask(c.DataDirGroup)
	if c.Bus.Credentials != "" {
		files.WarnOfReaders(c.Bus.Credentials)
	}
	if err := files.ProtectFolder(c.DataDir, c.DataDirGroup); err != nil {
		return fmt.Errorf("data_dir: %w", err)
	}
	kept := map[string]string{filepath.Join(c.DataDir, "convert"): "data_dir"}
	if c.Bus.URL == "" {
		kept[c.events().Dir] = "bus.dir"
	}
	if dsn := c.dsn(); !strings.Contains(dsn, "://") {
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
