import { selectAccount } from '../chain/selectors.ts'
import { toast } from '../errors/messages.ts'
import type { Hawser } from '../types/hawser.ts'

/** Copies the active address to the clipboard, and reports whether that worked. */
export async function copyAddress(hawser: Hawser): Promise<boolean> {
  const { address } = selectAccount(hawser.chain.getState())
  if (!address) return false
  try {
    await globalThis.navigator.clipboard.writeText(address)
  } catch {
    hawser.report({ kind: 'addressNotCopied', ...toast('copyFailed') })
    return false
  }
  hawser.report({ kind: 'addressCopied', ...toast('addressCopied') })
  return true
}
