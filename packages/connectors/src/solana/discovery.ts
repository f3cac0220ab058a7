import type { ConnectorContext } from '@hawser/core'
import { createLister, listStandardWallets } from '../standard/discovery.ts'
import { createStandardProvider, isSolanaWallet } from './standardProvider.ts'

/** Adds each Solana wallet of the page to the list, now and as they register. Returns a function that stops it. */
export function discover(context: ConnectorContext): () => void {
  const list = createLister(context, 'solana')
  return listStandardWallets(context, list, isSolanaWallet, createStandardProvider).stop
}
