// Package meld is the provider Meld, a marketplace of several sellers, for tokens on EVM chains and Solana. Visitors
// pay on the seller's page.
//
// It relies on this documentation, as of November 2026:
//
//   - Calls go to https://api.meld.io, or https://api-sb.meld.io, where no money is transferred, each with separate
//     keys, in the headers Authorization, BASIC and the key as it is, and Meld-Version, a date. New members may appear
//     at any time. https://docs.meld.io/docs/whitelabel-quickstart, https://docs.meld.io/docs/whitelabel-api-guide
//   - GET /service-providers (serviceProvider, name, status, categories, logos, websiteUrl),
//     /service-providers/properties/ and countries, crypto-currencies (currencyCode, name, chainCode, chainName,
//     chainId, contractAddress), fiat-currencies, payment-methods (paymentMethod, name, paymentType) or
//     defaults/by-country, and /service-providers/limits/fiat-currency-purchases (currencyCode, minimumAmount,
//     maximumAmount, defaultAmount): arrays, narrowed by lists with commas, serviceProviders, categories
//     (CRYPTO_ONRAMP), countries, and by accountFilter to what the key may use. To be kept for up to a week.
//     https://docs.meld.io/api-reference/service-providers/service-provider/service-providers-properties-country-search
//   - POST /payments/crypto/quote: countryCode, subdivision (US and CA), sourceCurrencyCode, sourceAmount with all
//     fees, destinationCurrencyCode, paymentMethodType, walletAddress. The answer has quotes, one of each seller:
//     sourceAmount, sourceAmountWithoutFees (fiatAmountWithoutFees), totalFee = networkFee + transactionFee +
//     partnerFee, destinationAmount: numbers, of which some may be null.
//     https://docs.meld.io/reference/crypto-quote-get
//   - POST /crypto/session/widget: sessionType BUY, sessionData (walletAddress, countryCode, sourceCurrencyCode,
//     sourceAmount, destinationCurrencyCode, serviceProvider, paymentMethodType, redirectUrl, lockFields),
//     externalSessionId, externalCustomerId. The answer has id and widgetUrl.
//     https://docs.meld.io/docs/whitelabel-api-guide
//   - GET /payments/transactions?externalSessionIds: transactions with status, amounts, cryptoDetails
//     (blockchainTransactionId, chainId). https://docs.meld.io/docs/fetch-transaction-information
//   - PENDING, TWO_FA_REQUIRED, TWO_FA_PROVIDED, ERROR (may be retried), SETTLING and then SETTLED, FAILED, DECLINED,
//     CANCELLED or REFUNDED; a PENDING_CREATED one is tied to no session yet, and may be ignored.
//     https://docs.meld.io/docs/transaction-statuses
//   - Webhooks TRANSACTION_CRYPTO_PENDING, _TRANSFERRING, _COMPLETE, _FAILED: eventId, timestamp and a payload with
//     paymentTransactionId, paymentTransactionStatus, sessionId, externalSessionId, but neither amounts nor a hash.
//     https://docs.meld.io/docs/webhook-events
//   - They are signed in Meld-Signature: base 64 for URLs, with padding, of the HMAC-SHA256, with the secret of the
//     webhook profile, of Meld-Signature-Timestamp, the URL that they were sent to and the body, full stops between.
//     https://docs.meld.io/docs/stablecoins/for-all-products/webhooks-authentication
package meld
