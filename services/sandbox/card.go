package sandbox

import (
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// plot is what a test card or a test account makes happen.
type plot string

const (
	playsSuccess       plot = "success"
	playsDecline       plot = "decline"
	playsPoor          plot = "insufficient-funds"
	playsConfirm       plot = "3-d-secure"
	playsSlow          plot = "slow"
	playsRefund        plot = "refund"
	playsPayoutFailure plot = "payout-failure"
	playsLost          plot = "lost-webhooks"
)

// testNumber is a number that one may pay with here.
type testNumber struct {
	// Digits are the number.
	Digits string
	Plays  plot
	// Does says for people what happens.
	Does string
}

// testCards pass the check of card numbers (ISO/IEC 7812-1); no bank issues them.
var testCards = []testNumber{
	{"4242424242424242", playsSuccess, "Succeeds: the tokens are sent"},
	{"4000000000000002", playsDecline, "Is declined"},
	{"4000000000009995", playsPoor, "Has insufficient funds"},
	{"4000000000003220", playsConfirm, "Asks for 3-D Secure: code 123456"},
	{"4000000000000101", playsSlow, "Succeeds after some seconds"},
	{"4000000000000200", playsRefund, "Is paid, and then refunded"},
	{"4000000000000309", playsPayoutFailure, "Is paid, but the tokens cannot be sent"},
	{"4000000000000408", playsLost, "Succeeds, but no webhook is ever sent"},
}

// testAccounts are paid from with any bank's routing number.
var testAccounts = []testNumber{
	{"000123456789", playsSlow, "Succeeds after some seconds, as bank debits do"},
	{"000111111116", playsDecline, "Is declined"},
	{"000111111113", playsPoor, "Has insufficient funds"},
	{"000222222227", playsRefund, "Is paid, and then refunded"},
}

// confirmationCode is what the bank of the card with 3-D Secure sends.
const confirmationCode = "123456"

// Names of the form's fields.
const (
	fieldNumber  = "number"
	fieldExpiry  = "expiry"
	fieldCVC     = "cvc"
	fieldName    = "name"
	fieldRouting = "routing"
	fieldAccount = "account"
	fieldCode    = "code"
	fieldAmount  = "amount"
	fieldFiat    = "currency"
	fieldToken   = "token"
	fieldMethod  = "method"
)

const (
	// nameLimit bounds a name, in characters.
	nameLimit = 100
	// cardDigits is the least that a card's number has.
	cardDigits = 12
)

// mistakes are what is wrong with a form, by field.
type mistakes map[string]string

// wholeForm is for what is wrong with no field of its own.
const wholeForm = ""

// readCard checks a card form, and returns what its number makes happen and what may be kept of it.
func readCard(fields map[string]string, now time.Time) (p plot, paidBy string, wrong mistakes) {
	wrong = mistakes{}
	number := digits(fields[fieldNumber])
	card, known := find(testCards, number)
	switch {
	case strings.TrimSpace(fields[fieldNumber]) == "":
		wrong[fieldNumber] = "Enter a card number."
	case len(number) < cardDigits || len(number) > 19 || !passesLuhn(number):
		wrong[fieldNumber] = "This is no card number: check its digits."
	case !known:
		wrong[fieldNumber] = "This is a sandbox: pay with one of the test cards below, never with a real one."
	}
	if text := wrongExpiry(fields[fieldExpiry], now); text != "" {
		wrong[fieldExpiry] = text
	}
	if cvc := strings.TrimSpace(fields[fieldCVC]); len(cvc) != 3 || digits(cvc) != cvc {
		wrong[fieldCVC] = "Enter the three digits from the card's back."
	}
	if text := wrongName(fields[fieldName]); text != "" {
		wrong[fieldName] = text
	}
	if len(wrong) > 0 {
		return "", "", wrong
	}
	return card.Plays, "Visa ending in " + number[len(number)-4:], nil
}

// readAccount checks a form for bank debits.
func readAccount(fields map[string]string) (p plot, paidBy string, wrong mistakes) {
	wrong = mistakes{}
	if !isRouting(strings.TrimSpace(fields[fieldRouting])) {
		wrong[fieldRouting] = "Enter a routing number: nine digits, such as 110000000."
	}
	number := digits(fields[fieldAccount])
	account, known := find(testAccounts, number)
	switch {
	case number == "":
		wrong[fieldAccount] = "Enter an account number."
	case !known:
		wrong[fieldAccount] = "This is a sandbox: pay from one of the test accounts below, never from a real one."
	}
	if text := wrongName(fields[fieldName]); text != "" {
		wrong[fieldName] = text
	}
	if len(wrong) > 0 {
		return "", "", wrong
	}
	return account.Plays, "Account ending in " + number[len(number)-4:], nil
}

func find(among []testNumber, number string) (testNumber, bool) {
	for _, n := range among {
		if n.Digits == number {
			return n, true
		}
	}
	return testNumber{}, false
}

// digits leaves spaces and hyphens out; anything else than a digit makes it empty.
func digits(text string) string {
	text = strings.NewReplacer(" ", "", "-", "").Replace(text)
	if strings.IndexFunc(text, func(r rune) bool { return r < '0' || r > '9' }) >= 0 {
		return ""
	}
	return text
}

// passesLuhn checks the last digit of a card number (ISO/IEC 7812-1, Annex B).
func passesLuhn(number string) bool {
	sum := 0
	for i := range len(number) {
		d := int(number[len(number)-1-i] - '0')
		if i%2 == 1 {
			d *= 2
		}
		sum += d/10 + d%10
	}
	return sum%10 == 0
}

// isRouting checks a routing number of the American Bankers Association.
func isRouting(text string) bool {
	if len(text) != 9 || digits(text) != text {
		return false
	}
	sum := 0
	for i, weight := range []int{3, 7, 1, 3, 7, 1, 3, 7, 1} {
		sum += weight * int(text[i]-'0')
	}
	return sum%10 == 0
}

// wrongExpiry says what is wrong with a date such as 04/29: a card counts until the end of its month.
func wrongExpiry(text string, now time.Time) string {
	const help = "Enter month and year as on the card, such as 04/29."
	first, second, ok := strings.Cut(strings.ReplaceAll(text, " ", ""), "/")
	if !ok || len(first) == 0 || len(first) > 2 || len(second) != 2 || digits(first) != first || digits(second) != second {
		return help
	}
	month, monthErr := strconv.Atoi(first)
	year, yearErr := strconv.Atoi(second)
	if monthErr != nil || yearErr != nil || month < 1 || month > 12 {
		return help
	}
	over := time.Date(2000+year, time.Month(month)+1, 1, 0, 0, 0, 0, time.UTC)
	if !now.UTC().Before(over) {
		return "This card has expired."
	}
	return ""
}

func wrongName(text string) string {
	text = strings.TrimSpace(text)
	switch {
	case text == "":
		return "Enter the name that it is issued to."
	case utf8.RuneCountInString(text) > nameLimit || digits(text) != "":
		return "This is no name."
	}
	return ""
}

// Spaced groups a card's digits in fours.
func (n testNumber) Spaced() string {
	if len(n.Digits) != 16 {
		return n.Digits
	}
	return n.Digits[:4] + " " + n.Digits[4:8] + " " + n.Digits[8:12] + " " + n.Digits[12:]
}
