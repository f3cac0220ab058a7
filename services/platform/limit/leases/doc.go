// Package leases implements a [limit.Limiter] that the replicas of a service share through NATS JetStream.
//
// What is left of a caller's rate is one record, in a stream in the memory of the NATS servers that keeps the last
// message of each subject. A replica takes tokens out of it by compare-and-set, a twentieth of the burst divided by the
// number of replicas at a time, and spends them without a request to NATS; it leases more before they are spent. Tokens
// are spent only after they were taken from the record, so all replicas together allow what one would; tokens that idle
// replicas hold are at most 7.5 percent of the burst. A caller's first request, and each request of a rate too slow to
// lease tokens ahead, waits for the record: about a millisecond, and at most half a second if other replicas write the
// record first. A caller over its rate is refused without a request.
//
// A replica has leases for a bounded number of callers, of which those of one project, and those of one site, have at most half. A lease is forgotten for
// another one only once its bucket is full again. A caller without a lease costs no request: each replica allows it 1/N of the rate, where N is how many
// replicas there are, and counts that as [limit.Local] does. When it gets a lease, what was counted is taken from the record. A caller that has a lease at
// some replicas, and none at others, may use what one replica would allow, and that part at each of the others: less than twice the rate.
//
// A record expires when its bucket is full, so idle callers cost nothing; the stream has at most 32 MiB, and drops the
// record that was written longest ago. An IPv6 caller has a record for each [limit.Level]. Times are those of the NATS server, so the clocks of
// replicas need not agree.
//
// What callers hold ([limit.Limiter.Hold]) is a record for each caller and resource: how much each replica holds for
// it, in a stream of at most 16 MiB that drops none: while it is full, each replica counts new ones by itself. Entries of replicas that stopped do
// not count; a replica that crashed counts for 15 seconds more.
// [limit.Share].Total is counted by each replica, because it bounds the memory of one process.
//
// While NATS does not answer, each replica allows 1/N of the rate and of the share, at least 1, where N is how many
// replicas there were when it last answered. Calls do not wait for a server that is unavailable: after one request
// without an answer within 250 ms, only heartbeats are sent until one is answered.
package leases
