// Package quota bounds what clients of the relay may use of a process: requests, connections, topics, messages that are being stored, and memory.
package quota

import (
	"context"
	"time"

	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/limit"
)

// TopicBlock is how many topics a session takes from those of the process at a time.
const TopicBlock = 8

// patience bounds how long a connection over its rate waits. Clients time out after 15 seconds.
const patience = 10 * time.Second

// unknownProjects limits lookups of projects that do not exist, per client address.
var unknownProjects = limit.Rate{Name: "unknown projects", PerSecond: 5, Burst: 50}

// Limits are what a client and a process may use.
type Limits struct {
	// Requests is the rate of a client, Connects that of an address.
	Requests, Connects limit.Rate
	// HandshakesPerSecond is how many connections the process accepts; 0 is no limit.
	HandshakesPerSecond float64
	// Connections, Topics and Publications are shares of what a process has, or stores, at once.
	Connections, Topics, Publications limit.Share
}

// Quota counts what clients use. It is safe for concurrent use.
type Quota struct {
	limits  Limits
	limiter limit.Limiter
	// local counts connections and topics, which are memory of this process, and publications that are being stored. An IPv6 caller counts as three.
	local  *limit.Local
	memory *limit.Memory
	reads  *reads
	clock  clock.Clock
	// handshakes is nil without a limit.
	handshakes *pace
}

// New returns a quota. If limiter is nil, requests are counted within this process; if memory is nil, it has no limit.
func New(limits Limits, limiter limit.Limiter, memory *limit.Memory, c clock.Clock) *Quota {
	q := &Quota{limits: limits, limiter: limit.OrLocal(limiter, c), local: limit.NewLocal(c, 3*limits.Connections.Total), memory: memory, reads: newReads(), clock: c}
	if limits.HandshakesPerSecond > 0 {
		q.handshakes = newPace(limits.HandshakesPerSecond, patience)
	}
	return q
}

// Memory returns what a client keeps in memory, which is nothing yet.
func (q *Quota) Memory(c limit.Caller) *limit.Bytes { return q.memory.Hold(c) }

// TakeRequests takes n requests of a client, or reports false if it is over its rate.
func (q *Quota) TakeRequests(ctx context.Context, c limit.Caller, n int) bool {
	return q.limiter.Take(ctx, c, q.limits.Requests, n) <= 0
}

// AwaitRequest takes a request of a client once its rate allows that. The error is that of ctx.
func (q *Quota) AwaitRequest(ctx context.Context, c limit.Caller) error {
	return limit.Wait(ctx, q.limiter, c, q.limits.Requests, 1)
}

// AwaitConnect waits while an address is over its rate of connections. After waiting, the connection is accepted all the same: a refused client would
// connect more often.
func (q *Quota) AwaitConnect(ctx context.Context, address limit.Caller) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	_ = limit.Wait(ctx, q.limiter, address, q.limits.Connects, 1)
}

// AwaitHandshake waits for the turn of a connection among all that the process accepts, so that many clients that come back at once do not delay those that
// are there. It waits for a bounded time, or until ctx ends.
func (q *Quota) AwaitHandshake(ctx context.Context) {
	if q.handshakes == nil {
		return
	}
	wait := q.handshakes.reserve(q.clock.Now())
	if wait == 0 {
		return
	}
	due := time.NewTimer(wait)
	defer due.Stop()
	select {
	case <-ctx.Done():
	case <-due.C:
	}
}

// AwaitLookup waits while an address has named too many unknown projects, because each of them costs a lookup. It fails if that takes too long.
func (q *Quota) AwaitLookup(ctx context.Context, address limit.Caller) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	return limit.Wait(ctx, q.limiter, address, unknownProjects, 0)
}

// AwaitRead waits until a client may read a message from a mailbox, which it does until leave is called. The error is that of ctx, or says that it took
// too long.
func (q *Quota) AwaitRead(ctx context.Context, c limit.Caller) (leave func(), err error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	return q.reads.enter(ctx, c)
}

// CountUnknown counts an unknown project that an address has named.
func (q *Quota) CountUnknown(ctx context.Context, address limit.Caller) {
	q.limiter.Owe(ctx, address, unknownProjects, 1)
}

// HoldConnection takes a connection of the process until release is called.
func (q *Quota) HoldConnection(ctx context.Context, address limit.Caller) (release func(), ok bool) {
	return q.local.Hold(ctx, address, q.limits.Connections, 1)
}

// HoldTopics takes [TopicBlock] topics of the process for the address of a client until release is called.
func (q *Quota) HoldTopics(ctx context.Context, c limit.Caller) (release func(), ok bool) {
	return q.local.Hold(ctx, limit.Caller{Network: c.Network}, q.limits.Topics, TopicBlock)
}

// HoldPublication takes one of the messages that the process stores at once for the address of a client until release is called.
func (q *Quota) HoldPublication(ctx context.Context, c limit.Caller) (release func(), ok bool) {
	return q.local.Hold(ctx, limit.Caller{Network: c.Network}, q.limits.Publications, 1)
}

// HoldAhead is [Quota.HoldPublication] for a message that is stored while others of its connection are. There are half as many of these places as of the others,
// so that the first messages of other connections are not refused for them.
func (q *Quota) HoldAhead(ctx context.Context, c limit.Caller) (release func(), ok bool) {
	share := q.limits.Publications
	share.Name, share.Each, share.Total = "relay publications ahead", (share.Each+1)/2, (share.Total+1)/2
	return q.local.Hold(ctx, limit.Caller{Network: c.Network}, share, 1)
}
