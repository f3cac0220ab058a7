import type { FrameTexts } from '@hawser/texts/frame/texts'
import { textFor } from '@hawser/texts/translated'
import { CallError, FailureError } from '@hawser/vault'

/**
 * Returns the text of a failure for the user. Refusals of the services are translated by their reason. A
 * failure without a known reason, such as the message of a node, is returned as it is.
 */
export function failureText(failure: unknown, texts: FrameTexts): string {
  // The messages of browsers about passkeys are written for developers.
  if (failure instanceof DOMException)
    return failure.name === 'NotAllowedError' ? texts.failure.passkeyNotUsed : texts.failure.passkeyFailed
  if (!(failure instanceof Error)) return texts.walletErrors.unknown
  if (failure instanceof FailureError && failure.key) return texts.walletErrors[failure.key]
  const { reason = '', retrySeconds } = failure instanceof CallError ? failure : {}
  if (retrySeconds) return texts.failure.throttled(retrySeconds)
  return textFor<string>(texts.refused, reason) ?? failure.message
}
