import type { Vault } from '../vault/vault.ts'
import type { Approvals } from './approvals.ts'
import { FrameError, providerErrorCode } from './frameError.ts'

const NO_FACTOR =
  'This browser cannot open your wallet. Open it where you used it before, and add a passkey or a password there'

/**
 * Opens the wallet: by the factor of this device, or else by one that the user chooses.
 *
 * @param requireWanted throws if the request was rejected meanwhile
 * @throws FrameError 4100 if no factor opens the wallet in this browser, 4001 if the user rejects
 */
export async function unlock(
  { vault, approvals }: { readonly vault: Vault; readonly approvals: Approvals },
  requireWanted: () => void,
): Promise<void> {
  const state = await vault.unlock()
  requireWanted()
  if (state.isOpen) return
  if (state.factors.length === 0) throw new FrameError(NO_FACTOR, providerErrorCode.unauthorized)
  await approvals.unlock(state.factors, (factorId, secret) => vault.unlockWith(factorId, secret))
}
