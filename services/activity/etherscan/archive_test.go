package etherscan

import (
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/hawser-dev/hawser/services/onchain/evm"
)

var account = evm.MustAddress("0x9aa99c23f67c81701C772B106b4F83f6e858dd2E")

// serve returns an archive of a server with one response, and a function that returns the last query.
func serve(t *testing.T, status int, answer string) (*Archive, func() string) {
	t.Helper()
	var query string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		query = r.URL.Path + "?" + r.URL.RawQuery
		w.WriteHeader(status)
		_, _ = w.Write([]byte(answer))
	}))
	t.Cleanup(server.Close)
	t.Setenv("ARCHIVE_KEY", "hunter2")
	a, err := New(map[string]string{"eip155:1": server.URL + "/v2/api?chainid=1&apikey=${ARCHIVE_KEY}"})
	if err != nil {
		t.Fatal(err)
	}
	return a, func() string { return query }
}

func TestTransactionsAreListed(t *testing.T) {
	answer, err := os.ReadFile("testdata/txlist.json")
	if err != nil {
		t.Fatal(err)
	}
	a, query := serve(t, http.StatusOK, string(answer))
	hashes, err := a.Transactions(t.Context(), "eip155:1", account, 5, 14_923_678)
	if err != nil || len(hashes) != 2 || hashes[0].String() != "0xc52783ad354aecc04c670047754f062e3d6d04e8f5b24774472651f9c3882c60" {
		t.Errorf("%v, %v", hashes, err)
	}
	want := "/v2/api?action=txlist&address=0x9aa99c23f67c81701c772b106b4f83f6e858dd2e&apikey=hunter2&chainid=1&endblock=14923678&module=account&offset=1000&page=1&sort=desc&startblock=5"
	if query() != want {
		t.Errorf("query %s\nwant  %s", query(), want)
	}
	if !a.Covers("eip155:1") || a.Covers("eip155:10") {
		t.Error("covers another chain than it was given")
	}
}

func TestAnEmptyListIsNotAnError(t *testing.T) {
	a, _ := serve(t, http.StatusOK, `{"status":"0","message":"No transactions found","result":[]}`)
	if hashes, err := a.Transactions(t.Context(), "eip155:1", account, 0, 9); err != nil || len(hashes) != 0 {
		t.Errorf("%v, %v", hashes, err)
	}
}

func TestErrorsDoNotContainTheKey(t *testing.T) {
	full := `{"status":"1","message":"OK","result":[` + strings.Repeat(`{"hash":"0x`+strings.Repeat("0", 64)+`"},`, pageLimit-1) + `{"hash":"0x` + strings.Repeat("0", 64) + `"}]}`
	for behaviour, tt := range map[string]struct {
		status int
		answer string
		want   string
	}{
		"a rate limit":          {200, `{"status":"0","message":"NOTOK","result":"Max rate limit reached"}`, `status "0": NOTOK`},
		"a status of HTTP":      {502, `<html>`, "status 502"},
		"a redirect":            {302, ``, "status 302"},
		"HTML":                  {200, `<html>`, "not JSON"},
		"an invalid hash":       {200, `{"status":"1","message":"OK","result":[{"hash":"0x12"}]}`, `status "1"`},
		"no result":             {200, `{"status":"1","message":"OK"}`, `status "1"`},
		"too many transactions": {200, full, errTooMany.Error()},
	} {
		t.Run(behaviour, func(t *testing.T) {
			a, _ := serve(t, tt.status, tt.answer)
			hashes, err := a.Transactions(t.Context(), "eip155:1", account, 0, 9)
			if err == nil || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "hunter2") {
				t.Errorf("%v, %v; want %s", hashes, err, tt.want)
			}
		})
	}
	t.Run("unreachable", func(t *testing.T) {
		a, err := New(map[string]string{"eip155:1": "http://127.0.0.1:1/?apikey=hunter2"})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := a.Transactions(t.Context(), "eip155:1", account, 0, 9); err == nil || strings.Contains(err.Error(), "hunter2") {
			t.Error(err)
		}
	})
	t.Run("a variable that is not set", func(t *testing.T) {
		_, err := New(map[string]string{"eip155:1": "https://example.org/?apikey=${HAWSER_NO_SUCH}"})
		if want := "the archive of eip155:1: HAWSER_NO_SUCH is not set in the environment"; err == nil || err.Error() != want {
			t.Errorf("received %v\nwant %s", err, want)
		}
	})
	t.Run("not a URL", func(t *testing.T) {
		if _, err := New(map[string]string{"eip155:1": "hunter2"}); err == nil || strings.Contains(err.Error(), "hunter2") {
			t.Error(err)
		}
	})
}

func TestTheTransactionsOfOneBlockAreListedAsFarAsTheyGo(t *testing.T) {
	one := `{"hash":"0x` + strings.Repeat("0", 64) + `"}`
	a, _ := serve(t, 200, `{"status":"1","message":"OK","result":[`+strings.Repeat(one+",", pageLimit-1)+one+`]}`)
	if hashes, err := a.Transactions(t.Context(), "eip155:1", account, 9, 9); err != nil || len(hashes) != pageLimit {
		t.Errorf("%d hashes, %v", len(hashes), err)
	}
}
