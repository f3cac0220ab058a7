import { describe, expect, it, vi } from 'vitest'
import { parseMessage } from './message.ts'
import { formatSiweMessage, type SiweOptions, siweToSiwx } from './siwe.ts'

const ADDRESS = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const account = { chainId: 'eip155:10', accountAddress: ADDRESS }

function open(options: Partial<SiweOptions> = {}) {
  let session: { address: string; chainId: number } | null = null
  const config: SiweOptions = {
    getNonce: async () => 'abcdefgh1234',
    getMessageParams: () => ({ domain: 'shop.example', uri: 'https://shop.example', statement: 'Welcome.' }),
    createMessage: formatSiweMessage,
    verifyMessage: async ({ signature }) => {
      if (signature === '0xbad') return false
      session = { address: ADDRESS, chainId: 10 }
      return true
    },
    getSession: async () => session,
    signOut: async () => {
      session = null
      return true
    },
    now: () => new Date('2026-01-01T00:00:00Z'),
    ...options,
  }
  const siwx = siweToSiwx(config)
  if (!siwx) throw new Error('not enabled')
  return siwx
}

describe("sign-in by a site's functions", () => {
  it('formats an ERC-4361 message', async () => {
    const message = await open().createMessage(account)
    expect(parseMessage(String(message))).toMatchObject({
      address: ADDRESS,
      chainId: '10',
      nonce: 'abcdefgh1234',
      statement: 'Welcome.',
      issuedAt: '2026-01-01T00:00:00.000Z',
    })
  })

  it('has the session that the site verified', async () => {
    const onSignIn = vi.fn()
    const onSignOut = vi.fn()
    const siwx = open({ onSignIn, onSignOut })
    const data = await siwx.createMessage(account)
    await siwx.addSession({ data, message: String(data), signature: '0x01' })
    expect(onSignIn).toHaveBeenCalledWith({ address: ADDRESS, chainId: 10 })
    expect(await siwx.getSessions('eip155:1', ADDRESS)).toHaveLength(1)
    expect(await siwx.getSessions('eip155:1', '0x70997970C51812dc3A010C7d01b50e0d17dc79C8')).toEqual([])
    await siwx.revokeSession('eip155:10', ADDRESS)
    expect(onSignOut).toHaveBeenCalledOnce()
    expect(await siwx.getSessions('eip155:10', ADDRESS)).toEqual([])
  })

  it('has none on another network if the site wants one session a network', async () => {
    const siwx = open({ signOutOnNetworkChange: true })
    const data = await siwx.createMessage(account)
    await siwx.addSession({ data, message: String(data), signature: '0x01' })
    expect(await siwx.getSessions('eip155:1', ADDRESS)).toEqual([])
    expect(await siwx.getSessions('eip155:10', ADDRESS)).toHaveLength(1)
  })

  it('rejects a signature that the site refuses', async () => {
    const siwx = open()
    const data = await siwx.createMessage(account)
    await expect(siwx.addSession({ data, message: String(data), signature: '0xbad' })).rejects.toThrow(
      'not accepted',
    )
  })

  it('is for EVM chains only', async () => {
    const solana = { chainId: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp', accountAddress: 'x' }
    await expect(open().createMessage(solana)).rejects.toThrow('not available')
    expect(await open().getSessions(solana.chainId, 'x')).toEqual([])
  })

  it('can be off', () => {
    expect(() => open({ enabled: false })).toThrow('not enabled')
  })
})
