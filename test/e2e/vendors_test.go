package e2e

import (
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protojson"

	onrampv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/onramp/v1"
	"github.com/hawser-dev/hawser/services/onramp/coinbase/coinbasetest"
	"github.com/hawser-dev/hawser/services/onramp/meld/meldtest"
	"github.com/hawser-dev/hawser/services/onramp/ramp"
)

// TestTwoProvidersSellSideBySide runs the suite against fake servers of the documented APIs of Coinbase and Meld.
func TestTwoProvidersSellSideBySide(t *testing.T) {
	one, two := coinbasetest.New(t), meldtest.New(t)
	for name, value := range map[string]string{
		"COINBASE_KEY_ID": one.Config().KeyID, "COINBASE_KEY_SECRET": one.Config().KeySecret, "COINBASE_URL": one.Config().URL,
		"COINBASE_PAY_URL": one.Config().PayURL, "COINBASE_WEBHOOK_SECRET": one.Config().WebhookSecret,
		"MELD_API_KEY": two.Config().APIKey, "MELD_URL": two.Config().URL, "MELD_ENVIRONMENT": two.Config().Environment,
		"MELD_WEBHOOK_SECRET": two.Config().WebhookSecret, "MELD_VERSION": two.Config().Version,
	} {
		t.Setenv("HAWSER_ONRAMP_"+name, value)
	}
	s := startAllInOne(t, raced, "")
	const account = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"

	t.Run("quotes of both stand side by side", func(t *testing.T) {
		quotes := s.sellersQuotes(t, `"destinationCurrencyCode":"USDC","chainId":"eip155:8453","sourceAmount":100,"sourceCurrencyCode":"USD","countryCode":"US"`)
		sellers := map[string]bool{}
		for _, q := range quotes {
			sellers[q.Exact.Title] = true
		}
		if !sellers["Coinbase"] || len(sellers) < 2 {
			t.Errorf("quotes of %v", sellers)
		}
	})

	t.Run("a purchase of Coinbase is moved by its webhooks", func(t *testing.T) {
		order, where := s.openAt(t, "COINBASE", account, "USDC", "eip155:8453")
		u, err := url.Parse(where)
		if err != nil {
			t.Fatal(err)
		}
		session, ok := one.Session(u.Query().Get("sessionToken"))
		if !ok || len(session.Addresses) == 0 || session.Addresses[0].Address != account {
			t.Errorf("the session is %+v", session)
		}
		if got := u.Query().Get("partnerUserRef"); got != order.GetId() {
			t.Errorf("the visitor's reference is %s, want %s", got, order.GetId())
		}
		for _, state := range []ramp.State{ramp.Completed, ramp.Pending, ramp.Completed} {
			if status, err := one.SendWebhook(t.Context(), s.url+"/v1/onramp/webhooks/coinbase", order.GetId(), state); status != http.StatusOK || err != nil {
				t.Fatalf("a webhook: status %d, %v", status, err)
			}
		}
		if end := s.settled(t, order.GetId(), onrampv1.OrderState_ORDER_STATE_COMPLETED); end.GetTransaction() != coinbasetest.Hash {
			t.Errorf("the order says %v", end)
		}
		var page historyPage
		const history = "/v1/account/" + account + "/history?onramp=coinbase&projectId=" + project
		var bare json.RawMessage
		s.get(t, history, &bare)
		if got := string(bare); !strings.HasPrefix(got, `{"data":[],"next":null`) {
			t.Errorf("who has no token reads %s", got)
		}
		s.getOwn(t, history, &page)
		if len(page.Data) != 1 || page.Data[0].Metadata.OperationType != "buy" || page.Data[0].Metadata.Status != "ONRAMP_TRANSACTION_STATUS_SUCCESS" {
			t.Errorf("the history of purchases: %+v", page)
		}
	})

	t.Run("a purchase of a seller behind Meld is moved by its webhooks, signed for our address", func(t *testing.T) {
		order, _ := s.openAt(t, "TRANSAK", account, "USDC", "eip155:8453")
		webhook := s.url + "/v1/onramp/webhooks/meld"
		if status, _ := two.SendWebhook(t.Context(), webhook, "https://elsewhere.example/v1/onramp/webhooks/meld", order.GetId(), ramp.Pending); status != http.StatusUnauthorized {
			t.Errorf("a webhook that was signed for another address: status %d", status)
		}
		if status, err := two.SendWebhook(t.Context(), webhook, webhook, order.GetId(), ramp.Completed); status != http.StatusOK || err != nil {
			t.Fatalf("a webhook: status %d, %v", status, err)
		}
		s.settled(t, order.GetId(), onrampv1.OrderState_ORDER_STATE_COMPLETED)
	})

	t.Run("a purchase whose webhook is lost is found by asking", func(t *testing.T) {
		order, _ := s.openAt(t, "COINBASE", account, "USDC", "eip155:8453")
		one.SetState(order.GetId(), ramp.Failed)
		if end := s.settled(t, order.GetId(), onrampv1.OrderState_ORDER_STATE_FAILED); end.GetReason() == "" {
			t.Error("the order does not say why it failed")
		}
	})

	t.Run("older clients are sent to Coinbase", func(t *testing.T) {
		res, err := http.Post(s.url+"/v1/generators/onrampurl?projectId="+project, "text/plain", strings.NewReader(
			`{"destinationWallets":[{"address":"`+account+`","blockchains":["ethereum","base"],"assets":["USDC"]}],"defaultNetwork":"base","partnerUserId":"x","presetCryptoAmount":12.5}`))
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		raw, err := io.ReadAll(res.Body)
		if err != nil || res.StatusCode != http.StatusOK || !strings.Contains(string(raw), one.Config().PayURL) {
			t.Errorf("status %d: %s", res.StatusCode, raw)
		}
	})
}

type sellersQuote struct {
	ServiceProvider string
	Exact           struct{ Title string }
}

func (s *suite) sellersQuotes(t *testing.T, requested string) []sellersQuote {
	t.Helper()
	res, err := http.Post(s.url+"/v1/onramp/multi/quotes", "application/json", strings.NewReader(`{"projectId":"`+project+`",`+requested+`}`))
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	raw, err := io.ReadAll(res.Body)
	var quotes []sellersQuote
	if err != nil || res.StatusCode != http.StatusOK || json.Unmarshal(raw, &quotes) != nil {
		t.Fatalf("no quotes: %d %s %v", res.StatusCode, raw, err)
	}
	return quotes
}

func (s *suite) openAt(t *testing.T, seller, account, token, chainID string) (*onrampv1.Order, string) {
	t.Helper()
	body := `{"projectId":"` + project + `","sessionData":{"serviceProvider":"` + seller + `","sourceAmount":"100","sourceCurrencyCode":"USD",` +
		`"destinationCurrencyCode":"` + token + `","chainId":"` + chainID + `","walletAddress":"` + account + `","countryCode":"US"}}`
	res, err := http.Post(s.url+"/v1/onramp/widget", "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	raw, err := io.ReadAll(res.Body)
	opened := &onrampv1.OpenWidgetResponse{}
	if err != nil || res.StatusCode != http.StatusOK || protojson.Unmarshal(raw, opened) != nil {
		t.Fatalf("no widget was opened: %d %s %v", res.StatusCode, raw, err)
	}
	keepPrivate("order token", opened.GetOrderToken())
	s.orderTokens = append(s.orderTokens, opened.GetOrderToken())
	return opened.GetOrder(), opened.GetWidgetUrl()
}
