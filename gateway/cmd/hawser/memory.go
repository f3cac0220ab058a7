package main

import (
	"context"
	"os"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// tuneGC lets the heap grow to five times the live data, which is a few MiB: with Go's default a busy process this small would spend a fifth
// of its time in the garbage collector. GOGC in the environment wins.
func tuneGC() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
	}
}

const (
	// trimInterval is how often memory is returned to the system at most.
	trimInterval = 15 * time.Second
	// trimAbove is how much must be unused, in bytes.
	trimAbove = 32 << 20
)

// trimMemory returns memory that is not in use to the system until ctx ends. Many clients that connect at once leave garbage that a process with
// idle connections would keep for minutes.
func trimMemory(ctx context.Context) error {
	tick := time.NewTicker(trimInterval)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
			if live, held := memory(); held > live+live/4+trimAbove {
				debug.FreeOSMemory()
			}
		}
	}
}

// memory returns how many bytes the heap and the stacks had in use after the last collection, and how many they hold.
func memory() (live, held uint64) {
	samples := []metrics.Sample{
		{Name: "/gc/heap/live:bytes"}, {Name: "/memory/classes/heap/stacks:bytes"},
		{Name: "/memory/classes/heap/objects:bytes"}, {Name: "/memory/classes/heap/unused:bytes"}, {Name: "/memory/classes/heap/free:bytes"},
	}
	metrics.Read(samples)
	value := func(i int) uint64 { return samples[i].Value.Uint64() }
	return value(0) + value(1), value(1) + value(2) + value(3) + value(4)
}
