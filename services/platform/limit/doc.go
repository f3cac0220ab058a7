// Package limit limits callers: how often they may make requests, and how much of a shared resource they may hold at once.
//
// A caller is a project and a network address ([Caller]). A [Rate] is a token bucket. A [Share] is a resource that a caller acquires and
// releases, such as connections or subscriptions, with a maximum for each caller and for all. [Local] counts within one process; the limiter of
// package leases is one that replicas share. Both remember a bounded number of callers exactly, and count all others in cells that callers share, so that
// more callers than that are neither refused nor forgotten: package accounts. [Memory] is the number of bytes that a process may hold for callers. Package
// limittest has the suite that both pass.
package limit
