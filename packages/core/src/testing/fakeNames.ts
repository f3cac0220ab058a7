import type { ConnectRouter } from '@connectrpc/connect'
import { NamesService, type RegisterNameRequestJson } from '@hawser/client/names'
import type { Identity } from '../names/picture.ts'
import type { NameRecord, NameSuggestion } from '../types/names.ts'
import { Refusal, serve, serveData } from './connectRouter.ts'

/** One signed text, as a request carries it. */
type SignedBody = RegisterNameRequestJson

/** One change of a name, as it was requested. */
interface ChangeBody extends SignedBody {
  readonly name: string
  readonly action: 'attributes' | 'address' | 'release' | 'transfer'
}

/** The answers of the names service; each may be replaced, and may throw a `Refusal`. */
export interface FakeNames {
  identity: (address: string) => Identity | Promise<Identity>
  /** Returns the primary name of a Solana account; undefined where it has none. */
  primaryName: (address: string) => string | undefined
  /** Returns the address of a name for a coin type; undefined when the name is not registered. */
  resolve: (name: string, coinType: number) => string | undefined | Promise<string | undefined>
  /** The record of a name; undefined where it is not registered. */
  lookup: (name: string) => NameRecord | undefined
  /** All names of an account. */
  owned: (address: string) => readonly NameRecord[] | Promise<readonly NameRecord[]>
  suggestions: (label: string) => readonly NameSuggestion[] | Promise<readonly NameSuggestion[]>
  installation: () => string
  register: (body: SignedBody) => unknown
  change: (body: ChangeBody) => unknown
  /** Every body of a registration. */
  readonly registrations: SignedBody[]
  /** Every change that was posted. */
  readonly changes: ChangeBody[]
}

/** Creates a service where no name is registered. */
export function createFakeNames(): FakeNames {
  return {
    registrations: [],
    changes: [],
    identity: () => ({}),
    primaryName: () => undefined,
    resolve: () => undefined,
    lookup: () => undefined,
    owned: () => [],
    suggestions: (label) => [free(`${label}.hawser.id`), free(`${label}-eth.hawser.id`)],
    installation: () => `installation 0x${'0b'.repeat(20)}`,
    register: () => undefined,
    change: () => undefined,
  }
}

export function free(name: string): NameSuggestion {
  return { name, registered: false, available: true }
}

/** Serves the names service. */
export function routeNames(router: ConnectRouter, names: FakeNames): void {
  const { method } = NamesService
  const change = async (
    action: ChangeBody['action'],
    { name = '', ...signed }: SignedBody & { name?: string },
  ) => {
    const body: ChangeBody = { name, action, ...signed }
    names.changes.push(body)
    await names.change(body)
    return {}
  }
  serveData(router, method.getIdentity, ({ address = '' }) => names.identity(address))
  serveData(router, method.getPrimaryName, ({ address = '' }) => {
    const name = names.primaryName(address)
    return name === undefined ? {} : { name }
  })
  serve(router, method.resolveName, async ({ name = '', coinType = 60 }) => {
    const address = await names.resolve(name, coinType)
    if (address === undefined) throw new Refusal(404, 'NAME_ABSENT', 'Name is not found')
    return { name, address, coinType, source: 'registry' }
  })
  serveData(router, method.getName, ({ name = '' }) => {
    const record = names.lookup(name)
    if (!record) throw new Refusal(404, 'NAME_ABSENT', 'Name is not found')
    return { name: record }
  })
  serveData(router, method.listNames, async ({ address = '' }) => {
    const owned = await names.owned(address)
    return { names: owned }
  })
  serveData(router, method.suggestNames, async ({ name = '' }) => ({
    suggestions: await names.suggestions(name),
  }))
  serve(router, method.getInstallation, () => ({ installation: names.installation() }))
  serve(router, method.registerName, async (body) => {
    names.registrations.push(body)
    await names.register(body)
    return {}
  })
  serve(router, method.setAttributes, (body) => change('attributes', body))
  serve(router, method.setAddress, (body) => change('address', body))
  serve(router, method.releaseName, (body) => change('release', body))
  serve(router, method.transferName, (body) => change('transfer', body))
}
