package registry

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hawser-dev/hawser/services/onchain/evm"
)

const (
	// sentenceStart is the beginning of every sentence; JSON never has it.
	sentenceStart = "Hawser names at "
	// longestValidity bounds the time from issue to expiry.
	longestValidity = time.Hour
)

// sentence is a signed text that people can read in their wallet:
//
//	Hawser names at https://wallet.example.org: register alice.hawser.id
//
//	Account: 0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266 on eip155:1
//	Record bio: Rows a boat
//	Issued: 2026-11-22T06:00:00Z
//	Expires: 2026-11-22T06:05:00Z
//	Code: 8c2d6a1f0b9e4d7795d0d9a9f1c3b2e4
//
// A change of address and a transfer have one more line after the account: "Address:" or "New owner:". Each sentence has exactly one
// spelling: a text is valid only if formatting the parsed sentence gives the same bytes.
type sentence struct {
	// Installation is the public URL of the gateway, or its replacement if none is set.
	Installation string
	Action       Action
	Name         string
	Account      target
	// Target is the new address or owner; nil for other actions.
	Target *target
	// Records are the attributes; for a registration and a change of records only.
	Records Attributes
	// Issued and Expires are whole seconds in UTC.
	Issued, Expires time.Time
	// Code makes each sentence unique: 32 hex digits.
	Code string
}

// target is an account on one chain.
type target struct {
	Address  evm.Address
	CoinType CoinType
}

var verbs = []struct {
	action Action
	text   string
	target string
}{
	{Registered, "register", ""},
	{SetAttributes, "set the records of", ""},
	{SetAddress, "set an address of", "Address"},
	{Transferred, "transfer", "New owner"},
	{Released, "release", ""},
}

var codeForm = regexp.MustCompile(`^[0-9a-f]{32}$`)

// String returns the text that is signed.
func (s sentence) String() string {
	var b strings.Builder
	for _, v := range verbs {
		if v.action != s.Action {
			continue
		}
		fmt.Fprintf(&b, "%s%s: %s %s\n\nAccount: %s\n", sentenceStart, s.Installation, v.text, s.Name, s.Account)
		if s.Target != nil {
			fmt.Fprintf(&b, "%s: %s\n", v.target, s.Target)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(s.Records)) {
		fmt.Fprintf(&b, "Record %s: %s\n", key, s.Records[key])
	}
	fmt.Fprintf(&b, "Issued: %s\nExpires: %s\nCode: %s", s.Issued.Format(time.RFC3339), s.Expires.Format(time.RFC3339), s.Code)
	return b.String()
}

// String returns the account in lower case with its chain: "0x… on eip155:1".
func (p target) String() string {
	chainID, _ := p.CoinType.ChainID()
	return strings.ToLower(p.Address.String()) + " on " + chainID
}

// parseSentence parses a sentence. It fails with [ErrMessage] unless the text is exactly what [sentence.String] gives.
func parseSentence(text string) (sentence, error) {
	s := sentence{Records: Attributes{}}
	if len(text) > maxMessage {
		return s, fmt.Errorf("%w: it is over %d bytes", ErrMessage, maxMessage)
	}
	head, body, _ := strings.Cut(text, "\n\n")
	if !s.readHead(head) {
		return s, fmt.Errorf("%w: its first line says no action that is known", ErrMessage)
	}
	for line := range strings.SplitSeq(body, "\n") {
		if !s.readLine(line) {
			return s, fmt.Errorf("%w: a line is not known", ErrMessage)
		}
	}
	validity := s.Expires.Sub(s.Issued)
	if !codeForm.MatchString(s.Code) || validity < 0 || validity > longestValidity || s.String() != text {
		return s, fmt.Errorf("%w: it is not spelled as it should be", ErrMessage)
	}
	return s, nil
}

// readHead parses the first line. The installation ends at the last colon.
func (s *sentence) readHead(line string) bool {
	rest, ok := strings.CutPrefix(line, sentenceStart)
	end := strings.LastIndex(rest, ": ")
	if !ok || end < 0 {
		return false
	}
	s.Installation = rest[:end]
	for _, v := range verbs {
		if name, is := strings.CutPrefix(rest[end+2:], v.text+" "); is {
			s.Action, s.Name = v.action, name
			return name != "" && !strings.ContainsAny(name, " \n")
		}
	}
	return false
}

func (s *sentence) readLine(line string) (ok bool) {
	key, value, _ := strings.Cut(line, ": ")
	switch key {
	case "Account":
		s.Account, ok = readPlace(value)
	case "Address", "New owner":
		var target target
		target, ok = readPlace(value)
		s.Target = &target
	case "Issued":
		s.Issued, ok = readSecond(value)
	case "Expires":
		s.Expires, ok = readSecond(value)
	case "Code":
		s.Code, ok = value, true
	default:
		var record string
		record, ok = strings.CutPrefix(key, "Record ")
		s.Records[record] = value
	}
	return ok
}

func readPlace(text string) (target, bool) {
	address, chain, _ := strings.Cut(text, " on eip155:")
	account, err := evm.ParseAddress(address)
	number, badNumber := strconv.ParseUint(chain, 10, 31)
	if err != nil || badNumber != nil || number == 0 {
		return target{}, false
	}
	return target{account, (evmChain | CoinType(number)).Canonical()}, true
}

func readSecond(text string) (time.Time, bool) {
	t, err := time.Parse(time.RFC3339, text)
	return t.UTC(), err == nil && t.Year() >= 1970 && t.Year() <= 9999
}

// is fails with [ErrMessage] if the sentence states another action.
func (s sentence) is(action Action, target, records bool) error {
	if s.Action != action {
		return fmt.Errorf("%w: it states another action", ErrMessage)
	}
	if target != (s.Target != nil) || !records && len(s.Records) > 0 {
		return fmt.Errorf("%w: it says too much or too little", ErrMessage)
	}
	return nil
}

func (m *registration) take(s sentence) error {
	at := uint64(s.Issued.Unix())
	*m = registration{Name: &s.Name, Attributes: s.Records, Timestamp: &at}
	return s.is(Registered, false, true)
}

func (m *attributesChange) take(s sentence) error {
	at := uint64(s.Issued.Unix())
	*m = attributesChange{Name: &s.Name, Attributes: &s.Records, Timestamp: &at}
	return s.is(SetAttributes, false, true)
}

func (m *addressChange) take(s sentence) error {
	if err := s.is(SetAddress, true, false); err != nil {
		return err
	}
	at, to := uint64(s.Issued.Unix()), s.Target.Address.String()
	*m = addressChange{Name: &s.Name, CoinType: &s.Target.CoinType, Address: &to, Timestamp: &at}
	return nil
}

func (m *release) take(s sentence) error {
	at := uint64(s.Issued.Unix())
	*m = release{Name: &s.Name, Timestamp: &at}
	return s.is(Released, false, false)
}

func (m *transfer) take(s sentence) error {
	if err := s.is(Transferred, true, false); err != nil {
		return err
	}
	at, to := uint64(s.Issued.Unix()), s.Target.Address.String()
	*m = transfer{Name: &s.Name, To: &to, CoinType: &s.Target.CoinType, Timestamp: &at}
	return nil
}
