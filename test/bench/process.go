package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// ticksPerSecond is the unit of /proc's CPU times on Linux, whatever the kernel's own tick.
const ticksPerSecond = 100

// cpu returns the user and system time that processes have used so far.
func cpu(pids []int) (time.Duration, error) {
	var sum time.Duration
	for _, pid := range pids {
		raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if err != nil {
			return 0, err
		}
		// The second field is the name in brackets, which may hold spaces; times are the 12th and 13th field after it.
		fields := strings.Fields(string(raw[bytes.LastIndexByte(raw, ')')+1:]))
		for _, f := range fields[11:13] {
			ticks, err := strconv.ParseInt(f, 10, 64)
			if err != nil {
				return 0, err
			}
			sum += time.Duration(ticks) * time.Second / ticksPerSecond
		}
	}
	return sum, nil
}

// residentMiB returns the anonymous resident memory of a process, without pages of files such as its binary, which the system can drop.
func residentMiB(pid int) (float64, error) {
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, err
	}
	for s := bufio.NewScanner(bytes.NewReader(raw)); s.Scan(); {
		if rest, ok := strings.CutPrefix(s.Text(), "RssAnon:"); ok {
			kib, err := strconv.ParseFloat(strings.Fields(rest)[0], 64)
			return kib / 1024, err
		}
	}
	return 0, errors.New("no RssAnon")
}

var goroutineLine = regexp.MustCompile(`(?m)^go_goroutines ([0-9.e+]+)`)

// goroutines returns how many a process runs, as its metrics say.
func goroutines(ctx context.Context, metrics string) (int, error) {
	body, err := fetch(ctx, metrics+"/metrics")
	if err != nil {
		return 0, err
	}
	m := goroutineLine.FindSubmatch(body)
	if m == nil {
		return 0, errors.New("the metrics hold no go_goroutines")
	}
	n, err := strconv.ParseFloat(string(m[1]), 64)
	return int(n), err
}

var liveLine = regexp.MustCompile(`(?m)^go_memstats_(?:heap_alloc|stack_inuse)_bytes ([0-9.e+]+)`)

// liveMiB returns what a process's heap and stacks hold once its garbage is collected; the second collection frees what sync.Pool keeps.
func liveMiB(ctx context.Context, metrics string) (float64, error) {
	for range 2 {
		if _, err := fetch(ctx, metrics+"/debug/pprof/heap?gc=1"); err != nil {
			return 0, err
		}
	}
	body, err := fetch(ctx, metrics+"/metrics")
	if err != nil {
		return 0, err
	}
	sum := 0.0
	for _, m := range liveLine.FindAllSubmatch(body, -1) {
		n, err := strconv.ParseFloat(string(m[1]), 64)
		if err != nil {
			return 0, err
		}
		sum += n
	}
	if sum == 0 {
		return 0, errors.New("the metrics hold no go_memstats")
	}
	return sum / (1 << 20), nil
}

// profile reads a profile of p in the background and writes it to the folder of profiles; it does nothing without one. The function that it
// returns waits for the profile.
func (w *world) profile(ctx context.Context, p *process, name, path string) (saved func() error) {
	if w.profiles == "" {
		return func() error { return nil }
	}
	done := make(chan error, 1)
	go func() {
		raw, err := fetch(ctx, p.metrics+"/debug/pprof/"+path)
		if err == nil {
			err = os.WriteFile(filepath.Join(w.profiles, name), raw, 0o600)
		}
		done <- err
	}()
	return func() error { return <-done }
}
