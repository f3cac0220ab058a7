package e2e

import (
	"encoding/json"
	"fmt"
	"io"
	"math/big"
	"math/rand/v2"
	"net/http"
	"net/url"
	"path"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"google.golang.org/protobuf/encoding/protojson"

	onrampv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/onramp/v1"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/platform/devnettest"
)

// The cards of the sandbox's checkout, by what they do.
const (
	cardSucceeds = "4242 4242 4242 4242"
	cardDeclined = "4000 0000 0000 0002"
	cardConfirms = "4000 0000 0000 3220"
	cardRefunded = "4000 0000 0000 0200"
	cardUnpaid   = "4000 0000 0000 0309"
	cardSilent   = "4000 0000 0000 0408"
)

// TestAPurchaseEndsAsItsCardSays buys in the sandbox, with webhooks over HTTP, and compares the order with the chain.
func TestAPurchaseEndsAsItsCardSays(t *testing.T) {
	devnet := devnettest.Start(t)
	token := devnet.Chain(t, devChain).Token(t, "tUSD")
	eachShape(t, func(t *testing.T, s *suite) {
		for _, tt := range []struct {
			behaviour, card string
			ends            onrampv1.OrderState
			receives        string
		}{
			{"a card that succeeds pays the tokens out", cardSucceeds, onrampv1.OrderState_ORDER_STATE_COMPLETED, "98"},
			{"a card that is declined buys nothing", cardDeclined, onrampv1.OrderState_ORDER_STATE_FAILED, "0"},
			{"a card that the bank asks about succeeds with the right code", cardConfirms, onrampv1.OrderState_ORDER_STATE_COMPLETED, "98"},
			{"a payment that is refunded buys nothing", cardRefunded, onrampv1.OrderState_ORDER_STATE_REFUNDED, "0"},
			{"a payment whose tokens cannot be sent goes back", cardUnpaid, onrampv1.OrderState_ORDER_STATE_REFUNDED, "0"},
			{"a purchase whose webhooks are lost is found by asking", cardSilent, onrampv1.OrderState_ORDER_STATE_COMPLETED, "98"},
		} {
			t.Run(tt.behaviour, func(t *testing.T) {
				t.Parallel()
				account := fmt.Sprintf("0x%024x%016x", 0xb01, rand.Uint64())
				own := *s // with the order tokens of this purchase only
				s := &own
				order, checkout := s.openWidget(t, account)
				w := s.watch(t, account)
				w.until(t, "")
				s.fill(t, checkout, tt.card)
				end := s.settled(t, order.GetId(), tt.ends)
				w.untilOrder(t, order.GetId())
				got := balanceOf(t, devnet.Chain(t, devChain), token.Address, account)
				want, _ := new(big.Int).SetString(tt.receives+"000000", 10)
				if tt.ends == onrampv1.OrderState_ORDER_STATE_COMPLETED && (end.GetTransaction() == "" || end.GetPurchase().GetAmount() != tt.receives) {
					t.Errorf("the order says %v", end)
				}
				if got.Cmp(want) != 0 {
					t.Errorf("the account has %s, want %s", got, want)
				}
			})
		}
	})
}

// TestAPurchaseIsPaidOutOnceOverKills kills the suite while a payment is on its way.
func TestAPurchaseIsPaidOutOnceOverKills(t *testing.T) {
	skipInShort(t)
	devnet := devnettest.Start(t)
	token := devnet.Chain(t, devChain).Token(t, "tUSD")
	s := startAllInOne(t, plain, "")
	const account = "0x00000000000000000000000000000000b0200001"
	var orders []string
	for range 3 {
		order, checkout := s.openWidget(t, account)
		orders = append(orders, order.GetId())
		s.fill(t, checkout, cardSucceeds)
		s.kill(t)
		s.restart(t)
		s.wait(t)
	}
	for _, id := range orders {
		s.settled(t, id, onrampv1.OrderState_ORDER_STATE_COMPLETED)
	}
	if got := balanceOf(t, devnet.Chain(t, devChain), token.Address, account); got.String() != "294000000" {
		t.Errorf("the account has %s of three purchases, want 294000000", got)
	}
	var page historyPage
	s.getOwn(t, "/v1/account/"+account+"/history?onramp=beacon-pay&projectId="+project, &page)
	if len(page.Data) != 3 || page.Data[0].Metadata.OperationType != "buy" || page.Data[0].Metadata.Status != "ONRAMP_TRANSACTION_STATUS_SUCCESS" {
		t.Errorf("the history of purchases: %+v", page)
	}
}

// TestAnUnsignedWebhookChangesNoOrder posts to the path of webhooks without a valid signature.
func TestAnUnsignedWebhookChangesNoOrder(t *testing.T) {
	s := shared(t, allInOne)
	for _, tt := range []struct {
		behaviour, provider, signature, body string
		status                               int
	}{
		{"without a signature", "harbor-pay", "", "{}", http.StatusUnauthorized},
		{"with a signature of another key", "harbor-pay", fmt.Sprintf("t=%d,v1=%064x", time.Now().Unix(), 1), "{}", http.StatusUnauthorized},
		{"with garbage for a signature", "harbor-pay", "t=,v1=,,=", "{}", http.StatusUnauthorized},
		{"for a provider that is unknown", "nobody", "", "{}", http.StatusBadRequest},
		{"with more than anyone has to tell", "harbor-pay", "", strings.Repeat(" ", 300<<10), http.StatusRequestEntityTooLarge},
	} {
		t.Run(tt.behaviour, func(t *testing.T) {
			req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.url+"/v1/onramp/webhooks/"+tt.provider, strings.NewReader(tt.body))
			if err != nil {
				t.Fatal(err)
			}
			if tt.signature != "" {
				req.Header.Set("Hawser-Sandbox-Signature", tt.signature)
			}
			res, err := http.DefaultClient.Do(req)
			if err != nil {
				t.Fatal(err)
			}
			defer res.Body.Close()
			if res.StatusCode != tt.status {
				t.Errorf("status %d, want %d", res.StatusCode, tt.status)
			}
		})
	}
}

// TestACheckoutIsPaidOnItsOwnPageOnly sends the form as another site would.
func TestACheckoutIsPaidOnItsOwnPageOnly(t *testing.T) {
	s := shared(t, allInOne)
	_, checkout := s.openWidget(t, "0x00000000000000000000000000000000b0300001")
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, checkout+"/cancel", nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Origin", "https://evil.example")
	req.Header.Set("Sec-Fetch-Site", "cross-site")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusForbidden {
		t.Errorf("status %d, want 403", res.StatusCode)
	}
}

// TestAnOrderIsItsProjectsOnly looks for an order with another project's id.
func TestAnOrderIsItsProjectsOnly(t *testing.T) {
	const other = "00000000000000000000000000000002"
	s := shared(t, allInOne)
	s.project(t, "create", "-id", other, "-any-origin", "-name", "Other")
	s.answers(t, other, http.StatusOK)
	const account = "0x00000000000000000000000000000000b0400001"
	order, _ := s.openWidget(t, account)
	var mine, theirs, anonymous struct{ Orders []any }
	s.getOwn(t, "/v1/onramp/orders?address="+account+"&projectId="+project, &mine)
	s.getOwn(t, "/v1/onramp/orders?address="+account+"&projectId="+other, &theirs)
	s.get(t, "/v1/onramp/orders?address="+account+"&projectId="+project, &anonymous)
	if len(mine.Orders) != 1 || len(theirs.Orders) != 0 || len(anonymous.Orders) != 0 {
		t.Errorf("the buyer sees %d orders, another project %d, a caller without a token %d", len(mine.Orders), len(theirs.Orders), len(anonymous.Orders))
	}
	res, err := http.Get(s.url + "/v1/onramp/orders/" + order.GetId() + "?projectId=" + other)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusNotFound {
		t.Errorf("status %d, want 404", res.StatusCode)
	}
}

// balanceOf is what an account holds of a token, in base units.
func balanceOf(t *testing.T, chain devnettest.Chain, token, account string) *big.Int {
	t.Helper()
	data := append(evm.Selector("balanceOf(address)"), evm.Word(evm.MustAddress(account))...)
	var answer string
	if err := json.Unmarshal(chain.Call(t, "eth_call", map[string]string{"to": token, "data": hexutil.Encode(data)}, "latest"), &answer); err != nil {
		t.Fatal(err)
	}
	held, ok := new(big.Int).SetString(strings.TrimPrefix(answer, "0x"), 16)
	if !ok {
		t.Fatalf("balanceOf returned %s", answer)
	}
	return held
}

// openWidget begins to buy tUSD for 100 USD, and returns the order and where it is paid.
func (s *suite) openWidget(t *testing.T, account string) (order *onrampv1.Order, checkout string) {
	t.Helper()
	return s.openAt(t, "BEACON-PAY", account, "tUSD", devChain)
}

// fill pays on a checkout's page with a card, and answers the bank's question.
func (s *suite) fill(t *testing.T, checkout, card string) {
	t.Helper()
	if page := s.submit(t, checkout, "", nil); !strings.Contains(page, "no real money") {
		t.Errorf("the page does not say that it only plays: %s", page)
	}
	page := s.submit(t, checkout, "pay", url.Values{"number": {card}, "expiry": {"12/40"}, "cvc": {"123"}, "name": {"Ada Lovelace"}})
	if strings.Contains(page, `name="code"`) {
		s.submit(t, checkout, "confirm", url.Values{"code": {"123456"}})
	}
}

// submit sends a form of a checkout, follows to the page after it, and returns that; without an action it only looks.
func (s *suite) submit(t *testing.T, checkout, action string, fields url.Values) string {
	t.Helper()
	res, err := http.Get(checkout)
	if action != "" {
		res, err = http.PostForm(checkout+"/"+path.Base(action), fields)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	page, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode != http.StatusOK {
		t.Fatalf("%s: %d %s %v", action, res.StatusCode, page, err)
	}
	return string(page)
}

// settled returns an order once it is in a state.
func (s *suite) settled(t *testing.T, id string, state onrampv1.OrderState) *onrampv1.Order {
	t.Helper()
	order := &onrampv1.Order{}
	for deadline := time.Now().Add(startTimeout); time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
		var raw json.RawMessage
		s.get(t, "/v1/onramp/orders/"+id+"?projectId="+project, &raw)
		if err := protojson.Unmarshal(raw, order); err != nil {
			t.Fatal(err)
		}
		if order.GetState() == state {
			return order
		}
	}
	t.Fatalf("the order is %v", order)
	return nil
}

// get reads JSON without order tokens.
func (s *suite) get(t *testing.T, path string, into any) {
	t.Helper()
	s.getWith(t, path, nil, into)
}

// getOwn reads JSON with the order tokens of the purchases that were begun.
func (s *suite) getOwn(t *testing.T, path string, into any) {
	t.Helper()
	s.getWith(t, path, s.orderTokens, into)
}

func (s *suite) getWith(t *testing.T, path string, orderTokens []string, into any) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.url+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Hawser-Order-Tokens", strings.Join(orderTokens, ","))
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if err := json.NewDecoder(res.Body).Decode(into); err != nil || res.StatusCode != http.StatusOK {
		t.Fatalf("GET %s: %d %v", path, res.StatusCode, err)
	}
}

// untilOrder returns when the stream reports that an order moved.
func (w watched) untilOrder(t *testing.T, id string) {
	t.Helper()
	for w.stream.Receive() {
		if w.stream.Msg().GetOrders().GetOrderId() == id {
			return
		}
	}
	t.Fatalf("the stream ended: %v", w.stream.Err())
}
