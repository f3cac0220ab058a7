package rpc

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"
)

func TestAStreamEndsWhenItsClientDoesNotReceive(t *testing.T) {
	for _, protocol := range []string{"HTTP/1.1", "HTTP/2.0"} {
		t.Run(protocol, func(t *testing.T) {
			ended := make(chan struct{})
			message := make([]byte, 64<<10)
			srv := httptest.NewUnstartedServer(streamed(50*time.Millisecond, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				defer close(ended)
				for {
					if _, err := w.Write(message); err != nil {
						return
					}
					w.(http.Flusher).Flush()
				}
			})))
			srv.EnableHTTP2 = protocol == "HTTP/2.0"
			srv.StartTLS()
			defer srv.Close()

			res, err := srv.Client().Get(srv.URL)

			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = res.Body.Close() }()
			if res.Proto != protocol {
				t.Fatalf("the stream came over %s", res.Proto)
			}
			select {
			case <-ended:
			case <-time.After(20 * time.Second):
				t.Error("the handler waits for its client")
			}
		})
	}
}

func TestAStreamOutlastsTheTimeoutOfItsMessages(t *testing.T) {
	srv := httptest.NewServer(streamed(20*time.Millisecond, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for range 4 {
			_, _ = w.Write([]byte("message"))
			w.(http.Flusher).Flush()
			time.Sleep(40 * time.Millisecond)
		}
	})))
	defer srv.Close()

	res, err := http.Get(srv.URL)

	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	if body, err := io.ReadAll(res.Body); err != nil || len(body) != 4*len("message") {
		t.Errorf("received %q, %v", body, err)
	}
}
