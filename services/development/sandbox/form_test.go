package sandbox

import (
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"html"
	"regexp"
	"strings"
	"testing"

	"github.com/hawser-dev/hawser/services/development/sandbox/checkout"
	"github.com/hawser-dev/hawser/services/development/sandbox/sqlstore"
	"github.com/hawser-dev/hawser/services/onramp/ramp"
)

func TestAnInvalidFormShowsItsErrorsAndRepeatsNoSecret(t *testing.T) {
	w := onSQLite(t)
	good := card("4242 4242 4242 4242")
	tests := map[string]struct {
		field, value string
		wrong        string
	}{
		"no number":              {checkout.FieldNumber, " ", "Enter a card number."},
		"a digit is another":     {checkout.FieldNumber, "4242 4242 4242 4241", "This is no card number: check its digits."},
		"letters":                {checkout.FieldNumber, "4242 4242 4242 424x", "This is no card number: check its digits."},
		"too short":              {checkout.FieldNumber, "42424242426", "This is no card number: check its digits."},
		"a card that may be one": {checkout.FieldNumber, "5555 5555 5555 4444", "This is a sandbox: pay with one of the test cards below, never with a real one."},
		"no date":                {checkout.FieldExpiry, "", "Enter month and year as on the card, such as 04/29."},
		"a thirteenth month":     {checkout.FieldExpiry, "13/98", "Enter month and year as on the card, such as 04/29."},
		"a year in full":         {checkout.FieldExpiry, "12/2098", "Enter month and year as on the card, such as 04/29."},
		"a date that is over":    {checkout.FieldExpiry, "01/20", "This card has expired."},
		"two digits":             {checkout.FieldCVC, "12", "Enter the three digits from the card's back."},
		"four digits":            {checkout.FieldCVC, "1234", "Enter the three digits from the card's back."},
		"letters for digits":     {checkout.FieldCVC, "12a", "Enter the three digits from the card's back."},
		"no name":                {checkout.FieldName, "", "Enter the name that it is issued to."},
		"a number for a name":    {checkout.FieldName, "4242424242424242", "This is no name."},
		"a number for a date":    {checkout.FieldExpiry, "4242424242424242", "Enter month and year as on the card, such as 04/29."},
		"a name without end":     {checkout.FieldName, strings.Repeat("a", checkout.NameLimit+1), "This is no name."},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			id := w.begin(t, purchase("tUSD", one))
			fields := map[string]string{}
			for k, v := range good {
				fields[k] = v
			}
			fields[test.field] = test.value
			page, err := w.Submit(t.Context(), id, ActionPay, fields)
			if err != nil {
				t.Fatal(err)
			}
			text := html.UnescapeString(string(page))
			if !strings.Contains(text, `id="`+test.field+`-wrong">`+test.wrong) || !strings.Contains(text, `aria-describedby="`+test.field+`-wrong"`) {
				t.Errorf("the page does not say %q at its field:\n%s", test.wrong, text)
			}
			if test.field != checkout.FieldName && !strings.Contains(text, `value="Ada Lovelace"`) {
				t.Error("the name is not kept")
			}
			if test.value == "4242424242424242" && strings.Contains(text, test.value) {
				t.Error("a number in another field is in the page again")
			}
			if number := fields[checkout.FieldNumber]; len(number) > 4 && strings.Contains(text, `value="`+number) || strings.Contains(text, `value="123"`) {
				t.Error("the number or the security code is in the page again")
			}
			if c := w.record(t, id); c.Stage != checkout.Paying || c.PaidBy != "" {
				t.Errorf("the checkout is %s, paid by %q", c.Stage, c.PaidBy)
			}
		})
	}
}

func TestOfACardOnlyTheLastDigitsAreKept(t *testing.T) {
	w := onSQLite(t)
	startWork(t, w.Sandbox)
	id := w.begin(t, purchase("tUSD", one))
	w.submit(t, id, ActionPay, card("4242 4242 4242 4242"))
	w.ends(t, id)
	for _, query := range []string{`SELECT details FROM onramp_sandbox_checkouts`, `SELECT body FROM onramp_sandbox_events`} {
		for _, text := range w.texts(t, query) {
			if strings.Contains(strings.ReplaceAll(text, " ", ""), "42424242") || strings.Contains(text, "Lovelace") {
				t.Errorf("the database keeps %s", text)
			}
		}
	}
	if page := w.page(t, id); !strings.Contains(page, "Visa ending in 4242") || strings.Contains(page, "4242 4242") {
		t.Errorf("the page says\n%s", page)
	}
}

// texts returns the values of a query with one column.
func (w *world) texts(t *testing.T, query string) (all []string) {
	t.Helper()
	rows, err := w.db.Reader().QueryContext(t.Context(), query)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var text string
		if err := rows.Scan(&text); err != nil {
			t.Fatal(err)
		}
		all = append(all, text)
	}
	if err := rows.Err(); err != nil || len(all) == 0 {
		t.Fatalf("%s finds %d, %v", query, len(all), err)
	}
	return all
}

func TestThreeDSecureMayBeRefused(t *testing.T) {
	w := onSQLite(t)
	startWork(t, w.Sandbox)
	ask := func() (id string, p ramp.Purchase) {
		p = purchase("tUSD", one)
		id = w.begin(t, p)
		w.submit(t, id, ActionPay, card("4000 0000 0000 3220"))
		return id, p
	}
	t.Run("a wrong code may be corrected", func(t *testing.T) {
		id, _ := ask()
		if page, err := w.Submit(t.Context(), id, ActionConfirm, map[string]string{checkout.FieldCode: "000000"}); err != nil || !strings.Contains(string(page), "This is not the code") {
			t.Errorf("%v:\n%s", err, page)
		}
		w.submit(t, id, ActionConfirm, map[string]string{checkout.FieldCode: checkout.ConfirmationCode})
		if c := w.ends(t, id); c.Stage != checkout.Completed {
			t.Errorf("it is %s", c.Stage)
		}
	})
	t.Run("too many wrong codes fail the payment", func(t *testing.T) {
		id, _ := ask()
		for range checkout.CodesAllowed {
			if _, err := w.Submit(t.Context(), id, ActionConfirm, map[string]string{checkout.FieldCode: "1"}); err != nil {
				t.Fatal(err)
			}
		}
		w.submit(t, id, ActionConfirm, map[string]string{checkout.FieldCode: checkout.ConfirmationCode})
		if c := w.ends(t, id); c.Stage != checkout.Failed || c.Reason == "" || c.Failure != ramp.CodeWrong {
			t.Errorf("it is %s: %q", c.Stage, c.Reason)
		}
	})
	t.Run("refused", func(t *testing.T) {
		id, _ := ask()
		w.submit(t, id, ActionRefuse, nil)
		if c := w.ends(t, id); c.Stage != checkout.Failed {
			t.Errorf("it is %s", c.Stage)
		}
	})
	t.Run("cancelled", func(t *testing.T) {
		id, _ := ask()
		w.submit(t, id, ActionCancel, nil)
		if c := w.ends(t, id); c.Stage != checkout.Cancelled {
			t.Errorf("it is %s", c.Stage)
		}
	})
}

func TestThePageNamesTheWalletBeforeThePayment(t *testing.T) {
	w := onSQLite(t)
	p := purchase("tUSD", one)
	address := p.Wallets[0].Address
	short := address[:6] + "…" + address[len(address)-4:]
	id := w.begin(t, p)
	terms := w.record(t, id).Terms
	want := "You get " + terms.Purchase.String() + " tUSD on " + terms.ChainName + " in wallet " + short + "."
	if page := w.page(t, id); !strings.Contains(page, want) {
		t.Errorf("the page to pay does not say %q:\n%s", want, page)
	}
	w.submit(t, id, ActionPay, card("4242 4242 4242 4242"))
	if page := w.page(t, id); strings.Contains(page, "You get") {
		t.Errorf("the page still says what would be bought:\n%s", page)
	}

	undecided := purchase("", "")
	undecided.Pay, undecided.Method, undecided.Wallets = nil, "", p.Wallets
	if page := w.page(t, w.begin(t, undecided)); !strings.Contains(page, "Your tokens go to wallet "+short+".") {
		t.Errorf("the page to choose does not name the wallet:\n%s", page)
	}
}

func TestMissingOrderDetailsAreChosenOnThePage(t *testing.T) {
	w := onSQLite(t)
	startWork(t, w.Sandbox)
	p := purchase("", "")
	p.Pay, p.Method = nil, ""
	p.Wallets[0].ChainIDs = []string{two}
	id := w.begin(t, p)
	page := w.page(t, id)
	if !strings.Contains(page, `value="`+two+`/tEUR"`) || strings.Contains(page, `value="`+one+`/`) {
		t.Errorf("the choice is not that of the wallet:\n%s", page)
	}
	choice := func(change ...string) map[string]string {
		fields := map[string]string{checkout.FieldToken: two + "/tEUR", checkout.FieldAmount: "8000", checkout.FieldFiat: "EUR", checkout.FieldMethod: checkout.MethodBank}
		for i := 0; i < len(change); i += 2 {
			fields[change[i]] = change[i+1]
		}
		return fields
	}
	for _, wrong := range []struct{ field, value string }{
		{checkout.FieldAmount, ""}, {checkout.FieldAmount, "ten"}, {checkout.FieldAmount, "1e3"}, {checkout.FieldAmount, "9"}, {checkout.FieldAmount, "25000.01"}, {checkout.FieldAmount, "10.005"},
		{checkout.FieldToken, ""}, {checkout.FieldToken, two + "/NOPE"}, {checkout.FieldToken, one + "/tUSD"}, {checkout.FieldFiat, "GBP"}, {checkout.FieldMethod, "cash"},
	} {
		page, err := w.Submit(t.Context(), id, ActionChoose, choice(wrong.field, wrong.value))
		if err != nil || !strings.Contains(string(page), `class="wrong"`) {
			t.Errorf("%s %q is taken: %v", wrong.field, wrong.value, err)
		}
		if at := regexp.MustCompile(`id="([a-z]+)"[^>]* autofocus`).FindAllStringSubmatch(string(page), -1); len(at) != 1 || !strings.Contains(string(page), `id="`+at[0][1]+`-wrong"`) {
			t.Errorf("%s %q: the visitor is put at %v", wrong.field, wrong.value, at)
		}
	}
	w.submit(t, id, ActionChoose, choice())
	// The amount is above the limit of card payments.
	if page, err := w.Submit(t.Context(), id, ActionCard, nil); err != nil || !strings.Contains(string(page), "The amount must be from 10.00 to 7500.00 EUR") {
		t.Errorf("%v:\n%s", err, page)
	}
	w.submit(t, id, ActionPay, map[string]string{checkout.FieldRouting: "110000000", checkout.FieldAccount: "000123456789", checkout.FieldName: "Ada Lovelace"})
	w.clock.Pass(checkout.Slowness)
	w.ends(t, id)
	w.wantPaidOnce(t, id)
}

func TestThePaymentMethodCanBeSwitched(t *testing.T) {
	w := onSQLite(t)
	p := purchase("tUSD", one)
	p.Method = ""
	id := w.begin(t, p)
	w.submit(t, id, ActionBank, nil)
	if page := w.page(t, id); !strings.Contains(page, "Routing number") {
		t.Errorf("it is not paid by bank:\n%s", page)
	}
	w.submit(t, id, ActionCard, nil)
	if page := w.page(t, id); !strings.Contains(page, "Card number") {
		t.Errorf("it is not paid by card:\n%s", page)
	}
}

var (
	labels  = regexp.MustCompile(`<(?:input|select) id="([^"]+)"`)
	styles  = regexp.MustCompile(`(?s)<style>(.*)</style>`)
	scripts = regexp.MustCompile(`(?i)<script|\son\w+=|javascript:|\sstyle="`)
	policyF = regexp.MustCompile(`http-equiv="Content-Security-Policy" content="([^"]*)"`)
)

func TestPagesHaveNoScriptsAndLabelTheirFields(t *testing.T) {
	w := onSQLite(t)
	startWork(t, w.Sandbox)
	open := purchase("", "")
	open.Pay = nil
	pages := map[string]string{}
	pages["choosing"] = w.page(t, w.begin(t, open))
	p := purchase("tUSD", one)
	p.Return = `https://shop.example/back?a=1&b="><script>alert(1)</script>`
	id := w.begin(t, p)
	pages["paying"] = w.page(t, id)
	bank := purchase("tUSD", one)
	bank.Method = checkout.MethodBank
	pages["by bank"] = w.page(t, w.begin(t, bank))
	w.submit(t, id, ActionPay, card("4000000000003220"))
	pages["confirming"] = w.page(t, id)
	w.submit(t, id, ActionConfirm, map[string]string{checkout.FieldCode: checkout.ConfirmationCode})
	pages["on its way"] = w.page(t, id)
	w.ends(t, id)
	pages["completed"] = w.page(t, id)
	for name, page := range pages {
		if found := scripts.FindString(page); found != "" {
			t.Errorf("%s: there is %q", name, found)
		}
		if !strings.Contains(page, "Sandbox — no real money moves") {
			t.Errorf("%s does not say that it plays", name)
		}
		for _, field := range labels.FindAllStringSubmatch(page, -1) {
			if !strings.Contains(page, `<label for="`+field[1]+`"`) {
				t.Errorf("%s: %s has no label", name, field[1])
			}
		}
		hash := sha256.Sum256([]byte(styles.FindStringSubmatch(page)[1]))
		if said := html.UnescapeString(policyF.FindStringSubmatch(page)[1]); !strings.Contains(said, "'sha256-"+base64.StdEncoding.EncodeToString(hash[:])+"'") {
			t.Errorf("%s: the style sheet is not the one that the policy lets in", name)
		}
	}
	if !strings.Contains(pages["on its way"], `http-equiv="refresh"`) && !strings.Contains(pages["on its way"], "Done") {
		t.Error("a page that waits does not look again")
	}
	if strings.Contains(pages["completed"], `http-equiv="refresh"`) || !strings.Contains(pages["completed"], "Return to shop.example") {
		t.Errorf("at the end:\n%s", pages["completed"])
	}
}

func TestReturnURLsAreWebPages(t *testing.T) {
	w := onSQLite(t)
	for _, back := range []string{"javascript:alert(1)", "data:text/html,x", "//evil.example", "/somewhere", "https://user@evil.example/", "https://"} {
		p := purchase("tUSD", one)
		p.Return = back
		if widget, err := w.sellers[0].Open(t.Context(), p); err == nil {
			t.Errorf("%q is taken: %s", back, widget.URL)
		}
	}
}

func TestAnUnknownCheckoutHasNoPage(t *testing.T) {
	w := onSQLite(t)
	if _, err := w.Show(t.Context(), "NOBODY"); !errors.Is(err, sqlstore.ErrUnknown) {
		t.Errorf("shown: %v", err)
	}
	if _, err := w.Submit(t.Context(), "NOBODY", ActionPay, nil); !errors.Is(err, sqlstore.ErrUnknown) {
		t.Errorf("submitted: %v", err)
	}
}
