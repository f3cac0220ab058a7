package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

const (
	// requestTimeout bounds one request. A caller would not wait for longer.
	requestTimeout = 10 * time.Second
	// inFlightLimit bounds the requests under way; those beyond it are counted as refused.
	inFlightLimit = 2000
)

// verdict is the result of the checks of an answer.
type verdict struct {
	// refused is why there was no answer to use, such as a status; empty for none.
	refused string
	// wrong is what is wrong with an answer; empty for a right one.
	wrong string
}

var right = verdict{}

func refused(format string, args ...any) verdict {
	return verdict{refused: fmt.Sprintf(format, args...)}
}
func wrong(format string, args ...any) verdict { return verdict{wrong: fmt.Sprintf(format, args...)} }

// call is one kind of request.
type call struct {
	name string
	// share is how many of all requests are of this kind, in relation to the other shares.
	share int
	do    func(ctx context.Context) verdict
}

// sample is one request.
type sample struct {
	call string
	// scheduled is when the request was due to begin, whether or not the generator was on time.
	scheduled time.Time
	took      time.Duration
	verdict
}

// recorder keeps what became of requests. It is safe for concurrent use.
type recorder struct {
	mu       sync.Mutex
	begun    time.Time
	took     map[string][]time.Duration // of right answers, by call
	refused  map[string]map[string]int  // by call and reason
	wrong    []string
	wrongs   map[string]int
	recent   []sample
	inFlight map[int64]time.Time
}

func newRecorder() *recorder {
	return &recorder{
		begun: time.Now(), took: map[string][]time.Duration{}, refused: map[string]map[string]int{}, wrongs: map[string]int{}, inFlight: map[int64]time.Time{},
	}
}

// begin notes that a request is under way.
func (r *recorder) begin(id int64, scheduled time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.inFlight[id] = scheduled
}

// end notes what became of a request.
func (r *recorder) end(id int64, s sample) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.inFlight, id)
	r.note(s)
}

// add notes what became of something that was no request of its own.
func (r *recorder) add(s sample) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.note(s)
}

func (r *recorder) note(s sample) {
	r.recent = append(r.recent, s)
	switch {
	case s.wrong != "":
		r.wrongs[s.call]++
		r.wrong = append(r.wrong, fmt.Sprintf("%s at %s: %s", s.call, s.scheduled.UTC().Format("15:04:05.000"), s.wrong))
	case s.refused != "":
		if r.refused[s.call] == nil {
			r.refused[s.call] = map[string]int{}
		}
		r.refused[s.call][s.refused]++
	default:
		r.took[s.call] = append(r.took[s.call], s.took)
	}
}

// mark forgets the recent requests, which settled looks at.
func (r *recorder) mark() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.recent = nil
}

const (
	// quiet is how long all must have gone well for the system to have recovered.
	quiet = 2 * time.Second
	// slow is how long a request may be under way while all goes well.
	slow = time.Second
)

// settled reports whether everything scheduled lately went well: every kind of request was answered after the last refusal, for a while. It
// returns how long after since the last kind of request was answered for the first time, and what was refused last.
func (r *recorder) settled(since time.Time, kinds []string) (recovery time.Duration, last string, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	now, bad := time.Now(), since
	for _, s := range r.recent {
		if (s.refused != "" || s.wrong != "") && s.scheduled.After(bad) {
			bad, last = s.scheduled, s.call+": "+s.refused+s.wrong
		}
	}
	answered := map[string]time.Duration{}
	for _, s := range r.recent {
		if s.verdict != right || !s.scheduled.After(bad) {
			continue
		}
		done := s.scheduled.Add(s.took).Sub(since)
		if first, there := answered[s.call]; !there || done < first {
			answered[s.call] = done
		}
	}
	ok = now.Sub(bad) >= quiet
	for _, scheduled := range r.inFlight {
		if now.Sub(scheduled) > slow {
			ok = false
		}
	}
	for _, kind := range kinds {
		first, there := answered[kind]
		if !there {
			ok = false
			if last == "" {
				last = kind + ": no answer"
			}
		}
		recovery = max(recovery, first)
	}
	return recovery, last, ok
}

// generator sends requests at a fixed rate, whatever becomes of them.
type generator struct {
	calls    []call
	rate     float64 // requests a second
	random   *rand.Rand
	recorder *recorder

	ids      atomic.Int64
	requests sync.WaitGroup
}

// run sends requests until ctx ends, and waits for those under way.
func (g *generator) run(ctx context.Context) {
	defer g.requests.Wait()
	begun := time.Now()
	for n := 0; ; n++ {
		scheduled := begun.Add(time.Duration(float64(n) / g.rate * float64(time.Second)))
		pause(ctx, time.Until(scheduled))
		if ctx.Err() != nil {
			return
		}
		g.send(ctx, g.pick(), scheduled)
	}
}

// send begins a request and does not wait for it.
func (g *generator) send(ctx context.Context, c call, scheduled time.Time) {
	id := g.ids.Add(1)
	g.recorder.mu.Lock()
	full := len(g.recorder.inFlight) >= inFlightLimit
	g.recorder.mu.Unlock()
	if full {
		g.recorder.add(sample{c.name, scheduled, 0, refused("too many requests are under way")})
		return
	}
	g.recorder.begin(id, scheduled)
	g.requests.Go(func() {
		// What is under way when the load ends is waited for: its outcome counts.
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), requestTimeout)
		defer cancel()
		v := c.do(ctx)
		g.recorder.end(id, sample{c.name, scheduled, time.Since(scheduled), v})
	})
}

// pick returns a kind of request at random, by its share.
func (g *generator) pick() call {
	sum := 0
	for _, c := range g.calls {
		sum += c.share
	}
	n := g.random.IntN(sum)
	for _, c := range g.calls {
		if n -= c.share; n < 0 {
			return c
		}
	}
	return g.calls[0]
}

// kinds are the names of what is recorded.
func kinds(calls []call) (names []string) {
	for _, c := range calls {
		names = append(names, c.name)
	}
	return append(names, delivery)
}

// quantile returns the time under which a share of sorted times is.
func quantile(sorted []time.Duration, share float64) time.Duration {
	if len(sorted) == 0 {
		return 0
	}
	return sorted[min(len(sorted)-1, int(share*float64(len(sorted))))]
}

// table prints how the requests of each kind went.
func (r *recorder) table() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	text := "| call | right | /s | refused | wrong | p50 ms | p99 ms | max ms |\n| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n"
	names := map[string]bool{}
	for _, kind := range []map[string]int{r.wrongs} {
		for name := range kind {
			names[name] = true
		}
	}
	for name := range r.took {
		names[name] = true
	}
	for name := range r.refused {
		names[name] = true
	}
	seconds := time.Since(r.begun).Seconds()
	ms := func(d time.Duration) string { return fmt.Sprintf("%.1f", float64(d)/float64(time.Millisecond)) }
	for _, name := range sortedKeys(names) {
		took, refusals := slices.Sorted(slices.Values(r.took[name])), 0
		for _, n := range r.refused[name] {
			refusals += n
		}
		text += fmt.Sprintf("| %s | %d | %.1f | %d | %d | %s | %s | %s |\n", name, len(took), float64(len(took))/seconds, refusals, r.wrongs[name],
			ms(quantile(took, 0.5)), ms(quantile(took, 0.99)), ms(quantile(took, 1)))
	}
	for _, name := range sortedKeys(names) {
		for _, reason := range sortedKeys(r.refused[name]) {
			text += fmt.Sprintf("refused: %s: %d x %s\n", name, r.refused[name][reason], reason)
		}
	}
	return text
}
