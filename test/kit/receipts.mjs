/**
 * Hides transaction receipts from the page, as if no block came, until the returned function is called.
 *
 * @param {import('playwright-core').BrowserContext} context
 * @returns {Promise<() => Promise<void>>}
 */
export async function withholdReceipts(context) {
  const rpc = /\/v1\/?\?/
  /** @param {import('playwright-core').Route} route */
  const answer = (route) =>
    route.request().postData()?.includes('eth_getTransactionReceipt')
      ? route.fulfill({ json: { jsonrpc: '2.0', id: route.request().postDataJSON().id, result: null } })
      : route.continue()
  await context.route(rpc, answer)
  return () => context.unroute(rpc, answer)
}
