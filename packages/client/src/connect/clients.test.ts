import { Code, ConnectError } from '@connectrpc/connect'
import { expect, test } from 'vitest'
import { createClients } from './clients.ts'

const projectId = '00000000000000000000000000000001'

function answering(status: number, body: unknown) {
  const asked: Request[] = []
  const fetch: typeof globalThis.fetch = async (input, init) => {
    asked.push(new Request(input, init))
    return new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } })
  }
  return { asked, fetch }
}

test('a call names its project and reads the answer into its type', async () => {
  const { asked, fetch } = answering(200, {
    balances: [{ symbol: 'ETH', quantity: { decimals: '18', numeric: '1.000000000000000001' } }],
  })
  const { balances } = createClients({ baseUrl: 'https://gateway.test', projectId, fetch })

  const answer = await balances.getBalance({ address: '0x0', currency: 'usd' })

  expect(answer.balances[0]?.quantity?.numeric).toBe('1.000000000000000001')
  expect(answer.balances[0]?.address).toBeUndefined()
  expect(asked[0]?.url).toBe('https://gateway.test/hawser.balances.v1.BalancesService/GetBalance')
  expect(asked[0]?.headers.get('hawser-project-id')).toBe(projectId)
})

test('a refusal is a ConnectError with its code and text', async () => {
  const { fetch } = answering(401, {
    code: 'unauthenticated',
    message: 'We failed to authenticate your request',
  })
  const { chains } = createClients({ baseUrl: 'https://gateway.test', projectId, fetch })

  const refusal = await chains.listNetworks({}).catch((error) => error)

  expect(refusal).toBeInstanceOf(ConnectError)
  expect(refusal.code).toBe(Code.Unauthenticated)
  expect(refusal.rawMessage).toBe('We failed to authenticate your request')
})
