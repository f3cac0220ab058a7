import type { Incoming } from './channel.ts'
import { SignError, signErrorCode } from './errors.ts'
import { allows } from './namespaces.ts'
import type { StoredSession } from './session.ts'
import type { WalletContext } from './walletContext.ts'

interface RequestParams {
  readonly chainId: string
  readonly request: { readonly method: string; readonly params: unknown; readonly expiryTimestamp?: number }
}

/** Shows a request of a site that its session allows. @throws SignError */
export function receiveRequest(
  { core, listener }: WalletContext,
  incoming: Incoming,
  session: StoredSession | undefined,
): void | Promise<void> {
  const { channel, environment } = core
  if (!session) throw new SignError(signErrorCode.noSession, 'no session with this topic')
  const { chainId, request } = incoming.params as RequestParams
  const expiresAt = request.expiryTimestamp === undefined ? undefined : request.expiryTimestamp * 1000
  if (expiresAt !== undefined && expiresAt <= environment.clock.now()) {
    throw new SignError(signErrorCode.requestExpired, 'the request has expired')
  }
  if (!allows(session.namespaces, 'methods', request.method, chainId)) {
    throw new SignError(signErrorCode.unauthorizedMethod, 'the session does not allow this method')
  }
  return listener.requested?.({
    session,
    id: incoming.id,
    chainId,
    method: request.method,
    params: request.params,
    expiresAt,
    respond: (result) => channel.answer(incoming, result),
    reject: (failure) => channel.refuse(incoming, failure),
  })
}
