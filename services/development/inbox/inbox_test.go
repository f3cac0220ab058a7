package inbox_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/smtp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hawser-dev/hawser/services/development/inbox"
)

func TestTheInboxShowsMailsByRecipient(t *testing.T) {
	box, err := inbox.Listen(t.Context(), "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var serving sync.WaitGroup
	serving.Go(func() { _ = box.Serve(t.Context()) })
	t.Cleanup(serving.Wait)
	at := "127.0.0.1:" + strconv.Itoa(box.Port())
	for _, to := range []string{"alice@example.org", "bob@example.org"} {
		body := "From: shop@example.org\r\nSubject: Hello\r\nContent-Type: text/plain; charset=utf-8\r\n\r\nOpen https://shop.example/x?a=1, or see https://shop.example. <script>\r\n"
		if err := smtp.SendMail(at, nil, "shop@example.org", []string{to}, []byte(body)); err != nil {
			t.Fatal(err)
		}
	}
	get := func(path string) *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		box.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
		return w
	}
	var mails []inbox.Mail
	if err := json.Unmarshal(get("/inbox.json?to=bob@example.org").Body.Bytes(), &mails); err != nil || len(mails) != 1 || mails[0].Subject != "Hello" || mails[0].ID != "2" {
		t.Errorf("%+v, %v", mails, err)
	}
	page := get("/inbox").Body.String()
	const text = `Open <a href="https://shop.example/x?a=1">https://shop.example/x?a=1</a>, or see <a href="https://shop.example">https://shop.example</a>. &lt;script&gt;`
	if !strings.Contains(page, text) {
		t.Error(page)
	}
	if got := get("/inbox/other").Code; got != http.StatusNotFound {
		t.Errorf("status %d", got)
	}
}

func TestTheInboxListensOnThisMachineOnly(t *testing.T) {
	for _, address := range []string{"0.0.0.0:0", ":0", "192.0.2.1:2525", "example.org:25", ""} {
		if _, err := inbox.Listen(t.Context(), address); err == nil {
			t.Errorf("it listens at %q", address)
		}
	}
}

func TestAnInboxThatIsStoppedBeforeItAcceptsEnds(t *testing.T) {
	stopped, stop := context.WithCancel(t.Context())
	stop()
	for range 20 {
		box, err := inbox.Listen(t.Context(), "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		ended := make(chan error, 1)
		go func() { ended <- box.Serve(stopped) }()
		select {
		case err := <-ended:
			if !errors.Is(err, context.Canceled) {
				t.Fatal(err)
			}
		case <-time.After(20 * time.Second):
			t.Fatal("it still accepts connections")
		}
	}
}
