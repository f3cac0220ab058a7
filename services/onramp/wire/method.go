package wire

import "strings"

// Ways to pay that all providers know.
const (
	Card = "card"
	ACH  = "ach_bank_account"
)

// aliases are how providers and their clients spell them otherwise.
var aliases = map[string]string{"credit_debit_card": Card, "debit_card": Card, "ach": ACH}

// Method spells a way to pay as [ramp.Limit] does: card, ach_bank_account, or the provider's own name in lower case.
func Method(name string) string {
	name = strings.ToLower(name)
	if usual, ok := aliases[name]; ok {
		return usual
	}
	return name
}
