import type { SignCore } from './core.ts'
import { SignError, signErrorCode } from './errors.ts'
import { SESSION_SECONDS } from './methods.ts'
import { type ApprovedNamespaces, allows, validateApproval } from './namespaces.ts'

const ACK_DEADLINE_MS = 30_000

/** Changes the accounts of a session; resolved when the site has confirmed. @throws SignError 8000 after 30 s */
export async function updateSession(
  core: SignCore,
  topic: string,
  namespaces: ApprovedNamespaces,
): Promise<void> {
  const { channel, environment } = core
  validateApproval(namespaces, core.session(topic).requiredNamespaces)
  const expiresAt = environment.clock.now() + ACK_DEADLINE_MS
  core.change(topic, { namespaces })
  await channel.request(topic, channel.nextId(), 'wc_sessionUpdate', { namespaces }, { expiresAt })
}

/** Extends a session to 7 days from now. @throws SignError 8000 after 30 s */
export async function extendSession(
  { channel, environment, change }: SignCore,
  topic: string,
): Promise<void> {
  const now = environment.clock.now()
  change(topic, { expiresAt: now + SESSION_SECONDS * 1000 })
  const options = { expiresAt: now + ACK_DEADLINE_MS }
  await channel.request(topic, channel.nextId(), 'wc_sessionExtend', {}, options)
}

/** Sends an event to the site. @throws SignError 3002 for an event that the session does not have */
export async function emitEvent(
  { channel, session }: SignCore,
  topic: string,
  event: { name: string; data: unknown },
  chainId: string,
): Promise<void> {
  const { namespaces, relayUrls } = session(topic)
  if (!allows(namespaces, 'events', event.name, chainId)) {
    throw new SignError(signErrorCode.unauthorizedEvent, 'the session does not have this event')
  }
  await channel.notify(topic, 'wc_sessionEvent', { event, chainId }, relayUrls)
}
