package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strings"
	"time"

	"google.golang.org/protobuf/encoding/protojson"

	onrampv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/onramp/v1"
	"github.com/hawser-dev/hawser/services/onchain/signature/signaturetest"
)

// writtenName is a name that was registered, or may have been.
type writtenName struct {
	name string
	// acknowledged are the texts of acknowledged writes in order; doubt is a text that may have been written after them.
	acknowledged bool
	says, doubt  string
}

// writtenOrder is a purchase that was begun, by a wallet of its own.
type writtenOrder struct {
	wallet, id string
	// paid says that the payment was acknowledged, and doubt that it may have been made.
	paid, doubt bool
}

// send makes a request at one of the gateways, with an Origin header unless that is empty. It returns status 0 when there was no answer.
func (k *killable) send(method, address, contentType, body, origin string) (status int, answer []byte) {
	ctx, cancel := context.WithTimeout(context.Background(), 40*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, method, address, strings.NewReader(body))
	if err != nil {
		return 0, nil
	}
	req.Header.Set("Content-Type", contentType)
	if origin != "" {
		req.Header.Set("Origin", origin)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		k.refused("no answer")
		return 0, nil
	}
	defer res.Body.Close()
	answer, err = io.ReadAll(res.Body)
	if err != nil {
		k.refused("half an answer")
		return 0, nil
	}
	if res.StatusCode == http.StatusOK {
		k.written.Add(1)
	} else {
		var refusal struct{ Code string }
		_ = json.Unmarshal(answer, &refusal)
		k.refused(fmt.Sprintf("%d %s", res.StatusCode, refusal.Code))
	}
	return res.StatusCode, answer
}

func (k *killable) refused(how string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.refusals[how]++
}

func (k *killable) gateway() string { return k.gateways[rand.IntN(len(k.gateways))] }

// going reports whether writers go on, after a short pause.
func (k *killable) going() bool {
	select {
	case <-k.stop:
		return false
	case <-time.After(20 * time.Millisecond):
		return true
	}
}

// writeNames registers one name after the other, each by an account of its own, and changes what it says.
func (k *killable) writeNames(writer int) {
	for n := 0; k.going(); n++ {
		by := signaturetest.NewAccount(100_000*(writer+1) + n)
		w := &writtenName{name: fmt.Sprintf("kill%d-%d.hawser.id", writer, n)}
		k.mu.Lock()
		k.names = append(k.names, w)
		k.mu.Unlock()
		message := fmt.Sprintf(`{"name":%q,"attributes":{"bio":"first"},"timestamp":%d}`, w.name, time.Now().Unix())
		status, _ := k.send(http.MethodPost, k.gateway()+"/v1/profile/account?projectId="+project, "text/plain", envelope(message, by.Sign(message), ether, by), "")
		if status != http.StatusOK {
			w.doubt = "first"
			continue
		}
		w.acknowledged, w.says = true, "first"
		message = fmt.Sprintf(`{"attributes":{"bio":"second"},"timestamp":%d}`, time.Now().Unix())
		status, _ = k.send(http.MethodPost, k.gateway()+"/v1/profile/account/"+w.name+"/attributes?projectId="+project, "text/plain", envelope(message, by.Sign(message), ether, by), "")
		if status == http.StatusOK {
			w.says = "second"
		} else {
			w.doubt = "second"
		}
	}
}

// writeOrders begins one purchase after the other and pays it, all for wallets of their own.
func (k *killable) writeOrders(writer int) {
	first := rand.Uint32()
	for n := 0; k.going(); n++ {
		w := &writtenOrder{wallet: fmt.Sprintf("0x%024x%08x%08x", writer+1, first, n+1)}
		k.mu.Lock()
		k.orders = append(k.orders, w)
		k.mu.Unlock()
		body := `{"projectId":"` + project + `","sessionData":{"serviceProvider":"BEACON-PAY","sourceAmount":"100","sourceCurrencyCode":"USD",` +
			`"destinationCurrencyCode":"tUSD","chainId":"` + devChain + `","walletAddress":"` + w.wallet + `","countryCode":"US"}}`
		status, answer := k.send(http.MethodPost, k.gateway()+"/v1/onramp/widget", "application/json", body, "")
		opened := &onrampv1.OpenWidgetResponse{}
		if status != http.StatusOK || protojson.Unmarshal(answer, opened) != nil {
			continue
		}
		w.id = opened.GetOrder().GetId()
		card := url.Values{"number": {cardSucceeds}, "expiry": {"12/40"}, "cvc": {"123"}, "name": {"Ada Lovelace"}}
		status, _ = k.send(http.MethodPost, opened.GetWidgetUrl()+"/pay", "application/x-www-form-urlencoded", card.Encode(), "")
		w.paid, w.doubt = status == http.StatusOK, status != http.StatusOK
	}
}
