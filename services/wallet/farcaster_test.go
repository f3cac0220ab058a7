package wallet_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"google.golang.org/protobuf/proto"

	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	walletv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/wallet/v1"
	"github.com/hawser-dev/hawser/services/development/farcaster"
	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/platform/caller"
	"github.com/hawser-dev/hawser/services/platform/store"
	"github.com/hawser-dev/hawser/services/platform/store/storetest"
	"github.com/hawser-dev/hawser/services/wallet"
)

func (v *visitor) startFarcaster() (*walletv1.StartFarcasterResponse, error) {
	return call[walletv1.StartFarcasterResponse](v, walletv1.LoginService_StartFarcaster_FullMethodName, &walletv1.StartFarcasterRequest{})
}

func (v *visitor) waitForFarcaster(handle string) (*walletv1.WaitForFarcasterResponse, error) {
	return call[walletv1.WaitForFarcasterResponse](v, walletv1.LoginService_WaitForFarcaster_FullMethodName, &walletv1.WaitForFarcasterRequest{Handle: handle})
}

// approve signs in the app as a test user.
func (w *world) approve(address, name string) {
	w.t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		w.t.Fatal(err)
	}
	res, err := http.PostForm(address, url.Values{"channelToken": {u.Query().Get("channelToken")}, "name": {name}})
	if err != nil {
		w.t.Fatal(err)
	}
	_ = res.Body.Close()
	if res.StatusCode != http.StatusOK {
		w.t.Fatalf("the app answers %d", res.StatusCode)
	}
}

// registries are nodes that answer calls of the registries of Farcaster.
type registries []farcaster.Person

func (people registries) Agreed(string) chainclient.Transport {
	return func(_ context.Context, body []byte) ([]byte, error) {
		var calls []struct {
			ID     json.RawMessage `json:"id"`
			Params []any           `json:"params"`
		}
		if err := json.Unmarshal(body, &calls); err != nil {
			return nil, err
		}
		var answers []string
		for _, c := range calls {
			data, _ := c.Params[0].(map[string]any)["data"].(string)
			id := uint64(0)
			for _, p := range people {
				if data == hexutil.Encode(append(evm.Selector("idOf(address)"), evm.Word(p.Address())...)) {
					id = p.FID
				}
			}
			answers = append(answers, fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":"0x%064x%064x"}`, c.ID, id, 0))
		}
		return []byte("[" + strings.Join(answers, ",") + "]"), nil
	}
}

func TestFarcasterSignsInTheDeviceThatStarted(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w := newDevelopment(t, db)
		v := w.visitor()
		started := must(v.startFarcaster())(t)
		if status, _ := w.popup(started.GetUrl()); status != http.StatusOK {
			t.Fatalf("the app answers %d", status)
		}
		w.approve(started.GetUrl(), "alice")
		_, err := w.visitor().waitForFarcaster(started.GetHandle())
		refused(t, err, faultv1.Reason_REASON_SOCIAL_FAILED)
		in := must(v.waitForFarcaster(started.GetHandle()))(t)
		if in.GetUserName() != "alice" {
			t.Errorf("name %q", in.GetUserName())
		}
		v.Caller.Device.AccessToken = in.GetTokens().GetAccessToken()
		u := must(v.user())(t)
		if len(u.GetIdentities()) != 1 || u.GetIdentities()[0].GetProvider() != "farcaster" || u.GetIdentities()[0].GetSubject() != "1001" {
			t.Errorf("user %v", u)
		}
		// The response of the first call may be lost.
		if again := must(v.waitForFarcaster(started.GetHandle()))(t); again.GetTokens().GetUserId() != u.GetId() {
			t.Errorf("it signs in %v", again)
		}
		w.clock.Pass(time.Minute)
		_, err = v.waitForFarcaster(started.GetHandle())
		refused(t, err, faultv1.Reason_REASON_SOCIAL_FAILED)
	})
}

func TestAFarcasterAccountIsLinkedByItsSignature(t *testing.T) {
	w := newDevelopment(t, storetest.Open(t, storetest.SQLite(t)))
	v := w.visitor()
	id := v.socialLogin("google", "person-alice").GetTokens().GetUserId()
	must(v.createWallet())(t)
	started := must(v.startFarcaster())(t)
	w.approve(started.GetUrl(), "bob")
	proof := v.sign("LinkSocial", started.GetHandle())
	linked := must(call[walletv1.LinkSocialResponse](v, walletv1.WalletService_LinkSocial_FullMethodName, &walletv1.LinkSocialRequest{Handle: started.GetHandle(), Proof: proof}))(t)
	if i := linked.GetIdentity(); i.GetProvider() != "farcaster" || i.GetSubject() != "1002" || i.GetName() != "bob" {
		t.Errorf("identity %v", i)
	}
	other := w.visitor()
	again := must(other.startFarcaster())(t)
	w.approve(again.GetUrl(), "bob")
	if got := must(other.waitForFarcaster(again.GetHandle()))(t).GetTokens().GetUserId(); got != id {
		t.Error("the linked account is another user")
	}
}

func TestAFarcasterLoginExpires(t *testing.T) {
	w := newDevelopment(t, storetest.Open(t, storetest.SQLite(t)))
	v := w.visitor()
	started := must(v.startFarcaster())(t)
	w.approve(started.GetUrl(), "alice")
	w.clock.Pass(10 * time.Minute)
	_, err := v.waitForFarcaster(started.GetHandle())
	refused(t, err, faultv1.Reason_REASON_SOCIAL_FAILED)
}

// The relay is another operator's, and limits its callers.
func TestTheRelayIsNotPolledMoreThanItsOwnClientsDo(t *testing.T) {
	var polls atomic.Int32
	relay := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			w.WriteHeader(http.StatusCreated)
			_, _ = w.Write([]byte(`{"channelToken":"token","url":"https://farcaster.example"}`))
			return
		}
		polls.Add(1)
		w.WriteHeader(http.StatusAccepted)
		_, _ = w.Write([]byte(`{"state":"pending"}`))
	}))
	t.Cleanup(relay.Close)
	w := newWorld(t, storetest.Open(t, storetest.SQLite(t)), func(c *wallet.Config) { c.FarcasterRelay = relay.URL })
	v := w.visitor()
	started := must(v.startFarcaster())(t)
	request := &walletv1.WaitForFarcasterRequest{Handle: started.GetHandle()}
	body, err := proto.Marshal(request)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 1200*time.Millisecond)
	defer cancel()
	as := caller.NewOutgoingContext(ctx, v.Call(walletv1.LoginService_WaitForFarcaster_FullMethodName, body))
	if err := w.Invoke(as, walletv1.LoginService_WaitForFarcaster_FullMethodName, request, &walletv1.WaitForFarcasterResponse{}); err == nil {
		t.Error("it ended without a message")
	}
	if n := polls.Load(); n != 1 {
		t.Errorf("%d polls in 1.2 seconds", n)
	}
}
