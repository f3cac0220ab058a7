import { defaultWalletLinks, isPhone, type WalletLink } from '@hawser/core'
import { useHawser } from '../../hooks/useHawser.ts'
import { useHawserState } from '../../hooks/useHawserState.ts'

/** Returns the wallets to offer that are not installed: on a phone, those that can open this page. */
export function useWalletLinks(): readonly WalletLink[] {
  const hawser = useHawser()
  const links = useHawserState(hawser.options, ({ walletLinks }) => walletLinks ?? defaultWalletLinks)
  const connectors = useHawserState(hawser.connectors, (state) => state.connectors)
  const installed = new Set(connectors.map(({ info }) => info?.rdns))
  return links.filter(({ rdns, open }) => !installed.has(rdns) && (open || !isPhone()))
}
