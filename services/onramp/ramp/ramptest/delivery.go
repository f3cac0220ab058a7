package ramptest

import (
	"bytes"
	"errors"
	"net/http"
	"reflect"
	"testing"
	"time"

	"github.com/hawser-dev/hawser/services/onramp/ramp"
)

// orderID is an id in the form of an order id.
const orderID = "01JD5K3T8Q9V2W4X6Y8Z0A1B2C"

func deliveries(t *testing.T, open func(t *testing.T) Setup) {
	t.Run("return the state of an order", func(t *testing.T) {
		w := open(t)
		seen := map[string]ramp.State{}
		for _, state := range w.States {
			d := w.Deliver(orderID, state)
			events, err := w.Provider.(ramp.Listener).Read(d)
			if err != nil || len(events) == 0 {
				t.Errorf("%s: %d events, %v", state, len(events), err)
				continue
			}
			last := events[len(events)-1]
			if last.State != state || last.ID == "" || last.OrderID != orderID && last.Ref == "" || last.At.IsZero() {
				t.Errorf("%s was reported as %+v", state, last)
			}
			if other, twice := seen[last.ID]; twice {
				t.Errorf("%s and %s are one event", state, other)
			}
			seen[last.ID] = state
		}
	})
	t.Run("return the same events when repeated", func(t *testing.T) {
		w := open(t)
		d := w.Deliver(orderID, w.States[0])
		first, err := w.Provider.(ramp.Listener).Read(d)
		again, err2 := w.Provider.(ramp.Listener).Read(d)
		if err != nil || err2 != nil || !reflect.DeepEqual(first, again) {
			t.Errorf("%+v, %v, and then %+v, %v", first, err, again, err2)
		}
	})
	t.Run("are refused if the provider did not sign them", func(t *testing.T) { forged(t, open) })
	t.Run("are refused if they are malformed", func(t *testing.T) {
		w := open(t)
		for _, body := range []string{"", "{", "[]", `"x"`, "12", `{"a":`, "\x00"} {
			if events, err := w.Provider.(ramp.Listener).Read(w.Sign([]byte(body), false)); !errors.Is(err, ramp.ErrMalformed) {
				t.Errorf("%q: %+v, %v", body, events, err)
			}
		}
	})
}

func forged(t *testing.T, open func(t *testing.T) Setup) {
	tests := map[string]struct {
		change func(*ramp.Delivery)
		want   error
	}{
		"a byte is another":     {func(d *ramp.Delivery) { d.Body[len(d.Body)/2] ^= 1 }, ramp.ErrSignature},
		"a byte is added":       {func(d *ramp.Delivery) { d.Body = append(d.Body, '\n') }, ramp.ErrSignature},
		"nothing is signed":     {func(d *ramp.Delivery) { d.Header = http.Header{"Content-Type": {"application/json"}} }, ramp.ErrSignature},
		"the headers are twice": {doubled, ramp.ErrSignature},
		"it is replayed late":   {func(d *ramp.Delivery) { d.At = d.At.Add(11 * time.Minute) }, ramp.ErrStale},
		"it is from the future": {func(d *ramp.Delivery) { d.At = d.At.Add(-11 * time.Minute) }, ramp.ErrStale},
	}
	for name, test := range tests {
		w := open(t)
		d := w.Deliver(orderID, w.States[0])
		d.Body, d.Header = bytes.Clone(d.Body), d.Header.Clone()
		test.change(&d)
		events, err := w.Provider.(ramp.Listener).Read(d)
		if !errors.Is(err, test.want) || len(events) != 0 {
			t.Errorf("%s: %+v, %v", name, events, err)
		}
	}
	w := open(t)
	d := w.Deliver(orderID, w.States[0])
	if events, err := w.Provider.(ramp.Listener).Read(w.Sign(d.Body, true)); !errors.Is(err, ramp.ErrSignature) {
		t.Errorf("another key: %+v, %v", events, err)
	}
	if d.URL += "/elsewhere"; w.SignsURL {
		if events, err := w.Provider.(ramp.Listener).Read(d); !errors.Is(err, ramp.ErrSignature) {
			t.Errorf("another URL: %+v, %v", events, err)
		}
	}
}

// doubled adds a second value to each header, because two parsers might use different ones.
func doubled(d *ramp.Delivery) {
	for name := range d.Header {
		d.Header[name] = append(d.Header[name], "t=1,v0=00")
	}
}
