// Package ensip15 normalizes ENS names (ENSIP-15) with the reference implementation, which is written in JavaScript. Its tables are unpacked with the first
// name, which takes about a second of processor time.
package ensip15

import (
	_ "embed"
	"errors"
	"fmt"
	"sync"

	"github.com/dop251/goja"
)

// MaxLength bounds a name and its normal form, in bytes of UTF-8. So each label fits in DNS wire format, as ENS encodes it: with a length of one byte.
const MaxLength = 253

//go:embed normalize.gen.js
var source string

// InvalidError says why a text has no normal form. Its text shows invisible characters by their code points.
type InvalidError struct{ reason string }

var errTooLong = &InvalidError{"the name is too long"}

// Error returns the reason, of the reference implementation.
func (e *InvalidError) Error() string { return e.reason }

// normalizer is a JavaScript runtime with the function of the reference implementation. Its mutex is held during a call, because a runtime is not safe for
// concurrent use.
type normalizer struct {
	mu   sync.Mutex
	vm   *goja.Runtime
	call goja.Callable
}

var load = sync.OnceValues(func() (*normalizer, error) {
	vm := goja.New()
	exports := vm.NewObject()
	module, err := vm.RunString("(function (exports) {" + source + "\n})")
	if err != nil {
		return nil, fmt.Errorf("ensip15: %w", err)
	}
	define, ok := goja.AssertFunction(module)
	if !ok {
		return nil, errors.New("ensip15: the module is no function")
	}
	if _, err := define(goja.Undefined(), exports); err != nil {
		return nil, fmt.Errorf("ensip15: %w", err)
	}
	call, ok := goja.AssertFunction(exports.Get("ens_normalize"))
	if !ok {
		return nil, errors.New("ensip15: the module has no ens_normalize")
	}
	return &normalizer{vm: vm, call: call}, nil
})

// Normalize returns the normal form of a name, which has the same meaning in every client. It fails with an [*InvalidError] for a text that has none: one
// with letters of several scripts, with invisible characters, or longer than [MaxLength]. Calls run one after another and take no context: a call
// waits for those before it, even when its caller has left.
func Normalize(name string) (string, error) {
	if len(name) > MaxLength {
		return "", errTooLong
	}
	n, err := load()
	if err != nil {
		return "", err
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	normal, err := n.call(goja.Undefined(), n.vm.ToValue(name))
	var thrown *goja.Exception
	if errors.As(err, &thrown) {
		return "", &InvalidError{messageOf(thrown)}
	}
	if err != nil {
		return "", fmt.Errorf("ensip15: %w", err)
	}
	// One character may become several.
	text := normal.String()
	if len(text) > MaxLength {
		return "", errTooLong
	}
	return text, nil
}

func messageOf(thrown *goja.Exception) string {
	if object, ok := thrown.Value().(*goja.Object); ok {
		return object.Get("message").String()
	}
	return thrown.Value().String()
}

// IsNormal reports whether a name is in its normal form.
func IsNormal(name string) bool {
	normal, err := Normalize(name)
	return err == nil && normal == name
}
