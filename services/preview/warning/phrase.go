package warning

import (
	"fmt"
	"strings"
)

// Phrase is the sentence of a warning. Its values are those of the API.
type Phrase int

// The sentences of warnings. A formatting verb in their text is replaced by the value of the warning.
const (
	NearlyAll Phrase = iota + 1
	MoreLeaves
	NearlyAllTraded
	UnsaidTraded
	TakesAll
	TakesCollection
	SignatureTakes
	PersonNotContract
	PersonNotProgram
	CodeReplaced
	ContractGiven
	CodeUnknown
	TokenImitates
	WouldFail
	MayDoMore
	CallUnknown
	ProgramUnknown
	ActsForAccount
	AnyoneSends
	NeverExpires
	OffersForSale
	SignsInElsewhere
	OtherNetwork
	CannotBeShown
	AccountGiven
	TokenAccountGiven
	ClosingGiven
	AuthorityLost
	StakeGiven
	AccountIsClosed
	BehavesDifferently
	MayKeep
	MayDoOtherwise
	AnyoneTakes
	NotUnderstood
	MovesElsewhere
	OtherCluster
	NotGuaranteed
	TableIncomplete
	Borrows
	OperationOfOther
	TooMuch
	OtherThanDescribed
)

// texts are the sentences in English.
var texts = map[Phrase]string{
	NearlyAll:         "Nearly all that you have of this would go to %s, for nothing.",
	MoreLeaves:        "More would leave your account than the request says: it would go to %s.",
	NearlyAllTraded:   "Nearly all that you have of this would go to %s. Compare it with what you would receive.",
	UnsaidTraded:      "What you send goes to %s. Compare it with what you receive.",
	TakesAll:          "%s could take all that you have of this token, at any time.",
	TakesCollection:   "%s could take every token of this collection, at any time.",
	SignatureTakes:    "This signature alone lets %s take tokens. No transaction of yours is needed.",
	PersonNotContract: "%s is an account of a person, not a contract.",
	PersonNotProgram:  "%s is an account of a person, not of a program.",
	CodeReplaced:      "The code of this contract would be replaced by code at %s.",
	ContractGiven:     "This contract would belong to %s.",
	CodeUnknown:       "Your account would run code that is not known. It could take all that you own.",
	TokenImitates:     "This token imitates another one or advertises a site. It may be worthless.",
	WouldFail:         "This would fail, and cost its fee.",
	MayDoMore:         "This could not be simulated. It may do more than is shown.",
	CallUnknown:       "What this calls is not known.",
	ProgramUnknown:    "This runs a program that is not known. It may do something else once it is sent.",
	ActsForAccount:    "%s could act for your account.",
	AnyoneSends:       "This signature lets anyone send these calls for your account.",
	NeverExpires:      "This signature does not expire. It can be sent at any later time, and may do more then than is shown.",
	OffersForSale:     "This offers what you own for sale. Check what you would receive.",
	SignsInElsewhere:  "This signs in at %s, which is not the site that requests it.",
	OtherNetwork:      "This is for another network, with the chain id %s.",
	CannotBeShown:     "What this signs cannot be shown. It could be anything.",
	AccountGiven:      "Your account itself would belong to the program %s. You could not use it any more.",
	TokenAccountGiven: "Your account of a token would belong to %s, with all that it holds.",
	ClosingGiven:      "%s could close your account of a token and take its SOL.",
	AuthorityLost:     "You would lose an authority over this token.",
	StakeGiven:        "%s could withdraw all that this account of yours holds.",
	AccountIsClosed:   "Your account of a token would be closed. Its SOL would go to %s.",

	BehavesDifferently: "This behaves differently when it is watched. Once it is sent, it may do something else than is shown.",
	MayKeep:            "This contract is not known. It may keep up to %s.",
	MayDoOtherwise:     "This would fail now. Its contract is not known, and may do otherwise once it is sent.",
	AnyoneTakes:        "Anyone can command %s. Whoever is first could take what you allow it.",
	NotUnderstood:      "What this signature allows cannot be understood.",
	MovesElsewhere:     "This moves what you have at another service. It would go to %s.",
	OtherCluster:       "This transaction is not for this network, or it has expired. It may be sent on another network, where it was not simulated.",
	NotGuaranteed:      "Nearly all that you have of this would go to %s. The request does not guarantee what you would receive.",
	TableIncomplete:    "A lookup table does not hold all accounts of this transaction yet. Once it is sent, the table may name others than are shown.",
	Borrows:            "%s could borrow in your name. The debt would be yours.",
	OperationOfOther:   "This signature lets anyone send calls for the account %s.",
	TooMuch:            "This does more than can be shown.",
	OtherThanDescribed: "This does something else than the description of its contract says.",
}

// unknownAccount replaces an unknown account in a sentence.
const unknownAccount = "an account that is not known"

// text returns the sentence in English, with its value.
func (p Phrase) text(value string) string {
	switch sentence := texts[p]; {
	case !p.hasValue():
		return sentence
	case value == "":
		return fmt.Sprintf(sentence, unknownAccount)
	default:
		return fmt.Sprintf(sentence, value)
	}
}

// hasValue reports whether the sentence contains a value.
func (p Phrase) hasValue() bool { return strings.Contains(texts[p], "%s") }
