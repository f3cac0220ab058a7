package social_test

import (
	"context"
	"errors"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/oauth2"

	"github.com/hawser-dev/hawser/services/platform/clock/clocktest"
	"github.com/hawser-dev/hawser/services/wallet/social"
)

// hanging is a provider that accepts requests, and fails them when failure is closed.
type hanging struct{ asked, failure chan struct{} }

func (h hanging) RoundTrip(*http.Request) (*http.Response, error) {
	h.asked <- struct{}{}
	<-h.failure
	return nil, errors.New("the connection is lost")
}

// starter returns a function that begins a login at a provider whose server is h.
func starter(t *testing.T, h hanging) func(ctx context.Context) <-chan error {
	t.Helper()
	providers, err := social.Config{Google: social.Client{ID: "id", Secret: "secret"}}.Providers(clocktest.StoppedAt(time.Now()))
	if err != nil {
		t.Fatal(err)
	}
	return func(ctx context.Context) <-chan error {
		ended := make(chan error, 1)
		go func() {
			_, err := providers["google"].Address(context.WithValue(ctx, oauth2.HTTPClient, &http.Client{Transport: h}), "", "", "", "")
			ended <- err
		}()
		return ended
	}
}

func TestALoginEndsWithItsCallWhileTheProviderHangs(t *testing.T) {
	h := hanging{make(chan struct{}, 8), make(chan struct{})}
	start := starter(t, h)
	first := start(t.Context())
	<-h.asked
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	select {
	case err := <-start(gone):
		if !errors.Is(err, social.ErrFailed) {
			t.Errorf("err = %v", err)
		}
	case <-time.After(5 * time.Second):
		t.Error("the login of a visitor who is gone waits for the login before it")
	}
	close(h.failure)
	if err := <-first; !errors.Is(err, social.ErrFailed) {
		t.Errorf("the first login: err = %v", err)
	}
}

func TestLoginsWaitTogetherForAProviderThatHangs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := hanging{make(chan struct{}, 8), make(chan struct{})}
		start := starter(t, h)
		var all []<-chan error
		for range 4 {
			all = append(all, start(t.Context()))
		}
		synctest.Wait()
		close(h.failure)
		for _, ended := range all {
			if err := <-ended; !errors.Is(err, social.ErrFailed) {
				t.Errorf("err = %v", err)
			}
		}
		if n := len(h.asked); n != 1 {
			t.Errorf("the provider was asked %d times", n)
		}
	})
}
