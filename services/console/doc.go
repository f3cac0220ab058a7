// Package console is the service of the operator's console: hawser.admin.v1, which gateway/console serves at listen.console.
//
//   - Every RPC states the role that it needs and whether it changes something, as options of its proto. One interceptor (guard.go) enforces the role,
//     however the call arrives: over HTTP, or over gRPC from another process.
//   - Every call is in the audit log (package audit), also a refused one. A call that changes something is not executed unless its entry is written before.
//     Of callers without a session, so many refused calls are logged as [auditedStrangers] says, because anybody could otherwise fill the database.
//   - An operator signs in by a link that `hawser console login` makes from the machine: a random token, valid once and for ten minutes. A session has a new
//     random token, which is in a cookie. Of both, the database has hashes only.
//   - The audit log and what is logged have ids of users of the embedded wallet, never their emails.
//
// The service has no data of the suite. It calls private RPCs of the services that do.
package console
