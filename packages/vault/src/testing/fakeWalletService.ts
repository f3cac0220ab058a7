import type {
  AccountJson,
  ChangeProofJson,
  FactorJson,
  GetSealedWalletResponseJson,
  GetUserResponseJson,
  NewFactorJson,
} from '@hawser/client/wallet'
import { type Hex, verifyTypedData } from 'viem'
import { fromBase64 } from '../factors/factorKey.ts'

/** Origin of the pages of its installation. */
export const ORIGIN = 'https://wallet.test'

/** Seconds that an access token is valid. */
const ACCESS_SECONDS = 300

interface StoredFactor extends NewFactorJson {
  /** Thumbprint of the device key that added it. */
  readonly device: string
}

interface StoredSession {
  readonly id: string
  readonly device: string
  readonly email: string
  accessToken: string
  refreshToken: string
}

interface StoredUser {
  wallet?: {
    readonly id: string
    readonly version: number
    readonly blob: string
    readonly accounts: unknown
  }
  factors: StoredFactor[]
  recoveryKitAt?: string
  contacts?: { readonly version: number; readonly blob: string }
  identities?: { readonly provider: string; readonly subject: string }[]
}

/** A request as the service receives it. */
interface SeenCall {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** A server of the embedded wallet in memory. It verifies each proof, and accepts the code 123456 for every email. */
export interface FakeWalletService {
  readonly fetch: typeof fetch
  readonly calls: readonly SeenCall[]
  /** Unix milliseconds of its clock, which the `date` header has. */
  now: number
  /** Whether it may keep both halves of a key. */
  recoveryByLogin: boolean
  /** Whether the owner of an account has proven a login that waits. */
  provenLogin: boolean
  /** Whether changes of the account need the signature of the opened wallet. */
  needsProof: boolean
  /** Ends every session. */
  endSessions(): void
  /** Everything that it stores about wallets. */
  readonly users: ReadonlyMap<string, StoredUser>
}

// biome-ignore lint/suspicious/noExplicitAny: a request is what the test sent
type SentRequest = any

class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    readonly reason: string,
    message: string,
  ) {
    super(message)
  }
}

const walletAbsent = () => new Refusal(404, 'not_found', 'WALLET_ABSENT', 'The user has no wallet yet')

function requireWallet({ wallet }: StoredUser) {
  if (!wallet) throw walletAbsent()
  return wallet
}

/** Creates the service. */
export function createFakeWalletService(): FakeWalletService {
  const users = new Map<string, StoredUser>()
  const sessions = new Set<StoredSession>()
  const challenges = new Map<string, string>()
  const seenProofs = new Set<string>()
  const calls: SeenCall[] = []

  const service: FakeWalletService = {
    users,
    calls,
    now: Date.now(),
    recoveryByLogin: false,
    provenLogin: false,
    needsProof: false,
    endSessions: () => sessions.clear(),
    fetch: async (input: RequestInfo | URL, init: RequestInit = {}) => {
      const { pathname: path } = new URL(String(input), 'https://wallet.test')
      const headers = Object.fromEntries(new Headers(init.headers))
      const body = String(init.body)
      calls.push({ path, headers, body })
      const date = new Date(service.now).toUTCString()
      try {
        const device = await verify(path, headers, body)
        const result = await answer(path.split('.').at(-1) ?? '', JSON.parse(body), device, headers)
        return Response.json(result, { headers: { date } })
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        const details = [{ type: 'google.rpc.ErrorInfo', value: errorInfo(error.reason) }]
        const { code, message, status } = error
        return Response.json({ code, message, details }, { status, headers: { date } })
      }
    },
  }

  /** Returns the thumbprint of the key that signed the proof. */
  async function verify(path: string, headers: Record<string, string>, body: string): Promise<string> {
    const [header = '', claims = '', signature = ''] = (headers.dpop ?? '').split('.')
    const { jwk } = JSON.parse(text(header))
    const { htm, htu, iat, jti, ath, bh } = JSON.parse(text(claims))
    const key = await crypto.subtle.importKey('jwk', jwk, { name: 'ECDSA', namedCurve: 'P-256' }, false, [
      'verify',
    ])
    const signed = new TextEncoder().encode(`${header}.${claims}`)
    const isSigned = await crypto.subtle.verify(
      { name: 'ECDSA', hash: 'SHA-256' },
      key,
      fromBase64(signature),
      signed,
    )
    const token = headers.authorization?.slice('DPoP '.length)
    const isValid =
      isSigned &&
      htm === 'POST' &&
      htu === path &&
      Math.abs(iat - service.now / 1_000) <= 60 &&
      !seenProofs.has(jti) &&
      bh === (await hash(body)) &&
      ath === (token === undefined ? undefined : await hash(token))
    if (!isValid) throw new Refusal(401, 'unauthenticated', 'DEVICE_PROOF_INVALID', 'The proof is invalid')
    seenProofs.add(jti)
    return hash(JSON.stringify({ crv: jwk.crv, kty: jwk.kty, x: jwk.x, y: jwk.y }))
  }

  function tokensOf(session: StoredSession) {
    session.accessToken = crypto.randomUUID()
    session.refreshToken = crypto.randomUUID()
    return {
      accessToken: session.accessToken,
      accessExpiresAt: String(Math.floor(service.now / 1_000) + ACCESS_SECONDS),
      refreshToken: session.refreshToken,
      refreshExpiresAt: String(Math.floor(service.now / 1_000) + 604_800),
      sessionId: session.id,
      userId: session.email,
    }
  }

  function userOf(device: string, headers: Record<string, string>): StoredUser & { readonly email: string } {
    const token = headers.authorization?.slice('DPoP '.length)
    const session = [...sessions].find(({ accessToken }) => accessToken === token)
    if (!session || session.device !== device)
      throw new Refusal(401, 'unauthenticated', 'SESSION_ABSENT', 'Sign in to continue')
    const user = users.get(session.email) ?? { factors: [] }
    users.set(session.email, user)
    return Object.assign(user, { email: session.email })
  }

  /** Refuses a change that the opened wallet did not sign, where logins do not suffice. */
  async function requireProof(
    user: ReturnType<typeof userOf>,
    change: string,
    subject: string,
    proof?: ChangeProofJson,
  ) {
    if (!proof && !service.needsProof) return
    const { deadline = 0, signature = '0x' } = proof ?? {}
    const account = (user.wallet?.accounts as AccountJson[] | undefined)?.find(
      ({ namespace }) => namespace === 'eip155',
    )?.address
    const isSigned =
      account !== undefined &&
      Number(deadline) > service.now / 1_000 &&
      (await isSignedBy(account as Hex, signature as Hex, {
        user: user.email,
        account,
        change,
        subject,
        deadline: BigInt(deadline),
      }))
    if (!isSigned)
      throw new Refusal(400, 'failed_precondition', 'LOGIN_STALE', 'Open your wallet, or sign in again')
  }

  async function answer(
    call: string,
    request: SentRequest,
    device: string,
    headers: Record<string, string>,
  ): Promise<object> {
    switch (call.split('/')[1]) {
      case 'StartEmail': {
        const challengeId = crypto.randomUUID()
        challenges.set(challengeId, request.email)
        return { action: 'EMAIL_ACTION_VERIFY_DEVICE', challengeId, words: 'amber falcon' }
      }
      case 'WaitForDevice':
        return { state: 'DEVICE_STATE_APPROVED' }
      case 'ResendCode':
        return {}
      case 'VerifyCode': {
        const email = challenges.get(request.challengeId)
        if (!email) throw new Refusal(400, 'failed_precondition', 'CHALLENGE_ENDED', 'The login is over')
        if (request.code !== '123456')
          throw new Refusal(403, 'permission_denied', 'CODE_WRONG', 'The code is wrong')
        challenges.delete(request.challengeId)
        const session = { id: crypto.randomUUID(), device, email, accessToken: '', refreshToken: '' }
        sessions.add(session)
        return { tokens: tokensOf(session) }
      }
      case 'StartSocial':
        return { uri: 'https://provider.example/', handle: request.provider }
      case 'Refresh': {
        const session = [...sessions].find(({ refreshToken }) => refreshToken === request.refreshToken)
        if (!session || session.device !== device)
          throw new Refusal(401, 'unauthenticated', 'SESSION_ABSENT', 'Sign in to continue')
        return { tokens: tokensOf(session) }
      }
    }
    const user = userOf(device, headers)
    switch (call.split('/')[1]) {
      case 'GetUser': {
        const { wallet, email, identities = [], recoveryKitAt = '0' } = user
        const { recoveryByLogin } = service
        const answered: GetUserResponseJson = { id: email, email, recoveryByLogin, identities, recoveryKitAt }
        return wallet ? { ...answered, walletId: wallet.id, accounts: wallet.accounts } : answered
      }
      case 'CreateWallet':
        return createWallet(user, request, device)
      case 'GetSealedWallet': {
        const factor = user.factors.find(({ id }) => id === request.factorId)
        const isOwn = factor?.kind !== 'FACTOR_KIND_DEVICE' || factor.device === device
        if (!factor || !isOwn || !user.wallet)
          throw new Refusal(404, 'not_found', 'FACTOR_ABSENT', 'The wallet has no such factor')
        const { id: walletId, version, blob } = user.wallet
        const { serverHalf, record, kind } = factor
        if (factor.check !== request.check)
          throw new Refusal(403, 'permission_denied', 'PASSWORD_WRONG', 'The password is wrong')
        return {
          walletId,
          version,
          blob,
          userId: user.email,
          serverHalf,
          kind,
          ...(record ? { record } : {}),
        } as GetSealedWalletResponseJson
      }
      case 'AddFactor': {
        const { factor, replaces, proof } = request
        if (!proof) throw new Refusal(400, 'failed_precondition', 'WALLET_LOCKED', 'Open your wallet')
        await requireProof(user, 'AddFactor', replaces ? `${factor.id} ${replaces}` : factor.id, proof)
        const isReplaced = (stored: StoredFactor) =>
          stored.id === replaces ||
          (factor.kind === 'FACTOR_KIND_DEVICE' && stored.kind === factor.kind && stored.device === device)
        user.factors = [...user.factors.filter((stored) => !isReplaced(stored)), { ...factor, device }]
        return {}
      }
      case 'RemoveFactor':
        await requireProof(user, 'RemoveFactor', request.id, request.proof)
        user.factors = user.factors.filter(({ id }) => id !== request.id)
        return {}
      case 'ListFactors':
        return {
          factors: user.factors.map(
            ({ id, kind, label, record, parameters, check }): FactorJson => ({
              ...(id ? { id } : {}),
              ...(kind ? { kind } : {}),
              ...(label ? { label } : {}),
              ...(record && kind !== 'FACTOR_KIND_LOGIN' && !check ? { record } : {}),
              ...(parameters ? { parameters } : {}),
            }),
          ),
        }
      case 'SignOut':
        for (const session of sessions) if (session.device === device) sessions.delete(session)
        return {}
      case 'RecordRecoveryKit':
        user.recoveryKitAt = '1'
        return {}
      case 'GetContacts':
        requireWallet(user)
        return user.contacts ? { ...user.contacts, version: String(user.contacts.version) } : {}
      case 'SetContacts': {
        const { walletId, version, blob } = request
        const { version: stored = 0 } = user.contacts ?? {}
        if (requireWallet(user).id !== walletId) throw walletAbsent()
        if (Number(version) !== stored)
          throw new Refusal(409, 'aborted', 'CONTACTS_CHANGED', 'Another device changed the contacts')
        user.contacts = { version: stored + 1, blob }
        return { version: String(stored + 1) }
      }
      case 'LinkSocial':
        if (!service.provenLogin)
          throw new Refusal(400, 'failed_precondition', 'SOCIAL_FAILED', 'The login is not finished')
        await requireProof(user, 'LinkSocial', request.handle, request.proof)
        user.identities = [{ provider: request.handle, subject: '1' }]
        return {}
      case 'UnlinkIdentity': {
        const subject = `${request.provider} ${request.subject}`
        await requireProof(user, 'UnlinkIdentity', subject, request.proof)
        user.identities = []
        return {}
      }
      case 'KeepIdentity':
        await requireProof(user, 'KeepIdentity', `${request.provider} ${request.subject}`, request.proof)
        return {}
      case 'StartEmailChange':
        await requireProof(user, 'StartEmailChange', request.email, request.proof)
        return { action: 'EMAIL_CHANGE_ACTION_VERIFY_OLD', challengeId: 'change' }
      default:
        throw new Refusal(404, 'unimplemented', '', `no ${call}`)
    }
  }

  async function createWallet(user: ReturnType<typeof userOf>, request: SentRequest, device: string) {
    const { walletId, version, blob, accounts, factors, ownerProof = '' } = request
    const { address } = accounts.find(({ namespace }: AccountJson) => namespace === 'eip155')
    if (!(await isOwner(user.email, address, ownerProof)))
      throw new Refusal(401, 'unauthenticated', 'SIGNATURE_INVALID', 'The owner of the address did not sign')
    if (user.wallet) throw new Refusal(409, 'already_exists', 'WALLET_EXISTS', 'The user has a wallet')
    user.wallet = { id: walletId, version, blob, accounts }
    user.factors = factors.map((factor: NewFactorJson) => ({ ...factor, device }))
    return {}
  }

  return service
}

/** Reports whether the key of an address signed that the user owns it. */
async function isOwner(user: string, account: Hex, signature: Hex): Promise<boolean> {
  return isSignedBy(account, signature, { user, account })
}

/** Reports whether the key of an address signed a proof of this installation. */
async function isSignedBy(
  address: Hex,
  signature: Hex,
  message: Readonly<Record<string, unknown>>,
): Promise<boolean> {
  if (!/^0x[0-9a-f]{130}$/.test(signature)) return false
  const types = {
    user: 'string',
    account: 'address',
    change: 'string',
    subject: 'string',
    deadline: 'uint64',
  }
  const fields = Object.entries(types).map(([name, type]) => ({ name, type }))
  const WalletOwner = fields.filter(({ name }) => name in message)
  const domain = { name: `Hawser Wallet at ${ORIGIN}`, version: '1' }
  return verifyTypedData({
    address,
    signature,
    domain,
    types: { WalletOwner },
    primaryType: 'WalletOwner',
    message,
  })
}

const text = (part: string) => new TextDecoder().decode(fromBase64(part))

async function hash(value: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(value))
  return btoa(String.fromCharCode(...new Uint8Array(digest)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '')
}

/** Encodes google.rpc.ErrorInfo with its first field alone. */
function errorInfo(reason: string): string {
  return btoa(String.fromCharCode(0x0a, reason.length) + reason)
}
