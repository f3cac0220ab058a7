// Package sandbox is a test on-ramp provider. Its checkout takes test card numbers only and charges no money; the tokens are real ones of a local
// chain, sent from a treasury account.
//
// Guarantees:
//   - A checkout pays out at most once, also if a form is sent twice, a process is killed, or several replicas run: a payout is stored before it
//     is sent, with its nonce or, on Solana, its blockhash, and only that transaction is sent again while a block can still have it.
//   - State changes of an order are sent as signed webhooks over HTTP, retried for an hour until they are accepted, and can be polled.
//   - A checkout that has ended is deleted, with its events, 30 days after the last of them.
//   - Only the brand and the last four digits of a card are stored. Numbers other than those of test cards are refused.
package sandbox
