import { walletErrors } from '@hawser/texts/en/walletErrors'

/** Errors of the frame's own code that are shown to users, in English; pages translate them by their key. */
export const failures = walletErrors
