package checkout

import (
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// Scenario is the behaviour that a test card or test account simulates.
type Scenario string

// The scenarios.
const (
	Success            Scenario = "success"
	Decline            Scenario = "decline"
	InsufficientFunds  Scenario = "insufficient-funds"
	Confirmation       Scenario = "3-d-secure"
	Slow               Scenario = "slow"
	RefundAfterPayment Scenario = "refund"
	PayoutFailure      Scenario = "payout-failure"
	LostWebhooks       Scenario = "lost-webhooks"
)

// TestNumber is the number of a test card or test account.
type TestNumber struct {
	// Digits is the number without spaces.
	Digits   string
	Scenario Scenario
	// Description describes what the number simulates, for display.
	Description string
}

// TestCards are card numbers that no bank issues. They pass the Luhn check (ISO/IEC 7812-1).
var TestCards = []TestNumber{
	{"4242424242424242", Success, "Succeeds: the tokens are sent"},
	{"4000000000000002", Decline, "Is declined"},
	{"4000000000009995", InsufficientFunds, "Has insufficient funds"},
	{"4000000000003220", Confirmation, "Asks for 3-D Secure: code 123456"},
	{"4000000000000101", Slow, "Succeeds after some seconds"},
	{"4000000000000200", RefundAfterPayment, "Is paid, and then refunded"},
	{"4000000000000309", PayoutFailure, "Is paid, but the tokens cannot be sent"},
	{"4000000000000408", LostWebhooks, "Succeeds, but no webhook is ever sent"},
}

// TestAccounts are account numbers for bank debits; any valid routing number goes with them.
var TestAccounts = []TestNumber{
	{"000123456789", Slow, "Succeeds after some seconds, as bank debits do"},
	{"000111111116", Decline, "Is declined"},
	{"000111111113", InsufficientFunds, "Has insufficient funds"},
	{"000222222227", RefundAfterPayment, "Is paid, and then refunded"},
}

// ConfirmationCode is the 3-D Secure code of the card that requires one.
const ConfirmationCode = "123456"

// Names of the form fields.
const (
	FieldNumber  = "number"
	FieldExpiry  = "expiry"
	FieldCVC     = "cvc"
	FieldName    = "name"
	FieldRouting = "routing"
	FieldAccount = "account"
	FieldCode    = "code"
	FieldAmount  = "amount"
	FieldFiat    = "currency"
	FieldToken   = "token"
	FieldMethod  = "method"
)

const (
	// NameLimit bounds the length of a name, in characters.
	NameLimit = 100
	// CardDigitsMin is the minimum number of digits of a card number.
	CardDigitsMin = 12
)

// Mistakes are messages about invalid form fields, by field.
type Mistakes map[string]string

// WholeForm is the key of a mistake that does not belong to a field.
const WholeForm = ""

// ReadCard validates a card form. It returns the scenario of the card, and its brand and last four digits.
func ReadCard(fields map[string]string, now time.Time) (p Scenario, paidBy string, wrong Mistakes) {
	wrong = Mistakes{}
	number := digits(fields[FieldNumber])
	card, known := find(TestCards, number)
	switch {
	case strings.TrimSpace(fields[FieldNumber]) == "":
		wrong[FieldNumber] = "Enter a card number."
	case len(number) < CardDigitsMin || len(number) > 19 || !isLuhn(number):
		wrong[FieldNumber] = "This is no card number: check its digits."
	case !known:
		wrong[FieldNumber] = "This is a sandbox: pay with one of the test cards below, never with a real one."
	}
	if text := expiryMistake(fields[FieldExpiry], now); text != "" {
		wrong[FieldExpiry] = text
	}
	if cvc := strings.TrimSpace(fields[FieldCVC]); len(cvc) != 3 || digits(cvc) != cvc {
		wrong[FieldCVC] = "Enter the three digits from the card's back."
	}
	if text := nameMistake(fields[FieldName]); text != "" {
		wrong[FieldName] = text
	}
	if len(wrong) > 0 {
		return "", "", wrong
	}
	return card.Scenario, "Visa ending in " + number[len(number)-4:], nil
}

// ReadAccount validates a bank debit form. It returns the scenario of the account, and its last four digits.
func ReadAccount(fields map[string]string) (p Scenario, paidBy string, wrong Mistakes) {
	wrong = Mistakes{}
	if !isRouting(strings.TrimSpace(fields[FieldRouting])) {
		wrong[FieldRouting] = "Enter a routing number: nine digits, such as 110000000."
	}
	number := digits(fields[FieldAccount])
	account, known := find(TestAccounts, number)
	switch {
	case number == "":
		wrong[FieldAccount] = "Enter an account number."
	case !known:
		wrong[FieldAccount] = "This is a sandbox: pay from one of the test accounts below, never from a real one."
	}
	if text := nameMistake(fields[FieldName]); text != "" {
		wrong[FieldName] = text
	}
	if len(wrong) > 0 {
		return "", "", wrong
	}
	return account.Scenario, "Account ending in " + number[len(number)-4:], nil
}

func find(among []TestNumber, number string) (TestNumber, bool) {
	for _, n := range among {
		if n.Digits == number {
			return n, true
		}
	}
	return TestNumber{}, false
}

// digits removes spaces and hyphens. It returns "" if anything else than digits remains.
func digits(text string) string {
	text = strings.NewReplacer(" ", "", "-", "").Replace(text)
	if strings.IndexFunc(text, func(r rune) bool { return r < '0' || r > '9' }) >= 0 {
		return ""
	}
	return text
}

// isLuhn verifies the check digit of a card number (ISO/IEC 7812-1, Annex B).
func isLuhn(number string) bool {
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

// isRouting verifies an ABA routing number with its check digit.
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

// expiryMistake returns what is wrong with an expiry date such as 04/29. A card is valid until the end of its month.
func expiryMistake(text string, now time.Time) string {
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

func nameMistake(text string) string {
	text = strings.TrimSpace(text)
	switch {
	case text == "":
		return "Enter the name that it is issued to."
	case utf8.RuneCountInString(text) > NameLimit || digits(text) != "":
		return "This is no name."
	}
	return ""
}

// Spaced returns the number with the digits of a card in groups of four.
func (n TestNumber) Spaced() string {
	if len(n.Digits) != 16 {
		return n.Digits
	}
	return n.Digits[:4] + " " + n.Digits[4:8] + " " + n.Digits[8:12] + " " + n.Digits[12:]
}
