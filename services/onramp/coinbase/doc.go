// Package coinbase is the provider Coinbase Onramp, of the Coinbase Developer Platform (CDP), for tokens on EVM chains and Solana.
//
// It relies on this documentation, as of November 2026:
//
//   - Calls go to https://api.developer.coinbase.com/onramp with a bearer token (JWT) that is made for one call: ES256 or EdDSA, by the key
//     that CDP issued (an EC P-256 key in PEM, or an Ed25519 key of 64 bytes in base 64); header kid and nonce; claims sub (the key's id),
//     iss cdp, aud cdp_service, nbf, iat, exp 120 seconds later, uris with one "METHOD host/path" without the query.
//     https://docs.cdp.coinbase.com/api-reference/authentication, https://github.com/coinbase/cdp-sdk (go/auth).
//   - GET /v1/buy/options?country&subdivision: payment_currencies (id, limits with id, min, max), purchase_currencies (id, name, symbol,
//     networks with name, display_name, chain_id, contract_address). To be requested per country and cached.
//   - POST /v1/buy/quote: purchaseCurrency, purchaseNetwork, paymentAmount with all fees, paymentCurrency, paymentMethod, country,
//     subdivision. The answer has payment_total, payment_subtotal, purchase_amount, coinbase_fee, network_fee (value, currency each) and
//     quote_id; a currency that is not taken falls back to USD. An estimate, and limited to 100 calls a second.
//     https://docs.cdp.coinbase.com/onramp/coinbase-hosted-onramp/generating-quotes.md
//   - POST /v1/token: addresses (address, blockchains; one address for each network), assets, clientIp. The token opens one session, within
//     5 minutes. https://docs.cdp.coinbase.com/onramp/reference.md
//   - https://pay.coinbase.com/buy/select-asset?sessionToken with defaultNetwork, defaultAsset, presetCryptoAmount or presetFiatAmount (USD,
//     CAD, GBP, EUR only), fiatCurrency, defaultPaymentMethod, partnerUserRef (below 50 characters), redirectUrl (its domain is on CDP's
//     list of the project). https://docs.cdp.coinbase.com/onramp-&-offramp/onramp-apis/generating-onramp-url
//   - GET /v1/buy/user/{partnerUserRef}/transactions?pageSize: the newest first, one a page unless said otherwise; status
//     ONRAMP_TRANSACTION_STATUS_ and CREATED, IN_PROGRESS, SUCCESS or FAILED; failure_reason; tx_hash, 0x while there is none.
//     https://docs.cdp.coinbase.com/api-reference/rest-api/onramp-offramp/get-onramp-transactions-by-id.md
//   - Webhooks: events onramp.transaction.created, .updated, .success, .failed, with the transaction in camel case, or an order of the
//     headless API with status ONRAMP_ORDER_STATUS_. https://docs.cdp.coinbase.com/webhooks/onramp.md
//   - They are signed in X-Hook0-Signature: t= (Unix seconds), v0= hex HMAC-SHA256 of "t.body", h= names of headers with spaces between,
//     v1= hex HMAC-SHA256 of "t.names.values.body", the values with full stops between; by the secret of the subscription; at most
//     5 minutes old. https://docs.cdp.coinbase.com/webhooks/verify-signatures.md
//
// The pages spell one field payment_total here and paymentTotal there; both are read.
package coinbase
