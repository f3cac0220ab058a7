package upstream

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/url"
)

// Outcome is the kind of result of a call: a label of metrics, and a word for operators.
type Outcome string

// The outcomes of a call.
const (
	// OK: the server answered as documented.
	OK Outcome = "ok"
	// Timeout: it did not answer in time.
	Timeout Outcome = "timeout"
	// Unreachable: no connection was made, or it broke.
	Unreachable Outcome = "unreachable"
	// RateLimited: it answered 429.
	RateLimited Outcome = "rate_limited"
	// Denied: it answered 401 or 403, as for a key that has ended.
	Denied Outcome = "denied"
	// Refused: it answered another 4xx.
	Refused Outcome = "refused"
	// Failed: it answered 5xx, or with an error of its protocol that is its own fault.
	Failed Outcome = "failed"
	// Invalid: it answered in another form than documented, or redirects, which no client follows.
	Invalid Outcome = "invalid"
	// WrongChain: it is a node of another chain than configured.
	WrongChain Outcome = "wrong_chain"
	// Canceled: the caller left before there was an answer.
	Canceled Outcome = "canceled"
)

// OutcomeOf returns the outcome of a call by the status of the answer, or by the error if there is none.
func OutcomeOf(status int, err error) Outcome {
	if err != nil {
		return outcomeOfError(err)
	}
	switch {
	case status == http.StatusTooManyRequests:
		return RateLimited
	case status == http.StatusUnauthorized, status == http.StatusForbidden:
		return Denied
	case status >= http.StatusInternalServerError:
		return Failed
	case status >= http.StatusBadRequest:
		return Refused
	case status >= http.StatusMultipleChoices:
		return Invalid
	default:
		return OK
	}
}

func outcomeOfError(err error) Outcome {
	network, isNetwork := errors.AsType[net.Error](err)
	switch {
	case errors.Is(err, context.Canceled):
		return Canceled
	case errors.Is(err, context.DeadlineExceeded), isNetwork && network.Timeout():
		return Timeout
	case errors.Is(err, ErrTooLarge):
		return Invalid
	default:
		return Unreachable
	}
}

// Host returns the host of a URL, with the port if it has one: the part that may be shown of a URL that may contain a
// key. It is empty for text that is not a URL.
func Host(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return u.Host
}
