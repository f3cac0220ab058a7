// Package warning has the warnings of previews.
package warning

import "slices"

// Severity orders warnings.
type Severity int

// The severities, the least first.
const (
	Notice Severity = iota + 1
	Caution
	Danger
)

// Kind is what a warning is about. Its values are those of the API.
type Kind int

// The kinds of warnings.
const (
	Drains Kind = iota + 1
	UnlimitedApproval
	ApprovalForAll
	SignedApproval
	Delegation
	UnknownCode
	Upgrade
	Ownership
	HiddenTransfer
	Imitation
	Blind
	OtherSite
	OtherChain
	Reverts
	NotSimulated
	SpenderNotContract
	UnknownFunction
	Order
	AccountClosed
	UnknownProgram
)

// Warning is one thing to know.
type Warning struct {
	Kind     Kind
	Severity Severity
	Phrase   Phrase
	// Value is what the sentence names; empty for an account that is not known, and for a sentence that names nothing.
	Value string
	// Subject is the address of the contract or account that it is about, as a chain writes it; empty for none.
	Subject string
}

// List collects warnings, each kind once for a subject.
type List []Warning

// Add adds a warning unless the list has one of the kind for the subject.
func (l *List) Add(kind Kind, severity Severity, subject string, phrase Phrase, value string) {
	if !slices.ContainsFunc(*l, func(w Warning) bool { return w.Kind == kind && w.Subject == subject }) {
		*l = append(*l, Warning{kind, severity, phrase, value, subject})
	}
}

// Text returns the sentence in English.
func (w Warning) Text() string { return w.Phrase.text(w.Value) }

// Sort puts the most severe first.
func (l List) Sort() {
	slices.SortStableFunc(l, func(a, b Warning) int { return int(b.Severity) - int(a.Severity) })
}
