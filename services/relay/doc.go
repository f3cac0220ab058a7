// Package relay transports encrypted messages between pages and wallets. It is a relay of the WalletConnect v2
// protocol.
//
// It answers JSON-RPC over WebSocket at `/` and `/v1/relay`, and one request per HTTP call at `POST /rpc`, to clients
// that sign a JWT with their Ed25519 key. It has access to topics, sizes and times of messages, but not to their
// content.
//
//   - Publishing is answered once the message is stored. A client receives the answer to its own request before
//     messages that are published later.
//   - A message stays in the mailbox of its topic until a client other than its publisher has acknowledged it, or until
//     its TTL has passed. Session proposals (tags 1100 and 1116) stay for their TTL. Delivery is at least once: clients
//     drop duplicates by their hash. Equal messages within two minutes are stored once, so that a client can publish
//     again if it received no answer.
//   - Every replica delivers to its own connections. State is the JetStream streams of mailboxes, and one key with
//     which the owners of messages are hashed; nothing else is shared.
//   - Topics are distributed by their hash over as many streams as are configured. After a change, messages are read in
//     the streams of before until they are acknowledged or their TTL has passed, and replicas with the old and the new
//     number deliver each other's messages. Replicas of a version that knows one stream only do not: upgrade them first.
//   - Mailboxes of new subscriptions are read one after the other, at the client's rate, each in few requests for several
//     messages. Requests and acknowledgements are received meanwhile. An empty mailbox is not read: each process knows
//     which topics may have messages.
//   - A request over the client's rate, or beyond what its network may store at once, is answered with error 3001;
//     connections over their rate wait. Connections are refused only if there are very many, because clients react to a
//     refusal with more connections.
//   - What waits for peers that read slowly is bounded by the memory that the process has for callers, and those that do
//     not read are disconnected, over HTTP as well. A message is encoded once for all sessions of its topic. Topics are
//     delivered in parts, so that one topic does not delay the others.
//   - What a network has in the store, and what it stores at once, is bounded, so that there is room for others.
//   - Parameters with which SDKs describe the content of messages, such as methods and transaction hashes, are ignored.
//
// This package makes the parts of the relay and runs them. Each imports only those below it:
//
//   - endpoint authorizes clients, and receives their requests over WebSocket and HTTP.
//   - method answers the requests: the JSON-RPC methods of the protocol.
//   - hub delivers stored messages to the sessions of their topics.
//   - session is what one connection receives: live messages, and those in mailboxes.
//   - receipt deletes acknowledged messages, and quota bounds what clients use.
//   - mailbox stores messages, socket serves WebSockets, wire encodes JSON-RPC, clientauth verifies tokens.
package relay
