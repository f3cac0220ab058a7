package sandbox

import (
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"html"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/hawser-dev/hawser/services/ramp"
)

func TestAWrongFormSaysWhatIsWrongAndKeepsNothingSecret(t *testing.T) {
	w := onSQLite(t)
	good := card("4242 4242 4242 4242")
	tests := map[string]struct {
		field, value string
		wrong        string
	}{
		"no number":              {fieldNumber, " ", "Enter a card number."},
		"a digit is another":     {fieldNumber, "4242 4242 4242 4241", "This is no card number: check its digits."},
		"letters":                {fieldNumber, "4242 4242 4242 424x", "This is no card number: check its digits."},
		"too short":              {fieldNumber, "42424242426", "This is no card number: check its digits."},
		"a card that may be one": {fieldNumber, "5555 5555 5555 4444", "This is a sandbox: pay with one of the test cards below, never with a real one."},
		"no date":                {fieldExpiry, "", "Enter month and year as on the card, such as 04/29."},
		"a thirteenth month":     {fieldExpiry, "13/98", "Enter month and year as on the card, such as 04/29."},
		"a year in full":         {fieldExpiry, "12/2098", "Enter month and year as on the card, such as 04/29."},
		"a date that is over":    {fieldExpiry, "01/20", "This card has expired."},
		"two digits":             {fieldCVC, "12", "Enter the three digits from the card's back."},
		"four digits":            {fieldCVC, "1234", "Enter the three digits from the card's back."},
		"letters for digits":     {fieldCVC, "12a", "Enter the three digits from the card's back."},
		"no name":                {fieldName, "", "Enter the name that it is issued to."},
		"a number for a name":    {fieldName, "4242424242424242", "This is no name."},
		"a number for a date":    {fieldExpiry, "4242424242424242", "Enter month and year as on the card, such as 04/29."},
		"a name without end":     {fieldName, strings.Repeat("a", nameLimit+1), "This is no name."},
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
			if test.field != fieldName && !strings.Contains(text, `value="Ada Lovelace"`) {
				t.Error("the name is not kept")
			}
			if test.value == "4242424242424242" && strings.Contains(text, test.value) {
				t.Error("a number in another field is in the page again")
			}
			if number := fields[fieldNumber]; len(number) > 4 && strings.Contains(text, `value="`+number) || strings.Contains(text, `value="123"`) {
				t.Error("the number or the security code is in the page again")
			}
			if c := w.record(t, id); c.Stage != paying || c.PaidBy != "" {
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

// texts are what a query of one column finds.
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

func TestBankDebitsAreChecked(t *testing.T) {
	good := map[string]string{fieldRouting: "110000000", fieldAccount: "000123456789", fieldName: "Ada Lovelace"}
	if plays, by, wrong := readAccount(good); len(wrong) > 0 || plays != playsSlow || by != "Account ending in 6789" {
		t.Errorf("%s by %s: %v", plays, by, wrong)
	}
	for _, test := range []struct{ field, value string }{
		{fieldRouting, ""}, {fieldRouting, "110000001"}, {fieldRouting, "11000000"}, {fieldRouting, "1100 00000"}, {fieldAccount, ""},
		{fieldAccount, "123"}, {fieldAccount, "abc"}, {fieldName, " "},
	} {
		fields := map[string]string{fieldRouting: good[fieldRouting], fieldAccount: good[fieldAccount], fieldName: good[fieldName]}
		fields[test.field] = test.value
		if _, _, wrong := readAccount(fields); wrong[test.field] == "" || len(wrong) != 1 {
			t.Errorf("%s %q: %v", test.field, test.value, wrong)
		}
	}
}

func TestACardCountsUntilTheEndOfItsMonth(t *testing.T) {
	last := time.Date(2027, 2, 28, 23, 59, 59, 0, time.UTC)
	if text := wrongExpiry("02/27", last); text != "" {
		t.Errorf("a second before the end: %s", text)
	}
	if text := wrongExpiry("2 / 27", last.Add(time.Second)); text != "This card has expired." {
		t.Errorf("at the end: %q", text)
	}
}

func TestEveryTestCardPassesTheCheckOfCardNumbers(t *testing.T) {
	for _, n := range testCards {
		if !passesLuhn(n.Digits) {
			t.Errorf("%s does not", n.Spaced())
		}
	}
}

func TestThreeDSecureAsksAndTakesNo(t *testing.T) {
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
		if page, err := w.Submit(t.Context(), id, ActionConfirm, map[string]string{fieldCode: "000000"}); err != nil || !strings.Contains(string(page), "This is not the code") {
			t.Errorf("%v:\n%s", err, page)
		}
		w.submit(t, id, ActionConfirm, map[string]string{fieldCode: confirmationCode})
		if c := w.ends(t, id); c.Stage != completed {
			t.Errorf("it is %s", c.Stage)
		}
	})
	t.Run("wrong codes fail it at last", func(t *testing.T) {
		id, _ := ask()
		for range codesAllowed {
			if _, err := w.Submit(t.Context(), id, ActionConfirm, map[string]string{fieldCode: "1"}); err != nil {
				t.Fatal(err)
			}
		}
		w.submit(t, id, ActionConfirm, map[string]string{fieldCode: confirmationCode})
		if c := w.ends(t, id); c.Stage != failed || c.Reason == "" {
			t.Errorf("it is %s: %q", c.Stage, c.Reason)
		}
	})
	t.Run("refused", func(t *testing.T) {
		id, _ := ask()
		w.submit(t, id, ActionRefuse, nil)
		if c := w.ends(t, id); c.Stage != failed {
			t.Errorf("it is %s", c.Stage)
		}
	})
	t.Run("cancelled", func(t *testing.T) {
		id, _ := ask()
		w.submit(t, id, ActionCancel, nil)
		if c := w.ends(t, id); c.Stage != cancelled {
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

func TestAnOrderThatLeavesThingsOpenIsCompletedOnThePage(t *testing.T) {
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
		fields := map[string]string{fieldToken: two + "/tEUR", fieldAmount: "8000", fieldFiat: "EUR", fieldMethod: methodBank}
		for i := 0; i < len(change); i += 2 {
			fields[change[i]] = change[i+1]
		}
		return fields
	}
	for _, wrong := range []struct{ field, value string }{
		{fieldAmount, ""}, {fieldAmount, "ten"}, {fieldAmount, "1e3"}, {fieldAmount, "9"}, {fieldAmount, "25000.01"}, {fieldAmount, "10.005"},
		{fieldToken, ""}, {fieldToken, two + "/NOPE"}, {fieldToken, one + "/tUSD"}, {fieldFiat, "GBP"}, {fieldMethod, "cash"},
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
	// By card it would be too much.
	if page, err := w.Submit(t.Context(), id, ActionCard, nil); err != nil || !strings.Contains(string(page), "The amount must be from 10.00 to 7500.00 EUR") {
		t.Errorf("%v:\n%s", err, page)
	}
	w.submit(t, id, ActionPay, map[string]string{fieldRouting: "110000000", fieldAccount: "000123456789", fieldName: "Ada Lovelace"})
	w.clock.forward(slowness)
	w.ends(t, id)
	w.wantPaidOnce(t, id)
}

func TestWhoMayPayAnyWaySwitches(t *testing.T) {
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

func TestPagesRunNothingAndNameTheirFields(t *testing.T) {
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
	bank.Method = methodBank
	pages["by bank"] = w.page(t, w.begin(t, bank))
	w.submit(t, id, ActionPay, card("4000000000003220"))
	pages["confirming"] = w.page(t, id)
	w.submit(t, id, ActionConfirm, map[string]string{fieldCode: confirmationCode})
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

func TestNobodyIsSentToWhatIsNoWebPage(t *testing.T) {
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
	if _, err := w.Show(t.Context(), "NOBODY"); !errors.Is(err, ErrUnknown) {
		t.Errorf("shown: %v", err)
	}
	if _, err := w.Submit(t.Context(), "NOBODY", ActionPay, nil); !errors.Is(err, ErrUnknown) {
		t.Errorf("submitted: %v", err)
	}
}
