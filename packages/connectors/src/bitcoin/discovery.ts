import type { ConnectorContext } from '@hawser/core'
import { createLister, listStandardWallets } from '../standard/discovery.ts'
import { createSatsProvider, injectedWallets } from './satsProvider.ts'
import { createStandardProvider, isBitcoinWallet } from './standardProvider.ts'

/** Adds each Bitcoin wallet of the page to the list, now and as they register. Returns a function that stops it. */
export function discover(context: ConnectorContext): () => void {
  const list = createLister(context, 'bip122')
  const standard = listStandardWallets(context, list, isBitcoinWallet, createStandardProvider)
  const names = standard.names()
  const injected = injectedWallets()
    // Several wallets register themselves in both ways.
    .filter(({ name }) => !names.has(name))
    .map((wallet) => list(wallet, createSatsProvider))
  return () => {
    standard.stop()
    for (const id of injected) if (id !== undefined) context.remove(id)
  }
}
