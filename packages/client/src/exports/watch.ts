export { type StreamOptions, WatchError } from '../watch/openStream.ts'
export { type AccountChange, type WatchQuestion, watchAccount } from '../watch/watchAccount.ts'
export { type QuoteChange, watchQuote } from '../watch/watchQuote.ts'
