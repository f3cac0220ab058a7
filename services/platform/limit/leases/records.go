package leases

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/hawser-dev/hawser/services/platform/limit"
)

const (
	streamName    = "HAWSER_LIMITS"
	subjectPrefix = "hawser.limits."
	// heldStreamName is the stream of what is held. It refuses new records when it is full, so that many callers do not displace records that are
	// still needed.
	heldStreamName    = "HAWSER_HELD"
	heldSubjectPrefix = "hawser.held."
	// streamBytes and heldStreamBytes bound the records of all services.
	streamBytes     = 32 << 20
	heldStreamBytes = 16 << 20
	// minTTL is the shortest lifetime of a record that a server accepts, and maxTTL the longest that is requested.
	minTTL = time.Second
	maxTTL = 48 * time.Hour
	// holdRenewal is how often a record of what is held is written again. It leaves time for several attempts before the record expires.
	holdRenewal = maxTTL / 4
)

var (
	// errChanged is returned when another replica has written the record since it was read.
	errChanged = errors.New("the record has changed")
	// errNoRoom is returned when the stream is full.
	errNoRoom = errors.New("the stream is full")
)

// codeStoreFailed is the error code of a server whose stream refuses a message, as one that is full does.
const codeStoreFailed jetstream.ErrorCode = 10077

// records are the records of one service.
type records struct {
	js       jetstream.JetStream
	scope    string
	replicas int
}

// open creates the streams, or updates them to the bounds of this version.
func (s *records) open(ctx context.Context) error {
	for _, stream := range []jetstream.StreamConfig{
		{Name: streamName, Subjects: []string{subjectPrefix + ">"}, MaxBytes: streamBytes, Discard: jetstream.DiscardOld},
		{Name: heldStreamName, Subjects: []string{heldSubjectPrefix + ">"}, MaxBytes: heldStreamBytes, Discard: jetstream.DiscardNew},
	} {
		stream.Storage = jetstream.MemoryStorage
		stream.Replicas = s.replicas
		stream.MaxMsgsPerSubject = 1
		stream.AllowMsgTTL = true
		// Records have no id, so the window is the shortest that a server accepts.
		stream.Duplicates = time.Second
		if _, err := s.js.CreateOrUpdateStream(ctx, stream); err != nil {
			return fmt.Errorf("stream %s: %w", stream.Name, err)
		}
	}
	return nil
}

// bucket returns the subject of a caller's record of a rate, and held that of what it holds of a resource. They contain a hash of project and address
// instead of their text.
func (s *records) bucket(c limit.Caller, rate string) string {
	return subjectPrefix + s.scope + ".rate." + digest(c, rate)
}

func (s *records) held(c limit.Caller, resource string) string {
	return heldSubjectPrefix + s.scope + "." + digest(c, resource)
}

func digest(c limit.Caller, name string) string {
	sum := sha256.Sum256([]byte(c.Project + "\x00" + c.Network.String() + "\x00" + name))
	return hex.EncodeToString(sum[:16])
}

// streamOf returns the name of the stream of a subject.
func streamOf(subject string) string {
	if strings.HasPrefix(subject, heldSubjectPrefix) {
		return heldStreamName
	}
	return streamName
}

// replica returns the subject of a replica's heartbeat record.
func (s *records) replica(id string) string { return subjectPrefix + s.scope + ".replica." + id }

// read returns a record, its revision and the time of its last write. The revision is 0 if the record does not exist.
func (s *records) read(ctx context.Context, subject string) (data []byte, revision uint64, written time.Time, err error) {
	stream, err := s.js.Stream(ctx, streamOf(subject))
	if err != nil {
		return nil, 0, time.Time{}, err
	}
	msg, err := stream.GetLastMsgForSubject(ctx, subject)
	if errors.Is(err, jetstream.ErrMsgNotFound) {
		return nil, 0, time.Time{}, nil
	}
	if err != nil {
		return nil, 0, time.Time{}, err
	}
	return msg.Data, msg.Sequence, msg.Time, nil
}

// write replaces the record if it has the revision, 0 for none, and keeps it for ttl; 0 means that it does not expire.
// It fails with errChanged if the revision differs.
func (s *records) write(ctx context.Context, subject string, data []byte, revision uint64, ttl time.Duration) (uint64, error) {
	return s.publish(ctx, subject, data, ttl, jetstream.WithExpectLastSequencePerSubject(revision))
}

// put writes a record, whatever its revision, and keeps it for ttl.
func (s *records) put(ctx context.Context, subject string, data []byte, ttl time.Duration) (uint64, error) {
	return s.publish(ctx, subject, data, ttl)
}

// publish writes a record and returns its revision.
func (s *records) publish(ctx context.Context, subject string, data []byte, ttl time.Duration, options ...jetstream.PublishOpt) (uint64, error) {
	if ttl > 0 {
		options = append(options, jetstream.WithMsgTTL(ttl))
	}
	// The callers retry themselves, within their deadline.
	ack, err := s.js.PublishMsg(ctx, &nats.Msg{Subject: subject, Data: data}, append(options, jetstream.WithRetryAttempts(0))...)
	if e, ok := errors.AsType[*jetstream.APIError](err); ok {
		switch e.ErrorCode {
		case jetstream.JSErrCodeStreamWrongLastSequence, jetstream.JSErrCodeStreamWrongLastSequenceConstant:
			return 0, errChanged
		case codeStoreFailed:
			return 0, errNoRoom
		}
	}
	if err != nil {
		return 0, err
	}
	return ack.Sequence, nil
}

// remove deletes a record.
func (s *records) remove(ctx context.Context, subject string) error {
	stream, err := s.js.Stream(ctx, streamName)
	if err != nil {
		return err
	}
	return stream.Purge(ctx, jetstream.WithPurgeSubject(subject))
}

// heartbeat writes the record of a replica, which expires after ttl, and returns the ids of all replicas that have one and the server's time.
func (s *records) heartbeat(ctx context.Context, id string, ttl time.Duration) (ids map[string]bool, now time.Time, err error) {
	if _, err = s.put(ctx, s.replica(id), nil, ttl); err != nil {
		return nil, time.Time{}, err
	}
	stream, err := s.js.Stream(ctx, streamName)
	if err != nil {
		return nil, time.Time{}, err
	}
	msg, err := stream.GetLastMsgForSubject(ctx, s.replica(id))
	if err != nil {
		return nil, time.Time{}, err
	}
	info, err := stream.Info(ctx, jetstream.WithSubjectFilter(s.replica("*")))
	if err != nil {
		return nil, time.Time{}, err
	}
	ids = map[string]bool{id: true}
	for subject := range info.State.Subjects {
		ids[subject[len(s.replica("")):]] = true
	}
	return ids, msg.Time, nil
}

// lifetime returns how long the record of a bucket must be kept: until the bucket is full.
func lifetime(b bucket, r limit.Rate) time.Duration {
	seconds := math.Ceil((burst(r)-b.tokens)/r.PerSecond) + 1
	if seconds >= maxTTL.Seconds() {
		return maxTTL
	}
	return max(minTTL, time.Duration(seconds)*time.Second)
}
