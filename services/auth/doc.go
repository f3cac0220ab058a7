// Package auth authenticates accounts by a message that their wallet signs, and keeps their sessions.
//
//   - A message is ERC-4361 or CAIP-122 text, or a CACAO (CAIP-74). It is parsed strictly: writing it again must give
//     the same bytes.
//   - Domain and URI of the message are those of the page that calls, so a message that another site requested is not
//     accepted.
//   - A nonce is bound to project, origin and the browser that fetched it, is valid for five minutes, and is deleted by
//     the first attempt.
//   - The account's key signs for every chain of its namespace. A contract signs for its own chain (ERC-1271,
//     ERC-6492). If its chain does not answer, there is no session.
//   - A session token is random. The database has its hash, so that a copy of the database opens no session.
package auth
