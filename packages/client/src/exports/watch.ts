export { type AccountChange, WatchError, type WatchQuestion, watchAccount } from '../watch/watchAccount.ts'
