import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { account, approved, connectPeers, createSite, createWallet, proposed } from '../testing/peers.ts'
import { createTestRelay } from '../testing/testRelay.ts'
import { formatCacaoMessage } from './cacao.ts'
import type { Cacao } from './session.ts'

beforeEach(() => void vi.useFakeTimers({ now: 1_700_000_000_000 }))
afterEach(() => void vi.useRealTimers())

describe('one-click authentication', () => {
  const authentication = {
    domain: 'site.test',
    aud: 'https://site.test',
    nonce: '12345678',
    iat: '2026-01-01T00:00:00.000Z',
    statement: 'Hello.',
  }

  function signed(nonce = authentication.nonce): Cacao {
    const resources = [recap]
    return {
      h: { t: 'caip122' },
      p: { ...authentication, nonce, version: '1', iss: `did:pkh:${account('eip155:1')}`, resources },
      s: { t: 'eip191', s: '0x' },
    }
  }
  let recap = ''

  async function authenticate(answer: () => Cacao) {
    const relay = createTestRelay()
    const site = createSite([relay])
    const pairing = site.pair({ optionalNamespaces: proposed, authentication })
    const wallet = createWallet([relay], {
      authenticate({ payload, approve }) {
        recap = payload.resources?.at(-1) ?? ''
        void approve([answer()], approved)
      },
    })
    wallet.pair(pairing.uri)
    return { site, wallet, session: await pairing.approval, pairing }
  }

  it('opens a session with the methods and accounts that were signed', async () => {
    const { session, pairing, site, wallet } = await authenticate(signed)
    expect(pairing.uri).toContain('&methods=wc_sessionAuthenticate')
    expect(session.cacaos).toEqual([signed()])
    expect(session.namespaces.eip155).toMatchObject({
      accounts: [account('eip155:1'), account('eip155:10')],
      methods: ['eth_sendTransaction', 'personal_sign'],
    })
    await site.ping(session.topic)
    await wallet.ping(session.topic)
  })

  it('refuses a message that was signed for another nonce', async () => {
    await expect(authenticate(() => signed('87654321'))).rejects.toMatchObject({ code: 7000 })
  })

  it('falls back to the proposal for a wallet that does not sign in', async () => {
    const { session } = await connectPeers([createTestRelay()], {}, { authentication })
    expect(session.cacaos).toBeUndefined()
    expect(session.namespaces).toEqual(approved)
  })

  it('is signed as an ERC-4361 message with the text of the recap', async () => {
    await authenticate(signed)
    expect(formatCacaoMessage(signed().p)).toBe(
      [
        'site.test wants you to sign in with your Ethereum account:',
        account('eip155:1').slice(9),
        '',
        "Hello. I further authorize the stated URI to perform the following actions on my behalf: (1) 'request': 'eth_sendTransaction', 'personal_sign' for 'eip155'.",
        '',
        'URI: https://site.test',
        'Version: 1',
        'Chain ID: 1',
        'Nonce: 12345678',
        'Issued At: 2026-01-01T00:00:00.000Z',
        'Resources:',
        `- ${recap}`,
      ].join('\n'),
    )
  })
})
