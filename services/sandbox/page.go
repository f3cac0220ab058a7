package sandbox

import (
	"bytes"
	"crypto/sha256"
	_ "embed" // pages
	"encoding/base64"
	"html/template"
	"net/url"
	"strings"
	"unicode"
)

//go:embed pages/style.css
var style string

//go:embed pages/checkout.html
var checkoutHTML string

var checkoutPage = template.Must(template.New("checkout").Parse(checkoutHTML))

// refreshAfter is how often a page looks again that waits, in seconds.
const refreshAfter = 1

// policy lets a page have its own style sheet and nothing else, no script, and forms that go back to where they came from (Content Security
// Policy). That nobody frames the page has to be said by whoever serves it.
var policy = func() string {
	hash := sha256.Sum256([]byte(style))
	return "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(hash[:]) + "'; form-action 'self'; base-uri 'none'"
}()

// page is what the template shows.
type page struct {
	Style  template.CSS
	Policy string
	// At is the page's own path.
	At      string
	Seller  string
	Mark    template.HTML
	Stage   stage
	Refresh int
	Heading string

	// The purchase; empty until it is known.
	Receive, ChainName, Subtotal, ProviderFee, NetworkFee, Total string
	Wallet, PaidBy, Transaction, Until                           string
	// WalletName is the primary name of Wallet; empty if it has none.
	WalletName string

	// Gets says what is bought and for which wallet, before the visitor pays; empty once they have.
	Gets string
	// Form is choose, card, bank or confirm; empty shows the state.
	Form    string
	Notice  string
	Selects []choices
	Inputs  []input
	// Switch offers the other way to pay.
	Switch      bool
	Code        string
	Numbers     []testNumber
	NumbersHint string

	Busy     bool
	Mood     string
	Text     string
	Steps    []step
	Return   string
	ReturnTo string
}

type input struct {
	Name, Label, Value, Complete, Mode, Example, Wrong string
	Limit                                              int
	First                                              bool
}

type choices struct {
	Name, Label, Wrong string
	First              bool
	Choices            []choice
}

type choice struct {
	Value, Text string
	Chosen      bool
}

type step struct{ Text, Class string }

func (p page) html() ([]byte, error) {
	p.Style, p.Policy = template.CSS(style), policy
	var b bytes.Buffer
	err := checkoutPage.Execute(&b, p)
	return b.Bytes(), err
}

// view is what a page shows.
type view struct {
	// Path is where the page is.
	Path string
	// Seller is the seller's title, and mark its picture as SVG.
	Seller   string
	Mark     []byte
	Checkout checkout
	// Name is the receiver's primary name; empty if it has none.
	Name string
	// Sold are the tokens to choose from.
	Sold []asset
	// Filled is what the visitor typed, and wrong the mistakes in it, both by field.
	Filled map[string]string
	Wrong  mistakes
}

// render returns the HTML page of a checkout.
func render(v view) ([]byte, error) { return layout(v).html() }

func layout(v view) page {
	c, wrong := v.Checkout, v.Wrong
	p := page{At: v.Path, Seller: v.Seller, Mark: template.HTML(v.Mark), Stage: c.Stage, PaidBy: c.PaidBy, Transaction: c.Transaction, Wallet: c.Wallet, WalletName: v.Name, Return: c.Return, ReturnTo: host(c.Return)}
	if t := c.Terms; t != nil {
		p.Receive, p.ChainName = t.Purchase.String()+" "+t.Symbol, t.ChainName
		p.Subtotal, p.ProviderFee, p.NetworkFee, p.Total = t.in(t.Subtotal), t.in(t.ProviderFee), t.in(t.NetworkFee), t.in(t.Total)
	}
	if len(wrong) > 0 {
		p.Notice = either(wrong[wholeForm], "Please check what is marked below.")
	}
	p.Gets = gets(c, v.Name)
	switch c.Stage {
	case choosing:
		p.choose(c, v.Sold, v.Filled, wrong)
	case paying:
		p.Until = c.ExpiresAt.UTC().Format("15:04 UTC")
		p.pay(c, v.Filled, wrong)
	case confirming:
		p.confirm(wrong)
	default:
		p.state(c)
	}
	return p
}

// gets says what is bought and which wallet receives it, while nothing is paid yet.
func gets(c checkout, name string) string {
	wallet := shorten(c.receiver())
	if name != "" {
		// Isolated, so that a name in a right-to-left script leaves the address in order (Unicode UAX 9).
		wallet = "\u2068" + name + "\u2069 (" + wallet + ")"
	}
	switch {
	case c.Terms != nil && (c.Stage == paying || c.Stage == confirming):
		return "You get " + c.Terms.Purchase.String() + " " + c.Terms.Symbol + " on " + c.Terms.ChainName + " in wallet " + wallet + "."
	case c.Stage == choosing && len(c.Wallets) == 1:
		return "Your tokens go to wallet " + wallet + "."
	}
	return ""
}

// shorten keeps the first six characters of an address and the last four.
func shorten(address string) string {
	const start, end = 6, 4
	if len(address) <= start+end {
		return address
	}
	return address[:start] + "…" + address[len(address)-end:]
}

func (p *page) pay(c checkout, filled map[string]string, wrong mistakes) {
	p.Switch = c.AnyMethod
	name := input{Name: fieldName, Label: "Name", Complete: "name", Value: harmless(filled[fieldName]), Limit: nameLimit, Wrong: wrong[fieldName]}
	if c.Method == methodBank {
		p.Form, p.Heading, p.Numbers = "bank", "Pay by bank debit", testAccounts
		p.NumbersHint = "With any routing number, such as 110000000, and any name."
		p.Inputs = []input{
			{Name: fieldRouting, Label: "Routing number", Complete: "off", Mode: "numeric", Limit: 9, Example: "110000000", Wrong: wrong[fieldRouting]},
			{Name: fieldAccount, Label: "Account number", Complete: "off", Mode: "numeric", Limit: 17, Example: testAccounts[0].Digits, Wrong: wrong[fieldAccount]},
			name,
		}
	} else {
		p.Form, p.Heading, p.Numbers = "card", "Pay by card", testCards
		p.NumbersHint = "With any date that is to come, any three digits and any name."
		p.Inputs = []input{
			{Name: fieldNumber, Label: "Card number", Complete: "off", Mode: "numeric", Limit: 23, Example: "4242 4242 4242 4242", Wrong: wrong[fieldNumber]},
			{Name: fieldExpiry, Label: "Expires (MM/YY)", Complete: "off", Value: harmless(filled[fieldExpiry]), Limit: 7, Example: "04/29", Wrong: wrong[fieldExpiry]},
			{Name: fieldCVC, Label: "Security code", Complete: "off", Mode: "numeric", Limit: 3, Example: "123", Wrong: wrong[fieldCVC]},
			name,
		}
	}
	focusFirst(p.Inputs)
}

func (p *page) confirm(wrong mistakes) {
	p.Form, p.Heading, p.Code = "confirm", "Is it you? (3-D Secure)", confirmationCode
	p.Inputs = []input{{Name: fieldCode, Label: "Code from your bank", Complete: "one-time-code", Mode: "numeric", Limit: 6, Wrong: wrong[fieldCode]}}
	focusFirst(p.Inputs)
}

func (p *page) choose(c checkout, sold []asset, filled map[string]string, wrong mistakes) {
	p.Form, p.Heading = "choose", "What would you like to buy?"
	tokens := choices{Name: fieldToken, Label: "Token", Wrong: wrong[fieldToken], First: wrong[fieldAmount] == ""}
	for _, a := range sold {
		if _, ok := c.recipient(a.Symbol, a.ChainID); !ok || !c.wants(a) {
			continue
		}
		tokens.Choices = append(tokens.Choices, choice{Value: a.code(), Text: a.Symbol + " on " + a.ChainName, Chosen: filled[fieldToken] == a.code()})
	}
	amount := input{Name: fieldAmount, Label: "Amount you pay", Complete: "off", Mode: "decimal", Limit: 12, Example: "100.00", Value: harmless(filled[fieldAmount]), Wrong: wrong[fieldAmount], First: wrong[fieldAmount] != ""}
	fiat := choices{Name: fieldFiat, Label: "Currency"}
	chosen := filled[fieldFiat]
	if c.Pay != nil && filled == nil {
		amount.Value, chosen = money(c.Pay.Value), c.Pay.Currency
	}
	for _, one := range currencies {
		fiat.Choices = append(fiat.Choices, choice{Value: one.ID, Text: one.ID, Chosen: chosen == one.ID})
	}
	methods := choices{Name: fieldMethod, Label: "How you pay", Choices: []choice{
		{Value: methodCard, Text: "Card", Chosen: filled[fieldMethod] == methodCard || c.Method == methodCard},
		{Value: methodBank, Text: "Bank debit", Chosen: filled[fieldMethod] == methodBank || c.Method == methodBank},
	}}
	p.Selects, p.Inputs = []choices{tokens, fiat, methods}, []input{amount}
}

// state tells what became of a payment.
func (p *page) state(c checkout) {
	switch c.Stage {
	case settling:
		p.wait("Your payment is on its way", "This takes some seconds. The page looks again by itself.", 1)
	case paid:
		p.wait("Sending your tokens", "Your payment was taken. The page looks again by itself.", 2)
	case completed:
		p.end("good", "Done", "Your tokens are in your wallet.")
		p.Steps = steps(len(stepTexts))
	case refunded:
		p.end("even", "Refunded", either(c.Reason, "Your payment was returned."))
	case cancelled:
		p.end("even", "Cancelled", either(c.Reason, "Nothing was paid."))
	case expired:
		p.end("even", "This checkout has expired", "Nothing was paid. Begin again where you came from.")
	case failed:
		p.end("bad", "The payment failed", c.Reason+" Nothing was paid.")
	}
}

func (p *page) wait(heading, text string, done int) {
	p.Busy, p.Refresh, p.Heading, p.Text, p.Steps = true, refreshAfter, heading, text, steps(done)
}

func (p *page) end(mood, heading, text string) { p.Mood, p.Heading, p.Text = mood, heading, text }

var stepTexts = []string{"Payment entered", "Payment received", "Tokens sent"}

// steps marks those that are done, and the one after them as the present.
func steps(done int) (all []step) {
	for i, text := range stepTexts {
		s := step{Text: text}
		switch {
		case i < done:
			s.Class = "done"
		case i == done:
			s.Class = "now"
		}
		all = append(all, s)
	}
	return all
}

// focusFirst puts the visitor where something is wrong, or where the form begins.
func focusFirst(inputs []input) {
	for i := range inputs {
		if inputs[i].Wrong != "" {
			inputs[i].First = true
			return
		}
	}
	inputs[0].First = true
}

func either(text, other string) string {
	if text == "" {
		return other
	}
	return text
}

// harmless is what was typed, unless it is as long as a card's number, which some enter in another field: that is never in the page again.
func harmless(text string) string {
	digits := 0
	for _, r := range text {
		if unicode.IsDigit(r) {
			digits++
		}
	}
	if digits >= cardDigits {
		return ""
	}
	return text
}

// host is where a link leads, for people.
func host(link string) string {
	u, err := url.Parse(link)
	if err != nil {
		return ""
	}
	return strings.TrimPrefix(u.Host, "www.")
}
