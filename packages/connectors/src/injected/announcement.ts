import type { Connector, Eip1193Provider } from '@hawser/core'

/** Payload of an `eip6963:announceProvider` event. */
export interface Announcement {
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
export function readAnnouncement(detail: unknown): Announcement | undefined {
  const { info, provider } = (detail ?? {}) as Partial<Announcement>
  if (typeof provider?.request !== 'function' || !info) return undefined
  const { uuid, name, rdns } = info
  const isNamed = [uuid, name, rdns].every((text) => typeof text === 'string' && text !== '')
  return isNamed ? { info, provider } : undefined
}

/** EIP-6963 requires data URLs; any other URL would send a request to a host of the wallet's choice. */
export function announcedConnector({ info, provider }: Announcement): Connector {
  const { uuid, name, icon, rdns } = info
  return {
    id: rdns,
    name,
    type: 'ANNOUNCED',
    chain: 'eip155',
    info: { rdns, uuid },
    ...(typeof icon === 'string' && icon.startsWith('data:image/') && { imageUrl: icon }),
    getProvider: async () => provider,
  }
}
