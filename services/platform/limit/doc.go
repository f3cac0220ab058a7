// Package limit gives every caller a budget: how often it may ask, and how much of what is shared it may hold at once.
//
// A caller is a project and a network address ([Caller]). Its budget has two parts. A [Rate] is a token bucket: a door that is asked too
// often refuses, or waits ([Wait]). A [Share] is a resource that a caller acquires and releases, such as connections or subscriptions, of
// which no single caller gets more than its part. [Local] keeps the budgets of one process; [Limiter] is what doors use, so that an
// implementation that replicas share can take its place.
package limit
