// What a page needs from its start; see limits.ts for the rest.

/** How long a toast is shown, unless it stays until replaced. */
export const TOAST_DURATION_MS = 2_500
/** How long a character of a toast takes to read, after the toast was noticed. */
export const TOAST_CHARACTER_MS = 100
/** Between hiding a toast and showing the one that replaces it. */
export const TOAST_REPLACE_DELAY_MS = 150
export const MODAL_SHAKE_MS = 500

export const BALANCE_CACHE_MS = 30_000
export const NATIVE_BALANCE_CACHE_MS = 30_000
export const NAME_CACHE_MS = 300_000
export const IDENTITY_CACHE_MS = 300_000

/** Maximum size of the log, in bytes of JSON. */
export const LOG_BYTES = 1_024_000

export const MAX_RECENT_WALLETS = 2
