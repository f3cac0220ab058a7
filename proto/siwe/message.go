// Package siwe reads and writes sign-in messages (ERC-4361 and CAIP-122), and lets servers of a site find out who is signed in.
//
// A site's server trusts a session, not a message: [Client.Session] returns the account of a session token, and [Client.Middleware] protects
// handlers. Signatures are verified by the auth service, which can call contracts (ERC-1271, ERC-6492).
package siwe

import (
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// MaxSize bounds the text of a message, in bytes.
const MaxSize = 8 << 10

// ErrMessage is wrapped by the errors of [Parse] and [Message.Check].
var ErrMessage = errors.New("the text is not a sign-in message")

// Namespaces (CAIP-2) that a message can be for.
const (
	EIP155   = "eip155"
	Solana   = "solana"
	Bitcoin  = "bip122"
	Polkadot = "polkadot"
)

// blockchains are the names of namespaces in the first line of a message.
var blockchains = map[string]string{EIP155: "Ethereum", Solana: "Solana", Bitcoin: "Bitcoin", Polkadot: "Polkadot"}

// Message is a sign-in message: ERC-4361 for the namespace eip155, CAIP-122 for the others.
type Message struct {
	// Scheme is the scheme of the page, such as https; empty if the message has none.
	Scheme string
	// Domain is the host of the page, with a port unless it is the default (RFC 3986, authority).
	Domain string
	// Namespace is the CAIP-2 namespace of the account.
	Namespace string
	// Address is the account's.
	Address string
	// Statement is a sentence for the signer; empty for none.
	Statement string
	// URI is the resource that the sign-in is for (RFC 3986).
	URI string
	// Version is 1.
	Version string
	// ChainID is as in the text: a CAIP-2 reference such as 1, or a whole CAIP-2 id.
	ChainID string
	// Nonce is at least 8 letters and digits.
	Nonce string
	// IssuedAt, ExpirationTime and NotBefore are times (RFC 3339); the latter two are empty for none.
	IssuedAt, ExpirationTime, NotBefore string
	// RequestID is the site's; empty for none.
	RequestID string
	// Resources are URIs; nil for no such line.
	Resources []string
}

const (
	wants        = " wants you to sign in with your "
	account      = " account:"
	resourceMark = "- "
)

// Parse parses the text of a message. It accepts exactly the texts that [Message.String] writes for a message that passes [Message.Check].
func Parse(text string) (Message, error) {
	var m Message
	if len(text) > MaxSize {
		return m, fmt.Errorf("%w: it is over %d bytes", ErrMessage, MaxSize)
	}
	r := reader{rest: text, more: true}
	if err := m.readHead(&r); err != nil {
		return m, err
	}
	if err := m.readFields(&r); err != nil {
		return m, err
	}
	if m.String() != text {
		return m, fmt.Errorf("%w: its lines are not in the expected form and order", ErrMessage)
	}
	return m, m.Check()
}

// readHead reads the lines before the fields.
func (m *Message) readHead(r *reader) error {
	first := r.line()
	from, rest, _ := strings.Cut(first, wants)
	name, ok := strings.CutSuffix(rest, account)
	for namespace, known := range blockchains {
		if ok && name == known {
			m.Namespace = namespace
		}
	}
	if m.Namespace == "" {
		return fmt.Errorf("%w: its first line does not say what wants a sign-in with which kind of account", ErrMessage)
	}
	m.Domain = from
	if scheme, domain, has := strings.Cut(from, "://"); has {
		m.Scheme, m.Domain = scheme, domain
	}
	m.Address = r.line()
	if r.line() != "" {
		return fmt.Errorf("%w: there is no empty line after the address", ErrMessage)
	}
	if statement := r.line(); statement != "" {
		m.Statement = statement
		if r.line() != "" {
			return fmt.Errorf("%w: there is no empty line after the statement", ErrMessage)
		}
	}
	return nil
}

// readFields reads the fields in whatever order: Parse compares the text with what String writes.
func (m *Message) readFields(r *reader) error {
	fields := map[string]*string{
		"URI": &m.URI, "Version": &m.Version, "Chain ID": &m.ChainID, "Nonce": &m.Nonce, "Issued At": &m.IssuedAt,
		"Expiration Time": &m.ExpirationTime, "Not Before": &m.NotBefore, "Request ID": &m.RequestID,
	}
	for r.more {
		line := r.line()
		if line == "Resources:" {
			m.Resources = []string{}
			for r.more {
				resource, ok := strings.CutPrefix(r.line(), resourceMark)
				if !ok {
					return fmt.Errorf("%w: a resource does not begin with %q", ErrMessage, resourceMark)
				}
				m.Resources = append(m.Resources, resource)
			}
			return nil
		}
		key, value, _ := strings.Cut(line, ": ")
		field, ok := fields[key]
		if !ok {
			return fmt.Errorf("%w: it has a line that is not known", ErrMessage)
		}
		*field = value
	}
	return nil
}

// reader reads lines that end with a line feed, except for the last one.
type reader struct {
	rest string
	more bool
}

func (r *reader) line() string {
	var line string
	line, r.rest, r.more = strings.Cut(r.rest, "\n")
	return line
}

// String returns the text that is signed.
func (m Message) String() string {
	var b strings.Builder
	if m.Scheme != "" {
		b.WriteString(m.Scheme + "://")
	}
	b.WriteString(m.Domain + wants + blockchains[m.Namespace] + account + "\n" + m.Address + "\n\n")
	if m.Statement != "" {
		b.WriteString(m.Statement + "\n")
	}
	fmt.Fprintf(&b, "\nURI: %s\nVersion: %s\nChain ID: %s\nNonce: %s\nIssued At: %s", m.URI, m.Version, m.ChainID, m.Nonce, m.IssuedAt)
	for _, field := range []struct{ key, value string }{
		{"Expiration Time", m.ExpirationTime}, {"Not Before", m.NotBefore}, {"Request ID", m.RequestID},
	} {
		if field.value != "" {
			b.WriteString("\n" + field.key + ": " + field.value)
		}
	}
	if m.Resources != nil {
		b.WriteString("\nResources:")
		for _, resource := range m.Resources {
			b.WriteString("\n" + resourceMark + resource)
		}
	}
	return b.String()
}

var (
	schemeForm = regexp.MustCompile(`^[a-z][a-z0-9+.-]*$`)
	nonceForm  = regexp.MustCompile(`^[a-zA-Z0-9]{8,128}$`)
	numberForm = regexp.MustCompile(`^[1-9][0-9]{0,31}$`)
	nameForm   = regexp.MustCompile(`^[-_a-zA-Z0-9]{1,32}$`)
)

// Check validates the form of every field. It does not compare times with the clock or the domain with a site.
func (m Message) Check() error {
	_, chainErr := m.Chain()
	_, err := m.Times()
	for _, rule := range []struct {
		holds bool
		text  string
	}{
		{utf8.ValidString(m.Statement) && !hasControl(m.String()), "it holds characters that are not text"},
		{m.Scheme == "" || schemeForm.MatchString(m.Scheme), "its scheme is not valid"},
		{isAuthority(m.Domain), "its domain is not a host with an optional port"},
		{blockchains[m.Namespace] != "", "its namespace is not known"},
		{m.Address != "" && !strings.ContainsAny(m.Address, " \t"), "it has no address"},
		{isURI(m.URI), "its URI is not valid"},
		{m.Version == "1", "its version is not 1"},
		{chainErr == nil, "its chain id is not valid"},
		{nonceForm.MatchString(m.Nonce), "its nonce is not 8 or more letters and digits"},
		{err == nil, "its times are not those of RFC 3339"},
	} {
		if !rule.holds {
			return fmt.Errorf("%w: %s", ErrMessage, rule.text)
		}
	}
	for _, resource := range m.Resources {
		if !isURI(resource) {
			return fmt.Errorf("%w: a resource is not a URI", ErrMessage)
		}
	}
	return nil
}

// solanaChains are the names of Solana's clusters that wallets write as chain ids.
var solanaChains = map[string]string{
	"mainnet": "5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp", "testnet": "4uhcVJyU9pJkvQyS88uRDiswHXSCkY3z", "devnet": "EtWTRABZaYq6iMfeYKouRu166VU2xqa1",
}

// Chain returns the CAIP-2 id of the message's chain.
func (m Message) Chain() (string, error) {
	reference := strings.TrimPrefix(m.ChainID, m.Namespace+":")
	form := nameForm
	if m.Namespace == EIP155 {
		form = numberForm
	}
	if !form.MatchString(reference) {
		return "", fmt.Errorf("%w: its chain id is not valid", ErrMessage)
	}
	if cluster, ok := solanaChains[reference]; ok && m.Namespace == Solana {
		reference = cluster
	}
	return m.Namespace + ":" + reference, nil
}

// Times are the moments of a message. Expires and NotBefore are zero for none.
type Times struct{ Issued, Expires, NotBefore time.Time }

// Times parses the times of a message.
func (m Message) Times() (t Times, err error) {
	if t.Issued, err = time.Parse(time.RFC3339, m.IssuedAt); err != nil {
		return Times{}, err
	}
	if m.ExpirationTime != "" {
		if t.Expires, err = time.Parse(time.RFC3339, m.ExpirationTime); err != nil {
			return Times{}, err
		}
	}
	if m.NotBefore != "" {
		if t.NotBefore, err = time.Parse(time.RFC3339, m.NotBefore); err != nil {
			return Times{}, err
		}
	}
	return t, nil
}

// hasControl reports whether a text has control characters beside the line feeds between its lines.
func hasControl(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return unicode.IsControl(r) && r != '\n' })
}

func isAuthority(text string) bool {
	u, err := url.Parse("//" + text)
	return err == nil && text != "" && u.Host == text && u.User == nil && u.Hostname() != "" && !strings.ContainsAny(text, " \n")
}

func isURI(text string) bool {
	u, err := url.Parse(text)
	return err == nil && u.Scheme != "" && !strings.ContainsAny(text, " \n")
}
