import type { AppMessage } from '@hawser/frame/protocol'
import { failures } from '../failures.ts'
import { createSiteContext, type FrameOptions, type Handlers } from './handlers/context.ts'
import { emailHandlers } from './handlers/email.ts'
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
      const message = error instanceof Error ? error.message : failures.unknown
      site.fail(name, id, isCoded(error) ? { message, code: error.code } : { message })
    }
  })
}

function handlersOf(options: FrameOptions): Handlers {
  const context = createSiteContext(options)
  return {
    ...loginHandlers(context),
    ...userHandlers(context),
    ...emailHandlers(context),
    ...networkHandlers(context),
    ...rpcHandlers(context),
    ...pageHandlers(context),
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
