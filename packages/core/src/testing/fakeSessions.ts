import { ALICE } from './fakeWallet.ts'

/** The sessions service of a gateway in memory. */
export interface FakeSessions {
  /** Bodies of requests by the last part of their path; `create` for those of new sessions. */
  readonly requests: { readonly path: string; readonly body: Record<string, unknown> }[]
  /** The sessions of the account, as the gateway lists them. */
  listed: readonly object[]
  /** Number of sessions of a page. */
  pageSize: number
  isCoSigned: boolean
  /** HTTP status and reason of a refusal, by the last part of the path. */
  readonly refusals: Record<string, { status: number; reason: string }>
}

export const PCI = '0b7e3d1c-7f0e-4a51-9f6d-3b2a1c0d9e8f'
export const CO_SIGNER = { type: 'secp256k1', publicKey: `0x04${'ab'.repeat(64)}` } as const
export const MANAGER = '0x00000000000000000000000000000000000de1e9'
export const DELEGATE = '0x00000000000000000000000000000000000de1e8'

/** A delegation chain of one delegation, as far as the page reads it. */
export const CONTEXT = `0x${[32n, 1n, 32n, 7n].map((word) => word.toString(16).padStart(64, '0')).join('')}`

export function createFakeSessions(): FakeSessions {
  return { requests: [], listed: [], pageSize: 255, isCoSigned: true, refusals: {} }
}

/** Returns a session of the account that buys coffee, as the gateway lists it. */
export function listedSession(change: object = {}): object {
  return {
    project: { id: '1', name: 'Coffee', url: 'https://coffee.test', iconUrl: null },
    pci: PCI,
    expiry: 1_700_086_400,
    createdAt: 1_700_000_000,
    permissions: [
      {
        type: 'native-token-recurring-allowance',
        data: { allowance: '0x2386f26fc10000', start: 1_700_000_000, period: 86_400 },
      },
    ],
    policies: [],
    context: CONTEXT,
    revokedAt: null,
    chainId: 'eip155:31337',
    state: 'SESSION_STATE_ACTIVE',
    allowances: [
      {
        permission: 0,
        token: '',
        allowed: '10000000000000000',
        spent: '4000000000000000',
        period: 86_400,
        renewsAt: 1_700_086_400,
      },
    ],
    callsAllowed: 10,
    callsMade: 1,
    delegate: DELEGATE,
    coSigned: true,
    delegationHash: `0x${'ee'.repeat(32)}`,
    ...change,
  }
}

/** Responds to a request of the REST API; undefined for a request about something else than sessions. */
export function respondWithSessions(
  fake: FakeSessions,
  url: URL,
  init: RequestInit | undefined,
): Response | undefined {
  const { pathname } = url
  if (pathname === '/v1/session-chains')
    return json(200, { chains: [{ chainId: 'eip155:31337', delegationManager: MANAGER }] })
  const account = `/v1/sessions/eip155:31337:${ALICE}`
  if (!pathname.startsWith(account)) return undefined
  const path = pathname.slice(account.length + 1) || 'create'
  fake.requests.push({ path, body: JSON.parse(String(init?.body)) })
  const refusal = fake.refusals[path]
  if (refusal) {
    const { status, reason } = refusal
    return json(status, { status: 'FAILED', reasons: [{ field: '', description: reason }], code: reason })
  }
  switch (path) {
    case 'create':
      return json(200, { pci: PCI, key: CO_SIGNER, coSigned: fake.isCoSigned, delegate: DELEGATE })
    case 'list':
      return json(200, pageOf(fake))
    case 'revoke':
      return json(200, { success: true, state: 'SESSION_STATE_REVOKING' })
    default:
      return json(200, { success: true })
  }
}

/** Returns the page that the last request is for. */
function pageOf({ listed, pageSize, requests }: FakeSessions): object {
  const from = Number(requests.at(-1)?.body.pageToken ?? 0)
  const to = from + pageSize
  return { pcis: listed.slice(from, to), next: to < listed.length ? String(to) : null }
}

function json(status: number, body: unknown): Response {
  return new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } })
}
