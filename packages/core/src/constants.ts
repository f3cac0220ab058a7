/** How long a shown toast stays, unless it is told to wait. */
export const TOAST_DURATION_MS = 2_500
/** Between hiding a toast and showing the one that replaces it. */
export const TOAST_REPLACE_DELAY_MS = 150
export const MODAL_SHAKE_MS = 500
export const VIEW_ANIMATION_MS = 150

export const BALANCE_RETRY_WINDOW_MS = 30_000
export const BALANCE_REFRESH_MS = 10_000
export const ACTIVITY_REFRESH_MS = 10_000
export const NFT_REFRESH_MS = 30_000
/** While balances are pushed, the list is read this often for its prices. */
export const PRICE_REFRESH_MS = 60_000
/** A list that could not be read is asked for again after this long. */
export const OUTAGE_RETRY_MS = 10_000

export const BALANCE_CACHE_MS = 30_000
export const NATIVE_BALANCE_CACHE_MS = 30_000
export const NAME_CACHE_MS = 300_000
export const IDENTITY_CACHE_MS = 300_000

export const MAX_RECENT_WALLETS = 2

/** A quote is asked for once the visitor has not typed for this long. */
export const QUOTE_DEBOUNCE_MS = 200
/** While quotes are not pushed, the gateway is asked this often. */
export const QUOTE_REFRESH_MS = 10_000
/** A quote that nobody confirmed for this long is not swapped on. */
export const QUOTE_LIFETIME_MS = 30_000

/** Sellers are asked once the visitor has not typed for this long. */
export const BUY_DEBOUNCE_MS = 400
export const BUY_QUOTE_REFRESH_MS = 15_000
/** How often the page looks whether the window where one pays was closed. */
export const CHECKOUT_WATCH_MS = 500
/** An open order is asked for after this long, half as long again every time. */
export const ORDER_FIRST_POLL_MS = 2_000
export const ORDER_SLOWEST_POLL_MS = 30_000

/** The gateway is asked about a name once the visitor has not typed for this long. */
export const NAME_DEBOUNCE_MS = 500

/** A lost stream of changes is opened again after this long, doubled at every failure. */
export const PUSH_FIRST_RETRY_MS = 1_000
export const PUSH_SLOWEST_RETRY_MS = 30_000

/** A transaction is followed this long before the page stops asking for its receipt. */
export const RECEIPT_TIMEOUT_MS = 120_000
/** A transfer, which has no deadline, is followed this long before the page falls silent. */
export const SENT_PATIENCE_MS = 1_800_000
export const RECEIPT_FIRST_POLL_MS = 1_000
export const RECEIPT_SLOWEST_POLL_MS = 10_000

/** Stands for the native token of an EVM chain where an address is asked for. */
export const NATIVE_TOKEN_ADDRESS = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee'
