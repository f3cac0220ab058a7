package observe

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"time"
)

const (
	// repeatInterval is the period in which similar lines are counted together, and repeatLines how many of them are
	// written in it.
	repeatInterval = 10 * time.Second
	repeatLines    = 20
	// kindsOfLines bounds how many kinds are counted at once; further lines count as one kind.
	kindsOfLines = 1_000
)

// repeats limits repeated log lines, so that a caller cannot flood the log: after a number of similar lines it counts
// them, and logs the count. Debug lines are not limited.
type repeats struct {
	slog.Handler
	kinds *lineKinds
}

// lineKinds counts the kinds of lines that were written recently.
type lineKinds struct {
	mu    sync.Mutex
	known map[lineKind]*lineCount
}

// lineKind identifies similar lines. A caller cannot choose any part of it.
type lineKind struct {
	level           slog.Level
	message, method string
}

type lineCount struct{ written, kept int }

func newRepeats(h slog.Handler) repeats {
	return repeats{h, &lineKinds{known: map[lineKind]*lineCount{}}}
}

// Handle writes the record, or counts it.
func (h repeats) Handle(ctx context.Context, r slog.Record) error {
	if r.Level < slog.LevelInfo || h.kinds.admit(h.Handler, kindOf(r)) {
		return h.Handler.Handle(ctx, r)
	}
	return nil
}

// WithAttrs returns a handler that shares the counts with h.
func (h repeats) WithAttrs(attrs []slog.Attr) slog.Handler {
	return repeats{h.Handler.WithAttrs(attrs), h.kinds}
}

// WithGroup returns a handler that shares the counts with h.
func (h repeats) WithGroup(name string) slog.Handler {
	return repeats{h.Handler.WithGroup(name), h.kinds}
}

func kindOf(r slog.Record) lineKind {
	k := lineKind{level: r.Level, message: r.Message}
	r.Attrs(func(a slog.Attr) bool {
		if a.Key == attrMethod {
			k.method = a.Value.String()
		}
		return k.method == ""
	})
	return k
}

// admit reports whether to write a line. It counts the lines that are not written, and logs the count when the interval
// is over.
func (k *lineKinds) admit(summary slog.Handler, kind lineKind) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	count := k.known[kind]
	if count == nil && len(k.known) >= kindsOfLines {
		kind = lineKind{level: slog.LevelWarn, message: "more kinds of lines than are distinguished"}
		count = k.known[kind]
	}
	if count == nil {
		count = &lineCount{}
		k.known[kind] = count
		time.AfterFunc(repeatInterval, func() { k.summarize(summary, kind) })
	}
	if count.written < repeatLines {
		count.written++
		return true
	}
	count.kept++
	return false
}

// summarize logs how many lines of a kind were dropped, and resets the count.
func (k *lineKinds) summarize(h slog.Handler, kind lineKind) {
	k.mu.Lock()
	count := k.known[kind]
	delete(k.known, kind)
	k.mu.Unlock()
	if count.kept == 0 {
		return
	}
	r := slog.NewRecord(time.Now(), kind.level, kind.message, 0)
	r.AddAttrs(slog.String("repeated", fmt.Sprintf("%d more times in %s", count.kept, repeatInterval)))
	if kind.method != "" {
		r.AddAttrs(slog.String(attrMethod, kind.method))
	}
	_ = h.Handle(context.Background(), r)
}
