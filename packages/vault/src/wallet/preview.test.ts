import { expect, it, vi } from 'vitest'
import type { ApprovalView } from './approvalView.ts'
import { loadPreview } from './preview.ts'

const view = (content: ApprovalView['content'], chainId = 'eip155:1'): ApprovalView => ({
  site: 'https://shop.example',
  chainId,
  address: '0x1',
  content,
})

/** Loads the preview of a view from a service with one answer; returns it with the requests. */
async function load(of: ApprovalView, answer = Response.json({ outcome: 'OUTCOME_SUCCEEDS' })) {
  const fetch = vi.fn(async (_: unknown, init?: RequestInit) => {
    requests.push(JSON.parse(String(init?.body)))
    return answer
  })
  const requests: unknown[] = []
  return {
    preview: await loadPreview({ projectId: 'p1', fetch: fetch as typeof globalThis.fetch }, of),
    requests,
  }
}

const own = { chainId: 'eip155:1', account: '0x1', origin: 'https://shop.example' }

it('requests what calls would do, with the code that the account is to run', async () => {
  const calls = [{ to: '0x2', value: 10n ** 18n, data: '0x12' }]
  const content = {
    kind: 'calls',
    calls,
    isAtomic: true,
    maxFee: 1n,
    isHighFee: false,
    delegate: '0x3',
  } as const
  const { preview, requests } = await load(view(content))
  expect(preview).toEqual({ outcome: 'OUTCOME_SUCCEEDS' })
  expect(requests).toEqual([
    {
      ...own,
      calls: [{ to: '0x2', value: '1000000000000000000', data: '0x12' }],
      atomic: true,
      delegate: '0x3',
    },
  ])
})

it('requests what a message and typed data say', async () => {
  const message = await load(view({ kind: 'message', text: 'a', hex: '0x61' }))
  expect(message.requests).toEqual([{ ...own, message: '0x61' }])
  const data = { domain: {}, types: {}, primaryType: 'Order', message: { amount: '1' } }
  const typed = await load(view({ kind: 'typedData', data }))
  expect(typed.requests).toEqual([{ ...own, typedData: JSON.stringify(data) }])
})

const solana = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'

it('requests what transactions of Solana would do in their order', async () => {
  const transaction = { transaction: 'AQ==', message: { feePayer: '1', maxFee: 5000n, instructions: [] } }
  const { requests } = await load(view({ kind: 'solanaTransactions', transactions: [transaction] }, solana))
  expect(requests).toEqual([{ ...own, chainId: solana, transaction: 'AQ==' }])
  const second = { ...transaction, transaction: 'Ag==' }
  const several = await load(
    view({ kind: 'solanaTransactions', transactions: [transaction, second] }, solana),
  )
  expect(several.requests).toEqual([{ ...own, chainId: solana, transactions: ['AQ==', 'Ag=='] }])
})

it('requests what a message of Solana says', async () => {
  const { requests } = await load(view({ kind: 'message', text: 'a', hex: '0x61' }, solana))
  expect(requests).toEqual([{ ...own, chainId: solana, message: '0x61' }])
})

it('is undefined for a revocation, and for a service that refuses', async () => {
  const revocation = await load(view({ kind: 'revocation', delegate: '', operation: undefined }))
  expect(revocation).toEqual({ preview: undefined, requests: [] })
  const refused = await load(
    view({ kind: 'message', text: 'a', hex: '0x61' }),
    new Response('{}', { status: 503 }),
  )
  expect(refused.preview).toBeUndefined()
})
