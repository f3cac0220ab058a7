// Package sandbox are sellers that only play: their checkout takes the numbers of test cards, no money moves, and the tokens are real ones of a
// local chain, sent from a treasury.
//
// What it promises:
//   - A checkout pays out at most once, whatever is pressed twice, killed, or run in several replicas: a payout is kept with its nonce before it
//     is sent, and it is only ever that transaction that is sent again.
//   - What became of an order is told by signed webhooks over HTTP, again until they are taken or an hour has gone; and to whoever asks.
//   - Of a card, brand and the last four digits are kept; a number that is no test card is refused.
package sandbox
