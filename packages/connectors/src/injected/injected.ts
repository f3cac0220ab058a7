import type { Connector, ConnectorContext, ConnectorFactory, Eip1193Provider } from '@hawser/core'
import { announcedConnector, readAnnouncement } from './announcement.ts'

/** Wallets with EIP-6963 announce themselves at once when requested; after this long, in milliseconds, none will. */
const ANNOUNCEMENT_PATIENCE_MS = 300

const LEGACY_ID = 'injected'

/**
 * Finds the wallets that live in the page: those that announce themselves by EIP-6963, or, when none does, the
 * one behind `window.ethereum` as "Browser Wallet".
 */
export function injected(): ConnectorFactory {
  return (context) => {
    const announced = new Set<string>()

    function onAnnounce(event: Event): void {
      const announcement = readAnnouncement((event as CustomEvent<unknown>).detail)
      if (!announcement) return
      const { rdns, uuid } = announcement.info
      if (announced.has(`${rdns} ${uuid}`)) return
      if (announced.size === 0) context.remove(LEGACY_ID)
      announced.add(`${rdns} ${uuid}`)
      context.add(announcedConnector(announcement))
    }

    window.addEventListener('eip6963:announceProvider', onAnnounce)
    window.dispatchEvent(new Event('eip6963:requestProvider'))
    const patience = setTimeout(() => {
      if (announced.size === 0) offerLegacy(context)
    }, ANNOUNCEMENT_PATIENCE_MS)

    return () => {
      clearTimeout(patience)
      window.removeEventListener('eip6963:announceProvider', onAnnounce)
    }
  }
}

function offerLegacy(context: ConnectorContext): void {
  const { ethereum } = window as { ethereum?: Eip1193Provider }
  if (typeof ethereum?.request === 'function') context.add(legacyConnector(ethereum))
}

function legacyConnector(provider: Eip1193Provider): Connector {
  return {
    id: LEGACY_ID,
    name: 'Browser Wallet',
    type: 'INJECTED',
    chain: 'eip155',
    getProvider: async () => provider,
  }
}
