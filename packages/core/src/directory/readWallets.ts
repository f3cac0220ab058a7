import { plainText } from '@hawser/client'
import { selectRequestedNetworks } from '../chain/selectors.ts'
import { appLink } from '../connection/deepLink.ts'
import type { PairingLinks, Relay } from '../types/connector.ts'
import type { DirectoryWallet, Reach } from '../types/directory.ts'
import type { Hawser } from '../types/hawser.ts'

export interface WalletQuery {
  readonly page: number
  readonly entries: number
  readonly search?: string | undefined
  readonly include?: readonly string[]
  readonly exclude?: readonly string[]
  readonly isCertifiedOnly?: boolean
  /** Ways to reach a wallet, which needs one of them; every wallet by default. */
  readonly reach?: readonly Reach[] | undefined
}

export interface WalletPage {
  /** Number of wallets on all pages. */
  readonly count: number
  readonly wallets: readonly DirectoryWallet[]
}

/** Reads a page of the wallets that work on the site's networks of the active namespace. */
export async function readWallets(
  hawser: Hawser,
  { page, entries, search, include, exclude, isCertifiedOnly, reach }: WalletQuery,
  signal?: AbortSignal,
): Promise<WalletPage> {
  const networks = selectRequestedNetworks(hawser.chain.getState())
  // A local chain is on no wallet's list.
  const chains = networks.filter(({ testnet }) => !testnet).map(({ caipNetworkId }) => caipNetworkId)
  const query = {
    page,
    entries,
    search: search || undefined,
    chains: chains.join() || undefined,
    include: include?.join() || undefined,
    exclude: exclude?.join() || undefined,
    badge_type: isCertifiedOnly ? 'certified' : undefined,
    reach: reach?.join(),
  }
  const answer = (await hawser.client.rest('/getWallets', { query, signal })) as Partial<WalletsJson> | null
  const data = Array.isArray(answer?.data) ? answer.data : []
  const wallets = data.flatMap((entry) => parseWallet(hawser, entry) ?? [])
  return { count: typeof answer?.count === 'number' ? answer.count : wallets.length, wallets }
}

interface WalletsJson {
  readonly count: number
  readonly data: readonly unknown[]
}

/** Parses an entry; undefined for one without an id or a name. Text and links that cannot be used are dropped. */
function parseWallet(hawser: Hawser, entry: unknown): DirectoryWallet | undefined {
  const fields = (entry ?? {}) as Readonly<Record<string, unknown>>
  const text = (name: string) => {
    const value = fields[name]
    return typeof value === 'string' && value !== '' ? value : undefined
  }
  const web = (name: string) => {
    const value = text(name)
    return value?.startsWith('https://') ? value : undefined
  }
  const id = text('id')
  const name = plainText(text('name') ?? '').trim()
  if (!id || !name) return undefined
  const links: PairingLinks = defined({
    mobile: text('mobile_link'),
    universal: web('universal_link'),
    desktop: text('desktop_link'),
    webapp: web('webapp_link'),
  })
  const relays = Array.isArray(fields.relays) ? fields.relays.filter(isRelay) : []
  return {
    id,
    name,
    links,
    relays,
    isCertified: fields.badge_type === 'certified',
    ...defined({
      rdns: text('rdns'),
      imageUrl: hawser.client.iconUrl(text('image_url') ?? ''),
      homepage: web('homepage'),
      browserLink: web('browser_link'),
      browserScheme: appLink(text('browser_scheme')),
      appStore: web('app_store'),
      playStore: web('play_store'),
      chromeStore: web('chrome_store'),
    }),
  }
}

function isRelay(value: unknown): value is Relay {
  return value === 'own' || value === 'public'
}

/** Drops the fields that are undefined. */
function defined<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never
}
