package sandbox

import (
	"strings"
	"testing"
)

func TestACheckoutShowsTheAddressOfTheReceiver(t *testing.T) {
	w := onSQLite(t)
	p := purchase("tUSD", one)
	address := p.Wallets[0].Address
	page := w.page(t, w.begin(t, p))
	if !strings.Contains(page, "in wallet "+short(address)+".") || !strings.Contains(page, `<dd><span class="hash">`+address+`</span></dd>`) {
		t.Errorf("the page does not show the address:\n%s", page)
	}
}

func TestAPageForChoosingATokenShowsTheReceiver(t *testing.T) {
	w := onSQLite(t)
	p := purchase("", "")
	p.Pay = nil
	if page := w.page(t, w.begin(t, p)); !strings.Contains(page, "Your tokens go to wallet "+short(p.Wallets[0].Address)+".") {
		t.Errorf("the page does not name the receiver:\n%s", page)
	}
}

// short returns an address in the form in which the page abbreviates it.
func short(address string) string { return address[:6] + "…" + address[len(address)-4:] }
