// Package cause identifies common reasons why a request would fail or could not be simulated, so that pages can
// translate them.
package cause

// Cause is a common reason. Its values are those of the API; 0 is any other.
type Cause int

// The common reasons.
const (
	ChainUnavailable Cause = iota + 1
	Unsupported
	NativeLow
	FeeLow
	TokenLow
	RentLow
	Expired
	AlreadySent
	Frozen
	Malformed
	TooLarge
	OtherNetwork
)

// causes are the reasons by their sentences in English.
var causes = map[string]Cause{
	"the chain does not answer":                                  ChainUnavailable,
	"the nodes of the chain cannot simulate transactions":        Unsupported,
	"the nodes of the chain cannot simulate this transaction":    Unsupported,
	"The account has too little of the native token":             NativeLow,
	"The account has too little SOL":                             NativeLow,
	"The account that pays the fee has no SOL":                   FeeLow,
	"The account has too little SOL for the fee":                 FeeLow,
	"The account has too little of the token":                    TokenLow,
	"An account would be left with too little SOL to exist":      RentLow,
	"A token account would be left with too little SOL to exist": RentLow,
	"This transaction has expired":                               Expired,
	"This transaction was sent before":                           AlreadySent,
	"The token account is frozen":                                Frozen,
	"The transaction is malformed":                               Malformed,
	"The transaction is too large for a block":                   TooLarge,
	"The transaction is not for this network, or has expired":    OtherNetwork,
}

// Of returns the cause for a sentence of the service; 0 for any other text. It must not be called with text of
// contracts and programs.
func Of(sentence string) Cause { return causes[sentence] }
