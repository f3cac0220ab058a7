// Package deliveries has the rules of webhooks: endpoints and their secrets, what waits for an endpoint and in which order, and when an attempt is repeated.
package deliveries

import (
	"errors"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hawser-dev/hawser/services/platform/fetch"
)

// Errors of endpoints and deliveries.
var (
	// ErrUnknownEndpoint is returned for an endpoint that the project does not have.
	ErrUnknownEndpoint = errors.New("there is no such endpoint")
	// ErrUnknownDelivery is returned for a delivery that the project does not have, or that waits and so cannot be repeated.
	ErrUnknownDelivery = errors.New("there is no such delivery, or it has not ended")
	// ErrTooMany is returned for an endpoint that a project may not have beside its others.
	ErrTooMany = errors.New("a project has at most " + strconv.Itoa(maxEndpoints) + " endpoints")
)

// Invalid is the error of a value that is not allowed.
type Invalid struct{ Field, Why string }

// Error returns the field and why its value is not allowed.
func (e *Invalid) Error() string { return e.Field + ": " + e.Why }

const (
	// maxEndpoints bounds the endpoints of a project.
	maxEndpoints = 10
	// maxURL bounds a URL, in bytes.
	maxURL = 2048
)

// Kinds of events. A kind names what happened; its data has the form that docs/build/webhooks.md shows.
const (
	UserCreated    = "user.created"
	OrderPending   = "order.pending"
	OrderPaid      = "order.paid"
	OrderCompleted = "order.completed"
	OrderExpired   = "order.expired"
	OrderCancelled = "order.cancelled"
	OrderFailed    = "order.failed"
	OrderRefunded  = "order.refunded"
	SessionGranted = "session.granted"
	SessionRevoked = "session.revoked"
	NameRegistered = "name.registered"
	// WalletConnected, TransactionConfirmed and TransactionFailed are sent only to endpoints that name them.
	WalletConnected      = "wallet.connected"
	TransactionConfirmed = "transaction.confirmed"
	TransactionFailed    = "transaction.failed"
)

// Kinds returns every kind.
func Kinds() []string {
	return append(defaultKinds(), WalletConnected, TransactionConfirmed, TransactionFailed)
}

// defaultKinds are those of an endpoint that names none.
func defaultKinds() []string {
	return []string{
		UserCreated, OrderPending, OrderPaid, OrderCompleted, OrderExpired, OrderCancelled, OrderFailed, OrderRefunded, SessionGranted, SessionRevoked, NameRegistered,
	}
}

// Endpoint is a URL that gets the webhooks of a project.
type Endpoint struct {
	ID, Project, URL string
	// Kinds are those of the events that it gets.
	Kinds   []string
	Enabled bool
	// Failures is how many webhooks in a row, of different accounts, were not answered, or with an error of the server.
	Failures int
	// PausedUntil is when the next one may be sent after such failures; zero if there is no pause.
	PausedUntil time.Time
	// HasAnswered is whether it answered since it was created or enabled.
	HasAnswered bool
	// Waiting is how many webhooks wait for it, and Dropped how many were dropped because too many waited.
	Waiting, Dropped int64
	// PreviousUntil is when the secret before the last rotation ends; zero if there is none.
	PreviousUntil time.Time
	CreatedAt     time.Time

	// sealed and sealedPrevious are its secrets.
	sealed, sealedPrevious string
}

// Gets reports whether the endpoint gets events of a kind that happened at a time, which may be in whole seconds: those of before its creation are not for it.
func (e Endpoint) Gets(kind string, at time.Time) bool {
	return slices.Contains(e.Kinds, kind) && !at.Before(e.CreatedAt.Truncate(time.Second))
}

// Host returns the host of the URL, with its port.
func (e Endpoint) Host() string {
	u, err := url.Parse(e.URL)
	if err != nil {
		return ""
	}
	return strings.ToLower(u.Host)
}

// IsPrivate reports whether the URL is one of a private host that the operator allows.
func (r Rules) IsPrivate(address string) bool {
	u, err := url.Parse(address)
	return err == nil && slices.Contains(r.PrivateHosts, strings.ToLower(u.Hostname()))
}

// checkURL returns what is wrong with the URL of an endpoint.
func (r Rules) checkURL(text string) error {
	u, err := url.Parse(text)
	switch {
	case err != nil, u.Host == "", u.Opaque != "":
		return &Invalid{"url", "it is not a URL such as https://example.org/webhooks"}
	case len(text) > maxURL:
		return &Invalid{"url", "it is too long"}
	case u.User != nil, u.Fragment != "":
		return &Invalid{"url", "it has a user or a fragment"}
	case r.IsPrivate(text) && (u.Scheme == "http" || u.Scheme == "https"):
		return nil
	case u.Scheme != "https":
		return &Invalid{"url", "it does not begin with https://; hosts of webhooks.private_hosts may have http"}
	case u.Port() != "" && u.Port() != "443":
		return &Invalid{"url", "its port is not 443; hosts of webhooks.private_hosts may have any"}
	case u.Hostname() == fetch.AnyHost || fetch.CheckHost(u.Hostname()) != nil:
		return &Invalid{"url", "its host is not public"}
	}
	return nil
}

// checkKinds returns the kinds without repetitions, and the default ones for none.
func checkKinds(kinds []string) ([]string, error) {
	if len(kinds) == 0 {
		return defaultKinds(), nil
	}
	all := Kinds()
	var checked []string
	for _, kind := range kinds {
		if !slices.Contains(all, kind) {
			return nil, &Invalid{"kinds", "one of them is none of " + strings.Join(all, ", ")}
		}
		if !slices.Contains(checked, kind) {
			checked = append(checked, kind)
		}
	}
	return checked, nil
}
