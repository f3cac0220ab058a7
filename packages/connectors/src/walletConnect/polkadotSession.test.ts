import type { Session, SignClient } from '@hawser/walletconnect'
import { describe, expect, it, vi } from 'vitest'
import { createPolkadotSession } from './polkadotSession.ts'

const POLKADOT = 'polkadot:91b171bb158e2d3848fa23a9f1c25182'
const ALICE = '15oF4uVJwmo4TdGW7VfQxNLavjCXviqxT9S1MgbjMNHr6Sp5'

function open(answer?: unknown) {
  const accounts = [`${POLKADOT}:${ALICE}`]
  const session = { topic: 'ab'.repeat(32), namespaces: { polkadot: { accounts, methods: [], events: [] } } }
  const request = vi.fn(async (_: Parameters<SignClient['request']>[0]) => answer)
  const openWallet = vi.fn()
  const provider = createPolkadotSession({
    client: { request } as unknown as SignClient,
    context: { openWallet },
    current: () => session as unknown as Session,
  })
  return { provider, request, openWallet }
}

describe('a Polkadot provider over a relay', () => {
  it('has the accounts of the session', async () => {
    expect(await open().provider.connect()).toEqual([{ address: ALICE, type: 'eoa' }])
  })

  it.each(['0xab01', 'ab01'])('has an extrinsic signed, which is answered as %s', async (signature) => {
    const { provider, request } = open({ signature })
    const payload = { method: '0x0500', nonce: '0x01' }
    expect(await provider.signPayload(ALICE, payload, POLKADOT)).toBe('0xab01')
    expect(request.mock.calls[0]?.[0]).toMatchObject({
      chainId: POLKADOT,
      method: 'polkadot_signTransaction',
      params: { address: ALICE, transactionPayload: { ...payload, address: ALICE } },
    })
  })

  it('has a message signed as a text, and opens the wallet for it', async () => {
    const { provider, request, openWallet } = open({ signature: '0xab01' })
    expect(await provider.signMessage(ALICE, new TextEncoder().encode('Grüße'))).toBe('0xab01')
    const [sent] = request.mock.calls[0] ?? []
    expect(sent).toMatchObject({
      method: 'polkadot_signMessage',
      params: { address: ALICE, message: 'Grüße' },
    })
    sent?.onSend?.(7)
    expect(openWallet).toHaveBeenCalledWith(expect.objectContaining({ id: 7, topic: 'ab'.repeat(32) }))
  })

  it.each([undefined, {}, { signature: '0x' }, { signature: 'xyz' }])(
    'refuses the answer %j',
    async (answer) => {
      await expect(open(answer).provider.signPayload(ALICE, {}, POLKADOT)).rejects.toThrow('no signature')
    },
  )
})
