package fetch

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/netip"
	"strings"
	"testing"
	"time"
)

var signed = http.Header{"Content-Type": {"application/json"}, "Webhook-Id": {"msg_1"}}

func TestADocumentIsDeliveredWithItsHeadersWhateverIsAnswered(t *testing.T) {
	for status, want := range map[int]Answer{
		http.StatusNoContent: {Status: 204}, http.StatusGone: {Status: 410}, http.StatusTooManyRequests: {Status: 429, RetryAfter: 7 * time.Second},
	} {
		c, world := serve(t, func(w http.ResponseWriter, r *http.Request) {
			body, _ := io.ReadAll(r.Body)
			if r.Method != http.MethodPost || r.Header.Get("Content-Type") != "application/json" || r.Header.Get("webhook-id") != "msg_1" || string(body) != `{"a":1}` {
				t.Errorf("%s %v %q", r.Method, r.Header, body)
			}
			if status == http.StatusTooManyRequests {
				w.Header().Set("Retry-After", "7")
			}
			w.WriteHeader(status)
		})
		got, err := c.Deliver(t.Context(), "http://nft.example/hook", []byte(`{"a":1}`), signed)
		if err != nil || got != want {
			t.Errorf("got %v %v, want %v", got, err, want)
		}
		if got := world.connections(); len(got) != 1 || got[0] != "93.184.216.34:80" {
			t.Errorf("dialled %v", got)
		}
	}
}

func TestADeliveryFollowsNoRedirectAndReachesNothingPrivate(t *testing.T) {
	c, world := serve(t, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "http://nft.example/other", http.StatusTemporaryRedirect)
	})
	if got, err := c.Deliver(t.Context(), "http://nft.example/hook", []byte(`{}`), signed); err != nil || got.Status != http.StatusTemporaryRedirect {
		t.Errorf("got %v %v", got, err)
	}
	world.names["inside.example"] = [][]netip.Addr{{netip.MustParseAddr("10.0.0.1")}}
	for _, address := range []string{"http://inside.example/", "http://127.0.0.1/", "http://[::1]/", "http://user@nft.example/", "http://nft.example:8080/", "file:///etc/passwd"} {
		if _, err := c.Deliver(t.Context(), address, []byte(`{}`), signed); !errors.Is(err, ErrRefused) {
			t.Errorf("%s: got %v", address, err)
		}
	}
	if got := world.connections(); len(got) != 1 {
		t.Errorf("dialled %v", got)
	}
}

// The body of the answer has no end, and the server sends it for as long as somebody reads it.
func TestTheAnswerToADeliveryIsReadWithinBounds(t *testing.T) {
	sent := make(chan int, 1)
	c, _ := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		n, chunk := 0, []byte(strings.Repeat("a", 4<<10))
		for range 1 << 12 {
			more, err := w.Write(chunk)
			if n += more; err != nil {
				break
			}
		}
		sent <- n
	})
	if got, err := c.Deliver(t.Context(), "http://nft.example/hook", []byte(`{}`), signed); err != nil || got.Status != http.StatusOK {
		t.Errorf("got %v %v", got, err)
	}
	if n := <-sent; n == 16<<20 {
		t.Error("the whole answer was taken")
	}
}

func TestADeliveryThatIsNotAnsweredEnds(t *testing.T) {
	hung := make(chan struct{})
	c, _ := serve(t, func(_ http.ResponseWriter, r *http.Request) { <-hung })
	defer close(hung)
	c.timeout = 50 * time.Millisecond
	_, err := c.Deliver(t.Context(), "http://nft.example/secret-path", []byte(`{}`), signed)
	if !errors.Is(err, context.DeadlineExceeded) || strings.Contains(err.Error(), "secret-path") {
		t.Errorf("got %v", err)
	}
}
