package ramptest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/hawser-dev/hawser/services/onramp/ramp"
)

// calls returns the capabilities that call the provider's API.
func calls(w Setup) map[string]func(context.Context) error {
	all := map[string]func(context.Context) error{}
	if p, able := w.Provider.(ramp.Lister); able {
		all["options"] = func(ctx context.Context) error { _, err := p.Options(ctx, w.Region); return err }
	}
	if p, able := w.Provider.(ramp.Quoter); able {
		all["quotes"] = func(ctx context.Context) error { _, err := p.Quotes(ctx, w.Ask); return err }
	}
	if p, able := w.Provider.(ramp.Opener); able {
		all["widget"] = func(ctx context.Context) error { _, err := p.Open(ctx, w.Purchase); return err }
	}
	if _, able := w.Provider.(ramp.Poller); able {
		all["poll"] = func(ctx context.Context) error { _, err := poll(ctx, w); return err }
	}
	return all
}

func failures(t *testing.T, open func(t *testing.T) Setup) {
	answers := map[string]struct {
		answer http.HandlerFunc
		want   error
	}{
		"401": {respondWith(http.StatusUnauthorized), ramp.ErrCredentials},
		"403": {respondWith(http.StatusForbidden), ramp.ErrCredentials},
		"400": {respondWith(http.StatusBadRequest), ramp.ErrUnsupported},
		"429": {respondWith(http.StatusTooManyRequests), ramp.ErrUnavailable},
		"500": {respondWith(http.StatusInternalServerError), ramp.ErrUnavailable},
		"503": {respondWith(http.StatusServiceUnavailable), ramp.ErrUnavailable},
		"a redirect": {func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://127.0.0.1:1/", http.StatusFound)
		}, ramp.ErrUnavailable},
		"garbage":       {writing(`{"a`), ramp.ErrUnavailable},
		"a page":        {writing("<html>hello</html>"), ramp.ErrUnavailable},
		"nothing":       {writing(""), ramp.ErrUnavailable},
		"a number":      {writing("12"), ramp.ErrUnavailable},
		"too much":      {flooding, ramp.ErrUnavailable},
		"a broken line": {breaking, ramp.ErrUnavailable},
		"the request":   {echoing, ramp.ErrCredentials},
	}
	for name, test := range answers {
		t.Run(name, func(t *testing.T) {
			fails(t, open, test.answer, test.want)
		})
	}
	t.Run("no response", func(t *testing.T) { silence(t, open) })
	t.Run("a cancelled call", func(t *testing.T) { leaving(t, open) })
}

// fails checks that each call fails, with an empty and with a filled cache.
func fails(t *testing.T, open func(t *testing.T) Setup, answer http.HandlerFunc, want error) {
	for name := range calls(open(t)) {
		for _, warm := range []bool{false, true} {
			w := open(t)
			call := calls(w)[name]
			if warm && name == "options" {
				continue
			}
			if warm {
				if err := call(t.Context()); err != nil {
					t.Fatalf("%s: %v", name, err)
				}
			}
			w.Answer(answer)
			err := call(t.Context())
			if !errors.Is(err, want) {
				t.Errorf("%s, warm %t: %v, want %v", name, warm, err, want)
				continue
			}
			mute(t, w, err.Error())
		}
	}
}

func silence(t *testing.T, open func(t *testing.T) Setup) {
	for name := range calls(open(t)) {
		w := open(t)
		w.Answer(hanging(t))
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		err := within(t, func() error { return calls(w)[name](ctx) })
		cancel()
		if !errors.Is(err, ramp.ErrUnavailable) {
			t.Errorf("%s: %v", name, err)
			continue
		}
		mute(t, w, err.Error())
	}
}

func leaving(t *testing.T, open func(t *testing.T) Setup) {
	for name := range calls(open(t)) {
		w := open(t)
		ctx, leave := context.WithCancel(t.Context())
		hang := hanging(t)
		w.Answer(func(rw http.ResponseWriter, r *http.Request) {
			leave()
			hang(rw, r)
		})
		if err := within(t, func() error { return calls(w)[name](ctx) }); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", name, err)
		}
		leave()
	}
}

// within fails the test if do does not return in time.
func within(t *testing.T, do func() error) error {
	t.Helper()
	ended := make(chan error, 1)
	go func() { ended <- do() }()
	select {
	case err := <-ended:
		return err
	case <-time.After(soon):
		t.Fatal("it does not end")
		return nil
	}
}

// hanging returns a handler that does not respond until the test ends.
func hanging(t *testing.T) http.HandlerFunc {
	over := make(chan struct{})
	t.Cleanup(func() { close(over) })
	return func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		select {
		case <-over:
		case <-r.Context().Done():
		}
	}
}

func respondWith(status int) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		fmt.Fprintf(w, `{"code":%d,"message":"no"}`, status)
	}
}

func writing(body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, body) }
}

// flooding writes a larger response than a client accepts.
func flooding(w http.ResponseWriter, _ *http.Request) {
	chunk := bytes.Repeat([]byte(" "), 1<<16)
	for range 1 << 10 {
		if _, err := w.Write(chunk); err != nil {
			return
		}
	}
}

// breaking sends fewer bytes than its content length.
func breaking(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Length", "1000")
	_, _ = io.WriteString(w, "{")
}

// echoing refuses a request and repeats it in the response, including keys.
func echoing(w http.ResponseWriter, r *http.Request) {
	w.WriteHeader(http.StatusUnauthorized)
	_ = r.Header.Write(w)
	_, _ = io.Copy(w, r.Body)
}

// mute fails the test if a text contains a secret.
func mute(t *testing.T, w Setup, text string) {
	t.Helper()
	for _, secret := range w.Secrets {
		if secret != "" && strings.Contains(text, secret) {
			t.Errorf("a secret is in %q", text)
		}
	}
}
