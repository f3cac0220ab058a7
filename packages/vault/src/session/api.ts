import type * as sessions from '@hawser/client/sessions'
import type * as wallet from '@hawser/client/wallet'
import { FailureError, failures, type OwnFailure } from '../failures.ts'
import { type ErrorDetail, reasonOf, retrySecondsOf } from './errorDetails.ts'

/** The calls of `hawser.wallet.v1`, and of `hawser.sessions.v1`, that the frame makes with a proof of the device: request and response in the JSON form of their messages. */
export interface Calls {
  'LoginService/StartEmail': [wallet.StartEmailRequestJson, wallet.StartEmailResponseJson]
  'LoginService/WaitForDevice': [wallet.WaitForDeviceRequestJson, wallet.WaitForDeviceResponseJson]
  'LoginService/GetDeviceRequest': [wallet.GetDeviceRequestRequestJson, wallet.GetDeviceRequestResponseJson]
  'LoginService/DecideDevice': [wallet.DecideDeviceRequestJson, wallet.DecideDeviceResponseJson]
  'LoginService/VerifyCode': [wallet.VerifyCodeRequestJson, wallet.VerifyCodeResponseJson]
  'LoginService/ResendCode': [wallet.ResendCodeRequestJson, wallet.ResendCodeResponseJson]
  'LoginService/ListProviders': [wallet.ListProvidersRequestJson, wallet.ListProvidersResponseJson]
  'LoginService/StartSocial': [wallet.StartSocialRequestJson, wallet.StartSocialResponseJson]
  'LoginService/GetSocialRequest': [wallet.GetSocialRequestRequestJson, wallet.GetSocialRequestResponseJson]
  'LoginService/FinishSocial': [wallet.FinishSocialRequestJson, wallet.FinishSocialResponseJson]
  'LoginService/WaitForSocial': [wallet.WaitForSocialRequestJson, wallet.WaitForSocialResponseJson]
  'LoginService/StartFarcaster': [wallet.StartFarcasterRequestJson, wallet.StartFarcasterResponseJson]
  'LoginService/WaitForFarcaster': [wallet.WaitForFarcasterRequestJson, wallet.WaitForFarcasterResponseJson]
  'SessionService/Refresh': [wallet.RefreshRequestJson, wallet.RefreshResponseJson]
  'SessionService/SignOut': [wallet.SignOutRequestJson, wallet.SignOutResponseJson]
  'SessionService/ListSessions': [wallet.ListSessionsRequestJson, wallet.ListSessionsResponseJson]
  'SessionService/RevokeSession': [wallet.RevokeSessionRequestJson, wallet.RevokeSessionResponseJson]
  'SessionService/RevokeAllSessions': [
    wallet.RevokeAllSessionsRequestJson,
    wallet.RevokeAllSessionsResponseJson,
  ]
  'WalletService/GetUser': [wallet.GetUserRequestJson, wallet.GetUserResponseJson]
  'WalletService/CreateWallet': [wallet.CreateWalletRequestJson, wallet.CreateWalletResponseJson]
  'WalletService/GetSealedWallet': [wallet.GetSealedWalletRequestJson, wallet.GetSealedWalletResponseJson]
  'WalletService/AddFactor': [wallet.AddFactorRequestJson, wallet.AddFactorResponseJson]
  'WalletService/RemoveFactor': [wallet.RemoveFactorRequestJson, wallet.RemoveFactorResponseJson]
  'WalletService/ListFactors': [wallet.ListFactorsRequestJson, wallet.ListFactorsResponseJson]
  'WalletService/StartEmailChange': [wallet.StartEmailChangeRequestJson, wallet.StartEmailChangeResponseJson]
  'WalletService/VerifyOldEmail': [wallet.VerifyOldEmailRequestJson, wallet.VerifyOldEmailResponseJson]
  'WalletService/VerifyNewEmail': [wallet.VerifyNewEmailRequestJson, wallet.VerifyNewEmailResponseJson]
  'WalletService/SetPreferredAccount': [
    wallet.SetPreferredAccountRequestJson,
    wallet.SetPreferredAccountResponseJson,
  ]
  'WalletService/RecordRecoveryKit': [
    wallet.RecordRecoveryKitRequestJson,
    wallet.RecordRecoveryKitResponseJson,
  ]
  'WalletService/GetContacts': [wallet.GetContactsRequestJson, wallet.GetContactsResponseJson]
  'WalletService/SetContacts': [wallet.SetContactsRequestJson, wallet.SetContactsResponseJson]
  'WalletService/LinkSocial': [wallet.LinkSocialRequestJson, wallet.LinkSocialResponseJson]
  'WalletService/UnlinkIdentity': [wallet.UnlinkIdentityRequestJson, wallet.UnlinkIdentityResponseJson]
  'WalletService/KeepIdentity': [wallet.KeepIdentityRequestJson, wallet.KeepIdentityResponseJson]
  'WalletService/DeleteUser': [wallet.DeleteUserRequestJson, wallet.DeleteUserResponseJson]
  'SmartSessionsService/ListSessions': [sessions.ListSessionsRequestJson, sessions.ListSessionsResponseJson]
  'SmartSessionsService/RevokeSession': [
    sessions.RevokeSessionRequestJson,
    sessions.RevokeSessionResponseJson,
  ]
  'SmartSessionsService/RevokeAllSessions': [
    sessions.RevokeAllSessionsRequestJson,
    sessions.RevokeAllSessionsResponseJson,
  ]
}

export type CallPath = keyof Calls

/** Smart sessions; the sessions of devices are in the wallet's package. */
const SMART_SESSIONS = 'SmartSessionsService/'
/** Longer than the 25 seconds of a call that waits. */
const TIMEOUT_MS = 35_000
/** How far the clocks may differ before the server's is used. */
const CLOCK_TOLERANCE_SECONDS = 20

/** A call that failed. Its message is for people. */
export class CallError extends FailureError {
  override readonly name = 'CallError'
  /** Code of Connect, such as `unauthenticated`; `unavailable` without a response. */
  readonly code: string
  /** Reason of the server, such as `CODE_WRONG`. */
  readonly reason: string | undefined
  /** Seconds after which the call may be repeated; undefined if the server named no time. */
  readonly retrySeconds: number | undefined

  constructor(code: string, failure: OwnFailure | string, reason?: string, retrySeconds?: number) {
    super(failure)
    this.code = code
    this.reason = reason
    this.retrySeconds = retrySeconds
  }
}

/** Proves a call; see `proofOf`. */
type Prove = (
  call: {
    readonly method: string
    readonly path: string
    readonly body: string
    readonly accessToken?: string | undefined
  },
  nowSeconds: number,
) => Promise<string>

export interface ApiOptions {
  readonly projectId: string
  readonly prove: Prove
  readonly fetch: typeof fetch
  /** Unix milliseconds. */
  readonly now: () => number
}

/** Unary calls of the Connect protocol in JSON, each with a proof of the device key. */
export interface Api {
  /** @throws CallError */
  call<P extends CallPath>(path: P, request: Calls[P][0], accessToken?: string): Promise<Calls[P][1]>
  /** Unix seconds by the server's clock. */
  now(): number
}

/** Creates a client of the wallet service on the frame's own origin. */
export function createApi({ projectId, prove, fetch, now }: ApiOptions): Api {
  let offsetSeconds = 0
  const serverNow = () => now() / 1_000 + offsetSeconds

  /** Adopts the server's clock; reports whether it differed so much that a proof was refused for it. */
  function adoptClock(response: Response): boolean {
    const date = Date.parse(response.headers.get('date') ?? '') / 1_000
    if (!Number.isFinite(date) || Math.abs(date - serverNow()) <= CLOCK_TOLERANCE_SECONDS) return false
    offsetSeconds = date - now() / 1_000
    return true
  }

  async function send(path: string, body: string, accessToken: string | undefined): Promise<Response> {
    const proof = await prove({ method: 'POST', path, body, accessToken }, serverNow())
    return fetch(`${path}?projectId=${encodeURIComponent(projectId)}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'connect-protocol-version': '1',
        'x-project-id': projectId,
        dpop: proof,
        ...(accessToken === undefined ? {} : { authorization: `DPoP ${accessToken}` }),
      },
      body,
      credentials: 'omit',
      cache: 'no-store',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
  }

  return {
    now: serverNow,
    async call(path, request, accessToken) {
      const fullPath = `/hawser.${path.startsWith(SMART_SESSIONS) ? 'sessions' : 'wallet'}.v1.${path}`
      const body = JSON.stringify(request)
      let response: Response
      let text: string
      try {
        response = await send(fullPath, body, accessToken)
        if (response.status === 401 && adoptClock(response))
          response = await send(fullPath, body, accessToken)
        text = await response.text()
      } catch {
        throw new CallError('unavailable', failures.unknown)
      }
      if (!response.ok) throw errorOf(text)
      try {
        return JSON.parse(text)
      } catch {
        throw new CallError('internal', failures.unknown)
      }
    },
  }
}

/** Reads an error of the Connect protocol; a proxy's page has no text for people. */
function errorOf(body: string): CallError {
  try {
    const {
      code = 'unknown',
      message,
      details = [],
    } = JSON.parse(body) as { code?: string; message?: string; details?: readonly ErrorDetail[] }
    const retrySeconds = retrySecondsOf(details)
    // The text of the server may have the time of the day, in seconds since 1970.
    const text = retrySeconds ? `Please try again after ${retrySeconds} seconds` : message
    return new CallError(code, text || failures.unknown, reasonOf(details), retrySeconds)
  } catch {
    return new CallError('unavailable', failures.unknown)
  }
}
