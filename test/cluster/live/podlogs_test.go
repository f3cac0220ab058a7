//go:build cluster

package live

import (
	"bufio"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// podLogs are the logs of the pods of a namespace, including pods that end meanwhile.
type podLogs struct {
	pattern string
	// files stay open, because the log of a pod is removed with the pod. begun is the offset at which each was found.
	files map[string]*os.File
	begun map[string]int64
	stop  chan struct{}
	over  chan struct{}
}

// followLogs looks for new pods until end is called.
func (c *cluster) followLogs(namespace string) *podLogs {
	l := &podLogs{
		pattern: filepath.Join(c.state, "podlogs", namespace+"_*", "*", "*.log"),
		files:   map[string]*os.File{}, begun: map[string]int64{}, stop: make(chan struct{}), over: make(chan struct{}),
	}
	l.find(true)
	go func() {
		defer close(l.over)
		for {
			select {
			case <-l.stop:
				return
			case <-time.After(500 * time.Millisecond):
				l.find(false)
			}
		}
	}()
	return l
}

func (l *podLogs) find(isFirst bool) {
	paths, _ := filepath.Glob(l.pattern)
	for _, path := range paths {
		if l.files[path] != nil {
			continue
		}
		file, err := os.Open(path)
		if err != nil {
			continue
		}
		l.files[path] = file
		if info, err := file.Stat(); err == nil && isFirst {
			l.begun[path] = info.Size()
		}
	}
}

// end logs what the pods said about calls that failed, if there is anything to tell.
func (l *podLogs) end(t *testing.T, isTold bool) {
	t.Helper()
	close(l.stop)
	<-l.over
	for path, file := range l.files {
		_, err := file.Seek(l.begun[path], 0)
		lines := bufio.NewScanner(file)
		for isTold && err == nil && lines.Scan() {
			if line := lines.Text(); strings.Contains(line, "call failed") && !strings.Contains(line, "CHAIN_UNAVAILABLE") {
				t.Logf("%s: %s", filepath.Base(filepath.Dir(filepath.Dir(path))), line)
			}
		}
		_ = file.Close()
	}
}
