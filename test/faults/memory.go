package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// memoryRoots are where groups with a memory limit are made, by the version of cgroups.
const (
	memoryRoot1 = "/sys/fs/cgroup/memory"
	memoryRoot2 = "/sys/fs/cgroup"
)

// memoryGroup is a cgroup with a memory limit, as a pod has.
type memoryGroup struct {
	dir string
}

// newMemoryGroup makes a group with a limit in bytes. It returns nil where this program may not.
func newMemoryGroup(name string, limit int64) *memoryGroup {
	for root, file := range map[string]string{memoryRoot1: "memory.limit_in_bytes", memoryRoot2: "memory.max"} {
		if _, err := os.Stat(filepath.Join(root, "cgroup.procs")); err != nil {
			continue
		}
		dir := filepath.Join(root, fmt.Sprintf("hawser-%d-%s", os.Getpid(), name))
		if os.Mkdir(dir, 0o755) != nil { //nolint:gosec // a folder of the kernel
			continue
		}
		if os.WriteFile(filepath.Join(dir, file), []byte(strconv.FormatInt(limit, 10)), 0o600) == nil {
			return &memoryGroup{dir}
		}
		_ = os.Remove(dir)
	}
	return nil
}

// add moves a process into the group.
func (g *memoryGroup) add(pid int) {
	if g != nil {
		_ = os.WriteFile(filepath.Join(g.dir, "cgroup.procs"), []byte(strconv.Itoa(pid)), 0o600)
	}
}

// remove removes the group once its processes have ended.
func (g *memoryGroup) remove() {
	for range 50 {
		if g == nil || os.Remove(g.dir) == nil {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// resetPeak forgets how much memory the process has used.
func (p *part) resetPeak() {
	if pid := p.pid(); pid != 0 {
		_ = os.WriteFile(fmt.Sprintf("/proc/%d/clear_refs", pid), []byte("5"), 0o600)
	}
}

// peak returns the most memory that the process had resident since resetPeak, in bytes; 0 if it is not running.
func (p *part) peak() int64 {
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.pid()))
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(raw)) {
		if rest, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			kib, _ := strconv.ParseInt(strings.Fields(rest)[0], 10, 64)
			return kib << 10
		}
	}
	return 0
}

// pid returns the process; 0 if it is not running.
func (p *part) pid() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.process == nil {
		return 0
	}
	return p.process.Pid
}
