// Package relay carries encrypted messages between pages and wallets: a relay of the WalletConnect v2 protocol.
//
// It answers JSON-RPC over WebSocket at `/` and `/v1/relay`, and one request per HTTP call at `POST /rpc`, to clients that sign a JWT with an
// Ed25519 key of their own. It knows topics, sizes and times of messages, never what is in them.
//
//   - Publishing is answered once the message is stored. A client gets the answer to its own request before anything that is published later.
//   - A message stays in the mailbox of its topic until a client other than its publisher has acknowledged it, or until its TTL has passed.
//     Session proposals (tags 1100 and 1116) stay for their TTL. Delivery is at least once: clients drop duplicates by their hash.
//     An equal message of the last two minutes is stored once, so that a client can publish one again that was not answered.
//   - Every replica delivers to its own connections. State is the JetStream stream of mailboxes; nothing else is shared.
//   - A client over its rate is answered with error 3001; connections over their rate wait. Neither is refused, because clients answer a refusal
//     with more connections.
//   - What SDKs add about the content of messages, such as methods and transaction hashes, is dropped unread.
package relay
