import { thrown } from '../errors/thrown.ts'
import { importModule } from '../importModule.ts'
import type { ChainAdapter, Contracts, NetworkAccess, TransferRefusal } from '../types/adapter.ts'
import type { NodeRequest } from '../types/environment.ts'
import type { ConnectedSession, Hawser } from '../types/hawser.ts'
import type { Namespace, Network } from '../types/network.ts'

/** Loads the adapter of a namespace. A site that lists no network of the namespace never does. */
const loaders: Readonly<Partial<Record<Namespace, (hawser: Hawser) => Promise<ChainAdapter>>>> = {
  eip155: async ({ clock }) =>
    (await importModule(() => import('../evm/evmAdapter.ts'), 'createEvmAdapter')).createEvmAdapter(clock),
  solana: async ({ clock }) =>
    (
      await importModule(() => import('../solana/solanaAdapter.ts'), 'createSolanaAdapter')
    ).createSolanaAdapter(clock),
  bip122: async (hawser) => {
    const [{ createBitcoinAdapter }, { bitcoinClient }] = await Promise.all([
      importModule(() => import('../bitcoin/bitcoinAdapter.ts'), 'createBitcoinAdapter'),
      importModule(() => import('../gateway/clients.ts'), 'bitcoinClient'),
    ])
    const accountsOf = () => hawser.sessions.get('bip122')?.accounts ?? []
    return createBitcoinAdapter(hawser.clock, () => bitcoinClient(hawser), accountsOf)
  },
  polkadot: async (hawser) =>
    (
      await importModule(() => import('../polkadot/polkadotAdapter.ts'), 'createPolkadotAdapter')
    ).createPolkadotAdapter(hawser.clock, hawser.storage, {
      nodeOf: (caipNetworkId) => nodeOf(hawser, { caipNetworkId }),
      iconOf: (caipNetworkId) => hawser.client.tokenMarkUrl(caipNetworkId, 'native'),
    }),
}

/** Reports whether there is an adapter for a namespace, and the site lists a network of it. */
export function hasAdapter({ adapters, chain }: Hawser, namespace: Namespace): boolean {
  return adapters.has(namespace) || (namespace in loaders && chain.getState().chains.has(namespace))
}

/**
 * Returns the adapter of a namespace, which is loaded at first use.
 *
 * @throws Error "Chain adapter not found".
 */
export async function adapterOf(hawser: Hawser, namespace: Namespace): Promise<ChainAdapter> {
  const loaded = hawser.adapters.get(namespace)
  if (loaded) return loaded
  const load = loaders[namespace]
  if (!load) throw new Error(thrown.chainAdapterNotFound)
  const [adapter, { followLogin }] = await Promise.all([
    load(hawser),
    importModule(() => import('../connected.ts'), 'followLogin'),
  ])
  // A session is made by an adapter, so that none is opened before.
  hawser.sessions.subscribe(followLogin)
  // Another caller may have loaded it meanwhile; adapters have state.
  return hawser.adapters.get(namespace) ?? setAdapter(hawser, adapter)
}

/** Returns why a call would fail or was refused, if its error says so. Never throws. */
export async function refusalOf(
  { adapters }: Hawser,
  namespace: Namespace,
  error: unknown,
): Promise<TransferRefusal | undefined> {
  return adapters
    .get(namespace)
    ?.refusalOf?.(error)
    .catch(() => undefined)
}

/** Returns an adapter that made a session, and so is loaded. @throws Error "Chain adapter not found". */
export function loadedAdapter({ adapters }: Hawser, namespace: Namespace): ChainAdapter {
  const adapter = adapters.get(namespace)
  if (!adapter) throw new Error(thrown.chainAdapterNotFound)
  return adapter
}

function setAdapter({ adapters }: Hawser, adapter: ChainAdapter): ChainAdapter {
  adapters.set(adapter.namespace, adapter)
  return adapter
}

/** Loads the adapters of the namespaces that the site lists networks of. Never throws: they are loaded again when used. */
export async function loadAdapters(hawser: Hawser): Promise<void> {
  const namespaces = [...hawser.chain.getState().chains.keys()]
  await Promise.allSettled(namespaces.map((namespace) => adapterOf(hawser, namespace)))
}

/**
 * Returns the contracts of a namespace.
 *
 * @throws Error "Unsupported chain" in a namespace without contracts.
 */
export async function contractsOf(hawser: Hawser, namespace: Namespace): Promise<Contracts> {
  const adapter = await adapterOf(hawser, namespace)
  if (!adapter.contracts) throw new Error(thrown.unsupportedChain)
  return adapter.contracts()
}

/** Returns the wallet in use on a namespace. */
export function sessionOf<N extends Namespace>(
  hawser: Hawser,
  namespace: N,
): ConnectedSession<N> | undefined {
  // A session is kept under the namespace of its adapter, which made it.
  return hawser.sessions.get(namespace) as ConnectedSession<N> | undefined
}

/** Returns a function that calls the node of a network through the gateway's JSON-RPC endpoint. */
export function nodeOf(hawser: Hawser, network: Pick<Network, 'caipNetworkId'>): NodeRequest {
  return (method, params, signal) => hawser.client.rpc(network.caipNetworkId, method, params, signal)
}

/** Returns what adapters need to read a network. */
export function accessTo(hawser: Hawser, { caipNetworkId }: Pick<Network, 'caipNetworkId'>): NetworkAccess {
  return { caipNetworkId, node: nodeOf(hawser, { caipNetworkId }) }
}
