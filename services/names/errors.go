package names

import "errors"

// Why a name is not registered, found or changed.
var (
	// ErrReserved: the operator keeps the name for itself.
	ErrReserved = errors.New("the name is reserved")
	// ErrOther: the signed text speaks of another name.
	ErrOther = errors.New("the signed text is about another name")
	// ErrTaken: somebody has the name.
	ErrTaken = errors.New("the name is taken")
	// ErrUnregistered: nobody has the name.
	ErrUnregistered = errors.New("nobody has the name")
	// ErrNotOwner: the account that signed does not own the name.
	ErrNotOwner = errors.New("the account does not own the name")
	// ErrUsed: the signed text has had its effect.
	ErrUsed = errors.New("the signed text was used before")
	// ErrLimited: the account changed as much as it may within an hour.
	ErrLimited = errors.New("the account changed too many names")
)

// CoinTypeError says that a coin type is of no chain here.
type CoinTypeError struct{ CoinType CoinType }

// Error names the coin type.
func (e *CoinTypeError) Error() string { return "no chain has coin type " + e.CoinType.String() }

// StaleError says that the time of a signed text is too far from now.
type StaleError struct {
	// Timestamp is in seconds since 1970.
	Timestamp uint64
}

// Error says so.
func (e *StaleError) Error() string { return "the time of the signed text is too far from now" }

// NameError says what is wrong with a name.
type NameError struct {
	Name string
	Err  error
}

// Error names the name.
func (e *NameError) Error() string { return e.Name + ": " + e.Err.Error() }

// Unwrap returns what is wrong.
func (e *NameError) Unwrap() error { return e.Err }

// about says of which name the store speaks.
func about(name Name, err error) error {
	if errors.Is(err, ErrTaken) || errors.Is(err, ErrUnregistered) {
		return &NameError{string(name), err}
	}
	return err
}
