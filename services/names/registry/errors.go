package registry

import "errors"

// Errors of registrations, lookups and changes.
var (
	// ErrReserved: the operator reserved the name.
	ErrReserved = errors.New("the name is reserved")
	// ErrOther: the signed text is for another name.
	ErrOther = errors.New("the signed text is about another name")
	// ErrTaken: the name is registered.
	ErrTaken = errors.New("the name is taken")
	// ErrUnregistered: the name is not registered.
	ErrUnregistered = errors.New("the name is not registered")
	// ErrNotOwner: the account that signed does not own the name.
	ErrNotOwner = errors.New("the account does not own the name")
	// ErrUsed: the signed text was used before.
	ErrUsed = errors.New("the signed text was used before")
	// ErrLimited: the account reached its limit of changes per hour.
	ErrLimited = errors.New("the account changed too many names")
)

// CoinTypeError is the error of a coin type whose chain is not supported.
type CoinTypeError struct{ CoinType CoinType }

// Error returns a text with the coin type.
func (e *CoinTypeError) Error() string { return "no chain has coin type " + e.CoinType.String() }

// StaleError is the error of a signed text whose timestamp is too far from now.
type StaleError struct {
	// Timestamp is in seconds since 1970.
	Timestamp uint64
}

// Error returns a fixed text.
func (e *StaleError) Error() string { return "the time of the signed text is too far from now" }

// NameError is an error about one name.
type NameError struct {
	Name string
	Err  error
}

// Error returns the name and the cause.
func (e *NameError) Error() string { return e.Name + ": " + e.Err.Error() }

// Unwrap returns the cause.
func (e *NameError) Unwrap() error { return e.Err }

// about adds the name to an error of the store.
func about(name Name, err error) error {
	if errors.Is(err, ErrTaken) || errors.Is(err, ErrUnregistered) {
		return &NameError{string(name), err}
	}
	return err
}
