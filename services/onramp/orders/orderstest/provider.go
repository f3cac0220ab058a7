package orderstest

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/hawser-dev/hawser/services/onramp/ramp"
)

// freshFor is the maximum age of a delivery.
const freshFor = 5 * time.Minute

// FakeProvider is a provider whose deliveries and poll results are set by a test.
type FakeProvider struct {
	// Secret is the key with which deliveries are signed.
	Secret string
	// Delay is called before a poll returns, unless it is nil.
	Delay func(ctx context.Context, p ramp.Placed) error

	mu     sync.Mutex
	known  map[string][]ramp.Event
	polled []ramp.Placed
}

// Name returns [Provider].
func (*FakeProvider) Name() string { return Provider }

// Profile describes the provider.
func (*FakeProvider) Profile() ramp.Profile { return ramp.Profile{Title: "Wharf", Sandbox: true} }

// Deliver returns a signed webhook with events.
func (w *FakeProvider) Deliver(at time.Time, events ...ramp.Event) ramp.Delivery {
	body, err := json.Marshal(events)
	if err != nil {
		panic(err)
	}
	return w.Sign(at, body)
}

// Sign returns a signed webhook with a body.
func (w *FakeProvider) Sign(at time.Time, body []byte) ramp.Delivery {
	stamp := strconv.FormatInt(at.UnixMilli(), 10)
	header := http.Header{}
	header.Set("Wharf-Time", stamp)
	header.Set("Wharf-Signature", w.mac(stamp, body))
	return ramp.Delivery{Header: header, Body: body, At: at}
}

func (w *FakeProvider) mac(stamp string, body []byte) string {
	h := hmac.New(sha256.New, []byte(w.Secret))
	h.Write([]byte(stamp + "."))
	h.Write(body)
	return hex.EncodeToString(h.Sum(nil))
}

// Read verifies a delivery.
func (w *FakeProvider) Read(d ramp.Delivery) ([]ramp.Event, error) {
	stamp := d.Header.Get("Wharf-Time")
	if !hmac.Equal([]byte(d.Header.Get("Wharf-Signature")), []byte(w.mac(stamp, d.Body))) {
		return nil, ramp.ErrSignature
	}
	ms, err := strconv.ParseInt(stamp, 10, 64)
	if err != nil || d.At.Sub(time.UnixMilli(ms)).Abs() > freshFor {
		return nil, ramp.ErrStale
	}
	var events []ramp.Event
	if err := json.Unmarshal(d.Body, &events); err != nil {
		return nil, fmt.Errorf("%w: %w", ramp.ErrMalformed, err)
	}
	return events, nil
}

// Know adds events that polls of their orders return.
func (w *FakeProvider) Know(events ...ramp.Event) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.known == nil {
		w.known = map[string][]ramp.Event{}
	}
	for _, e := range events {
		w.known[e.OrderID] = append(w.known[e.OrderID], e)
	}
}

var (
	_ ramp.Listener = (*FakeProvider)(nil)
	_ ramp.Poller   = (*FakeProvider)(nil)
)

// Poll returns the events that the test set.
func (w *FakeProvider) Poll(ctx context.Context, p ramp.Placed) ([]ramp.Event, error) {
	if w.Delay != nil {
		if err := w.Delay(ctx, p); err != nil {
			return nil, err
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.polled = append(w.polled, p)
	return w.known[p.OrderID], nil
}

// Polled returns the polls that were received.
func (w *FakeProvider) Polled() []ramp.Placed {
	w.mu.Lock()
	defer w.mu.Unlock()
	return append([]ramp.Placed(nil), w.polled...)
}
