// Package page renders the checkout as HTML without scripts.
package page

import (
	"bytes"
	"crypto/sha256"
	_ "embed" // pages
	"encoding/base64"
	"html/template"
	"net/url"
	"strings"
	"unicode"

	"github.com/hawser-dev/hawser/services/development/sandbox/checkout"
)

//go:embed style.css
var style string

//go:embed checkout.html
var checkoutHTML string

var checkoutPage = template.Must(template.New("checkout").Parse(checkoutHTML))

// refreshAfter is the reload interval of a waiting page, in seconds.
const refreshAfter = 1

// policy is the Content Security Policy: the page's own style sheet, no script, and forms to the same origin.
// frame-ancestors only works in an HTTP header, so the handler sets it.
var policy = func() string {
	hash := sha256.Sum256([]byte(style))
	return "default-src 'none'; img-src data:; style-src 'sha256-" + base64.StdEncoding.EncodeToString(hash[:]) + "'; form-action 'self'; base-uri 'none'"
}()

// page is the data of the template.
type page struct {
	Style  template.CSS
	Policy string
	// At is the path of the page.
	At      string
	Seller  string
	Mark    template.HTML
	Stage   checkout.Stage
	Refresh int
	Heading string

	// The purchase; empty until the token is known.
	Receive, ChainName, Subtotal, ProviderFee, NetworkFee, Total string
	Wallet, PaidBy, Transaction, Until                           string

	// Gets describes the purchase and the wallet that receives it; empty after the payment.
	Gets string
	// Form is choose, card, bank or confirm; empty for a page that shows only the state.
	Form    string
	Notice  string
	Selects []choices
	Inputs  []input
	// Switch offers the other payment method.
	Switch      bool
	Code        string
	Numbers     []checkout.TestNumber
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

// View is the content of a page.
type View struct {
	// Path is the path of the page.
	Path string
	// Seller is the seller's title, and mark its picture as SVG.
	Seller   string
	Mark     []byte
	Checkout checkout.Checkout
	// Sold are the assets to choose from.
	Sold []checkout.Asset
	// Filled is the visitor's input, and Wrong the mistakes in it, both by field.
	Filled map[string]string
	Wrong  checkout.Mistakes
}

// Render returns the HTML page of a checkout.
func Render(v View) ([]byte, error) { return layout(v).html() }

func layout(v View) page {
	c, wrong := v.Checkout, v.Wrong
	p := page{At: v.Path, Seller: v.Seller, Mark: template.HTML(v.Mark), Stage: c.Stage, PaidBy: c.PaidBy, Transaction: c.Transaction, Wallet: c.Wallet, Return: c.Return, ReturnTo: host(c.Return)}
	if t := c.Terms; t != nil {
		p.Receive, p.ChainName = t.Purchase.String()+" "+t.Symbol, t.ChainName
		p.Subtotal, p.ProviderFee, p.NetworkFee, p.Total = t.In(t.Subtotal), t.In(t.ProviderFee), t.In(t.NetworkFee), t.In(t.Total)
	}
	if len(wrong) > 0 {
		p.Notice = either(wrong[checkout.WholeForm], "Please check what is marked below.")
	}
	p.Gets = gets(c)
	switch c.Stage {
	case checkout.Choosing:
		p.choose(c, v.Sold, v.Filled, wrong)
	case checkout.Paying:
		p.Until = c.ExpiresAt.UTC().Format("15:04 UTC")
		p.pay(c, v.Filled, wrong)
	case checkout.Confirming:
		p.confirm(wrong)
	default:
		p.state(c)
	}
	return p
}

// gets describes the purchase and the wallet that receives it; empty after the payment.
func gets(c checkout.Checkout) string {
	wallet := shorten(c.Receiver())
	switch {
	case c.Terms != nil && (c.Stage == checkout.Paying || c.Stage == checkout.Confirming):
		return "You get " + c.Terms.Purchase.String() + " " + c.Terms.Symbol + " on " + c.Terms.ChainName + " in wallet " + wallet + "."
	case c.Stage == checkout.Choosing && len(c.Wallets) == 1:
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

func (p *page) pay(c checkout.Checkout, filled map[string]string, wrong checkout.Mistakes) {
	p.Switch = c.AnyMethod
	name := input{Name: checkout.FieldName, Label: "Name", Complete: "name", Value: withoutCardNumber(filled[checkout.FieldName]), Limit: checkout.NameLimit, Wrong: wrong[checkout.FieldName]}
	if c.Method == checkout.MethodBank {
		p.Form, p.Heading, p.Numbers = "bank", "Pay by bank debit", checkout.TestAccounts
		p.NumbersHint = "With any routing number, such as 110000000, and any name."
		p.Inputs = []input{
			{Name: checkout.FieldRouting, Label: "Routing number", Complete: "off", Mode: "numeric", Limit: 9, Example: "110000000", Wrong: wrong[checkout.FieldRouting]},
			{Name: checkout.FieldAccount, Label: "Account number", Complete: "off", Mode: "numeric", Limit: 17, Example: checkout.TestAccounts[0].Digits, Wrong: wrong[checkout.FieldAccount]},
			name,
		}
	} else {
		p.Form, p.Heading, p.Numbers = "card", "Pay by card", checkout.TestCards
		p.NumbersHint = "With any date that is to come, any three digits and any name."
		p.Inputs = []input{
			{Name: checkout.FieldNumber, Label: "Card number", Complete: "off", Mode: "numeric", Limit: 23, Example: "4242 4242 4242 4242", Wrong: wrong[checkout.FieldNumber]},
			{Name: checkout.FieldExpiry, Label: "Expires (MM/YY)", Complete: "off", Value: withoutCardNumber(filled[checkout.FieldExpiry]), Limit: 7, Example: "04/29", Wrong: wrong[checkout.FieldExpiry]},
			{Name: checkout.FieldCVC, Label: "Security code", Complete: "off", Mode: "numeric", Limit: 3, Example: "123", Wrong: wrong[checkout.FieldCVC]},
			name,
		}
	}
	focusFirst(p.Inputs)
}

func (p *page) confirm(wrong checkout.Mistakes) {
	p.Form, p.Heading, p.Code = "confirm", "Is it you? (3-D Secure)", checkout.ConfirmationCode
	p.Inputs = []input{{Name: checkout.FieldCode, Label: "Code from your bank", Complete: "one-time-code", Mode: "numeric", Limit: 6, Wrong: wrong[checkout.FieldCode]}}
	focusFirst(p.Inputs)
}

func (p *page) choose(c checkout.Checkout, sold []checkout.Asset, filled map[string]string, wrong checkout.Mistakes) {
	p.Form, p.Heading = "choose", "What would you like to buy?"
	tokens := choices{Name: checkout.FieldToken, Label: "Token", Wrong: wrong[checkout.FieldToken], First: wrong[checkout.FieldAmount] == ""}
	for _, a := range sold {
		if _, ok := c.Recipient(a.Symbol, a.ChainID); !ok || !c.Matches(a) {
			continue
		}
		tokens.Choices = append(tokens.Choices, choice{Value: a.Code(), Text: a.Symbol + " on " + a.ChainName, Chosen: filled[checkout.FieldToken] == a.Code()})
	}
	amount := input{Name: checkout.FieldAmount, Label: "Amount you pay", Complete: "off", Mode: "decimal", Limit: 12, Example: "100.00", Value: withoutCardNumber(filled[checkout.FieldAmount]), Wrong: wrong[checkout.FieldAmount], First: wrong[checkout.FieldAmount] != ""}
	fiat := choices{Name: checkout.FieldFiat, Label: "Currency"}
	chosen := filled[checkout.FieldFiat]
	if c.Pay != nil && filled == nil {
		amount.Value, chosen = checkout.FormatMoney(c.Pay.Value), c.Pay.Currency
	}
	for _, one := range checkout.Currencies {
		fiat.Choices = append(fiat.Choices, choice{Value: one.ID, Text: one.ID, Chosen: chosen == one.ID})
	}
	methods := choices{Name: checkout.FieldMethod, Label: "How you pay", Choices: []choice{
		{Value: checkout.MethodCard, Text: "Card", Chosen: filled[checkout.FieldMethod] == checkout.MethodCard || c.Method == checkout.MethodCard},
		{Value: checkout.MethodBank, Text: "Bank debit", Chosen: filled[checkout.FieldMethod] == checkout.MethodBank || c.Method == checkout.MethodBank},
	}}
	p.Selects, p.Inputs = []choices{tokens, fiat, methods}, []input{amount}
}

// state fills in a page without a form.
func (p *page) state(c checkout.Checkout) {
	switch c.Stage {
	case checkout.Settling:
		p.wait("Your payment is on its way", "This takes some seconds. The page looks again by itself.", 1)
	case checkout.Paid:
		p.wait("Sending your tokens", "Your payment was taken. The page looks again by itself.", 2)
	case checkout.Completed:
		p.end("good", "Done", "Your tokens are in your wallet.")
		p.Steps = steps(len(stepTexts))
	case checkout.Refunded:
		p.end("even", "Refunded", either(c.Reason, "Your payment was returned."))
	case checkout.Cancelled:
		p.end("even", "Cancelled", either(c.Reason, "Nothing was paid."))
	case checkout.Expired:
		p.end("even", "This checkout has expired", "Nothing was paid. Begin again where you came from.")
	case checkout.Failed:
		p.end("bad", "The payment failed", c.Reason+" Nothing was paid.")
	}
}

func (p *page) wait(heading, text string, done int) {
	p.Busy, p.Refresh, p.Heading, p.Text, p.Steps = true, refreshAfter, heading, text, steps(done)
}

func (p *page) end(mood, heading, text string) { p.Mood, p.Heading, p.Text = mood, heading, text }

var stepTexts = []string{"Payment entered", "Payment received", "Tokens sent"}

// steps lists the steps; the first `done` steps are marked as done.
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

// focusFirst focuses the first input with a mistake, or otherwise the first input.
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

// withoutCardNumber removes text that may be a card number in a wrong field, so that the page never repeats a card
// number.
func withoutCardNumber(text string) string {
	digits := 0
	for _, r := range text {
		if unicode.IsDigit(r) {
			digits++
		}
	}
	if digits >= checkout.CardDigitsMin {
		return ""
	}
	return text
}

// host returns the host of a link, for display.
func host(link string) string {
	u, err := url.Parse(link)
	if err != nil {
		return ""
	}
	return strings.TrimPrefix(u.Host, "www.")
}
