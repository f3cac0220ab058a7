import type { Client } from '@hawser/client/connect'
import { importModule } from '../importModule.ts'
import type { Hawser } from '../types/hawser.ts'

// A typed client of each service. The Connect runtime is a chunk of its own and loads with the first call.
// The descriptors of each service are another chunk, so that a view loads only those of its own services.
// Every call throws what `createTransport` documents.

export const accessClient = (hawser: Hawser) =>
  clientOf(hawser, () => import('@hawser/client/access'), 'AccessService')

export const activityClient = (hawser: Hawser) =>
  clientOf(hawser, () => import('@hawser/client/activity'), 'ActivityService')

export const balancesClient = (hawser: Hawser) =>
  clientOf(hawser, () => import('@hawser/client/balances'), 'BalancesService')

export const bitcoinClient = (hawser: Hawser) =>
  clientOf(hawser, () => import('@hawser/client/bitcoin'), 'BitcoinService')

export const convertClient = (hawser: Hawser) =>
  clientOf(hawser, () => import('@hawser/client/convert'), 'ConvertService')

export const quotesClient = (hawser: Hawser) =>
  clientOf(hawser, () => import('@hawser/client/convert'), 'QuoteService')

export const featuresClient = (hawser: Hawser) =>
  clientOf(hawser, () => import('@hawser/client/features'), 'FeaturesService')

export const namesClient = (hawser: Hawser) =>
  clientOf(hawser, () => import('@hawser/client/names'), 'NamesService')

export const nftsClient = (hawser: Hawser) =>
  clientOf(hawser, () => import('@hawser/client/nfts'), 'NftsService')

export const onrampClient = (hawser: Hawser) =>
  clientOf(hawser, () => import('@hawser/client/onramp'), 'OnrampService')

export const previewClient = (hawser: Hawser) =>
  clientOf(hawser, () => import('@hawser/client/preview'), 'PreviewService')

export const updatesClient = (hawser: Hawser) =>
  clientOf(hawser, () => import('@hawser/client/updates'), 'UpdatesService')

type Service = Parameters<typeof import('@hawser/client/connect').createClient>[0]

/**
 * Creates the client of a service.
 *
 * @throws the error of the import when a chunk does not load.
 */
async function clientOf<Name extends string, Module extends Record<Name, Service>>(
  hawser: Hawser,
  load: () => Promise<Module>,
  name: Name,
): Promise<Client<Module[Name]>> {
  const [{ createClient }, module, transport] = await Promise.all([
    importRuntime(),
    importModule(load, name),
    transportOf(hawser),
  ])
  return createClient(module[name], transport)
}

/** Imports the Connect runtime. */
export function importRuntime() {
  return importModule(() => import('@hawser/client/connect'), 'createTransport')
}

/** Returns the transport that all clients of a kit share; it is created with the first one. */
async function transportOf({ options, configuration, gateway }: Hawser) {
  const { createTransport } = await importRuntime()
  gateway.transport ??= createTransport({
    ...options.getState(),
    fetch: configuration.fetch,
    onSuccess: configuration.succeeded,
    onFailure: configuration.failed,
  })
  return gateway.transport
}
