import type { ChangeProofJson } from '@hawser/client/wallet'
import { failures } from '../failures.ts'
import { CallError } from '../session/api.ts'
import { listBackups, type VaultContext } from './vaultContext.ts'

/** How a page opened the wallet. */
export interface Opening {
  /** Stores that the page has opened the wallet by a secret or a recovery kit. */
  bySecret(): void
  /** Stores that the page has opened the wallet without a secret, which counts while no other factor opens it. */
  byDevice(): Promise<void>
  /** @throws CallError if the page has to open the wallet, and has not. */
  require(): void
  /** Returns the field of a request that proves a change, where the wallet is open. */
  proven(change: string, subject: string): { readonly proof?: ChangeProofJson }
}

/** Creates the opening of a page; with `mustOpen`, the page has to open the wallet itself. */
export function createOpening(context: VaultContext, mustOpen: boolean): Opening {
  const { wallets } = context
  let opened: object | undefined
  const isOpen = () => !mustOpen || (opened !== undefined && opened === wallets.opening())
  const bySecret = () => {
    opened = wallets.opening()
  }
  return {
    bySecret,
    async byDevice() {
      if (mustOpen && (await listBackups(context)).every(({ kind }) => kind === 'login')) bySecret()
    },
    require() {
      if (!isOpen()) throw new CallError('failed_precondition', failures.locked)
    },
    proven(change, subject) {
      const proof = isOpen() ? wallets.proveChange(change, subject) : undefined
      return proof ? { proof } : {}
    },
  }
}
