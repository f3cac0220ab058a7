package bustest

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

func TestSlowFlushDelaysFlushesOfEachThread(t *testing.T) {
	const delay, files = 50 * time.Millisecond, 4
	flushes := SlowFlush(t, delay)
	ended := make(chan error, files)
	dir, begun := t.TempDir(), time.Now()
	for i := range files {
		go func() { ended <- writeAndFlush(filepath.Join(dir, fmt.Sprint(i))) }()
	}
	for range files {
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}
	if took := time.Since(begun); took < 2*delay {
		t.Errorf("two flushes after each other took %s", took)
	}
	if n := flushes(); n != 2*files {
		t.Errorf("%d flushes were counted", n)
	}
}

// writeAndFlush writes a file, and flushes it in two ways.
func writeAndFlush(name string) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	_, err = f.WriteString("text")
	return errors.Join(err, f.Sync(), syscall.Fdatasync(int(f.Fd())), f.Close())
}
