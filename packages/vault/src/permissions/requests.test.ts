import { describe, expect, it, vi } from 'vitest'
import type { BundlerClient } from '../smartAccount/bundlerClient.ts'
import type { SmartAccounts } from '../smartAccount/smartAccount.ts'
import type { Grant, SmartSession } from '../vault/grantVault.ts'
import type { Vault } from '../vault/vault.ts'
import { createApprovals, type Sheet } from '../wallet/approvals.ts'
import { createRequests } from '../wallet/requests.ts'
import { decodeContext } from './delegation.ts'
import { execute } from './grant.ts'
import vectors from './vectors.json' with { type: 'json' }

const ADDRESS = '0x9858EfFD232B4033E47d90003D41EC34EcaEda94'
const PCI = '00000000-0000-0000-0000-000000000000'
const DELEGATE = `0x${'d'.repeat(40)}`
const NOW = vectors.now
const [first] = vectors.cases
const CODE = `0x${'c'.repeat(40)}`
/** An operation that makes the account a smart account again. */
const operation = {
  owner: ADDRESS,
  operation: { maxFeePerGas: '0x3', maxPriorityFeePerGas: '0x1' },
  maxFee: 700n,
  delegate: CODE,
}
const granted = { context: String(first?.delegation.context) }

/**
 * Creates a frame whose user answers each sheet by `decide`; the account is a smart account with these
 * sessions.
 */
function setUp(
  decide: (sheet: Sheet) => void,
  sessions: readonly SmartSession[] = [],
  contracts: object = vectors.contracts,
) {
  const vault = {
    isSignedIn: async () => true,
    origin: async () => 'https://wallet.example',
    getUser: async () => ({ addresses: { eip155: ADDRESS } }),
    unlock: async () => ({ isOpen: true }),
    sign: vi.fn(async () => `0x${'ab'.repeat(65)}`),
    addGrant: vi.fn(async (_: Grant) => undefined),
    listGrants: vi.fn(async (): Promise<readonly Grant[]> => []),
    listSmartSessions: async () => sessions,
  }
  const smartAccounts = {
    isDelegated: vi.fn(async () => true),
    prepare: vi.fn(async (): Promise<unknown> => operation),
    send: vi.fn(async () => '0xid'),
    status: async () => ({ status: 200 }),
  }
  const getContext = vi.fn((): { readonly context: string | null } => ({ context: granted.context }))
  const approvals = createApprovals()
  const sheets: Sheet[] = []
  approvals.subscribe((sheet) => {
    if (!sheet || sheets.includes(sheet)) return
    sheets.push(sheet)
    decide(sheet)
  })
  const chain = { chainId: 'eip155:8453', ...contracts }
  const request = createRequests({
    vault: vault as unknown as Vault,
    // No delegation is disabled, and the nonce of the account is that of the vectors.
    node: async (_, method, params) => {
      if (method === 'eth_getBlockByNumber') return { baseFeePerGas: '0x1' }
      if (method === 'eth_maxPriorityFeePerGas') return '0x1'
      const [{ to }] = params as [{ to: string }]
      return to === vectors.contracts.delegationManager ? '0x0' : `0x${Number(vectors.nonce).toString(16)}`
    },
    approvals,
    site: 'https://shop.example',
    network: () => 'eip155:8453',
    isListed: async (chainId) => chainId === 'eip155:8453',
    smartAccounts: smartAccounts as unknown as SmartAccounts,
    bundler: {
      call: async (method: string) => (method === 'GetContext' ? getContext() : { chains: [chain] }),
    } as unknown as BundlerClient,
    preferredAccount: () => 'smartAccount',
    now: () => NOW * 1_000,
  })
  return { request, vault, sheets, smartAccounts, getContext }
}

const compared = vectors.cases.find(
  ({ name }) => name === 'one function, with a rule that no contract enforces',
)

const grantRequest = {
  chainId: '0x2105',
  expiry: NOW + 3_600,
  signer: { type: 'keys', data: { keys: first?.keys } },
  permissions: first?.permissions,
  policies: [],
}
const executionRequest = {
  chainId: '0x2105',
  to: DELEGATE,
  permission: {
    type: 'native-token-periodic',
    isAdjustmentAllowed: false,
    data: { periodAmount: '0x64', periodDuration: 86_400, startTime: NOW, justification: 'coffee' },
  },
  rules: [{ type: 'expiry', data: { timestamp: NOW + 60 } }],
}

/** The answer to a request of a session. */
interface Granted {
  readonly context: string
}

/** Returns a permission to call a function of a contract. */
const callOf = (address: string) => ({
  type: 'contract-call',
  data: {
    address,
    abi: [{ type: 'function', name: 'run', inputs: [] }],
    functions: [{ functionName: 'run' }],
  },
})

/** Allows a session within half of each limit. */
function allowHalf(sheet: Sheet) {
  if (sheet.kind !== 'grant') throw new Error('the sheet is another one')
  const { expiry, native } = sheet.view.session
  sheet.approve({ expiry: expiry - 30, calls: 1, native: (native?.amount ?? 0n) / 2n, token: 0n })
}

describe('a grant', () => {
  it('is answered with what the user allowed, for the account of the keys', async () => {
    const { request, sheets, vault } = setUp(allowHalf)
    const answer = await request({ method: 'wallet_grantPermissions', params: [grantRequest] })
    expect(answer).toMatchObject({
      chainId: '0x2105',
      address: ADDRESS,
      signer: grantRequest.signer,
      expiry: NOW + 3_570,
      permissions: [{ data: { allowance: '0x11c37937e08000' } }],
      policies: [{ type: 'call-limit', data: { count: 1 } }],
      context: expect.stringMatching(/^0x/),
    })
    expect(sheets).toMatchObject([
      { view: { site: 'https://shop.example', delegate: first?.delegation.delegate, isAdjustable: true } },
    ])
    expect(vault.sign).toHaveBeenCalledExactlyOnceWith({ kind: 'typedData', data: expect.anything() })
    expect(vault.addGrant).toHaveBeenCalledExactlyOnceWith({
      context: (answer as Granted).context,
      chainId: 'eip155:8453',
      expiry: NOW + 3_570,
      site: 'https://shop.example',
    })
  })

  it('in the form of ERC-7715 is answered in that form, and listed afterwards', async () => {
    const { request, sheets, vault } = setUp(allowHalf)
    const [answer] = (await request({
      method: 'wallet_requestExecutionPermissions',
      params: [executionRequest],
    })) as readonly object[]
    expect(answer).toMatchObject({
      chainId: '0x2105',
      from: ADDRESS,
      to: DELEGATE,
      permission: { data: { periodAmount: '0x32', justification: 'coffee' } },
      rules: [{ type: 'expiry', data: { timestamp: NOW + 30 } }],
      delegationManager: vectors.contracts.delegationManager,
      dependencies: [],
    })
    expect(sheets).toMatchObject([{ view: { isAdjustable: false, justification: 'coffee' } }])
    expect(vault.addGrant).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ answer }))
  })

  it('with a rule that no contract enforces needs the co-signer of the service', async () => {
    const params = [
      {
        ...grantRequest,
        signer: { type: 'keys', data: { keys: compared?.keys } },
        permissions: compared?.permissions,
      },
    ]
    const delegate = compared?.delegation.delegate ?? ''
    for (const sessions of [[], [{ delegate, coSigned: false }], [{ delegate: DELEGATE, coSigned: true }]]) {
      const { request, sheets } = setUp(allowHalf, sessions)
      const granting = request({ method: 'wallet_grantPermissions', params })
      await expect(granting).rejects.toMatchObject({
        code: -32602,
        message: expect.stringMatching('co-signer'),
      })
      expect(sheets).toEqual([])
    }
    const { request } = setUp(allowHalf, [{ delegate, coSigned: true }])
    const { context } = (await request({ method: 'wallet_grantPermissions', params })) as Granted
    // The salt binds the rule to the signature.
    expect(decodeContext(context).salt).toBe(BigInt(compared?.rulesSalt ?? 0))
  })

  it('is shown with the network that it is signed for', async () => {
    for (const [method, params] of [
      ['wallet_grantPermissions', [grantRequest]],
      ['wallet_requestExecutionPermissions', [executionRequest]],
      ['wallet_revokePermissions', { pci: PCI, address: `eip155:8453:${ADDRESS}` }],
    ] as const) {
      const { request, sheets, vault } = setUp((sheet) => sheet.kind !== 'unlock' && sheet.reject())
      vault.listGrants.mockResolvedValue([
        { context: granted.context, chainId: 'eip155:8453', expiry: NOW, site: 'https://shop.example' },
      ])
      await expect(request({ method, params, chainId: 1 })).rejects.toMatchObject({ code: 4001 })
      expect(sheets).toMatchObject([{ view: { chainId: 'eip155:8453' } }])
    }
  })

  it.each([
    { ...vectors.contracts, delegationManager: DELEGATE },
    { ...vectors.contracts, implementation: DELEGATE },
    { ...vectors.contracts, factory: DELEGATE },
    { ...vectors.contracts, enforcers: { ...vectors.contracts.enforcers, LimitedCallsEnforcer: DELEGATE } },
  ])('by contracts that this build does not know is refused before a sheet (%#)', async (contracts) => {
    for (const [method, params] of [
      ['wallet_grantPermissions', grantRequest],
      ['wallet_requestExecutionPermissions', executionRequest],
    ] as const) {
      const { request, sheets, vault } = setUp(allowHalf, [], contracts)
      await expect(request({ method, params: [params] })).rejects.toMatchObject({ code: 5710 })
      expect(sheets).toEqual([])
      expect(vault.sign).not.toHaveBeenCalled()
    }
  })

  it('starts a minute ago if the site sets no start, because the time of a chain is behind', async () => {
    const { request } = setUp(allowHalf)
    const { permission } = executionRequest
    const { startTime: _, ...data } = permission.data
    const isAdjustmentAllowed = true
    const open = { ...executionRequest, permission: { ...permission, isAdjustmentAllowed, data } }
    const answer = await request({ method: 'wallet_requestExecutionPermissions', params: [open] })
    expect(answer).toMatchObject([{ permission: { data: { startTime: NOW - 60 } } }])
  })

  it('that the user rejects is not signed', async () => {
    const { request, vault } = setUp((sheet) => sheet.reject())
    const granting = request({ method: 'wallet_grantPermissions', params: [grantRequest] })
    await expect(granting).rejects.toMatchObject({ code: 4001 })
    expect(vault.sign).not.toHaveBeenCalled()
  })

  it.each([
    ['wallet_grantPermissions', { ...grantRequest, address: DELEGATE }, 4100],
    ['wallet_grantPermissions', { ...grantRequest, chainId: '0x1' }, 5710],
    ['wallet_grantPermissions', { ...grantRequest, signer: { type: 'wallet', data: {} } }, -32602],
    ['wallet_grantPermissions', { ...grantRequest, permissions: [] }, -32602],
    ['wallet_grantPermissions', { ...grantRequest, permissions: [callOf(ADDRESS)] }, -32602],
    [
      'wallet_grantPermissions',
      { ...grantRequest, permissions: [callOf(vectors.contracts.delegationManager)] },
      -32602,
    ],
    ['wallet_requestExecutionPermissions', { ...executionRequest, to: undefined }, -32602],
    ['wallet_requestExecutionPermissions', { ...executionRequest, from: DELEGATE }, 4100],
    ['wallet_requestExecutionPermissions', { ...executionRequest, rules: [{ type: 'payee' }] }, -32602],
    [
      'wallet_requestExecutionPermissions',
      { ...executionRequest, permission: { type: 'native-token-stream', data: {} } },
      -32602,
    ],
    ['wallet_revokePermissions', { pci: 'x', address: ADDRESS }, -32602],
    ['wallet_revokeExecutionPermission', { permissionContext: '0x' }, -32602],
    // The context belongs to another account.
    [
      'wallet_revokeExecutionPermission',
      {
        permissionContext: first?.delegation.context.replaceAll(
          ADDRESS.slice(2).toLowerCase(),
          '1'.repeat(40),
        ),
      },
      4100,
    ],
  ])('of %s that is not possible is refused before a sheet (%#)', async (method, params, code) => {
    const { request, sheets } = setUp(allowHalf)
    await expect(request({ method, params: [params] })).rejects.toMatchObject({ code })
    expect(sheets).toEqual([])
  })
})

it('an origin learns only what it was granted itself', async () => {
  const { request, vault } = setUp(allowHalf)
  const grantOf = (site: string): Grant => ({
    context: String(first?.delegation.context),
    chainId: 'eip155:8453',
    expiry: NOW + 60,
    site,
    answer: { site },
  })
  vault.listGrants.mockResolvedValue([grantOf('https://shop.example'), grantOf('https://b.shop.example')])
  const granted = await request({ method: 'wallet_getGrantedExecutionPermissions' })
  expect(granted).toEqual([{ site: 'https://shop.example' }])
})

it('the permissions that can be requested are named with their networks', async () => {
  const { request } = setUp(allowHalf)
  const supported = { chainIds: ['0x2105'], ruleTypes: ['expiry'] }
  expect(await request({ method: 'wallet_getSupportedExecutionPermissions' })).toEqual({
    'native-token-periodic': supported,
    'erc20-token-periodic': supported,
  })
})

it('what was granted is not read from contracts that this build does not know', async () => {
  const { request, vault } = setUp(allowHalf, [], { ...vectors.contracts, delegationManager: DELEGATE })
  const site = 'https://shop.example'
  const { context } = granted
  vault.listGrants.mockResolvedValue([
    { context, chainId: 'eip155:8453', expiry: NOW + 60, site, answer: { site } },
  ])
  expect(await request({ method: 'wallet_getGrantedExecutionPermissions' })).toEqual([])
  expect(await request({ method: 'wallet_getSupportedExecutionPermissions' })).toEqual({})
})

describe('a revocation', () => {
  const grantOf = (site: string): Grant => ({
    context: granted.context,
    chainId: 'eip155:8453',
    expiry: NOW + 60,
    site,
  })
  const bySite = ['https://shop.example', 'https://b.shop.example'].map(grantOf)
  const approve = (sheet: Sheet) => sheet.kind === 'approval' && sheet.approve()
  const byContext = {
    method: 'wallet_revokeExecutionPermission',
    params: [{ permissionContext: granted.context }],
  } as const
  const byPci = { method: 'wallet_revokePermissions', params: [{ pci: PCI, address: ADDRESS }] } as const
  const content = {
    kind: 'revocation',
    delegate: decodeContext(granted.context).delegate,
    operation: { maxFee: 700n, isHighFee: false, delegate: CODE },
  }

  it.each([byContext, byPci])(
    'shows the fee and the code that it signs, and sends that (%#)',
    async (call) => {
      const { request, vault, sheets, smartAccounts } = setUp(approve)
      vault.listGrants.mockResolvedValue(bySite)
      await request(call)
      expect(sheets).toMatchObject([{ view: { content } }])
      expect(smartAccounts.send).toHaveBeenCalledExactlyOnceWith(operation, expect.any(Function))
    },
  )

  it.each([byContext, byPci])(
    'of what another site was granted is refused before a sheet (%#)',
    async (call) => {
      const project = { id: 'p', name: '', url: 'https://b.shop.example' }
      for (const sessions of [[], [{ context: granted.context, project }]]) {
        const { request, vault, sheets, smartAccounts } = setUp(approve, sessions)
        vault.listGrants.mockResolvedValue(bySite.slice(1))
        await expect(request(call)).rejects.toMatchObject({ code: 4100 })
        expect(sheets).toEqual([])
        expect(smartAccounts.prepare).not.toHaveBeenCalled()
      }
    },
  )

  it.each([byContext, byPci])(
    'of a session that the site created in another browser is shown (%#)',
    async (call) => {
      const project = { id: 'p', name: '', url: 'https://shop.example' }
      const { request, sheets } = setUp(approve, [{ context: granted.context, project }])
      await request(call)
      expect(sheets).toMatchObject([{ view: { content } }])
    },
  )

  it.each([byContext, byPci])(
    'of a context that another site created a session of as well is refused before a sheet (%#)',
    async (call) => {
      const sessions = ['https://shop.example', 'https://b.shop.example'].map((url) => ({
        context: granted.context,
        project: { id: 'p', name: '', url },
      }))
      const { request, sheets } = setUp(approve, sessions)
      await expect(request(call)).rejects.toMatchObject({ code: 4100 })
      expect(sheets).toEqual([])
    },
  )

  it('of a session without a context is only for the site that created it', async () => {
    const sessionOf = (url: string, pci = PCI) => ({ pci, project: { id: 'p', name: '', url } })
    const own = sessionOf('https://shop.example')
    const another = sessionOf('https://shop.example', PCI.replaceAll('0', '1'))
    for (const sessions of [[], [another], [another, sessionOf('https://b.shop.example')]]) {
      const { request, vault, sheets, getContext } = setUp(approve, sessions)
      getContext.mockReturnValue({ context: null })
      await expect(request(byPci)).rejects.toMatchObject({ code: 4100 })
      expect(sheets).toEqual([])
      expect(vault.sign).not.toHaveBeenCalled()
    }
    const { request, getContext } = setUp(approve, [own])
    getContext.mockReturnValue({ context: null })
    await expect(request(byPci)).resolves.toMatch(/^0x/)
  })

  it('of a session that is granted while its sheet is open is not signed', async () => {
    const own = { pci: PCI, project: { id: 'p', name: '', url: 'https://shop.example' } }
    const { request, vault, sheets, getContext } = setUp(approve, [own])
    getContext.mockReturnValueOnce({ context: null })
    await expect(request(byPci)).rejects.toMatchObject({ code: -32602 })
    expect(sheets).toHaveLength(1)
    expect(vault.sign).not.toHaveBeenCalled()
  })

  it('at the service needs no operation, and says that none can be sent', async () => {
    const { request, vault, sheets, smartAccounts } = setUp(approve)
    vault.listGrants.mockResolvedValue(bySite)
    smartAccounts.prepare.mockRejectedValue(new Error('the account cannot pay'))
    await expect(request(byPci)).resolves.toMatch(/^0x/)
    expect(sheets).toMatchObject([{ view: { content: { ...content, operation: undefined } } }])
    await expect(request(byContext)).rejects.toThrow('the account cannot pay')
    expect(sheets).toHaveLength(1)
  })

  it('with a fee of the bundler that is far above that of the network is refused', async () => {
    const { request, vault, sheets, smartAccounts } = setUp(approve)
    vault.listGrants.mockResolvedValue(bySite)
    smartAccounts.prepare.mockResolvedValue({ ...operation, operation: { maxFeePerGas: '0xb2d05e00' } })
    await expect(request(byContext)).rejects.toMatchObject({ code: -32602 })
    expect(sheets).toEqual([])
  })
})

it('a delegation is being disabled while the status of that cannot be read', async () => {
  vi.useFakeTimers()
  const status = vi.fn().mockRejectedValueOnce(new Error('unreachable')).mockResolvedValue({ status: 200 })
  const smartAccounts = { send: async () => '0xid', status }
  const ending = { smartAccounts: smartAccounts as unknown as SmartAccounts, vault: {} as Vault }
  const disabled = execute(ending, operation as never)
  disabled.catch(() => undefined)
  await vi.advanceTimersByTimeAsync(2_000)
  vi.useRealTimers()
  await expect(disabled).resolves.toBeUndefined()
})
