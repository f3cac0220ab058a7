// Package limit limits callers: how often they may make requests, and how much of a shared resource they may hold at once.
//
// A caller is a project and a network address ([Caller]). A [Rate] is a token bucket. A [Share] is a resource that a caller acquires and
// releases, such as connections or subscriptions, with a maximum for each caller and for all. [Local] counts within one process; the limiter of
// package leases is one that replicas share. [Memory] is the number of bytes that a process may hold for callers. Package limittest has the suite that both pass.
package limit
