import { type AccountOwner, activeOwner } from '../account/owner.ts'
import { sessionOf } from '../chain/adapters.ts'
import { thrown } from '../errors/thrown.ts'
import type { ConnectedSession, Hawser } from '../types/hawser.ts'
import { SmartSessionError } from './error.ts'

/** The active account, with the wallet that signs for it. */
export interface SessionOwner extends AccountOwner {
  readonly wallet: ConnectedSession<'eip155'>
}

/**
 * Returns the active account with its wallet.
 *
 * @throws SmartSessionError without the feature `smartSessions`, or without a connected EVM account.
 */
export function requireSessionOwner(hawser: Hawser): SessionOwner {
  if (!hawser.options.getState().features.smartSessions)
    throw new SmartSessionError('The feature smartSessions is off')
  const owner = activeOwner(hawser)
  const wallet = sessionOf(hawser, 'eip155')
  if (!wallet || owner?.network.chainNamespace !== 'eip155')
    throw new SmartSessionError(thrown.addressOrAuthNotFound)
  return { ...owner, wallet }
}

/** Path of an account's sessions at the gateway. */
export function sessionsPath({ caipAddress }: AccountOwner): string {
  return `/v1/sessions/${caipAddress}`
}
