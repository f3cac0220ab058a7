import { ProviderError } from '../pageWallet/providerError.ts'

const NODE_DEADLINE_MS = 10_000

/** Makes one JSON-RPC call. @throws ProviderError with the node's own code and message. */
export async function requestNode(url: string, method: string, params: readonly unknown[]): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    signal: AbortSignal.timeout(NODE_DEADLINE_MS),
  })
  const { error, result } = (await response.json()) as {
    error?: { code: number; message: string }
    result?: unknown
  }
  if (error) throw new ProviderError(error.code, error.message)
  return result
}
