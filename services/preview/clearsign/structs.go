package clearsign

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// maxStructs bounds the structs of typed data.
const maxStructs = 64

// structs are the declarations of the structs of typed data (EIP-712), by their names.
type structs map[string][]declared

// declared is a member of a struct with its type as it is written.
type declared struct{ name, of string }

// structForm matches one struct in the encoding of a type.
var structForm = regexp.MustCompile(`^([A-Za-z_$][A-Za-z0-9_$]*)\(([^()]*)\)`)

// parseEncodedType parses what encodeType of EIP-712 returns for a type, such as `Mail(Person from,string text)Person(string name)`.
func parseEncodedType(text string) (primary string, all structs, err error) {
	all = structs{}
	for rest := text; rest != ""; {
		m := structForm.FindStringSubmatch(rest)
		if m == nil || len(all) == maxStructs {
			return "", nil, errors.New("it is no encoding of a type (EIP-712), such as Mail(address to,string text)")
		}
		if primary == "" {
			primary = m[1]
		}
		var members []declared
		for _, member := range strings.Split(m[2], ",") {
			of, name, _ := strings.Cut(member, " ")
			members = append(members, declared{name, of})
		}
		if m[2] == "" {
			members = nil
		}
		all[m[1]] = members
		rest = rest[len(m[0]):]
	}
	if primary == "" || all.encode(primary) != text {
		return "", nil, errors.New("it is not the encoding of its type (EIP-712): the first struct, then those that it refers to, sorted, without other spaces")
	}
	return primary, all, nil
}

// baseOf returns the type of the items of a list type.
func baseOf(of string) string {
	base, _, _ := strings.Cut(of, "[")
	return base
}

// encode returns the encoding of a type (encodeType of EIP-712).
func (s structs) encode(primary string) string {
	used := map[string]bool{}
	s.use(primary, used)
	delete(used, primary)
	var b strings.Builder
	for _, name := range append([]string{primary}, slices.Sorted(maps.Keys(used))...) {
		b.WriteString(name + "(")
		for i, m := range s[name] {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteString(m.of + " " + m.name)
		}
		b.WriteByte(')')
	}
	return b.String()
}

// use adds a struct and those that it refers to.
func (s structs) use(name string, used map[string]bool) {
	if used[name] || len(used) > maxStructs {
		return
	}
	used[name] = true
	for _, m := range s[name] {
		if _, ok := s[baseOf(m.of)]; ok {
			s.use(baseOf(m.of), used)
		}
	}
}

// typeOf returns the type of a struct. It fails for one that contains itself.
func (s structs) typeOf(name string) (*dataType, error) {
	return s.build(name, map[string]*dataType{}, 0)
}

// build returns a struct's type; a nil entry in built is one whose members are being built.
func (s structs) build(name string, built map[string]*dataType, depth int) (*dataType, error) {
	if t, isKnown := built[name]; isKnown {
		if t == nil {
			return nil, fmt.Errorf("the struct %s contains itself, which is not supported", name)
		}
		return t, nil
	}
	if depth > maxTypeDepth {
		return nil, errors.New("its structs are nested too deep")
	}
	built[name] = nil
	var members []typeMember
	for _, m := range s[name] {
		base, suffixes := splitList(m.of)
		t, ok := elementary(base)
		if _, isStruct := s[base]; isStruct {
			var err error
			if t, err = s.build(base, built, depth+1); err != nil {
				return nil, err
			}
		} else if !ok {
			return nil, fmt.Errorf("%.40q is no type", m.of)
		}
		t, err := withSuffixes(t, suffixes)
		if err != nil {
			return nil, err
		}
		if !nameForm.MatchString(m.name) {
			return nil, fmt.Errorf("%.40q is no name", m.name)
		}
		members = append(members, typeMember{m.name, t})
		if len(members) > maxParts {
			return nil, fmt.Errorf("the struct %s has over %d members", name, maxParts)
		}
	}
	t, err := structOf(name, members)
	built[name] = t
	return t, err
}

// structsOfSchema reads the declarations of a schema of version 1.
func structsOfSchema(n *node) (structs, error) {
	all := structs{}
	if err := n.expect(objectNode); n == nil || err != nil {
		return all, err
	}
	for _, m := range n.members {
		if err := m.list(maxParts); err != nil {
			return nil, err
		}
		var members []declared
		for _, item := range m.items {
			name, err := item.textOf("name")
			if err != nil {
				return nil, err
			}
			of, err := item.textOf("type")
			if err != nil {
				return nil, err
			}
			members = append(members, declared{name, of})
		}
		all[m.key] = members
	}
	return all, nil
}
