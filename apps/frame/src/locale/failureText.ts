import type { FrameTexts } from '@hawser/texts/frame/texts'
import { textFor } from '@hawser/texts/translated'
import { CallError, failures } from '@hawser/vault'

const keys = new Map<string, string>(Object.entries(failures).map(([key, text]) => [text, key]))

/**
 * Returns the text of a failure for the user. Refusals of the services are translated by their reason. A
 * failure without a known reason, such as the message of a node, is returned as it is.
 */
export function failureText(failure: unknown, texts: FrameTexts): string {
  // The messages of browsers about passkeys are written for developers.
  if (failure instanceof DOMException)
    return failure.name === 'NotAllowedError' ? texts.failure.passkeyNotUsed : texts.failure.passkeyFailed
  if (!(failure instanceof Error)) return texts.walletErrors.unknown
  const thrown = textFor(texts.walletErrors, keys.get(failure.message) ?? '')
  if (thrown) return thrown
  const { reason = '', retrySeconds } = failure instanceof CallError ? failure : {}
  if (retrySeconds) return texts.failure.throttled(retrySeconds)
  return textFor<string>(texts.refused, reason) ?? failure.message
}
