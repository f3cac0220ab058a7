import { expect, it } from 'vitest'
import { type QuoteChange, watchQuote } from './watchQuote.ts'

const END = 2

function sent(message: unknown, flags = 0): Uint8Array<ArrayBuffer> {
  const body = new TextEncoder().encode(JSON.stringify(message))
  return new Uint8Array([flags, ...[24, 16, 8, 0].map((shift) => body.length >> shift), ...body])
}

/** All that a gateway with these messages tells, and the request it got. */
async function hear(messages: readonly unknown[]) {
  let request: Request | undefined
  const fetch: typeof globalThis.fetch = async (input, init) => {
    request = new Request(input, { ...init, signal: null })
    const bytes = [...messages.map((message) => sent(message)), sent({}, END)]
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const piece of bytes) controller.enqueue(piece)
        controller.close()
      },
    })
    return new Response(body, { headers: { 'content-type': 'application/connect+json' } })
  }
  const options = {
    baseUrl: 'https://gateway.test',
    projectId: '00000000000000000000000000000001',
    signal: new AbortController().signal,
    fetch,
  }
  const changes: QuoteChange[] = []
  const question = { amount: '5', from: 'eip155:1:0xa', to: 'eip155:1:0xb' }
  for await (const change of watchQuote(options, question)) changes.push(change)
  return { changes, request }
}

it('asks for the swap, whoever the spender', async () => {
  const { request } = await hear([])
  expect(request?.url).toBe('https://gateway.test/hawser.convert.v1.QuoteService/WatchQuote')
  const bytes = new Uint8Array((await request?.arrayBuffer()) ?? new ArrayBuffer(0))
  expect(bytes).toEqual(
    sent({ swap: { amount: '5', from: 'eip155:1:0xa', to: 'eip155:1:0xb', spender: 'any' } }),
  )
})

it('tells quotes with what a message leaves out, absences and signs of life', async () => {
  const { changes } = await hear([
    {
      block: '7',
      quote: { id: 'q', toAmount: '123456789012345678901', route: [{ hops: [{ pool: '0x1' }] }] },
    },
    { block: '8', absence: { code: 'LIQUIDITY_INSUFFICIENT' } },
    { block: '9', alive: {} },
  ])
  expect(changes).toMatchObject([
    {
      kind: 'quote',
      block: 7n,
      quote: {
        toAmount: '123456789012345678901',
        confirmed: false,
        networkFee: '0',
        route: [{ share: 0, hops: [{ pool: '0x1', fee: 0 }] }],
      },
    },
    { kind: 'absence', block: 8n, code: 'LIQUIDITY_INSUFFICIENT' },
    { kind: 'alive', block: 9n },
  ])
})
