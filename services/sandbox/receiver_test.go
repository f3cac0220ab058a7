package sandbox

import (
	"context"
	"errors"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	namesv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/names/v1"
)

func TestCheckoutShowsReceiverPrimaryName(t *testing.T) {
	w := onSQLite(t)
	p := purchase("tUSD", one)
	address := p.Wallets[0].Address
	w.names.answer = func(_ context.Context, requested string) (*namesv1.GetIdentityResponse, error) {
		if requested != address {
			t.Errorf("the name of %s is requested", requested)
		}
		return &namesv1.GetIdentityResponse{Name: proto.String("ada.hawser.id")}, nil
	}
	page := w.page(t, w.begin(t, p))
	if gets := "in wallet \u2068ada.hawser.id\u2069 (" + short(address) + ")."; !strings.Contains(page, gets) {
		t.Errorf("the page does not say %q:\n%s", gets, page)
	}
	if to := `<dd><bdi>ada.hawser.id</bdi><br><span class="hash">` + address + `</span></dd>`; !strings.Contains(page, to) {
		t.Errorf("the receiver is not shown as %q:\n%s", to, page)
	}

	open := purchase("", "")
	open.Pay, open.Wallets = nil, p.Wallets
	if page := w.page(t, w.begin(t, open)); !strings.Contains(page, "Your tokens go to wallet \u2068ada.hawser.id\u2069 ("+short(address)+").") {
		t.Errorf("the page for choosing a token does not name the receiver:\n%s", page)
	}
}

func TestCheckoutShowsOnlyTheAddressWithoutAName(t *testing.T) {
	tests := map[string]func(context.Context, string) (*namesv1.GetIdentityResponse, error){
		"no name": func(context.Context, string) (*namesv1.GetIdentityResponse, error) {
			return &namesv1.GetIdentityResponse{}, nil
		},
		"names fails": func(context.Context, string) (*namesv1.GetIdentityResponse, error) {
			return nil, errors.New("names is unavailable")
		},
		"names hangs": func(ctx context.Context, _ string) (*namesv1.GetIdentityResponse, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		},
	}
	for name, answer := range tests {
		t.Run(name, func(t *testing.T) {
			w := onSQLite(t)
			w.names.answer = answer
			p := purchase("tUSD", one)
			page := w.page(t, w.begin(t, p))
			if !strings.Contains(page, "in wallet "+short(p.Wallets[0].Address)+".") || !strings.Contains(page, `<dd><span class="hash">`+p.Wallets[0].Address+`</span></dd>`) {
				t.Errorf("the page does not show the address alone:\n%s", page)
			}
		})
	}
}

// short returns an address in the form in which the page abbreviates it.
func short(address string) string { return address[:6] + "…" + address[len(address)-4:] }
