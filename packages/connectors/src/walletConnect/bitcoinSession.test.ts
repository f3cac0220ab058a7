import type { Session, SignClient } from '@hawser/walletconnect'
import { base64 } from '@scure/base'
import { describe, expect, it, vi } from 'vitest'
import { createBitcoinSession } from './bitcoinSession.ts'

const MAINNET = 'bip122:000000000019d6689c085ae165831e93'
const TESTNET = 'bip122:000000000933ea01ad0ee984209779ba'
const ALICE = 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu'
const LEGACY = '1LqBGSKuX5yYUonjxT5qGfpUsXKYYWeabA'
const TEST_ALICE = 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx'
const psbt = new Uint8Array([0x70, 0x73, 0x62, 0x74, 0xff])

function open(answer?: unknown) {
  const accounts = [`${MAINNET}:${ALICE}`, `${TESTNET}:${TEST_ALICE}`, `${MAINNET}:${LEGACY}`]
  const session = { topic: 'ab'.repeat(32), namespaces: { bip122: { accounts, methods: [], events: [] } } }
  const request = vi.fn(async (_: Parameters<SignClient['request']>[0]) => answer)
  const provider = createBitcoinSession({
    client: { request } as unknown as SignClient,
    context: { openWallet: vi.fn() },
    current: () => session as unknown as Session,
  })
  return { provider, request }
}

describe('a Bitcoin provider over a relay', () => {
  it('has the addresses of the network that is connected', async () => {
    const { provider } = open()
    expect(provider.networks).toEqual([MAINNET, TESTNET])
    expect(await provider.connect({ caipNetworkId: MAINNET })).toEqual([
      { address: ALICE, type: 'payment', label: 'Payments' },
      { address: LEGACY, type: 'payment', label: 'Payments' },
    ])
    expect(await provider.connect({ caipNetworkId: TESTNET })).toMatchObject([{ address: TEST_ALICE }])
  })

  it('has inputs signed, and nothing broadcast', async () => {
    const signed = new Uint8Array([...psbt, 1])
    const { provider, request } = open({ psbt: base64.encode(signed) })
    expect(await provider.signPsbt(ALICE, psbt, [0, 2], MAINNET)).toEqual(signed)
    expect(request.mock.calls[0]?.[0]).toMatchObject({
      chainId: MAINNET,
      method: 'signPsbt',
      params: {
        account: ALICE,
        psbt: base64.encode(psbt),
        signInputs: [
          { address: ALICE, index: 0, sighashTypes: [1] },
          { address: ALICE, index: 2, sighashTypes: [1] },
        ],
        broadcast: false,
      },
    })
  })

  it.each([
    [ALICE, 'bip322'],
    [LEGACY, 'ecdsa'],
  ])('has a message signed by %s as %s', async (address, protocol) => {
    const { provider, request } = open({ signature: '00ff' })
    expect(await provider.signMessage(address, 'Hello')).toBe('AP8=')
    expect(request.mock.calls[0]?.[0]).toMatchObject({
      method: 'signMessage',
      params: { account: address, address, message: 'Hello', protocol },
    })
  })

  it('takes a signature that the wallet answers in base64', async () => {
    const { provider } = open({ signature: 'AP8=' })
    expect(await provider.signMessage(ALICE, 'Hello')).toBe('AP8=')
  })

  it.each([undefined, {}, { signature: '' }, { signature: '?', psbt: '?' }])(
    'refuses the answer %j',
    async (answer) => {
      const { provider } = open(answer)
      await expect(provider.signMessage(ALICE, 'Hello')).rejects.toThrow('no signature')
      await expect(provider.signPsbt(ALICE, psbt, [0], MAINNET)).rejects.toThrow('no transaction')
    },
  )
})
