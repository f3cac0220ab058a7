import type { Identity, NameRecord, NameSuggestion } from '@hawser/client/names'

export interface RegistrationBody {
  readonly message: string
  readonly signature: string
  readonly coin_type: number
  readonly address: string
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
  lookup: (name: string) => Partial<NameRecord> | readonly [] | Promise<Partial<NameRecord> | readonly []>
  suggestions: (label: string) => readonly NameSuggestion[] | Promise<readonly NameSuggestion[]>
  register: (body: RegistrationBody) => unknown
  /** Every body of a registration. */
  readonly registrations: RegistrationBody[]
}

/** Nobody has a name, and every name is free. */
export function createFakeNames(): FakeNames {
  return {
    registrations: [],
    identity: () => ({ name: null, avatar: null }),
    lookup: () => [],
    suggestions: (label) => [free(`${label}.hawser.id`), free(`${label}-eth.hawser.id`)],
    register: ({ message }) => ({ name: JSON.parse(message).name, success: true }),
  }
}

export function free(name: string): NameSuggestion {
  return { name, registered: false, available: true }
}

export function isNamesPath(path: string): boolean {
  return path.startsWith('/v1/identity/') || path.startsWith('/v1/profile/')
}

/** @param body of a POST */
export async function answerNames(names: FakeNames, path: string, body: unknown): Promise<unknown> {
  const asked = decodeURIComponent(path.slice(path.lastIndexOf('/') + 1))
  if (path.startsWith('/v1/identity/')) return names.identity(asked)
  if (path.startsWith('/v1/profile/suggestions/')) return { suggestions: await names.suggestions(asked) }
  if (body === undefined) return names.lookup(asked)
  names.registrations.push(body as RegistrationBody)
  return names.register(body as RegistrationBody)
}
