package esplora

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/hawser-dev/hawser/services/platform/clock/clocktest"
)

const genesis = "0f9188f13cb7b2c71f2a335e3a4fc328"

// client returns a client of servers that respond to each request with a status and a text.
func client(t *testing.T, answers ...string) (*Client, *clocktest.Stopped) {
	t.Helper()
	var urls []string
	for _, answer := range answers {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/block-height/0" {
				_, _ = w.Write([]byte(genesis + "00000000000000000000000000000000"))
				return
			}
			status, body, _ := strings.Cut(answer, " ")
			code, err := strconv.Atoi(status)
			if err != nil {
				t.Error(err)
			}
			w.WriteHeader(code)
			_, _ = w.Write([]byte(body))
		}))
		t.Cleanup(s.Close)
		urls = append(urls, s.URL)
	}
	c := clocktest.StoppedAt(time.Unix(1_700_000_000, 0))
	return New(genesis, urls, c), c
}

func TestARequestThatIsRefusedIsNoFailureOfTheServer(t *testing.T) {
	c, _ := client(t, "400 Too many unspent transaction outputs", "200 []")
	_, err := c.Unspent(t.Context(), "a")
	if refused, ok := errors.AsType[*RefusedError](err); !ok || refused.Text != "Too many unspent transaction outputs" {
		t.Errorf("got %v", err)
	}
	if c.usable()[0] != c.servers[0] {
		t.Error("the server is paused")
	}
}

func TestAMalformedResponseIsThatOfAServerThatFailed(t *testing.T) {
	id := strings.Repeat("0a", 32)
	stats := func(chain string) string {
		return `200 {"chain_stats":` + chain + `,"mempool_stats":{"funded_txo_sum":3,"spent_txo_sum":1}}`
	}
	for behaviour, tt := range map[string]struct {
		read         func(context.Context, *Client) error
		wrong, right string
	}{
		"balance, null":      {balance, "200 null", stats(`{"funded_txo_sum":3,"spent_txo_sum":1}`)},
		"balance, empty":     {balance, "200 {}", stats(`{"funded_txo_sum":3,"spent_txo_sum":1}`)},
		"balance, no sum":    {balance, stats(`{"funded_txo_sum":3}`), stats(`{"funded_txo_sum":3,"spent_txo_sum":1}`)},
		"balance, negative":  {balance, stats(`{"funded_txo_sum":1,"spent_txo_sum":3}`), stats(`{"funded_txo_sum":3,"spent_txo_sum":1}`)},
		"outputs, null":      {unspent, "200 null", "200 []"},
		"outputs, no id":     {unspent, `200 [{"txid":"../tip","value":1}]`, `200 [{"txid":"` + id + `","value":1}]`},
		"outputs, negative":  {unspent, `200 [{"txid":"` + id + `","value":-1}]`, "200 []"},
		"transactions, null": {transactions, "200 null", "200 []"},
		"transactions, no id": {
			transactions, `200 [{"txid":"../tip"}]`, "200 []",
		},
		"transactions, negative": {transactions, `200 [{"txid":"` + id + `","vin":[{"prevout":{"value":-1}}]}]`, "200 []"},
		"fees, null":             {fees, "200 null", "200 {}"},
	} {
		c, _ := client(t, tt.wrong)
		if err := tt.read(t.Context(), c); !errors.Is(err, ErrUnavailable) {
			t.Errorf("%s, from one server: %v", behaviour, err)
		}
		c, _ = client(t, tt.wrong, tt.right)
		if err := tt.read(t.Context(), c); err != nil || c.usable()[0] != c.servers[1] {
			t.Errorf("%s, from two servers: %v", behaviour, err)
		}
	}
}

func TestAServerWithoutATipIsNotPaused(t *testing.T) {
	c, _ := client(t, "200 <html>", "200 850000")
	if height, err := c.TipHeight(t.Context()); err != nil || height != 850_000 {
		t.Errorf("got %d %v", height, err)
	}
	if c.usable()[0] != c.servers[0] {
		t.Error("the server is paused")
	}
}

func balance(ctx context.Context, c *Client) error {
	b, err := c.Balance(ctx, "a")
	if err == nil && b != (Balance{Confirmed: 2, Pending: 2}) {
		return errors.New("another balance")
	}
	return err
}

func unspent(ctx context.Context, c *Client) error { _, err := c.Unspent(ctx, "a"); return err }

func transactions(ctx context.Context, c *Client) error {
	_, err := c.Transactions(ctx, "a", "")
	return err
}

func fees(ctx context.Context, c *Client) error { _, err := c.FeeEstimates(ctx); return err }

func TestATransactionIsUnknownIfEveryServerLacksIt(t *testing.T) {
	for behaviour, tt := range map[string]struct {
		second string
		want   error
	}{
		"the other lacks it as well": {"404 Transaction not found", ErrUnknown},
		"the other fails":            {"502 ", ErrUnavailable},
	} {
		c, _ := client(t, "404 Transaction not found", tt.second)
		if _, _, err := c.Transaction(t.Context(), "a"); !errors.Is(err, tt.want) {
			t.Errorf("%s: %v", behaviour, err)
		}
	}
}

func TestFeeRatesAreShortDecimals(t *testing.T) {
	c, _ := client(t, `200 {"1":1.5,"2":1.0001,"3":1e9,"4":1e9999999,"5":-1,"6":1.00000000000000000000000001,"x":1}`)
	got, err := c.FeeEstimates(t.Context())
	if err != nil || len(got) != 2 || got[1] != 1500 || got[2] != 1001 {
		t.Errorf("%v, %v", got, err)
	}
	many := `200 {"1":1`
	for n := range maxEstimates {
		many += `,"` + strconv.Itoa(n+2) + `":1`
	}
	c, _ = client(t, many+"}")
	if got, err := c.FeeEstimates(t.Context()); !errors.Is(err, ErrUnavailable) {
		t.Errorf("too many: %d, %v", len(got), err)
	}
}

func TestTheNetworkOfAServerIsVerifiedAgain(t *testing.T) {
	c, clock := client(t, "200 []")
	if err := unspent(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	c.genesis = "another network"
	if err := unspent(t.Context(), c); err != nil {
		t.Errorf("soon after: %v", err)
	}
	clock.Pass(verifiedFor)
	if err := unspent(t.Context(), c); !errors.Is(err, errNetwork) {
		t.Errorf("an hour later: %v", err)
	}
}
