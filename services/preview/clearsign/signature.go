package clearsign

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/ethereum/go-ethereum/crypto"
)

const selectorSize = 4

// selector is the first four bytes of the hash of a signature.
type selector [selectorSize]byte

var nameForm = regexp.MustCompile(`^[A-Za-z_$][A-Za-z0-9_$]*$`)

// function is a function of a contract with the names of its arguments.
type function struct {
	name      string
	arguments *dataType
}

// signature returns the name with the types, whose hash begins with the selector.
func (f function) signature() string { return f.name + f.arguments.String() }

func (f function) selector() selector { return selector(crypto.Keccak256([]byte(f.signature()))) }

// hasNames reports whether every argument, at any depth, has a name.
func (f function) hasNames() bool { return isNamed(f.arguments) }

func isNamed(t *dataType) bool {
	if t.kind == listType {
		return isNamed(t.item)
	}
	for _, m := range t.members {
		if m.name == "" || !isNamed(m.of) {
			return false
		}
	}
	return true
}

// parseFunction parses a function such as `submit((address token,uint256 amount)[] orders,bytes32 salt)`. Names may be absent.
func parseFunction(text string) (function, error) {
	name, _, _ := strings.Cut(text, "(")
	p := typeParser{text: text[len(name):]}
	name = strings.TrimSpace(name)
	if !nameForm.MatchString(name) {
		return function{}, errors.New("it is no function with its arguments, such as transfer(address to,uint256 value)")
	}
	arguments, err := p.tuple(0)
	if err == nil && strings.TrimSpace(p.text) != "" {
		err = fmt.Errorf("there is %.40q after the arguments", p.text)
	}
	return function{name, arguments}, err
}

// typeParser parses types from the start of a text.
type typeParser struct {
	text  string
	parts int
}

// tuple parses types with their names in parentheses.
func (p *typeParser) tuple(depth int) (*dataType, error) {
	if depth > maxTypeDepth {
		return nil, errors.New("its types are nested too deep")
	}
	p.text = strings.TrimSpace(p.text)
	if !strings.HasPrefix(p.text, "(") {
		return nil, errors.New("a parenthesis is missing")
	}
	p.text = strings.TrimSpace(p.text[1:])
	var members []typeMember
	for {
		if rest, isEnd := strings.CutPrefix(p.text, ")"); isEnd && len(members) == 0 {
			p.text = rest
			return structOf("", nil)
		}
		m, err := p.member(depth)
		if err != nil {
			return nil, err
		}
		members = append(members, m)
		switch {
		case strings.HasPrefix(p.text, ","):
			p.text = strings.TrimSpace(p.text[1:])
		case strings.HasPrefix(p.text, ")"):
			p.text = p.text[1:]
			return structOf("", members)
		default:
			return nil, errors.New("a comma or a parenthesis is missing")
		}
	}
}

// member parses one type with its name, up to the comma or the parenthesis that follows.
func (p *typeParser) member(depth int) (typeMember, error) {
	if p.parts++; p.parts > maxParts {
		return typeMember{}, fmt.Errorf("it has over %d arguments", maxParts)
	}
	p.text = strings.TrimPrefix(p.text, "tuple")
	var t *dataType
	if strings.HasPrefix(strings.TrimSpace(p.text), "(") {
		var err error
		if t, err = p.tuple(depth + 1); err != nil {
			return typeMember{}, err
		}
		if len(t.members) == 0 {
			return typeMember{}, errors.New("a struct has no members")
		}
	}
	end := strings.IndexAny(p.text, ",()")
	if end < 0 {
		return typeMember{}, errors.New("a parenthesis is missing")
	}
	word, name := cutWords(p.text[:end])
	p.text = p.text[end:]
	base, suffixes := splitList(word)
	if t == nil {
		var ok bool
		if t, ok = elementary(base); !ok {
			return typeMember{}, fmt.Errorf("%.40q is no type", base)
		}
	} else if base != "" {
		return typeMember{}, fmt.Errorf("there is %.40q after a struct", base)
	}
	if name != "" && !nameForm.MatchString(name) {
		return typeMember{}, fmt.Errorf("%.40q is no name", name)
	}
	t, err := withSuffixes(t, suffixes)
	return typeMember{name, t}, err
}

// splitList divides the name of a type from the brackets of lists.
func splitList(word string) (base, suffixes string) {
	base = baseOf(word)
	return base, word[len(base):]
}

// cutWords divides the words of an argument into its type and its name. Where it is stored is left out. What follows a struct may begin with the name.
func cutWords(text string) (first, name string) {
	words := strings.Fields(text)
	if len(words) > 0 && !strings.HasPrefix(text, " ") {
		first, words = words[0], words[1:]
	}
	if len(words) > 1 && (words[0] == "memory" || words[0] == "calldata" || words[0] == "storage") {
		words = words[1:]
	}
	return first, strings.Join(words, " ")
}

// functionOfABI reads a function from its description in a JSON ABI.
func functionOfABI(n *node) (function, error) {
	name, err := n.textOf("name")
	if err != nil {
		return function{}, err
	}
	arguments, err := membersOfABI(n.member("inputs"), 0)
	return function{name, arguments}, err
}

func membersOfABI(n *node, depth int) (*dataType, error) {
	if err := n.list(maxParts); err != nil {
		return nil, err
	}
	if n == nil {
		return structOf("", nil)
	}
	if depth > maxTypeDepth {
		return nil, n.fault("its types are nested too deep")
	}
	members := make([]typeMember, len(n.items))
	for i, input := range n.items {
		var err error
		if members[i], err = memberOfABI(input, depth); err != nil {
			return nil, err
		}
	}
	return structOf("", members)
}

func memberOfABI(n *node, depth int) (m typeMember, err error) {
	if m.name, err = n.textOf("name"); err != nil {
		return m, err
	}
	word, err := n.textOf("type")
	if err != nil {
		return m, err
	}
	base, suffixes := splitList(word)
	t, ok := elementary(base)
	if base == "tuple" {
		t, err = membersOfABI(n.member("components"), depth+1)
	} else if !ok {
		err = n.fault("%.40q is no type", word)
	}
	if err != nil {
		return m, err
	}
	m.of, err = withSuffixes(t, suffixes)
	return m, err
}
