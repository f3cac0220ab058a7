package vendors

import "errors"

// Kinds of failure, to be told apart with [errors.Is].
var (
	// ErrNoLiquidity: nobody pays anything for so much of the token.
	ErrNoLiquidity = errors.New("no liquidity")
	// ErrChain: the vendor does not serve the chain.
	ErrChain = errors.New("the chain is not supported")
	// ErrToken: the vendor does not know, or refuses, one of the tokens.
	ErrToken = errors.New("a token is not supported")
	// ErrRejected: the vendor does not take the request as it is.
	ErrRejected = errors.New("the request was refused")
	// ErrKey: the vendor does not take the operator's key, or nobody without one.
	ErrKey = errors.New("access was refused")
	// ErrRateLimited: too many requests.
	ErrRateLimited = errors.New("too many requests")
	// ErrBroken: no answer in time, or one in another form than documented.
	ErrBroken = errors.New("no usable answer")
	// ErrMoved: the transaction would pay less than the quote allows; a new quote is due.
	ErrMoved = errors.New("the rate has moved")
	// ErrUnsafe: the vendor's answer must not be given to a user.
	ErrUnsafe = errors.New("an unsafe answer was refused")
	// ErrPaused: the vendor failed lately and is not asked.
	ErrPaused = errors.New("the vendor rests after failures")
)

// isFault reports whether an error is the vendor's own fault, rather than a plain answer to a swap that it cannot do.
func isFault(err error) bool {
	for _, kind := range []error{ErrKey, ErrRateLimited, ErrBroken, ErrUnsafe} {
		if errors.Is(err, kind) {
			return true
		}
	}
	return false
}
