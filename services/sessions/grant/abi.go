package grant

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/ethereum/go-ethereum/crypto"
)

const (
	wordSize = 32
	// maxOffset bounds the offset of a word to which a rule applies, in bytes.
	maxOffset = 64 << 10
	// maxDepth bounds the nesting of tuples, and maxParameters the parameters of a function, including those in tuples.
	maxDepth, maxParameters = 4, 64
)

// The parser is not go-ethereum's: the ABI is a site's, and accounts/abi makes a Go type of each parameter by reflection. The runtime never frees such types, and
// fixed arrays of arrays make it panic.

// described is a function in an ABI. Its inputs are parsed if the function is selected.
type described struct {
	Type   string          `json:"type"`
	Name   string          `json:"name"`
	Inputs json.RawMessage `json:"inputs"`
}

// parameter is a parameter of a function in the format of ABIs.
type parameter struct {
	Type       string      `json:"type"`
	Components []parameter `json:"components"`
}

var (
	functionName  = regexp.MustCompile(`^[A-Za-z_$][A-Za-z0-9_$]{0,127}$`)
	parameterType = regexp.MustCompile(`^(address|bool|string|bytes|function|tuple|u?int[1-9]\d{0,2}|bytes[1-9]\d?)((?:\[(?:[1-9]\d{0,3})?\]){0,4})$`)
	lastArray     = regexp.MustCompile(`^(.*)\[(\d*)\]$`)
)

// findFunction returns the parameters and the selector of the only function with a name, or with a signature such as
// `f(uint256)`.
func findFunction(abi []described, name string) ([]parameter, [4]byte, error) {
	bare, _, isSignature := strings.Cut(name, "(")
	if !functionName.MatchString(bare) {
		return nil, [4]byte{}, fmt.Errorf("%w: functionName is not a name", ErrMalformed)
	}
	var found []parameter
	var signature string
	count := 0
	for _, d := range abi {
		if d.Type != "function" || d.Name != bare {
			continue
		}
		inputs, err := parseInputs(d.Inputs)
		if err != nil {
			return nil, [4]byte{}, err
		}
		if s := bare + tuple(inputs); !isSignature || s == name {
			found, signature = inputs, s
			count++
		}
	}
	if count != 1 {
		return nil, [4]byte{}, fmt.Errorf("%w: the abi has %d functions of this name", ErrMalformed, count)
	}
	return found, [4]byte(crypto.Keccak256([]byte(signature))), nil
}

func parseInputs(raw json.RawMessage) (inputs []parameter, err error) {
	if len(raw) > 0 {
		err = json.Unmarshal(raw, &inputs)
	}
	left := maxParameters
	if err != nil || !valid(inputs, maxDepth, &left) {
		return nil, fmt.Errorf("%w: the inputs of a function are not parameters, or are too many", ErrMalformed)
	}
	return inputs, nil
}

// valid reports whether parameters have known types and are at most left, including those in tuples.
func valid(list []parameter, depth int, left *int) bool {
	*left -= len(list)
	if *left < 0 || depth < 0 {
		return false
	}
	return !slices.ContainsFunc(list, func(p parameter) bool {
		parts := parameterType.FindStringSubmatch(p.Type)
		return parts == nil || !validSize(parts[1]) || parts[1] == "tuple" && (len(p.Components) == 0 || !valid(p.Components, depth-1, left))
	})
}

// validSize reports whether the size of a type exists: whole bytes of numbers, and 1 to 32 bytes.
func validSize(base string) bool {
	digits := strings.TrimLeft(base, "abcdefghijklmnopqrstuvwxyz")
	if digits == "" {
		return true
	}
	n, err := strconv.Atoi(digits)
	if strings.HasPrefix(base, "bytes") {
		return err == nil && n <= wordSize
	}
	return err == nil && n%8 == 0 && n <= 8*wordSize
}

// tuple returns the canonical form of parameters, such as `(uint256,(address,bool)[2])`.
func tuple(list []parameter) string {
	types := make([]string, len(list))
	for i, p := range list {
		types[i] = p.canonical()
	}
	return "(" + strings.Join(types, ",") + ")"
}

func (p parameter) canonical() string {
	if arrays, ok := strings.CutPrefix(p.Type, "tuple"); ok {
		return tuple(p.Components) + arrays
	}
	return p.Type
}

// headSize returns the size of a value's part in the head of the arguments, in bytes; at most maxOffset plus one.
func (p parameter) headSize() int {
	if p.isDynamic() {
		return wordSize
	}
	if parts := lastArray.FindStringSubmatch(p.Type); parts != nil {
		n, _ := strconv.Atoi(parts[2])
		return min(n*parameter{parts[1], p.Components}.headSize(), maxOffset+1)
	}
	if p.Type != "tuple" {
		return wordSize
	}
	size := 0
	for _, c := range p.Components {
		size = min(size+c.headSize(), maxOffset+1)
	}
	return size
}

func (p parameter) isDynamic() bool {
	base, _, _ := strings.Cut(p.Type, "[")
	if base == "string" || base == "bytes" || strings.Contains(p.Type, "[]") {
		return true
	}
	return base == "tuple" && slices.ContainsFunc(p.Components, parameter.isDynamic)
}
