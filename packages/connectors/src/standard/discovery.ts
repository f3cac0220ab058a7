import type { Connector, ConnectorContext, Namespace } from '@hawser/core'
import { getWallets } from '@wallet-standard/app'
import type { Wallet } from '@wallet-standard/base'
import { iconOf } from '../icon.ts'

type ProviderOf<N extends Namespace> = Awaited<ReturnType<Connector<N>['getProvider']>>

/** What a wallet in the page says of itself; any of it may be malformed. */
interface PageWallet {
  readonly name: string
  readonly icon?: string
}

/** Adds a wallet to the list and returns its id; undefined for one that is malformed, which is logged. */
export type WalletLister<N extends Namespace> = <W extends PageWallet>(
  wallet: W,
  createProvider: (wallet: W) => ProviderOf<N>,
) => string | undefined

/**
 * Creates the function that adds wallets of a namespace. Any script can register a wallet of any name: the first keeps
 * the id, others are marked as duplicates. A number is never given to two wallets.
 */
export function createLister<N extends Namespace>(context: ConnectorContext, namespace: N): WalletLister<N> {
  const claims = new Map<string, PageWallet[]>()

  return (wallet, createProvider) => {
    try {
      const { name } = wallet
      const imageUrl = iconOf(wallet.icon)
      if (typeof name !== 'string' || name === '') throw new TypeError('The wallet has no name')
      const provider = createProvider(wallet)
      const claimants = claims.get(name) ?? []
      claims.set(name, claimants)
      if (!claimants.includes(wallet)) claimants.push(wallet)
      const number = claimants.indexOf(wallet) + 1
      const connector: Connector<N> = {
        id: number > 1 ? `${namespace}:${name}#${number}` : `${namespace}:${name}`,
        name,
        type: 'ANNOUNCED',
        chain: namespace,
        ...(imageUrl && { imageUrl }),
        ...(number > 1 && { isDuplicate: true }),
        getProvider: async () => provider,
      }
      context.add(connector as Connector)
      return connector.id
    } catch (error) {
      context.log('warn', 'a wallet of the page is malformed', { error: String(error) })
      return undefined
    }
  }
}

/** The wallets that registered themselves and are listed. */
export interface StandardWallets {
  names(): ReadonlySet<string>
  stop(): void
}

/**
 * Lists the wallets that register themselves in the page (wallet-standard), now and later.
 *
 * @param isUsable reports whether a wallet is of the namespace; it may throw for one that is malformed.
 */
export function listStandardWallets<N extends Namespace>(
  context: ConnectorContext,
  list: WalletLister<N>,
  isUsable: (wallet: Wallet) => boolean,
  createProvider: (wallet: Wallet) => ProviderOf<N>,
): StandardWallets {
  const listed = new Map<Wallet, string>()

  function add(wallets: readonly Wallet[]): void {
    for (const wallet of wallets) {
      if (listed.has(wallet) || !isOf(wallet)) continue
      const id = list(wallet, createProvider)
      if (id !== undefined) listed.set(wallet, id)
    }
  }

  function isOf(wallet: Wallet): boolean {
    try {
      return isUsable(wallet)
    } catch {
      return false
    }
  }

  function remove(wallets: readonly Wallet[]): void {
    for (const wallet of wallets) {
      const id = listed.get(wallet)
      listed.delete(wallet)
      if (id !== undefined) context.remove(id)
    }
  }

  const { get, on } = getWallets()
  const stops = [
    on('register', (...wallets) => add(wallets)),
    on('unregister', (...wallets) => remove(wallets)),
  ]
  add(get())
  return {
    names: () => new Set([...listed.keys()].map(({ name }) => name)),
    stop() {
      for (const stop of stops) stop()
      remove([...listed.keys()])
    },
  }
}
