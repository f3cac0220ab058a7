import { describe, expect, it, vi } from 'vitest'
import { closeModal, openModal } from '../modal/modal.ts'
import { CO_SIGNER, CONTEXT, DELEGATE, listedSession, MANAGER, PCI } from '../testing/fakeSessions.ts'
import { ALICE, walletError } from '../testing/fakeWallet.ts'
import { createConnectedKit, type Kit } from '../testing/kit.ts'
import { SIGNATURE } from '../testing/owning.ts'
import type { SmartSession, SmartSessionRequest } from '../types/smartSessions.ts'
import { grantPermissions } from './grant.ts'
import { fetchSmartSessions } from './list.ts'
import { revokeSmartSession } from './revoke.ts'
import { createSubscription } from './subscription.ts'

const features = { smartSessions: true }
const key = { type: 'secp256k1', publicKey: `0x02${'cd'.repeat(32)}` } as const

/** Returns a request for one coffee a day, until tomorrow. */
function requestOf({ hawser, clock }: Kit): SmartSessionRequest {
  const expiry = Math.floor(clock.now() / 1_000) + 86_400
  return createSubscription(hawser, { key, amount: 10n ** 16n, interval: '1d', expiry })
}

/** Creates a kit whose wallet grants half of what is requested. */
async function granting(): Promise<Kit> {
  const kit = await createConnectedKit({ features })
  kit.wallet.answers.wallet_grantPermissions = (params) => {
    const [{ permissions, expiry }] = params as [SmartSessionRequest]
    const [{ type, data } = {}] = permissions as unknown as { type: string; data: object }[]
    return {
      context: CONTEXT,
      expiry: expiry - 1,
      permissions: [{ type, data: { ...data, allowance: '0x1' } }],
    }
  }
  kit.wallet.answers.eth_signTypedData_v4 = () => SIGNATURE
  return kit
}

const asked = ({ wallet }: Kit, wanted: string) =>
  wallet.calls.filter(({ method }) => method === wanted).map(({ params }) => params)

describe('a grant', () => {
  it('requests the session with the key of the co-signer in front, and activates what was granted', async () => {
    const kit = await granting()
    const request = requestOf(kit)
    const grant = await grantPermissions(kit.hawser, request)
    expect(asked(kit, 'wallet_grantPermissions')).toMatchObject([
      [
        {
          address: ALICE,
          chainId: '0x7a69',
          signer: { type: 'keys', data: { keys: [CO_SIGNER, key] } },
          permissions: request.permissions,
          pci: PCI,
          to: DELEGATE,
        },
      ],
    ])
    const granted = [{ type: 'native-token-recurring-allowance', data: { allowance: '0x1' } }]
    expect(kit.gateway.sessions.requests).toMatchObject([
      { path: 'create', body: { permissions: request.permissions, signer: { data: { keys: [key] } } } },
      {
        path: 'activate',
        body: {
          pci: PCI,
          context: CONTEXT,
          expiry: request.expiry - 1,
          permissions: granted,
          signer: { data: { keys: [CO_SIGNER, key] } },
        },
      },
    ])
    expect(grant).toMatchObject({ context: PCI, permissions: granted, signer: { data: { keys: [key] } } })
    expect(kit.hawser.modal.getState().open).toBe(true)
    expect(kit.hawser.router.getState().view).toBe('SmartSessionCreated')
  })

  it('names the key of the site alone where no co-signer is required', async () => {
    const kit = await granting()
    kit.gateway.sessions.isCoSigned = false
    await grantPermissions(kit.hawser, requestOf(kit))
    expect(asked(kit, 'wallet_grantPermissions')).toMatchObject([[{ signer: { data: { keys: [key] } } }]])
  })

  it('that the visitor declines activates nothing', async () => {
    const kit = await granting()
    kit.wallet.answers.wallet_grantPermissions = () => {
      throw walletError(4001, 'User rejected the request.')
    }
    await expect(grantPermissions(kit.hawser, requestOf(kit))).rejects.toMatchObject({ code: 4001 })
    expect(kit.gateway.sessions.requests.map(({ path }) => path)).toEqual(['create'])
  })

  it.each([
    ['another network', { chainId: '0x1' }],
    ['another account', { address: `0x${'11'.repeat(20)}` }],
    ['a time that is over', { expiry: 1 }],
    ['milliseconds', { expiry: 1.5e12 + 0.5 }],
    ['nothing', { permissions: [] }],
    ['no key', { signer: { type: 'keys', data: { keys: [] } } }],
  ] as const)('is not requested for %s', async (_, change) => {
    const kit = await granting()
    const request = { ...requestOf(kit), ...change } as SmartSessionRequest
    await expect(grantPermissions(kit.hawser, request)).rejects.toMatchObject({ name: 'SmartSessionError' })
    expect(kit.gateway.sessions.requests).toEqual([])
  })

  it.each([[undefined], [{}], [{ context: '0x' }], [{ context: CONTEXT, expiry: 5 }], ['0x00']])(
    'is not activated with the answer %j',
    async (answer) => {
      const kit = await granting()
      kit.wallet.answers.wallet_grantPermissions = () => answer
      await expect(grantPermissions(kit.hawser, requestOf(kit))).rejects.toThrow('granted no session')
    },
  )

  it('needs the feature', async () => {
    const { hawser } = await createConnectedKit()
    await expect(fetchSmartSessions(hawser)).rejects.toThrow('smartSessions is off')
  })
})

describe('a subscription', () => {
  it.each([
    ['1s', 1],
    ['1d', 86_400],
    ['1w', 604_800],
    ['1m', 2_592_000],
  ] as const)('of %s has its times in seconds', async (interval, period) => {
    const { hawser } = await createConnectedKit({ features })
    const expiry = 1_700_000_100
    const token = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
    const start = 1_700_000_000
    expect(createSubscription(hawser, { key, token, amount: 255n, interval, start, expiry })).toEqual({
      chainId: '0x7a69',
      expiry,
      signer: { type: 'keys', data: { keys: [key] } },
      permissions: [{ type: 'erc20-recurring-allowance', data: { token, allowance: '0xff', start, period } }],
      policies: [],
    })
  })
})

it('a subscription starts before the newest block of a chain that is a minute behind', async () => {
  const { hawser, clock } = await createConnectedKit({ features })
  const { permissions } = createSubscription(hawser, {
    key,
    amount: 1n,
    interval: '1d',
    expiry: 1_700_000_100,
  })
  expect(permissions).toMatchObject([{ data: { start: Math.floor(clock.now() / 1_000) - 60 } }])
})

describe('the list', () => {
  it('is read with a signature of the account, for one use', async () => {
    const kit = await granting()
    kit.gateway.sessions.listed = [
      listedSession(),
      listedSession({ pci: '2', state: 'SESSION_STATE_PENDING' }),
      listedSession({
        pci: '3',
        state: 'SESSION_STATE_REVOKED',
        revokedAt: 1_700_000_500,
        allowances: [{ spent: null }],
      }),
    ]
    const sessions = await fetchSmartSessions(kit.hawser)
    expect(sessions).toMatchObject([
      {
        pci: PCI,
        status: 'active',
        project: { name: 'Coffee', url: 'https://coffee.test' },
        allowances: [{ allowed: 10n ** 16n, spent: 4n * 10n ** 15n, period: 86_400 }],
      },
      { pci: '3', status: 'revoked', revokedAt: 1_700_000_500, allowances: [{ spent: undefined }] },
    ])
    const [[from, typedData]] = asked(kit, 'eth_signTypedData_v4') as [[string, string]]
    const { domain, primaryType, message } = JSON.parse(typedData)
    expect(from).toBe(ALICE)
    expect({ domain, primaryType }).toEqual({
      domain: {
        name: `Hawser Sessions at ${new URL(kit.hawser.options.getState().baseUrl).origin}`,
        version: '1',
        chainId: 31337,
      },
      primaryType: 'ListSessions',
    })
    const { nonce, deadline } = message
    expect(kit.gateway.sessions.requests).toMatchObject([
      { path: 'list', body: { proof: { signature: SIGNATURE, nonce, deadline } } },
    ])
    await fetchSmartSessions(kit.hawser)
    const [, second] = kit.gateway.sessions.requests
    expect(second?.body).toMatchObject({ proof: { nonce: expect.not.stringContaining(nonce) } })
  })

  it('is read page by page, up to the sessions that were only requested', async () => {
    const kit = await granting()
    const pending = { state: 'SESSION_STATE_PENDING' }
    kit.gateway.sessions.pageSize = 2
    kit.gateway.sessions.listed = ['1', '2', '3', '4', '5', '6'].map((pci) =>
      listedSession({ pci, ...(pci > '3' && pending) }),
    )
    const sessions = await fetchSmartSessions(kit.hawser)
    expect(sessions.map(({ pci }) => pci)).toEqual(['1', '2', '3'])
    const nonces = asked(kit, 'eth_signTypedData_v4').map((params) => {
      const [, typedData] = params as [string, string]
      return JSON.parse(typedData).message.nonce
    })
    expect(new Set(nonces).size).toBe(2)
    expect(kit.gateway.sessions.requests).toMatchObject([{ path: 'list' }, { body: { pageToken: '2' } }])
  })

  it('that cannot be read says so, and keeps what was read', async () => {
    const kit = await granting()
    kit.gateway.sessions.listed = [listedSession()]
    await fetchSmartSessions(kit.hawser)
    kit.gateway.sessions.refusals.list = { status: 503, reason: 'unavailable' }
    openModal(kit.hawser)
    await fetchSmartSessions(kit.hawser)
    expect(kit.hawser.toast.getState().message).toBe('Error fetching smart sessions')
    expect(kit.hawser.smartSessions.getState()).toMatchObject({ status: 'failed', sessions: [{ pci: PCI }] })
    closeModal(kit.hawser)
  })
})

describe('a revocation', () => {
  async function listing(): Promise<{ kit: Kit; session: SmartSession; status: () => string | undefined }> {
    const kit = await granting()
    kit.gateway.sessions.listed = [listedSession()]
    const [session] = await fetchSmartSessions(kit.hawser)
    if (!session) throw new Error('no session is listed')
    return { kit, session, status: () => kit.hawser.smartSessions.getState().sessions[0]?.status }
  }
  const unknownMethod = () => {
    throw walletError(4200, 'The method is not supported')
  }

  it('is signed, sent to the chain, and complete once the chain says so', async () => {
    const { kit, session, status } = await listing()
    kit.wallet.answers.wallet_revokePermissions = unknownMethod
    let isDisabled = false
    kit.gateway.node.eth_call = () => `0x${(isDisabled ? '1' : '0').padStart(64, '0')}`
    expect(await revokeSmartSession(kit.hawser, session)).toBe(true)
    expect(status()).toBe('revoking')
    expect(kit.gateway.sessions.requests.at(-1)).toMatchObject({
      path: 'revoke',
      body: { pci: PCI, proof: { signature: SIGNATURE } },
    })
    const typed = JSON.parse((asked(kit, 'eth_signTypedData_v4').at(-1) as [string, string])[1])
    expect(typed).toMatchObject({ primaryType: 'RevokeSession', message: { pci: PCI, account: ALICE } })
    await vi.waitFor(() => expect(asked(kit, 'eth_sendTransaction')).toHaveLength(1))
    const [[sent]] = asked(kit, 'eth_sendTransaction') as [[{ to: string; data: string }]]
    expect(sent).toMatchObject({ to: MANAGER })
    // disableDelegation with the only delegation of the context.
    expect(sent.data).toBe(`0x49934047${'20'.padStart(64, '0')}${'7'.padStart(64, '0')}`)
    await kit.clock.advance(4_000)
    expect(status()).toBe('revoking')
    isDisabled = true
    await kit.clock.advance(4_000)
    await vi.waitFor(() => expect(status()).toBe('revoked'))
  })

  it('is left to a wallet that disables the delegation itself', async () => {
    const { kit, session, status } = await listing()
    kit.wallet.answers.wallet_revokePermissions = () => ({})
    kit.gateway.node.eth_call = () => `0x${'1'.padStart(64, '0')}`
    expect(await revokeSmartSession(kit.hawser, session)).toBe(true)
    await vi.waitFor(() => expect(status()).toBe('revoked'))
    expect(asked(kit, 'eth_sendTransaction')).toEqual([])
    expect(kit.gateway.sessions.requests.some(({ path }) => path === 'revoke')).toBe(false)
  })

  it('passes on the signature of a wallet that returns one', async () => {
    const { kit, session } = await listing()
    kit.wallet.answers.wallet_revokePermissions = () => SIGNATURE
    await revokeSmartSession(kit.hawser, session)
    expect(kit.gateway.sessions.requests.at(-1)).toMatchObject({
      path: 'revoke',
      body: { signature: SIGNATURE },
    })
  })

  it('of a session that was revoked on another page is followed until it is disabled on chain', async () => {
    const { kit, session, status } = await listing()
    kit.wallet.answers.wallet_revokePermissions = () => SIGNATURE
    kit.gateway.sessions.refusals.revoke = { status: 400, reason: 'SESSION_REVOKED' }
    expect(await revokeSmartSession(kit.hawser, session)).toBe(true)
    expect(status()).toBe('revoking')
  })

  it('that fails says so, and the session stays', async () => {
    const { kit, session, status } = await listing()
    kit.wallet.answers.wallet_revokePermissions = unknownMethod
    kit.gateway.sessions.refusals.revoke = { status: 503, reason: 'unavailable' }
    expect(await revokeSmartSession(kit.hawser, session)).toBe(false)
    expect(kit.hawser.toast.getState().message).toBe('Error revoking smart session')
    expect(status()).toBe('active')
  })
})
