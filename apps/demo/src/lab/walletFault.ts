import type { WalletFeatures } from '@hawser/connectors'
import type { WalletFailure } from './flags.ts'

const switches = {
  connect: 'connectError',
  switch: 'switchChainError',
  sign: 'signError',
  send: 'sendError',
  disconnect: 'disconnectError',
} as const

/** Switches for what the page's own wallets refuse; they read `features` at every request. */
export class WalletFault {
  readonly features: { -readonly [Name in keyof WalletFeatures]: WalletFeatures[Name] } = {}

  constructor(failing: readonly WalletFailure[]) {
    for (const failure of failing) this.set(failure, true)
  }

  isFailing(failure: WalletFailure): boolean {
    return this.features[switches[failure]] === true
  }

  set(failure: WalletFailure, failing: boolean): void {
    this.features[switches[failure]] = failing
  }
}
