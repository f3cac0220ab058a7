// Intervals and limits of the code that is loaded on demand, apart from constants.ts so that no page loads them first.

/** Between two mails of an email login. */
export const EMAIL_COOLDOWN_MS = 30_000
export const VIEW_ANIMATION_MS = 150

export const BALANCE_RETRY_WINDOW_MS = 30_000
export const BALANCE_REFRESH_MS = 10_000
export const ACTIVITY_REFRESH_MS = 10_000
export const NFT_REFRESH_MS = 30_000
export const APPROVALS_REFRESH_MS = 30_000
/** Interval at which prices are read while balances are pushed. */
export const PRICE_REFRESH_MS = 60_000
/** Interval between retries of a list that could not be read. */
export const OUTAGE_RETRY_MS = 10_000

/** How long a pairing is offered; its URI expires a minute later. */
export const PAIRING_LIFETIME_MS = 240_000
/** A pairing with less time left than this counts as expired. */
export const PAIRING_MARGIN_MS = 10_000
/** How long the page waits for the answer of a wallet's app that the visitor has just left. */
export const BUFFERING_MS = 5_000

export const WALLETS_PER_PAGE = 40
export const RECOMMENDED_WALLETS = 4
/** Maximum number of wallets that are featured, or found by a search. */
export const FEATURED_WALLETS = 100
export const SEARCH_WALLETS = 100
/** Minimum length of a search, and the delay before it starts after the last key stroke. */
export const MIN_SEARCH_LENGTH = 2
export const WALLET_SEARCH_DEBOUNCE_MS = 500

/** Quotes are requested once the visitor has not typed for this long. */
export const QUOTE_DEBOUNCE_MS = 200
/** Interval between requests for quotes while none are pushed. */
export const QUOTE_REFRESH_MS = 10_000
/** A quote expires after this time without a new one. */
export const QUOTE_LIFETIME_MS = 30_000

/** Offers are requested once the visitor has not typed for this long. */
export const BUY_DEBOUNCE_MS = 400
export const BUY_QUOTE_REFRESH_MS = 15_000
/** Interval at which the page checks whether the checkout window was closed. */
export const CHECKOUT_WATCH_MS = 500
/** First interval between requests for an open order; each one is half as long again. */
export const ORDER_FIRST_POLL_MS = 2_000
export const ORDER_SLOWEST_POLL_MS = 30_000

/** A typed name is looked up once the visitor has not typed for this long. */
export const NAME_DEBOUNCE_MS = 500

/** How long a transfer waits for the history that its receiver is compared with. */
export const RECEIVER_HISTORY_MS = 3_000

/** Delay before a lost stream is opened again; it doubles at every failure. */
export const PUSH_FIRST_RETRY_MS = 1_000
export const PUSH_SLOWEST_RETRY_MS = 30_000
/** A stream without a message for this long is lost: twice the gateway's interval between signs of life. */
export const PUSH_SILENCE_MS = 30_000

/** How long the page polls for the receipt of a transaction. */
export const RECEIPT_TIMEOUT_MS = 120_000
/** How long a transfer is followed, which has no deadline. */
export const SENT_PATIENCE_MS = 1_800_000
export const RECEIPT_FIRST_POLL_MS = 1_000
export const RECEIPT_SLOWEST_POLL_MS = 10_000
/** How long no node may know a transaction before that is shown: longer than transactions wait outside the public pool. */
export const DOUBT_MS = 300_000
