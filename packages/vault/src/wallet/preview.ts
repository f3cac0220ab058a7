import type { SimulateRequestJson, SimulateResponseJson } from '@hawser/client/preview'
import type { ApprovalView } from './approvalView.ts'
import { FrameError, providerErrorCode } from './frameError.ts'
import { type Bound, previewBounds } from './previewBounds.gen.ts'
import { type Fees, priceOf } from './transaction.ts'

export type Preview = SimulateResponseJson

const TIMEOUT_MS = 10_000
const PATH = '/hawser.preview.v1.PreviewService/Simulate'

export interface PreviewOptions {
  readonly projectId: string
  readonly fetch: typeof fetch
}

/** Returns what a request would do, by `hawser.preview.v1`. Undefined when the service does not answer or refuses, and for a revocation. */
export async function loadPreview(
  { projectId, fetch }: PreviewOptions,
  view: ApprovalView,
): Promise<Preview | undefined> {
  const request = previewRequest(view)
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

/** What the service is asked; `transactions` are those of a request of Solana that has several. */
type PreviewRequest = SimulateRequestJson & { readonly transactions?: readonly string[] }

/**
 * Returns the request for the preview of what a view shows: exactly what is signed. Undefined for a revocation, which the frame composes itself.
 *
 * @throws FrameError -32602 for content that the network has not
 */
function previewRequest({
  chainId,
  address: account,
  site: origin,
  content,
}: ApprovalView): PreviewRequest | undefined {
  const request = { chainId, account, origin }
  const isSolana = chainId.startsWith('solana:')
  if (!isSolana && !chainId.startsWith('eip155:')) throw notOnNetwork()
  if (content.kind === 'message') return { ...request, message: content.hex }
  if (isSolana !== (content.kind === 'solanaTransactions')) throw notOnNetwork()
  switch (content.kind) {
    case 'typedData':
      return { ...request, typedData: JSON.stringify(content.data) }
    case 'calls': {
      const calls = content.calls.map(({ to = '', value, data, gas }) => ({
        to,
        value: value.toString(),
        data,
        ...(gas === undefined ? {} : { gas: gas.toString() }),
      }))
      const { delegate, fees, isAtomic } = content
      return {
        ...request,
        calls,
        ...(isAtomic ? { atomic: true } : {}),
        ...(delegate ? { delegate } : {}),
        ...(fees ? feesRequest(fees) : {}),
      }
    }
    case 'solanaTransactions': {
      const transactions = content.transactions.map(({ transaction }) => transaction)
      const [only = '', ...others] = transactions
      return others.length === 0 ? { ...request, transaction: only } : { ...request, transactions }
    }
    case 'revocation':
      return undefined
  }
}

/** A legacy transaction pays its price whatever the base fee is. */
function feesRequest(fees: Fees): Pick<SimulateRequestJson, 'maxFeePerGas' | 'maxPriorityFeePerGas'> {
  const most = priceOf(fees)
  const priority = fees.type === 'legacy' ? most : fees.maxPriorityFeePerGas
  return { maxFeePerGas: most.toString(), maxPriorityFeePerGas: priority.toString() }
}

const notOnNetwork = () =>
  new FrameError('The network cannot do what is requested', providerErrorCode.invalidParams)

/** The bounds of each field. Transactions in a list have those of a single one. */
const bounds: Readonly<Record<string, Bound>> = {
  transactions: { ...previewBounds.transaction, maxItems: 10 },
  ...previewBounds,
}

/**
 * Refuses what the service would not preview. `view` is what to show.
 *
 * @throws FrameError -32602, or 5740 for too many calls
 */
export function expectPreviewable(view: ApprovalView): void {
  expectWithin('', previewRequest(view) ?? {})
}

/** Refuses a value over the bounds of its field, or with a part that is over those of its own. */
function expectWithin(name: string, value: unknown): void {
  const bound = bounds[name] ?? {}
  if (Array.isArray(value)) {
    if (value.length > (bound.maxItems ?? value.length)) throw tooLarge(name)
    for (const item of value) expectWithin(name, item)
  } else if (typeof value === 'object' && value !== null) {
    for (const [field, part] of Object.entries(value)) expectWithin(field, part)
  } else expectText(name, String(value), bound)
}

function expectText(name: string, text: string, { maxBytes, maxLen, pattern }: Bound): void {
  const size = maxBytes === undefined ? text.length : new TextEncoder().encode(text).length
  if (size > (maxBytes ?? maxLen ?? size)) throw tooLarge(name)
  if (pattern !== undefined && !new RegExp(pattern).test(text))
    throw new FrameError('The request is malformed', providerErrorCode.invalidParams)
}

function tooLarge(name: string): FrameError {
  return name === 'calls'
    ? new FrameError('Too many calls', providerErrorCode.bundleTooLarge)
    : new FrameError('The request is too large to be checked', providerErrorCode.invalidParams)
}
