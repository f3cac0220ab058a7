import type { Handlers, SiteContext } from './context.ts'

/** Returns the handlers of JSON-RPC requests. */
export function rpcHandlers(context: SiteContext): Handlers<'RPC_REQUEST' | 'RPC_ABORT'> {
  let loadedRequests: ReturnType<typeof loadRequests> | undefined
  return {
    async RPC_REQUEST(request) {
      loadedRequests ??= loadRequests(context)
      return (await loadedRequests)(request)
    },
    async RPC_ABORT() {
      context.approvals.rejectAll()
      return undefined
    },
  }
}

/** Loads the code of signing, which comes with the first request. */
async function loadRequests({ vault, node, approvals, site, state, ...context }: SiteContext) {
  const [{ createRequests }, smartAccounts] = await Promise.all([
    import('../requests.ts'),
    context.smartAccounts(),
  ])
  return createRequests({
    vault,
    node,
    approvals,
    site: site.origin,
    network: () => state.network,
    isListed: context.isListed,
    smartAccounts,
    bundler: context.bundler,
    preferredAccount: () => state.preferred,
    now: Date.now,
  })
}
