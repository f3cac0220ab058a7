import { messageData } from '@hawser/client'
import { activeOwner } from '../account/owner.ts'
import { selectRequestedNetworks } from '../chain/selectors.ts'
import { NAME_CACHE_MS } from '../constants.ts'
import { thrown } from '../errors/thrown.ts'
import { namesClient } from '../gateway/clients.ts'
import { isServed } from '../gateway/servedFeatures.ts'
import { reportName } from '../modal/nameFlows.ts'
import { retryWhileFailing } from '../retryWhileFailing.ts'
import { caches } from '../storage/items.ts'
import type { Hawser } from '../types/hawser.ts'
import type { NameRecord, OwnNamesState } from '../types/names.ts'
import type { Network } from '../types/network.ts'

/** Selects one of the account's names. */
export function openName(hawser: Hawser, name: string): void {
  hawser.ownNames.setState({ chosen: name })
  reportName(hawser, { kind: 'nameSelected' })
}

/** Returns the selected name; undefined when the account does not own it any more. */
export function chosenName({ records, chosen }: OwnNamesState): NameRecord | undefined {
  return records.find(({ name }) => name === chosen)
}

/**
 * Reads all names of the active account: those of the last five minutes, or the gateway's. Never throws: a failure is
 * in the state.
 */
export async function fetchOwnNames(hawser: Hawser): Promise<void> {
  const owner = activeOwner(hawser)
  if (!owner) return
  const { isCurrent, signal } = hawser.latest.begin('ownNames:list')
  try {
    const networks = await servedNetworks(hawser)
    const served = await isServed(hawser, owner.network.caipNetworkId)
    const records = served ? await namesOfAddress(hawser, owner.address, signal) : []
    if (isCurrent()) hawser.ownNames.setState({ status: 'read', records, networks })
  } catch {
    if (isCurrent()) hawser.ownNames.setState({ status: 'failed' })
  }
}

/**
 * Reads all names of an account, cached for five minutes unless one of them changed.
 *
 * @throws Error "Error fetching names for address" when the request fails.
 */
export async function namesOfAddress(
  hawser: Hawser,
  address: string,
  signal?: AbortSignal,
): Promise<readonly NameRecord[]> {
  const known = hawser.storage.readCached<unknown>(caches.name, address, NAME_CACHE_MS)
  if (Array.isArray(known)) return known
  try {
    const records = await readOwned(hawser, address, signal)
    signal?.throwIfAborted()
    hawser.storage.writeCached(caches.name, address, records)
    return records
  } catch (error) {
    throw new Error(thrown.namesOfAddressFailed, { cause: error })
  }
}

async function readOwned(
  hawser: Hawser,
  address: string,
  signal: AbortSignal | undefined,
): Promise<readonly NameRecord[]> {
  const names = await namesClient(hawser)
  // Version 2 returns an empty list for an account without names, where version 1 returns an error.
  const request = { address, owned: true, apiVersion: 2 }
  return messageData((await names.listNames(request, { ...(signal && { signal }) })).names)
}

/** Drops the cached names. */
export function forgetOwnNames(hawser: Hawser): void {
  hawser.storage.remove(caches.name)
}

/**
 * Keeps the names of the active account up to date: reads them now, when the account changes, when the gateway pushes
 * a change, and repeatedly while they cannot be read.
 *
 * @returns a function that stops it.
 */
export function watchOwnNames(hawser: Hawser): () => void {
  const { run: read, stop } = retryWhileFailing(hawser, {
    read: () => fetchOwnNames(hawser),
    hasFailed: () => hawser.ownNames.getState().status === 'failed',
  })
  const stops = [
    stop,
    hawser.push.subscribe((state, before) => {
      if (state.identityChanges === before.identityChanges) return
      forgetOwnNames(hawser)
      read()
    }),
    hawser.chain.subscribe((state, before) => {
      if (state.activeCaipAddress !== before.activeCaipAddress) read()
    }),
  ]
  read()
  return () => {
    for (const stop of stops) stop()
  }
}

async function servedNetworks(hawser: Hawser): Promise<Network[]> {
  const requested = selectRequestedNetworks(hawser.chain.getState(), 'eip155')
  const served = await Promise.all(requested.map(({ caipNetworkId }) => isServed(hawser, caipNetworkId)))
  return requested.filter((_, index) => served[index])
}
