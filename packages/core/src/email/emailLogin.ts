import { EMAIL_COOLDOWN_MS } from '../constants.ts'

/**
 * Why a login mail may not be sent yet.
 *
 * @param lastSentAt Unix milliseconds of the last mail; undefined when none was sent.
 * @returns the text to show, or undefined when a mail may be sent.
 */
export function emailThrottleMessage(lastSentAt: number | undefined, now: number): string | undefined {
  if (lastSentAt === undefined) return undefined
  const remaining = lastSentAt + EMAIL_COOLDOWN_MS - now
  return remaining > 0 ? `Please try again after ${Math.ceil(remaining / 1_000)} seconds` : undefined
}
