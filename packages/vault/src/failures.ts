import { failures as english } from '@hawser/texts/en/failures'

/** Errors of the frame's own code that are shown to users, in English; pages translate them by their key. */
export const failures = english
