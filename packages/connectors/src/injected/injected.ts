import type { Connector, ConnectorContext, ConnectorFactory, Eip1193Provider } from '@hawser/core'
import { iconOf } from '../icon.ts'

/**
 * How long to wait for announcements, in milliseconds. Wallets with EIP-6963 announce themselves at once when
 * requested.
 */
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

/** Payload of an `eip6963:announceProvider` event. */
interface Announcement {
  readonly info: {
    /** New in every page view. */
    readonly uuid: string
    readonly name: string
    /** Image as a data URL. */
    readonly icon: string
    /** Reverse domain name, such as `io.metamask`; the same on every visit. */
    readonly rdns: string
  }
  readonly provider: Eip1193Provider
}

/** Parses an announcement; undefined when it is not one of EIP-6963. */
function readAnnouncement(detail: unknown): Announcement | undefined {
  const { info, provider } = (detail ?? {}) as Partial<Announcement>
  if (typeof provider?.request !== 'function' || !info) return undefined
  const { uuid, name, rdns } = info
  const isNamed = [uuid, name, rdns].every((text) => typeof text === 'string' && text !== '')
  return isNamed ? { info, provider } : undefined
}

function announcedConnector({ info, provider }: Announcement): Connector {
  const { uuid, name, rdns } = info
  const imageUrl = iconOf(info.icon)
  return {
    id: rdns,
    name,
    type: 'ANNOUNCED',
    chain: 'eip155',
    info: { rdns, uuid },
    ...(imageUrl && { imageUrl }),
    getProvider: async () => provider,
  }
}
