import type { Session, SignClient } from '@hawser/walletconnect'
import { base58, base64 } from '@scure/base'
import { describe, expect, it, vi } from 'vitest'
import { createSolanaSession } from './solanaSession.ts'

const MAINNET = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'
const DEVNET = 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1'
const ALICE = '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM'
const signature = new Uint8Array(64).fill(7)
const unsigned = new Uint8Array([1, ...new Uint8Array(64), 5, 6, 7])

function open(answer?: unknown) {
  const state = {
    session: {
      topic: 'ab'.repeat(32),
      namespaces: {
        eip155: { accounts: [`eip155:1:0x${'1'.repeat(40)}`], methods: [], events: [] },
        solana: { accounts: [`${MAINNET}:${ALICE}`, `${DEVNET}:${ALICE}`], methods: [], events: [] },
      },
    } as unknown as Session | undefined,
  }
  const request = vi.fn(async (_: Parameters<SignClient['request']>[0]) => answer)
  const client = { request } as unknown as SignClient
  const provider = createSolanaSession({
    client,
    context: { openWallet: vi.fn() },
    current: () => state.session,
  })
  return { provider, request, state }
}

describe('a Solana provider over a relay', () => {
  it('has the Solana accounts of the session, once each, and its networks', async () => {
    const { provider } = open()
    expect(await provider.connect()).toEqual([{ address: ALICE, type: 'eoa' }])
    expect(provider.networks).toEqual([MAINNET, DEVNET])
  })

  it('sends a transaction to the wallet for the network of the transfer', async () => {
    const { provider, request } = open({ signature: base58.encode(signature) })
    await provider.signTransaction?.(ALICE, unsigned, DEVNET)
    expect(request).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({
        chainId: DEVNET,
        method: 'solana_signTransaction',
        params: { pubkey: ALICE, feePayer: ALICE, transaction: base64.encode(unsigned) },
      }),
    )
  })

  it('requests from an older wallet by the id that it approved', async () => {
    const { provider, request, state } = open({ signature: base58.encode(signature) })
    const older = 'solana:4sGjMW1sUnHzSxGspuhpqLDx6wiyjNtZ'
    const namespaces = { solana: { accounts: [`${older}:${ALICE}`], methods: [], events: [] } }
    state.session = { topic: 'ab'.repeat(32), namespaces } as unknown as Session
    expect(provider.networks).toEqual([MAINNET])
    await provider.signTransaction?.(ALICE, unsigned, MAINNET)
    expect(request.mock.calls[0]?.[0]).toMatchObject({ chainId: older })
  })

  it('puts the signature into a transaction that the wallet did not return', async () => {
    const { provider } = open({ signature: base58.encode(signature) })
    const signed = await provider.signTransaction?.(ALICE, unsigned, MAINNET)
    expect(signed).toEqual(new Uint8Array([1, ...signature, 5, 6, 7]))
    expect(unsigned[1]).toBe(0)
  })

  it('takes the whole transaction of a wallet that returns it', async () => {
    const whole = new Uint8Array([1, ...signature, 9])
    const { provider } = open({ signature: 'x', transaction: base64.encode(whole) })
    expect(await provider.signTransaction?.(ALICE, unsigned, MAINNET)).toEqual(whole)
  })

  it('signs a message, which is sent in base58', async () => {
    const { provider, request } = open({ signature: base58.encode(signature) })
    expect(await provider.signMessage(ALICE, new Uint8Array([1, 2]))).toEqual(signature)
    expect(request.mock.calls[0]?.[0]).toMatchObject({
      method: 'solana_signMessage',
      params: { pubkey: ALICE, message: base58.encode(new Uint8Array([1, 2])) },
    })
  })

  it.each([undefined, null, {}, { signature: 'not base58: 0OIl' }, { signature: base58.encode(unsigned) }])(
    'refuses the answer %j, which has no signature',
    async (answer) => {
      const { provider } = open(answer)
      await expect(provider.signMessage(ALICE, unsigned)).rejects.toThrow('no signature')
    },
  )

  it('reports changes of the session, and its end', async () => {
    const { provider, state } = open()
    const listener = vi.fn()
    const stop = provider.onAccounts(listener)
    provider.changed()
    state.session = undefined
    provider.changed()
    expect(listener.mock.calls).toEqual([[[{ address: ALICE, type: 'eoa' }]], [[]]])
    stop()
    provider.changed()
    expect(listener).toHaveBeenCalledTimes(2)
    await expect(provider.signMessage(ALICE, unsigned)).rejects.toMatchObject({ code: 4100 })
  })
})
