package fetch

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/netip"
	"testing"
)

func TestADocumentIsPosted(t *testing.T) {
	c, world := serve(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if r.Method != http.MethodPost || r.Header.Get("Content-Type") != "application/json" || string(body) != `{"ask":1}` {
			t.Errorf("%s %s %q", r.Method, r.Header.Get("Content-Type"), body)
		}
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, `{"answer":2}`)
	})
	answer, err := c.PostJSON(t.Context(), "http://nft.example/ask", []byte(`{"ask":1}`), anyJSON)
	if err != nil || string(answer) != `{"answer":2}` {
		t.Fatalf("got %q %v", answer, err)
	}
	if got := world.connections(); len(got) != 1 || got[0] != "93.184.216.34:80" {
		t.Errorf("dialled %v", got)
	}
}

func TestNothingIsPostedInwards(t *testing.T) {
	for name, redirect := range map[string]int{"": 0, "with its document": http.StatusTemporaryRedirect, "without it": http.StatusFound} {
		c, world := serve(t, func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://inside.example/", redirect)
		})
		world.names["inside.example"] = [][]netip.Addr{{netip.MustParseAddr("10.0.0.1")}}
		address, dialled := "http://nft.example/", 1
		if redirect == 0 {
			address, dialled = "http://inside.example/", 0
		}
		if _, err := c.PostJSON(t.Context(), address, []byte(`{}`), anyJSON); !errors.Is(err, ErrRefused) {
			t.Errorf("redirected %s: got %v", name, err)
		}
		if got := world.connections(); len(got) != dialled {
			t.Errorf("redirected %s: dialled %v", name, got)
		}
	}
}

func TestWhatIsPostedIsAnsweredWithinBounds(t *testing.T) {
	c, _ := serve(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(make([]byte, 2048)) })
	if _, err := c.PostJSON(t.Context(), "http://nft.example/", []byte(`{}`), Want{MaxBytes: 1024, MediaTypes: []string{"*"}}); !errors.Is(err, ErrTooLarge) {
		t.Errorf("got %v", err)
	}
}

func TestAnErrorTellsTheStatus(t *testing.T) {
	c, _ := serve(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTeapot) })
	_, err := c.Get(t.Context(), "http://nft.example/", anyJSON)
	if status, ok := errors.AsType[*StatusError](err); !ok || status.Status != http.StatusTeapot || !errors.Is(err, ErrStatus) {
		t.Errorf("got %v", err)
	}
}
