import { calls as protocol } from '@hawser/frame/protocol'
import { ed25519 } from '@noble/curves/ed25519'
import { base58, base64 } from '@scure/base'
import * as fc from 'fast-check'
import {
  bytesToHex,
  type Hex,
  hexToBytes,
  parseTransaction,
  recoverMessageAddress,
  recoverTypedDataAddress,
} from 'viem'
import { describe, expect, it, vi } from 'vitest'
import type { BundlerClient } from '../smartAccount/bundlerClient.ts'
import { createSmartAccounts } from '../smartAccount/smartAccount.ts'
import { encodeCalls, operationTypedData, type UserOperation } from '../smartAccount/userOperation.ts'
import { ADDRESS, CHAIN, openRequests, SOLANA_CHAIN, TO } from '../testing/requests.ts'
import type { ApprovalView } from './approvalView.ts'
import { loadPreview } from './preview.ts'
import { readSolanaTransaction } from './solanaTransaction.ts'

const RUNS = 5_000

type Opened = Awaited<ReturnType<typeof openRequests>>
type Preview = Readonly<Record<string, unknown>>

/** Opens a frame that gets requests as a site sends them. */
async function open(preferred: 'eoa' | 'smartAccount' = 'eoa') {
  const opened = await openRequests(undefined, () => preferred)
  /** Returns the result, the request for the preview of what was shown, and the transactions that were sent. */
  async function ask(payload: unknown) {
    const [shown, sent] = [opened.views.length, opened.node.mock.calls.length]
    if (!protocol.RPC_REQUEST.request(payload)) throw Object.assign(new Error('refused'), { code: -32602 })
    const result = await opened.request(payload)
    const [sheet, ...others] = opened.views.slice(shown)
    if (sheet?.kind !== 'approval' || others.length > 0) throw new Error('not one sheet was shown')
    const raw = opened.node.mock.calls
      .slice(sent)
      .flatMap(([, method, params]) => (method === 'eth_sendRawTransaction' ? (params as Hex[]) : []))
    return { result, raw, preview: await askedOf(sheet.view) }
  }
  return { ...opened, ask }
}

/** Returns what the service is asked about a view. */
async function askedOf(view: ApprovalView): Promise<Preview> {
  let body = ''
  const fetch = async (_: unknown, init?: RequestInit) => {
    body = String(init?.body)
    return Response.json({})
  }
  await loadPreview({ projectId: 'p', fetch: fetch as typeof globalThis.fetch }, view)
  return JSON.parse(body)
}

/** A case of a request: what a site sends, and a check that what came of it is what was previewed. */
interface Case {
  readonly payload: unknown
  readonly expectEqual: (
    answer: Awaited<ReturnType<Awaited<ReturnType<typeof open>>['ask']>>,
  ) => Promise<void>
}

/** Values that are mostly those that a site would send. */
const mostly = (usual: fc.Arbitrary<unknown>, odd: fc.Arbitrary<unknown>) =>
  fc.oneof({ weight: 4, arbitrary: usual }, { weight: 1, arbitrary: odd })
const chainIds = mostly(
  fc.constantFrom<unknown>(CHAIN, undefined),
  fc.constantFrom<unknown>(
    undefined,
    31337,
    '31337',
    '0x7a69',
    '0x07A69',
    'eip155:31337e0',
    'eip155:031337',
    'eip155:0x7a69',
    'eip155: 31337',
    '+31337',
    'eip155:9',
    SOLANA_CHAIN,
    31337.5,
    -1,
  ),
)
const hex = (max: number) => fc.uint8Array({ maxLength: max }).map((bytes): string => bytesToHex(bytes))
/** Forms of one text: as it is, in upper case, with spaces, of half a byte, far too long. */
const disguised = (text: fc.Arbitrary<string>) =>
  fc
    .tuple(text, fc.integer({ min: 0, max: 40 }))
    .map(([plain, form]) =>
      form === 0
        ? plain.toUpperCase()
        : form === 1
          ? `${plain} `
          : form === 2
            ? `${plain}0`
            : form === 3
              ? plain.padEnd(140_000, '0')
              : plain,
    )
const quantity = mostly(
  fc.bigInt({ min: 0n, max: 2n ** 70n }).map((value) => `0x${value.toString(16)}`),
  fc.constantFrom<unknown>('0x0007', '0X7', '7', '', '0x', '1e3', 7, 2 ** 53, null, '0b1', ' 0x1'),
)

const messages: fc.Arbitrary<Case> = fc
  .record({
    text: fc.oneof(disguised(hex(60)), fc.string({ unit: 'binary', maxLength: 60 }), fc.constant('\ufeffa')),
    isSwapped: fc.boolean(),
    chainId: chainIds,
  })
  .map(({ text, isSwapped, chainId }) => ({
    payload: { method: 'personal_sign', params: isSwapped ? [ADDRESS, text] : [text, ADDRESS], chainId },
    async expectEqual({ result, preview }) {
      const raw = preview.message as Hex
      expect(await recoverMessageAddress({ message: { raw }, signature: result as Hex })).toBe(ADDRESS)
    },
  }))

const values: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  address: fc.constantFrom<unknown>(TO, ADDRESS, ADDRESS.toLowerCase(), ADDRESS.toUpperCase(), '0x12', null),
  uint256: fc.oneof(
    fc.nat().map(String),
    fc.nat(),
    fc.bigInt({ min: 0n, max: 2n ** 257n }).map((value) => `0x${value.toString(16)}`),
    fc.constantFrom<unknown>(2 ** 53 + 2, '1e3', '007', '-1', 1.5, '', true),
  ),
  int8: fc.integer({ min: -140, max: 140 }),
  bool: fc.constantFrom<unknown>(true, false, 'true', 1),
  string: fc.oneof(fc.string({ unit: 'binary', maxLength: 20 }), fc.constantFrom<unknown>('\ud800', 5)),
  bytes4: fc.oneof(hex(4), fc.constant('0x12345678')),
  bytes: disguised(hex(12)),
  'uint256[]': fc.array(fc.nat().map(String), { maxLength: 3 }),
  'bool[2]': fc.array(fc.boolean(), { maxLength: 3 }),
}
const names = ['owner', 'spender', 'value', 'a', 'constructor', '__proto__', 'toString', '0', 'with space']

const typedData: fc.Arbitrary<Case> = fc
  .record({
    members: fc.uniqueArray(
      fc.record({
        name: fc.constantFrom(...Array(4).fill(names.slice(0, 4)).flat(), ...names),
        type: fc.constantFrom(...Object.keys(values)),
      }),
      { minLength: 1, maxLength: 4, selector: ({ name }) => name },
    ),
    isNested: fc.boolean(),
    hasDomainType: fc.boolean(),
    domainChain: fc.constantFrom<unknown>(31337, '31337', '0x7a69', undefined, 1),
    extra: fc.constantFrom(
      '',
      '"zz":"x",',
      '"Amount to receive":"5,000 USDC",',
      '"value":"7",',
      '"__proto__":{"a":1},',
    ),
    padding: fc.constantFrom(0, 0, 0, 0, 140_000),
    isText: fc.boolean(),
    chainId: chainIds,
  })
  .chain((shape) =>
    fc.tuple(
      fc.constant(shape),
      fc.tuple(...shape.members.map(({ type }) => values[type] ?? fc.constant(null))),
    ),
  )
  .map(([shape, chosen]) => {
    const { members, isNested, hasDomainType, domainChain, extra, padding, isText, chainId } = shape
    // Members are written as text, so that a name may be there twice.
    const fields = members.map(({ name }, at) => `${JSON.stringify(name)}:${JSON.stringify(chosen[at])}`)
    const inner = `{${extra}${padding ? `"padding":"${'x'.repeat(padding)}",` : ''}${fields.join()}}`
    const domain = { name: 'X', ...(domainChain === undefined ? {} : { chainId: domainChain }), other: 'x' }
    const domainType = hasDomainType
      ? `,"EIP712Domain":[{"name":"name","type":"string"}${domainChain === undefined ? '' : ',{"name":"chainId","type":"uint256"}'}]`
      : ''
    const outer = isNested
      ? ',"Outer":[{"name":"inner","type":"Inner[]"},{"name":"id","type":"uint256"}]'
      : ''
    const message = isNested ? `{"id":"1","inner":[${inner},${inner}]}` : inner
    const text = `{"types":{"Inner":${JSON.stringify(members)}${outer}${domainType}},"primaryType":"${isNested ? 'Outer' : 'Inner'}","domain":${JSON.stringify(domain)},"message":${message}}`
    return {
      payload: {
        method: 'eth_signTypedData_v4',
        params: [ADDRESS, isText ? text : JSON.parse(text)],
        chainId,
      },
      async expectEqual({ result, preview }) {
        const data = JSON.parse(String(preview.typedData))
        expect(await recoverTypedDataAddress({ ...data, signature: result as Hex })).toBe(ADDRESS)
        expect(preview.typedData).not.toMatch(/Amount to receive|padding|"zz"|"other"/)
      },
    }
  })

const call = fc.record(
  {
    to: fc.constantFrom<unknown>(
      TO,
      TO,
      ADDRESS,
      ADDRESS.replace('F', 'f'),
      TO.toUpperCase(),
      '0x12',
      undefined,
    ),
    value: quantity,
    data: disguised(hex(40)),
    input: fc.constantFrom<unknown>(undefined, undefined, undefined, '0x1234'),
    gasPrice: fc.constantFrom<unknown>(undefined, undefined, '0x77359400', '0xffffffffffffff'),
    gas: fc.constantFrom<unknown>(undefined, '0x5209', '0x30d40', `0x${'f'.repeat(17)}`),
    maxPriorityFeePerGas: fc.constantFrom<unknown>(undefined, '0x7', '0x3b9aca00'),
    padding: fc.string(),
  },
  { requiredKeys: [] },
)

const sending: fc.Arbitrary<Case> = fc
  .record({
    list: fc.oneof(
      fc.array(call, { maxLength: 3 }),
      fc.constantFrom(1, 50, 51).map((count) => Array(count).fill({ to: TO })),
    ),
    isBatch: fc.boolean(),
    chainId: chainIds,
    own: chainIds,
  })
  .map(({ list, isBatch, chainId, own }) => ({
    payload: isBatch
      ? { method: 'wallet_sendCalls', params: [{ chainId: own, calls: list }], chainId }
      : { method: 'eth_sendTransaction', params: [{ ...(list[0] as object), chainId: own }], chainId },
    async expectEqual({ raw, preview }) {
      const signed = raw.map((each) => parseTransaction(each as `0x02${string}`))
      for (const { chainId } of signed) expect(`eip155:${chainId}`).toBe(preview.chainId)
      const sent = signed.map(({ to, value, data }) => [
        to?.toLowerCase() ?? '',
        String(value ?? 0n),
        data ?? '0x',
      ])
      const asked = (preview.calls as Record<string, string>[]).map(({ to = '', value, data = '' }) => [
        to.toLowerCase(),
        value,
        data.toLowerCase(),
      ])
      expect(sent).toEqual(asked)
      const [first] = signed
      const most = first?.gasPrice ?? first?.maxFeePerGas
      expect((preview.calls as Record<string, string>[])[0]?.gas).toBe(String(first?.gas))
      expect(preview.maxFeePerGas).toBe(String(most))
      expect(preview.maxPriorityFeePerGas).toBe(String(first?.gasPrice ?? first?.maxPriorityFeePerGas ?? 0n))
    },
  }))

/** Returns a transaction of one signer whose blockhash is these bytes, with more bytes after its end. */
function transactionOf(signer: Uint8Array, blockhash: Uint8Array, more: readonly number[]): Uint8Array {
  const keys = [...signer, ...new Uint8Array(32)]
  return Uint8Array.from([1, ...new Uint8Array(64), 1, 0, 1, 2, ...keys, ...blockhash, 0, ...more])
}

const solana = ({ addresses }: Opened): fc.Arbitrary<Case> => {
  const own = base58.decode(addresses.solana)
  const isOwn = (signature: Uint8Array, message: Uint8Array) => ed25519.verify(signature, message, own)
  const blockhashes = fc.uint8Array({ minLength: 32, maxLength: 32 })
  const valid = blockhashes.map((blockhash) => base64.encode(transactionOf(own, blockhash, [])))
  const transaction = fc
    .tuple(
      blockhashes,
      fc.constantFrom<readonly number[]>([], [], [], [0], Array(1_200).fill(0)),
      fc.constantFrom('', '', '', '\n', '=', '===='),
    )
    .map(([blockhash, more, end]) => base64.encode(transactionOf(own, blockhash, more)) + end)
  const chainId = fc.constantFrom(SOLANA_CHAIN, SOLANA_CHAIN, SOLANA_CHAIN, CHAIN, 'solana:unknown')
  const several = fc.record({
    transactions: fc.oneof(fc.array(valid, { maxLength: 12 }), fc.array(transaction, { maxLength: 3 })),
    chainId,
  })
  const message = fc.record({ bytes: fc.uint8Array({ maxLength: 200 }), chainId })
  return fc.oneof(
    several.map(
      ({ transactions, chainId }): Case => ({
        payload: { method: 'solana_signAllTransactions', params: { transactions }, chainId },
        async expectEqual({ result, preview }) {
          const asked = (preview.transactions ?? [preview.transaction]) as string[]
          const signed = (result as { transactions: string[] }).transactions
          expect(signed).toHaveLength(asked.length)
          for (const [at, text] of signed.entries()) {
            const previewed = readSolanaTransaction(new Uint8Array(base64.decode(asked[at] ?? '')))
            expect(isOwn(base64.decode(text).slice(1, 65), previewed?.message ?? own)).toBe(true)
          }
        },
      }),
    ),
    message.map(
      ({ bytes, chainId }): Case => ({
        payload: {
          method: 'solana_signMessage',
          params: { message: base58.encode(bytes), pubkey: addresses.solana },
          chainId,
        },
        async expectEqual({ result, preview }) {
          const asked = hexToBytes(preview.message as Hex)
          expect(isOwn(base58.decode((result as { signature: string }).signature), asked)).toBe(true)
        },
      }),
    ),
  )
}

describe('what is signed', () => {
  it(`is what was previewed, byte for byte, or is refused: ${RUNS} requests`, async () => {
    const opened = await open()
    const signed: Record<string, number> = {}
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(messages, typedData, sending, solana(opened)),
        async ({ payload, expectEqual }) => {
          const answer = await opened.ask(payload).catch((error) => {
            // What is refused has a code for the site: nothing fails by accident.
            if (typeof error?.code !== 'number') throw error
            return undefined
          })
          if (!answer) return
          await expectEqual(answer)
          const { method } = payload as { method: string }
          signed[method] = (signed[method] ?? 0) + 1
        },
      ),
      { numRuns: RUNS },
    )
    // A frame that refuses everything would pass.
    for (const method of [
      'personal_sign',
      'eth_signTypedData_v4',
      'eth_sendTransaction',
      'wallet_sendCalls',
      'solana_signAllTransactions',
      'solana_signMessage',
    ])
      expect(signed[method] ?? 0, method).toBeGreaterThan(50)
  }, 300_000)
})

describe('an operation of a smart account', () => {
  const chain = {
    chainId: CHAIN,
    delegation: true,
    implementation: TO,
    entryPoint: '0x0000000071727De22E5E9d8BAf0edAc6f37da032',
  }
  const price = { standard: { maxFeePerGas: '0x1', maxPriorityFeePerGas: '0x1' } }
  const gas = { callGasLimit: '0x1', verificationGasLimit: '0x1', preVerificationGas: '0x1' }

  it('has the calls and the code that were previewed, and the signature of the account', async () => {
    const sent: UserOperation[] = []
    let signed = 0
    const bundler = {
      rpc: async (_: string, method: string) => (method === 'pimlico_getUserOperationGasPrice' ? price : gas),
      call: async (method: string, request: { userOperation?: UserOperation }) => {
        if (request.userOperation) sent.push(request.userOperation)
        return method === 'ListAccountChains' ? { chains: [chain] } : { id: '0xid' }
      },
    } as unknown as BundlerClient
    const node = async (_: string, method: string) => (method === 'eth_getCode' ? '0x' : '0x0')
    const opened = await open('smartAccount')
    Object.assign(opened.smartAccounts, createSmartAccounts({ bundler, node }))
    await fc.assert(
      fc.asyncProperty(fc.array(call, { minLength: 1, maxLength: 3 }), async (list) => {
        sent.length = 0
        const payload = { method: 'wallet_sendCalls', params: [{ calls: list, atomicRequired: true }] }
        const answer = await opened.ask(payload).catch((error) => {
          if (typeof error?.code !== 'number') throw error
          return undefined
        })
        if (!answer) {
          expect(sent).toEqual([])
          return
        }
        signed += 1
        const [operation] = sent
        const calls = (answer.preview.calls as Record<string, string>[]).map(({ to, value = '0', data }) => ({
          to: to as Hex,
          value: BigInt(value),
          data: data as Hex,
        }))
        expect(operation?.callData).toBe(encodeCalls(calls))
        expect(answer.preview.atomic).toBe(true)
        const [first, ...others] = answer.preview.calls as Record<string, string>[]
        expect(first?.gas).toBe(String(BigInt(operation?.callGasLimit ?? 0)))
        expect(others.filter(({ gas }) => gas !== undefined)).toEqual([])
        expect(operation?.eip7702Auth?.address).toBe(answer.preview.delegate)
        expect(BigInt(operation?.maxFeePerGas ?? 0)).toBe(BigInt(String(answer.preview.maxFeePerGas)))
        expect(BigInt(operation?.maxPriorityFeePerGas ?? 0)).toBe(
          BigInt(String(answer.preview.maxPriorityFeePerGas)),
        )
        const { signature = '0x', eip7702Auth: _, ...unsigned } = operation as UserOperation
        const entryPoint = chain.entryPoint as Hex
        const data = operationTypedData(
          unsigned as UserOperation,
          31337,
          entryPoint,
          'EIP7702StatelessDeleGator',
        )
        expect(await recoverTypedDataAddress({ ...data, signature } as never)).toBe(ADDRESS)
      }),
      { numRuns: 500 },
    )
    expect(signed).toBeGreaterThan(30)
  })
})

describe('a request that the service would not preview', () => {
  const permit = {
    domain: { name: 'USD Coin', chainId: 31337 },
    types: { Permit: [{ name: 'spender', type: 'address' }] },
    primaryType: 'Permit',
    message: { spender: TO, zz: 'x'.repeat(140_000) },
  }
  const note = { ...permit, types: { Note: [{ name: 'zz', type: 'string' }] }, primaryType: 'Note' }

  it.each([
    ['a message over 64 KiB', 'personal_sign', [`0x${'00'.repeat(65_537)}`, ADDRESS], CHAIN, -32602],
    ['typed data over 128 KiB', 'eth_signTypedData_v4', [ADDRESS, JSON.stringify(note)], CHAIN, -32602],
    [
      'call data over 128 KiB',
      'eth_sendTransaction',
      [{ to: TO, data: `0x${'00'.repeat(131_073)}` }],
      CHAIN,
      -32602,
    ],
    ['more than 50 calls', 'wallet_sendCalls', [{ calls: Array(51).fill({ to: TO }) }], CHAIN, 5740],
    [
      'a message on a network of Bitcoin',
      'personal_sign',
      ['0x61', ADDRESS],
      'bip122:000000000019d6689c085ae165831e93',
      -32602,
    ],
    ['a message on an unlisted network', 'personal_sign', ['0x61', ADDRESS], 'eip155:9', 5710],
    [
      'typed data on an unlisted network',
      'eth_signTypedData_v4',
      [ADDRESS, { ...permit, domain: {} }],
      'eip155:9',
      5710,
    ],
    ['a transaction on a network of Solana', 'eth_sendTransaction', [{ to: TO }], SOLANA_CHAIN, 4901],
  ])('is refused before a sheet: %s', async (_, method, params, chainId, code) => {
    const { ask, views, vault } = await open()
    await expect(ask({ method, params, chainId })).rejects.toMatchObject({ code })
    expect(views).toEqual([])
    expect(vault.sign).not.toHaveBeenCalled()
  })

  it('is refused at once by a smart account: more than 50 calls', async () => {
    const { request, smartAccounts } = await openRequests()
    vi.mocked(smartAccounts.addresses).mockResolvedValue([ADDRESS])
    const params = [{ calls: Array(51).fill({ to: TO }), atomicRequired: true }]
    await expect(request({ method: 'wallet_sendCalls', params })).rejects.toMatchObject({ code: 5740 })
    expect(smartAccounts.prepare).not.toHaveBeenCalled()
  })

  it('is signed without the members that no type declares, and shown without them', async () => {
    const { ask, contents } = await open()
    const { result } = await ask({
      method: 'eth_signTypedData_v4',
      params: [ADDRESS, JSON.stringify(permit)],
    })
    expect(contents()).toMatchObject([{ data: { message: { spender: TO } } }])
    const honest = { ...permit, message: { spender: TO } }
    expect(await recoverTypedDataAddress({ ...honest, signature: result } as never)).toBe(ADDRESS)
  })

  it.each(['eip155:1e0', 'eip155:0x1', 'eip155:01', 'eip155:0b1'])(
    'is no message: the network %s',
    async (chainId) => {
      const { ask } = await open()
      await expect(ask({ method: 'personal_sign', params: ['0x61', ADDRESS], chainId })).rejects.toThrow(
        'refused',
      )
    },
  )

  it('is refused when the list of networks cannot be loaded', async () => {
    const { request, views, isListed } = await openRequests()
    isListed.mockRejectedValue(new Error('unreachable'))
    await expect(request({ method: 'personal_sign', params: ['0x61', ADDRESS] })).rejects.toMatchObject({
      code: -32603,
    })
    expect(views).toEqual([])
  })
})
