package deliveries

import (
	"crypto/sha256"
	"encoding/hex"
	"time"
)

// State is how far a delivery is.
type State string

// The states.
const (
	// Waiting means that it waits for an attempt, or for the earlier deliveries of its account.
	Waiting State = "waiting"
	// Delivered means that the endpoint answered 2xx.
	Delivered State = "delivered"
	// Failed means that it was given up.
	Failed State = "failed"
)

// Event is something that happened at a site.
type Event struct {
	Project string
	// Kind is one of [Kinds].
	Kind string
	// Key tells the event from others of the project, and is the same when the event is read again.
	Key string
	// Account is what the order is kept for: events of one account are delivered one after another.
	Account string
	At      time.Time
	// Body is what is sent.
	Body []byte
}

// MessageID returns the webhook-id of the event, which is the same in every attempt and at every endpoint.
func (e Event) MessageID() string {
	sum := sha256.Sum256([]byte(e.Project + "\x00" + e.Kind + "\x00" + e.Key))
	return "msg_" + hex.EncodeToString(sum[:16])
}

// Delivery is one event for one endpoint.
type Delivery struct {
	ID                             int64
	Endpoint, Project              string
	MessageID, Kind, Account, Body string
	State                          State
	Attempts                       int
	LastStatus                     int
	LastError                      string
	CreatedAt, ExpiresAt, EndedAt  time.Time
}

// Attempt is one request to an endpoint.
type Attempt struct {
	Number    int
	StartedAt time.Time
	Took      time.Duration
	// Status is 0 if there was no answer; Error is then why.
	Status int
	Error  string
}

// Outcome is how an endpoint answered an attempt.
type Outcome struct {
	StartedAt time.Time
	Took      time.Duration
	// Status is the HTTP status, 0 if there was no answer, and Error why there was none. Error has no address.
	Status int
	Error  string
	// RetryAfter is how long the endpoint asks to wait.
	RetryAfter time.Duration
}

// The statuses that mean more than that an attempt failed.
const (
	statusGone    = 410
	statusTooMany = 429
)

// IsDelivered reports whether the endpoint accepted the webhook.
func (o Outcome) IsDelivered() bool { return o.Status >= 200 && o.Status < 300 }

// IsGone reports whether the endpoint says that it wants no webhooks any more.
func (o Outcome) IsGone() bool { return o.Status == statusGone }

// isDown reports whether the server did not answer, or says that it cannot. Another refusal is about one webhook.
func (o Outcome) isDown() bool { return o.Status == 0 || o.Status == statusTooMany || o.Status >= 500 }

// Backoff says when attempts are repeated.
type Backoff struct {
	// Jitter returns a number from 0 up to 1.
	Jitter func() float64
}

const (
	// firstRetry is the longest pause after the first failed attempt at a delivery; each further pause is twice as long, up to lastRetry. A pause is at least
	// half as long, so that what failed together is not repeated together.
	firstRetry = 5 * time.Second
	lastRetry  = time.Hour
	// maxRetryAfter bounds how long an endpoint may ask to wait.
	maxRetryAfter = time.Hour
	// OpenAt is after how many failures in a row nothing is sent to an endpoint for a while. Then one webhook is sent, and another pause follows if that fails.
	OpenAt = 5
	// firstPause and lastPause are the first and the longest of these pauses.
	firstPause = 5 * time.Second
	lastPause  = 5 * time.Minute
)

// retryIn returns the pause after a failed attempt, of which there were some before.
func (b Backoff) retryIn(tries int, asked time.Duration) time.Duration {
	return max(b.grow(firstRetry, lastRetry, tries), min(asked, maxRetryAfter))
}

// pauseFor returns the pause of an endpoint after failures in a row; 0 if there are too few.
func (b Backoff) pauseFor(failures int) time.Duration {
	if failures < OpenAt {
		return 0
	}
	return b.grow(firstPause, lastPause, failures-OpenAt)
}

func (b Backoff) grow(first, last time.Duration, doublings int) time.Duration {
	longest := last
	// 20 doublings exceed every bound, and do not overflow.
	if doublings < 20 {
		longest = min(last, first<<max(0, doublings))
	}
	return longest/2 + time.Duration(b.Jitter()*float64(longest/2))
}
