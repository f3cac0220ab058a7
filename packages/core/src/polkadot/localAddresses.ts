import type { AccountEntry } from '../types/account.ts'
import type { ChainAdapter, WalletSession } from '../types/adapter.ts'
import type { CaipNetworkId } from '../types/network.ts'
import type { PolkadotProvider } from '../types/providers.ts'
import { accountId, addressOf } from './address.ts'
import { hexOf } from './bytes.ts'

/** Prefixes of the addresses of networks (SS58), by CAIP-2 id. */
const prefixes: Readonly<Record<CaipNetworkId, number>> = {
  'polkadot:91b171bb158e2d3848fa23a9f1c25182': 0,
  'polkadot:68d56f15f85d3136970ec16946040bc1': 0,
  'polkadot:b0a8d493285c2df73290dfb7e61f870f': 2,
  'polkadot:48239ef607d7928874027a43a6768920': 2,
  'polkadot:e143f23803ac50e8f6f8e62695d1ce9e': 42,
  'polkadot:e2f007b38c0e970ccee54cbb0242cf40': 0,
}

type Sessions = Pick<ChainAdapter<'polkadot'>, 'connect' | 'reconnect' | 'disconnect' | 'watch'>

/**
 * Shows accounts by the addresses that the network in use has for them: extensions share addresses of no network in
 * particular, which exchanges do not accept. A wallet is called with the addresses that it shared.
 */
export function withLocalAddresses(
  sessions: Sessions,
): Sessions & Required<Pick<ChainAdapter<'polkadot'>, 'switchNetwork' | 'isSameAccount'>> {
  const localize = (session: WalletSession<'polkadot'>): WalletSession<'polkadot'> => {
    const provider = localProvider(session.provider, session.caipNetworkId)
    return { ...session, accounts: provider.localize(session.accounts), provider }
  }
  return {
    ...sessions,
    connect: async (connector, network) => localize(await sessions.connect(connector, network)),
    async reconnect(connector, network) {
      const session = await sessions.reconnect(connector, network)
      return session && localize(session)
    },
    async switchNetwork({ provider }, { caipNetworkId }) {
      const { moveTo } = provider as LocalProvider
      moveTo(caipNetworkId)
    },
    isSameAccount(a, b) {
      const [one, other] = [accountId(a), accountId(b)]
      return one !== undefined && other !== undefined && hexOf(one) === hexOf(other)
    },
  }
}

interface LocalProvider extends PolkadotProvider {
  localize(accounts: readonly AccountEntry[]): readonly AccountEntry[]
  /** Reports the accounts again, as another network writes them. */
  moveTo(caipNetworkId: CaipNetworkId): void
}

function localProvider(provider: PolkadotProvider, caipNetworkId: CaipNetworkId): LocalProvider {
  const shared = new Map<string, string>()
  const listeners = new Set<(accounts: readonly AccountEntry[]) => void>()
  let prefix = prefixes[caipNetworkId]
  let newest: readonly AccountEntry[] = []

  /** Accounts stay as they were shared where the prefix of the network is not known. */
  function localize(accounts: readonly AccountEntry[]): readonly AccountEntry[] {
    newest = accounts
    return accounts.map((account) => {
      const id = accountId(account.address)
      const address = id && prefix !== undefined ? addressOf(id, prefix) : account.address
      shared.set(address, account.address)
      return { ...account, address }
    })
  }
  const sharedFor = (address: string) => shared.get(address) ?? address

  return {
    ...provider,
    localize,
    moveTo(id) {
      prefix = prefixes[id]
      const accounts = localize(newest)
      for (const listener of listeners) listener(accounts)
    },
    connect: async (options) => localize(await provider.connect(options)),
    onAccounts(listener) {
      listeners.add(listener)
      const stop = provider.onAccounts((accounts) => listener(localize(accounts)))
      return () => {
        listeners.delete(listener)
        stop()
      }
    },
    signMessage: (address, message) => provider.signMessage(sharedFor(address), message),
    signPayload: (address, payload, id) => provider.signPayload(sharedFor(address), payload, id),
  }
}
