import type { SimulateRequestJson, SimulateResponseJson } from '@hawser/client/preview'
import type { ApprovalView } from './approvalView.ts'

export type Preview = SimulateResponseJson

const TIMEOUT_MS = 10_000
const PATH = '/hawser.preview.v1.PreviewService/Simulate'

export interface PreviewOptions {
  readonly projectId: string
  readonly fetch: typeof fetch
}

/**
 * Returns what a request would do, by `hawser.preview.v1`. Undefined for a network that it does not support,
 * and when it cannot be reached: the request is then shown without a preview.
 */
export async function loadPreview(
  { projectId, fetch }: PreviewOptions,
  view: ApprovalView,
): Promise<Preview | undefined> {
  const request = requestOf(view)
  if (!request) return undefined
  try {
    const response = await fetch(`${PATH}?projectId=${encodeURIComponent(projectId)}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'connect-protocol-version': '1' },
      body: JSON.stringify(request),
      credentials: 'omit',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    return response.ok ? await response.json() : undefined
  } catch {
    return undefined
  }
}

function requestOf({
  chainId,
  address: account,
  site: origin,
  content,
}: ApprovalView): SimulateRequestJson | undefined {
  const request = { chainId, account, origin }
  if (chainId.startsWith('solana:')) {
    const [only, ...others] = content.kind === 'solanaTransactions' ? content.transactions : []
    // What a transaction does depends on those before it.
    return only && others.length === 0 ? { ...request, transaction: only.transaction } : undefined
  }
  if (!chainId.startsWith('eip155:')) return undefined
  switch (content.kind) {
    case 'message':
      return { ...request, message: content.hex }
    case 'typedData':
      return { ...request, typedData: JSON.stringify(content.data) }
    case 'calls': {
      const calls = content.calls.map(({ to = '', value, data }) => ({ to, value: value.toString(), data }))
      return { ...request, calls, ...(content.delegate ? { delegate: content.delegate } : {}) }
    }
    case 'revocation':
    case 'solanaTransactions':
      return undefined
  }
}
