package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"google.golang.org/protobuf/encoding/protojson"

	onrampv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/onramp/v1"
	"github.com/hawser-dev/hawser/services/onchain/delegation"
	"github.com/hawser-dev/hawser/services/onchain/evm/account"
	"github.com/hawser-dev/hawser/services/onchain/request"
	"github.com/hawser-dev/hawser/services/onchain/signature/signaturetest"
	"github.com/hawser-dev/hawser/services/sessions/proof"
)

// registerName registers a name for an account of its own.
func (a *acknowledged) registerName() call {
	return call{"register name", 4, func(ctx context.Context) verdict {
		n := int(a.next.Add(1))
		by := signaturetest.NewAccount(n)
		w := writtenName{fmt.Sprintf("fault-%d.hawser.id", n), fmt.Sprintf("bio %d", n), by.Address().String()}
		message := fmt.Sprintf(`{"name":%q,"attributes":{"bio":%q},"timestamp":%d}`, w.name, w.bio, time.Now().Unix())
		body := fmt.Sprintf(`{"message":%q,"signature":%q,"coin_type":60,"address":%q}`, message, by.Sign(message), w.address)
		_, v := a.world.send(ctx, httpRequest{method: http.MethodPost, path: "/v1/profile/account?projectId=" + project, contentType: plainText, body: body})
		if v == right {
			a.mu.Lock()
			defer a.mu.Unlock()
			a.names = append(a.names, w)
		}
		return v
	}}
}

// signIn signs an account in.
func (a *acknowledged) signIn() call {
	return call{"sign in", 4, func(ctx context.Context) verdict {
		by := signaturetest.NewAccount(int(a.next.Add(1)))
		post := func(path, body string, into any) verdict {
			raw, v := a.world.send(ctx, httpRequest{method: http.MethodPost, path: "/auth/v1/" + path + "?projectId=" + project, contentType: plainText, body: body})
			if v == right && json.Unmarshal(raw, into) != nil {
				return wrong("%s", raw)
			}
			return v
		}
		var nonce struct{ Nonce, Token string }
		if v := post("nonce", "", &nonce); v != right {
			return v
		}
		const text = "shop.example wants you to sign in with your Ethereum account:\n%s\n\nWelcome.\n\nURI: %s/\nVersion: 1\nChain ID: %s\nNonce: %s\nIssued At: %s"
		message := fmt.Sprintf(text, by.Address(), shop, strings.TrimPrefix(a.world.chain.CAIP2, "eip155:"), nonce.Nonce, time.Now().UTC().Format(time.RFC3339))
		body, err := json.Marshal(map[string]string{"message": message, "signature": by.Sign(message), "nonceToken": nonce.Token})
		if err != nil {
			return wrong("%v", err)
		}
		var session struct{ Token string }
		v := post("authenticate", string(body), &session)
		if v == right {
			a.mu.Lock()
			defer a.mu.Unlock()
			a.signedIn = append(a.signedIn, writtenSignIn{session.Token, by.Address().String()})
		}
		return v
	}}
}

// writtenGrant is a smart session that was made.
type writtenGrant struct {
	pci   string
	owner account.Key
}

// createGrant makes a smart session for an account of its own.
func (a *acknowledged) createGrant() call {
	return call{"make smart session", 3, func(ctx context.Context) verdict {
		owner, err := account.NewKey(rand.Reader)
		if err != nil {
			return wrong("%v", err)
		}
		site, err := account.NewKey(rand.Reader)
		if err != nil {
			return wrong("%v", err)
		}
		now := time.Now().Unix()
		body, err := json.Marshal(map[string]any{
			"expiry":      now + 86_400,
			"signer":      map[string]any{"type": "keys", "data": map[string]any{"keys": []any{map[string]any{"type": "secp256k1", "publicKey": hexutil.Encode(site.PublicKey())}}}},
			"permissions": []any{map[string]any{"type": "native-token-recurring-allowance", "data": map[string]any{"allowance": "0x3e8", "start": now - 60, "period": 86_400}}},
			"policies":    []any{},
		})
		if err != nil {
			return wrong("%v", err)
		}
		raw, v := a.world.send(ctx, httpRequest{method: http.MethodPost, path: a.grantPath(owner, ""), contentType: "application/json", body: string(body)})
		if v != right {
			return v
		}
		var created struct{ PCI string }
		if json.Unmarshal(raw, &created) != nil || created.PCI == "" {
			return wrong("%s", raw)
		}
		a.mu.Lock()
		defer a.mu.Unlock()
		a.grants = append(a.grants, writtenGrant{created.PCI, owner})
		return v
	}}
}

func (a *acknowledged) grantPath(owner account.Key, path string) string {
	return fmt.Sprintf("/v1/sessions/%s:%s%s?projectId=%s&v=2", a.world.chain.CAIP2, owner.Address(), path, project)
}

// grantRead lists the smart sessions of an account that made one.
func (a *acknowledged) grantRead() call {
	return call{"smart sessions", 5, func(ctx context.Context) verdict {
		g, ok := pickOne(a, &a.grants)
		if !ok {
			return refused("nothing is written yet")
		}
		return a.wantGrant(ctx, g)
	}}
}

// wantGrant reports whether an account has the one smart session that it made.
func (a *acknowledged) wantGrant(ctx context.Context, g writtenGrant) verdict {
	var nonce [32]byte
	_, _ = rand.Read(nonce[:])
	deadline := uint32(time.Now().Unix()) + 300
	statement := proof.Statement{Kind: proof.List, Account: request.Account{ChainID: a.world.chain.CAIP2, Address: g.owner.Address()}}
	body, err := json.Marshal(map[string]any{"proof": map[string]any{
		"nonce": common.Hash(nonce).Hex(), "deadline": deadline, "signature": hexutil.Encode(delegation.Signature(g.owner.Sign(statement.Hash(a.world.gateways[0], nonce, deadline)))),
	}})
	if err != nil {
		return wrong("%v", err)
	}
	type answer struct{ Pcis []struct{ PCI string } }
	r := httpRequest{method: http.MethodPost, path: a.grantPath(g.owner, "/list"), contentType: "application/json", body: string(body)}
	return get(ctx, a.world, r, func(a answer) string {
		if len(a.Pcis) != 1 || a.Pcis[0].PCI != g.pci {
			return "the smart sessions are others than " + g.pci
		}
		return ""
	})
}

// stage matches the stage of a checkout on its page.
var stage = regexp.MustCompile(`data-stage="[a-z]*"`)

// buy begins a purchase in the sandbox and pays it. The seller reports the payment to the suite by webhooks.
func (a *acknowledged) buy() call {
	return call{"buy", 3, func(ctx context.Context) verdict {
		begun := time.Now()
		o := &writtenOrder{wallet: fmt.Sprintf("0x%040x", 0x7a00000000000000+a.next.Add(1))}
		a.mu.Lock()
		a.orders = append(a.orders, o)
		a.mu.Unlock()
		body := `{"projectId":"` + project + `","sessionData":{"serviceProvider":"BEACON-PAY","sourceAmount":"100","sourceCurrencyCode":"USD",` +
			`"destinationCurrencyCode":"tUSD","chainId":"` + a.world.chain.CAIP2 + `","walletAddress":"` + o.wallet + `","countryCode":"US"}}`
		raw, v := a.world.send(ctx, httpRequest{method: http.MethodPost, path: "/v1/onramp/widget", contentType: "application/json", body: body})
		if v != right {
			return v
		}
		opened := &onrampv1.OpenWidgetResponse{}
		if err := protojson.Unmarshal(raw, opened); err != nil {
			return wrong("%v: %s", err, raw)
		}
		a.mu.Lock()
		o.id = opened.GetOrder().GetId()
		a.mu.Unlock()
		card := url.Values{"number": {"4242 4242 4242 4242"}, "expiry": {"12/40"}, "cvc": {"123"}, "name": {"Ada Lovelace"}}
		page, v := a.world.sendTo(ctx, opened.GetWidgetUrl()+"/pay", httpRequest{method: http.MethodPost, contentType: "application/x-www-form-urlencoded", body: card.Encode()})
		switch {
		case v != right:
			return v
		case bytes.Contains(page, []byte("Visa ending in 4242")):
		case a.world.wasSkewed(begun):
			return refused("not paid, with a clock that is wrong")
		default:
			return wrong("the seller's page does not acknowledge the payment: %s", stage.Find(page))
		}
		a.mu.Lock()
		defer a.mu.Unlock()
		o.paid = true
		return right
	}}
}
