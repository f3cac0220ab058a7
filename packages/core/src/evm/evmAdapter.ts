import '../connected.ts'
import { askSilently, SILENT_DEADLINE_MS, within } from '../connection/deadlines.ts'
import { importModule } from '../importModule.ts'
import type { AccountEntry } from '../types/account.ts'
import type { ChainAdapter, WalletSession } from '../types/adapter.ts'
import type { Connector, RelaySession } from '../types/connector.ts'
import type { Clock } from '../types/environment.ts'
import type { CaipNetworkId } from '../types/network.ts'
import type { Eip1193Provider } from '../types/providers.ts'
import { evmAddress, evmAddresses } from './accounts.ts'
import { chainNumber, networkOfWallet, requireNetwork } from './chainId.ts'
import { switchEvmNetwork } from './switchEvmNetwork.ts'
import { signatureOf } from './walletAnswers.ts'
import { readWalletAssets } from './walletAssets.ts'
import { walletProvider } from './walletProvider.ts'

/** Timeout for a wallet's own token list, in milliseconds: the visitor waits for it, and the gateway has one too. */
const ASSETS_DEADLINE_MS = 1_000

/** Connects EVM wallets over EIP-1193. */
export function createEvmAdapter(clock: Clock): ChainAdapter<'eip155'> {
  const withoutAssets = new WeakMap<Eip1193Provider, Set<CaipNetworkId>>()

  return {
    namespace: 'eip155',

    async connect(connector) {
      const provider = walletProvider(await connector.getProvider())
      const accounts = accountsIn(await provider.request({ method: 'eth_requestAccounts' }))
      return openSession(connector, provider, accounts)
    },

    async reconnect(connector) {
      return askSilently(clock, connector, async () => {
        const provider = walletProvider(await connector.getProvider())
        const accounts = accountsIn(await provider.request({ method: 'eth_accounts' }))
        return accounts.length === 0 ? undefined : openSession(connector, provider, accounts)
      })
    },

    async disconnect(connector) {
      if (connector.disconnect) return connector.disconnect()
      await within(clock, SILENT_DEADLINE_MS, () => revokePermission(connector))
    },

    watch({ provider }, listener) {
      const accountsChanged = (accounts: unknown) => listener.accountsChanged(accountsIn(accounts))
      const chainChanged = (chainId: unknown) => {
        const id = chainNumber(chainId)
        if (id) listener.networkChanged(`eip155:${id}`)
      }
      const disconnect = () => void leaveWhenLocked(provider, listener.disconnected)
      provider.on?.('accountsChanged', accountsChanged)
      provider.on?.('chainChanged', chainChanged)
      provider.on?.('disconnect', disconnect)
      return () => {
        provider.removeListener?.('accountsChanged', accountsChanged)
        provider.removeListener?.('chainChanged', chainChanged)
        provider.removeListener?.('disconnect', disconnect)
      }
    },

    switchNetwork: ({ provider }, network) => switchEvmNetwork(provider, network),

    async walletAssets(session, address, network) {
      const silent = withoutAssets.get(session.provider) ?? new Set()
      if (silent.has(network.caipNetworkId)) return undefined
      const assets = await within(clock, ASSETS_DEADLINE_MS, () =>
        readWalletAssets(session.provider, address, network),
      ).catch(() => undefined)
      if (!assets) withoutAssets.set(session.provider, silent.add(network.caipNetworkId))
      return assets
    },

    async nativeBalance({ node }, address, signal) {
      return BigInt((await node('eth_getBalance', [address, 'latest'], signal)) as string)
    },

    async receipt({ node }, hash, signal) {
      const { receiptStatus } = await importModule(() => import('./sentState.ts'), 'receiptStatus')
      return receiptStatus(node, hash, signal)
    },

    async sentState({ node }, hash, call) {
      const { sentState } = await importModule(() => import('./sentState.ts'), 'sentState')
      return sentState(node, hash, call)
    },

    async refusalOf(error) {
      const { revertReason } = await importModule(() => import('./revertReason.ts'), 'revertReason')
      const chain = revertReason(error)
      return chain === undefined ? undefined : { chain }
    },

    async signMessage({ provider }, from, message, caipNetworkId) {
      await requireNetwork(provider, caipNetworkId)
      return signatureOf(
        await provider.request({ method: 'personal_sign', params: [hexText(message), from] }),
      )
    },

    contracts: async () =>
      (await importModule(() => import('./evmContracts.ts'), 'evmContracts')).evmContracts,

    revocations: async () =>
      (await importModule(() => import('./evmRevocations.ts'), 'evmRevocations')).evmRevocations,

    transfers: async () =>
      (await importModule(() => import('./evmTransfers.ts'), 'evmTransfers')).evmTransfers,
  }
}

async function openSession(
  connector: Connector<'eip155'>,
  provider: Eip1193Provider,
  accounts: readonly AccountEntry[],
): Promise<WalletSession<'eip155'>> {
  const caipNetworkId = await networkOfWallet(provider)
  const relay = await connector.getSession?.()
  const endsWithTab = await connector.endsWithTab?.()
  return {
    accounts,
    provider,
    caipNetworkId,
    ...(relay && { relay: withChecksums(relay) }),
    ...(endsWithTab && { endsWithTab }),
  }
}

function withChecksums(relay: RelaySession): RelaySession {
  const accounts = relay.accounts.flatMap((account) => {
    const [namespace, reference, text] = account.split(':')
    if (namespace !== 'eip155') return account
    const address = evmAddress(text)
    return address ? (`eip155:${reference}:${address}` as const) : []
  })
  return { ...relay, accounts }
}

function accountsIn(answer: unknown): readonly AccountEntry[] {
  return evmAddresses(answer).map((address) => ({ address, type: 'eoa' }))
}

/**
 * Revokes the permission (EIP-2255). Wallets without it keep the permission; the site forgets the wallet all the
 * same.
 */
async function revokePermission(connector: Connector<'eip155'>): Promise<void> {
  const provider = walletProvider(await connector.getProvider())
  await provider
    .request({ method: 'wallet_revokePermissions', params: [{ eth_accounts: {} }] })
    .catch(() => undefined)
}

/** Handles EIP-1193 `disconnect`: the wallet either lost its node, which is temporary, or was locked. */
async function leaveWhenLocked(provider: Eip1193Provider, leave: () => void): Promise<void> {
  const accounts = await provider.request({ method: 'eth_accounts' }).catch(() => [])
  if (accountsIn(accounts).length === 0) leave()
}

/** Encodes a text as UTF-8 in hex. */
function hexText(text: string): string {
  const bytes = new TextEncoder().encode(text)
  return `0x${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`
}
