import type { Identity, NameRecord, NameSuggestion } from '@hawser/client/names'

export interface SignedBody {
  readonly message: string
  readonly signature: string
  readonly coin_type: number
  readonly address: string
}

/** One change of a name, as it was posted. */
export interface ChangeBody extends SignedBody {
  readonly name: string
  readonly action: 'attributes' | 'address' | 'release' | 'transfer'
}

/** What a registration is refused with: one reason, as the gateway says it. */
export class NameRefusal extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    description: string,
  ) {
    super(description)
  }
}

/** The questions of the names service; each may be replaced, and may throw a `NameRefusal`. */
export interface FakeNames {
  identity: (address: string) => Identity | Promise<Identity>
  /** The address of a name for a coin type; undefined stands for nobody. */
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

/** Nobody has a name, and every name is free. */
export function createFakeNames(): FakeNames {
  return {
    registrations: [],
    changes: [],
    identity: () => ({ name: null, avatar: null }),
    resolve: () => undefined,
    lookup: () => undefined,
    owned: () => [],
    suggestions: (label) => [free(`${label}.hawser.id`), free(`${label}-eth.hawser.id`)],
    installation: () => `installation 0x${'0b'.repeat(20)}`,
    register: ({ message }) => ({ name: / register (.+)/.exec(message)?.[1], success: true }),
    change: () => ({ success: true }),
  }
}

export function free(name: string): NameSuggestion {
  return { name, registered: false, available: true }
}

export function isNamesPath(path: string): boolean {
  return /^\/v1\/(identity|profile|resolve)\//.test(path)
}

/** @param body of a POST */
export async function answerNames(names: FakeNames, { pathname: path, searchParams }: URL, body: unknown) {
  const asked = decodeURIComponent(path.slice(path.lastIndexOf('/') + 1))
  if (path.startsWith('/v1/resolve/')) {
    const coinType = Number(searchParams.get('coinType'))
    const address = await names.resolve(asked, coinType)
    if (address === undefined) throw new NameRefusal(404, 'NAME_ABSENT', 'Name is not found')
    return { name: asked, address, coinType, source: 'registry' }
  }
  if (path.startsWith('/v1/identity/')) return names.identity(asked)
  if (path === '/v1/profile/installation') return { installation: names.installation() }
  if (path.startsWith('/v1/profile/suggestions/')) return { suggestions: await names.suggestions(asked) }
  if (path.startsWith('/v1/profile/reverse/')) return names.owned(asked)
  if (body === undefined) return names.lookup(asked) ?? []
  const changed = /^\/v1\/profile\/account\/(.+)\/(\w+)$/.exec(path)
  if (changed) {
    const [, name, action] = changed
    const change = { name: decodeURIComponent(name ?? ''), action, ...(body as SignedBody) } as ChangeBody
    names.changes.push(change)
    return names.change(change)
  }
  names.registrations.push(body as SignedBody)
  return names.register(body as SignedBody)
}
