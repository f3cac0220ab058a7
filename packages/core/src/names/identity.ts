import { messageData } from '@hawser/client'
import { activeOwner } from '../account/owner.ts'
import { updateAccount } from '../chain/chainState.ts'
import { selectAccount } from '../chain/selectors.ts'
import { IDENTITY_CACHE_MS } from '../constants.ts'
import { importRuntime, namesClient } from '../gateway/clients.ts'
import { isServed } from '../gateway/servedFeatures.ts'
import { caches } from '../storage/items.ts'
import type { Hawser } from '../types/hawser.ts'
import type { Namespace, Network } from '../types/network.ts'
import { type Identity, identityPicture } from './picture.ts'

const unnamed: Identity = {}

/** Namespaces whose accounts have names. */
const namedNamespaces: readonly (Namespace | undefined)[] = ['eip155', 'solana']

/**
 * Shows the active account's name and picture: those of the last five minutes, or the gateway's. Only accounts on EVM
 * and Solana have names. Never throws: an account without a name is shown by its address.
 *
 * @param options.bypassCache requests them even if cached.
 */
export async function fetchIdentity(hawser: Hawser, { bypassCache = false } = {}): Promise<void> {
  const owner = activeOwner(hawser)
  if (!owner || !namedNamespaces.includes(owner.network.chainNamespace)) return
  const { address, network } = owner
  const { isCurrent, signal } = hawser.latest.begin('identity')
  const known = bypassCache
    ? undefined
    : hawser.storage.readCached<Identity>(caches.identity, address, IDENTITY_CACHE_MS)
  if (known) {
    showIdentity(hawser, network.chainNamespace, address, known)
    return
  }
  try {
    const served = await isServed(hawser, network.caipNetworkId)
    const identity = served
      ? await readIdentity(hawser, network.chainNamespace, address, { signal, bypassCache })
      : unnamed
    if (!isCurrent()) return
    if (served) keepIdentity(hawser, address, identity)
    showIdentity(hawser, network.chainNamespace, address, identity)
  } catch {
    // The address or the earlier name stays.
  }
}

/** Maximum number of accounts that are labelled; a wallet may grant any number. */
const MOST_LABELS = 20

/** Reads the names of the wallet's accounts: those of the last five minutes, or the gateway's. Never throws. */
export async function labelAccounts(hawser: Hawser): Promise<void> {
  const owner = activeOwner(hawser)
  if (!owner || !namedNamespaces.includes(owner.network.chainNamespace)) return
  const { network } = owner
  const { allAccounts } = selectAccount(hawser.chain.getState())
  await Promise.all(
    allAccounts.slice(0, MOST_LABELS).map(async ({ address }) => {
      const identity = await knownIdentity(hawser, address, network).catch(() => unnamed)
      if (identity.name) label(hawser, network.chainNamespace, address, identity.name)
    }),
  )
}

/** @throws what a call throws (see `createTransport`). */
async function knownIdentity(hawser: Hawser, address: string, network: Network): Promise<Identity> {
  const known = hawser.storage.readCached<Identity>(caches.identity, address, IDENTITY_CACHE_MS)
  if (known) return known
  if (!(await isServed(hawser, network.caipNetworkId))) return unnamed
  const identity = await readIdentity(hawser, network.chainNamespace, address)
  keepIdentity(hawser, address, identity)
  return identity
}

/**
 * @param options.bypassCache bypasses the browser's cache.
 * @throws what a call throws (see `createTransport`).
 */
async function readIdentity(
  hawser: Hawser,
  namespace: Namespace,
  address: string,
  { signal, bypassCache = false }: { signal?: AbortSignal; bypassCache?: boolean } = {},
): Promise<Identity> {
  const [names, { reload }] = await Promise.all([namesClient(hawser), importRuntime()])
  const options = { ...(signal && { signal }), ...(bypassCache && { headers: reload }) }
  if (namespace === 'solana') return messageData(await names.getPrimaryName({ address }, options))
  return messageData(await names.getIdentity({ address }, options))
}

function label(hawser: Hawser, namespace: Namespace, address: string, name: string): void {
  const { addressLabels } = selectAccount(hawser.chain.getState(), namespace)
  updateAccount(hawser.chain, namespace, { addressLabels: new Map(addressLabels).set(address, name) })
}

/** Shows a name that was registered just now, before any update of the gateway. */
export function takeName(hawser: Hawser, address: string, name: string): void {
  hawser.latest.abandon('identity')
  const identity: Identity = { ...unnamed, name }
  keepIdentity(hawser, address, identity)
  showIdentity(hawser, 'eip155', address, identity)
}

function keepIdentity(hawser: Hawser, address: string, { name, avatar, picture }: Identity): void {
  hawser.storage.writeCached(caches.identity, address, {
    ...(name && { name }),
    ...(avatar && { avatar }),
    ...(picture && { picture }),
  })
}

function showIdentity(hawser: Hawser, namespace: Namespace, address: string, identity: Identity): void {
  if (identity.name) label(hawser, namespace, address, identity.name)
  if (selectAccount(hawser.chain.getState(), namespace).address !== address) return
  updateAccount(hawser.chain, namespace, {
    profileName: identity.name,
    profileImage: identityPicture(hawser, identity),
  })
}
