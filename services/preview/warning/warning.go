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

// Kind is the kind of a warning. Its values are those of the API.
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
	Unstable
	ValueAtRisk
	SpenderPublic
	UnknownStatement
	TransferElsewhere
	Misdescribed
)

// Warning is one fact that the user should know.
type Warning struct {
	Kind     Kind
	Severity Severity
	Phrase   Phrase
	// Value is the value in the sentence; empty for an unknown account, and for a sentence without a value.
	Value string
	// Subject is the address of the contract or account that the warning is about, in the form of its chain; empty for
	// none.
	Subject string
}

// List collects warnings, at most one of each kind per subject.
type List []Warning

// Add adds a warning. Of a kind and a subject, the list keeps the most severe one, and the first of these.
func (l *List) Add(kind Kind, severity Severity, subject string, phrase Phrase, value string) {
	w := Warning{kind, severity, phrase, value, subject}
	i := slices.IndexFunc(*l, func(k Warning) bool { return k.Kind == kind && k.Subject == subject })
	switch {
	case i < 0:
		*l = append(*l, w)
	case severity > (*l)[i].Severity:
		(*l)[i] = w
	}
}

// Text returns the sentence in English.
func (w Warning) Text() string { return w.Phrase.text(w.Value) }

// Sort sorts the warnings by severity, the most severe first.
func (l List) Sort() {
	slices.SortStableFunc(l, func(a, b Warning) int { return int(b.Severity) - int(a.Severity) })
}
