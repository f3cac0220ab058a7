import type { Hawser } from '../types/hawser.ts'
import { draftChainAddress } from './draftChainAddress.ts'
import { draftRequest } from './draftRequest.ts'

/** The beginning of a payment request; accounts of CAIP-10 have a second colon. */
const requestForm = /^(?:ethereum|bitcoin|solana):(?![^:/?]+:[^:/?]+$)/i

/**
 * Drafts a payment request (see `draftRequest`), or a receiver with its chain (see `draftChainAddress`).
 *
 * @returns the receiver, an address or a name; undefined when it cannot be drafted, whose reason is in the state if the text is
 *   one of them.
 */
export function draftReceiver(hawser: Hawser, text: string): string | undefined {
  return requestForm.test(text) ? draftRequest(hawser, text) : draftChainAddress(hawser, text)
}
