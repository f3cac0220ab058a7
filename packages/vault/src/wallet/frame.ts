import type { AppMessage, Failure } from '@hawser/frame/protocol'
import { failures } from '../failures.ts'
import { createSiteContext, type FrameOptions, type Handlers, loadedHandlers } from './handlers/context.ts'
import { loginHandlers } from './handlers/login.ts'
import { networkHandlers } from './handlers/network.ts'
import { pageHandlers } from './handlers/page.ts'
import { rpcHandlers } from './handlers/rpc.ts'
import { userHandlers } from './handlers/user.ts'

/** Answers the messages of the embedding page. */
export function serveSite(options: FrameOptions): void {
  const { site } = options
  const handlers = handlersOf(options)
  site.listen(async ({ name, id, payload }: AppMessage) => {
    try {
      const handle = handlers[name] as (payload: unknown) => Promise<unknown>
      site.succeed(name, id, await handle(payload))
    } catch (error) {
      site.fail(name, id, failureOf(error, site.isLegacy))
    }
  })
}

function handlersOf(options: FrameOptions): Handlers {
  const context = createSiteContext(options)
  return {
    ...loginHandlers(context),
    ...userHandlers(context),
    ...loadedHandlers(
      ['UPDATE_EMAIL', 'UPDATE_EMAIL_PRIMARY_OTP', 'UPDATE_EMAIL_SECONDARY_OTP', 'AWAIT_UPDATE_EMAIL'],
      async () => (await import('./handlers/email.ts')).emailHandlers(context),
    ),
    ...loadedHandlers(['GET_CONTACTS', 'CHANGE_CONTACTS'], async () =>
      (await import('./handlers/contacts.ts')).contactsHandlers(context),
    ),
    ...networkHandlers(context),
    ...rpcHandlers(context),
    ...pageHandlers(context),
  }
}

/** What errors of the wallet, of services and of requests have beside their message. */
interface FailureParts {
  readonly message: string
  readonly key?: string
  readonly reason?: string
  readonly retrySeconds?: number
}

/**
 * Returns what a site learns of an error: its reason is the key of the wallet's own failure, or else that of a service. Older SDKs
 * know the message and the code alone.
 */
function failureOf(error: unknown, isLegacy: boolean): Failure {
  const {
    message,
    key,
    reason = '',
    retrySeconds = 0,
  }: FailureParts = error instanceof Error ? error : failures.unknown
  return {
    message,
    ...(isCoded(error) && { code: error.code }),
    ...(!isLegacy && { reason: key ?? reason, retrySeconds }),
  }
}

/** Errors of requests have the code of EIP-1193 or EIP-5792. */
function isCoded(error: unknown): error is { readonly code: number } {
  return (
    error instanceof Error &&
    'code' in error &&
    typeof error.code === 'number' &&
    !(error instanceof DOMException)
  )
}
