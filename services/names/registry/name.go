package registry

import (
	"errors"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// CoinType is the number of a chain in name services (SLIP-44; ENSIP-9, ENSIP-11).
type CoinType uint32

const (
	// Ether is the coin type of Ethereum, which is older than the rule for EVM chains.
	Ether CoinType = 60
	// evmChain is the bit of every EVM chain; the other bits are the chain id.
	evmChain CoinType = 0x8000_0000
)

// Canonical returns the canonical coin type of its chain: 60 for 0x80000001.
func (c CoinType) Canonical() CoinType {
	if c == evmChain|1 {
		return Ether
	}
	return c
}

// ChainID returns the CAIP-2 id of the EVM chain; false if the coin type is not that of an EVM chain.
func (c CoinType) ChainID() (string, bool) {
	switch {
	case c == Ether:
		return "eip155:1", true
	case c > evmChain:
		return "eip155:" + strconv.FormatUint(uint64(c&^evmChain), 10), true
	}
	return "", false
}

// String returns decimal digits.
func (c CoinType) String() string { return strconv.FormatUint(uint64(c), 10) }

// Lengths of a label, in characters.
const (
	// minLabel is the shortest label that can be looked up, minNewLabel the shortest that can be registered.
	minLabel    = 3
	minNewLabel = 4
	maxLabel    = 64
)

// Errors of names.
var (
	ErrFormat = errors.New("it holds other letters than a to z, digits, hyphens and dots")
	ErrLength = errors.New("it has not three labels, or the first is too short or too long")
	ErrZone   = errors.New("its zone does not belong to this installation")
)

var (
	nameForm  = regexp.MustCompile(`^[a-z0-9.-]+$`)
	labelForm = regexp.MustCompile(`^[a-z0-9-]+$`)
)

// Name is a full name: three labels in lower case, such as `alice.hawser.id`, normalized (ENSIP-15).
type Name string

// Label is the part before the first dot.
func (n Name) Label() string {
	label, _, _ := strings.Cut(string(n), ".")
	return label
}

// Zones are the parent domains of names, such as `hawser.id`; the first is the default.
type Zones []string

// Hold reports whether a name in lower case is a zone or a subdomain of one.
func (z Zones) Hold(name string) bool {
	return slices.ContainsFunc(z, func(zone string) bool { return name == zone || strings.HasSuffix(name, "."+zone) })
}

// Parse parses a name that may exist. It fails with [ErrFormat], [ErrLength] or [ErrZone], in this order; a name of another system, such as
// `nick.eth`, fails with [ErrZone] whatever its length.
func (z Zones) Parse(text string) (Name, error) { return z.parse(text, minLabel) }

// ParseNew parses a name to register, by stricter rules: at least 4 characters, and no hyphens at the third and fourth place,
// which mark punycode (ENSIP-15).
func (z Zones) ParseNew(text string) (Name, error) {
	n, err := z.parse(text, minNewLabel)
	if err == nil && strings.HasPrefix(n.Label()[2:], "--") {
		err = ErrFormat
	}
	return n, err
}

func (z Zones) parse(text string, shortest int) (Name, error) {
	if !nameForm.MatchString(text) {
		return "", ErrFormat
	}
	label, zone, _ := strings.Cut(text, ".")
	if strings.Count(text, ".") != 2 && !z.Hold(text) {
		return "", ErrZone
	}
	if strings.Count(text, ".") != 2 || len(label) < shortest || len(label) > maxLabel {
		return "", ErrLength
	}
	if !slices.Contains(z, zone) {
		return "", ErrZone
	}
	return Name(text), nil
}

// Reserved are labels that the operator keeps for itself.
type Reserved map[string]bool

// Reserve returns a set of labels that also contains look-alikes: `supp0rt` counts as `support`.
func Reserve(labels []string) Reserved {
	r := Reserved{}
	for _, label := range labels {
		r[skeleton(label)] = true
	}
	return r
}

// Holds reports whether the name may not be registered.
func (r Reserved) Holds(n Name) bool { return r[skeleton(n.Label())] }

// lookalikes replaces similar characters by one of them.
var lookalikes = strings.NewReplacer("-", "", "0", "o", "1", "l", "i", "l", "5", "s", "3", "e", "4", "a", "8", "b", "vv", "w", "rn", "m")

// skeleton returns a label with look-alike characters replaced; similar labels have the same skeleton.
func skeleton(label string) string { return lookalikes.Replace(label) }
