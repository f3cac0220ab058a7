import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { RpcError } from '@hawser/client'
import {
  type Connector,
  connect,
  defineNetwork,
  fetchNativeBalance,
  fillMaxSendAmount,
  openSend,
  type PolkadotProvider,
  previewSend,
  sendReadiness,
  sendToken,
  setReceiver,
  setSendAmount,
  signIn,
  type TokenBalance,
} from '@hawser/core'
import { createFakeSignIn, createKit, type Kit } from '@hawser/core/testing'
import { startPolkadot } from '@hawser/devnet/polkadot'
import { createPair, encodeAddress } from '@polkadot/keyring'
import type { KeyringPair } from '@polkadot/keyring/types'
import { TypeRegistry } from '@polkadot/types'
import type { SignerPayloadJSON } from '@polkadot/types/types'
import { hexToU8a, u8aToHex } from '@polkadot/util'
import {
  ed25519PairFromSeed,
  randomAsU8a,
  secp256k1PairFromSeed,
  signatureVerify,
  sr25519PairFromSeed,
} from '@polkadot/util-crypto'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'

const DOT_UNITS = 10_000_000_000n
const pairsFromSeed = {
  sr25519: sr25519PairFromSeed,
  ed25519: ed25519PairFromSeed,
  ecdsa: secp256k1PairFromSeed,
}

const home = mkdtempSync(join(tmpdir(), 'hawser-polkadot-'))
let started: Awaited<ReturnType<typeof startPolkadot>>
const chain = () => started.polkadot
const account = (index: number) => chain().accounts[index] as (typeof started.polkadot.accounts)[number]

beforeAll(async () => {
  started = await startPolkadot({ home, port: 0 })
}, 30_000)
afterAll(async () => {
  await started.child.stop()
  rmSync(home, { recursive: true })
})

async function node(method: string, params: unknown): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(chain().rpcUrl, { method: 'POST', headers, body })
  const { result, error } = (await response.json()) as {
    result?: unknown
    error?: { code: number; message: string }
  }
  if (error) throw new RpcError(error.code, error.message)
  return result
}

const balance = async (address: string) => BigInt((await node('devnet_balance', [address])) as string)
const stranger = (prefix = 0) => encodeAddress(randomAsU8a(32), prefix)

/** Signs as an extension does, with the reference implementation. */
function sign(payload: SignerPayloadJSON, pair: KeyringPair): string {
  const registry = new TypeRegistry()
  registry.setSignedExtensions(payload.signedExtensions)
  const { version } = payload
  return registry.createType('ExtrinsicPayload', payload, { version }).sign(pair).signature
}

interface Page {
  readonly kit: Kit
  readonly signed: SignerPayloadJSON[]
}

/** Answers the page's JSON-RPC calls. */
function answer({ gateway }: Kit, call: typeof node): void {
  const methods = new Proxy({}, { get: (_, method: string) => (params: unknown) => call(method, params) })
  Object.assign(gateway, { node: methods })
}

/** Opens a page whose extension has a funded account of the chain. */
async function connected(index = 0, options: Parameters<typeof createKit>[0] = {}): Promise<Page> {
  const { address, type, seed } = account(index)
  const keys = pairsFromSeed[type](hexToU8a(seed))
  const pair = createPair({ type, toSS58: encodeAddress }, keys)
  const signed: SignerPayloadJSON[] = []
  const provider: PolkadotProvider = {
    connect: async () => [{ address, type: 'eoa', label: 'Test' }],
    onAccounts: () => () => undefined,
    signMessage: async (_, message) => u8aToHex(pair.sign(message)),
    async signPayload(from, payload) {
      const whole = { ...payload, address: from } as SignerPayloadJSON
      signed.push(whole)
      return sign(whole, pair)
    },
  }
  const connector: Connector<'polkadot'> = {
    id: 'polkadot:test',
    name: 'Test',
    type: 'ANNOUNCED',
    chain: 'polkadot',
    getProvider: async () => provider,
  }
  const { caip2, name, nativeCurrency } = chain()
  const network = defineNetwork({ id: caip2.slice(9), name, chainNamespace: 'polkadot', nativeCurrency })
  const kit = createKit({
    networks: [network],
    connectors: [
      ({ add }) => {
        add(connector)
        return () => undefined
      },
    ],
    ...options,
  })
  kit.gateway.served = [caip2]
  kit.gateway.balances = []
  answer(kit, node)
  kit.hawser.mount()
  if (!options.storage) await connect(kit.hawser, { connector })
  return { kit, signed }
}

const DOT: TokenBalance = {
  chainId: '',
  name: 'Polkadot',
  symbol: 'DOT',
  price: 0,
  value: 0,
  iconUrl: '',
  quantity: { decimals: '10', numeric: '1000' },
}

const draft = ({ kit }: Page) => kit.hawser.send.getState()

async function drafting(page: Page, amount: string, to: string): Promise<void> {
  const { hawser } = page.kit
  openSend(hawser, { token: DOT })
  await fetchNativeBalance(hawser)
  setSendAmount(hawser, amount)
  await setReceiver(hawser, to)
}

/** Confirms a draft; the wallet signs it. */
async function confirm(page: Page): Promise<string | undefined> {
  await vi.waitFor(() => expect(sendReadiness(draft(page))).toBe('ready'))
  return sendToken(page.kit.hawser)
}

/** Waits for the outcome that the account's history shows. */
async function ending(page: Page) {
  await vi.waitFor(
    async () => {
      await page.kit.clock.advance(1_000)
      expect(draft(page).sent?.transaction.metadata.status).not.toBe('pending')
    },
    { timeout: 15_000 },
  )
  return draft(page).sent
}

async function send(page: Page): Promise<string | undefined> {
  const hash = await confirm(page)
  expect(hash).toMatch(/^0x[0-9a-f]{64}$/)
  return (await ending(page))?.transaction.metadata.status
}

describe.each([
  ['sr25519', 0],
  ['ed25519', 1],
  ['ecdsa', 2],
])('a transfer signed with an %s key', (_type, index) => {
  it('arrives to the last planck, and costs at most what was shown', async () => {
    const page = await connected(index)
    const to = stranger()
    const before = await balance(account(index).address)
    await drafting(page, '1.2345678901', to)
    await vi.waitFor(() => expect(draft(page).fee).toBeDefined())
    const fee = draft(page).fee?.amount ?? 0n
    expect(await send(page)).toBe('confirmed')
    expect(await balance(to)).toBe(12_345_678_901n)
    const paid = before - 12_345_678_901n - (await balance(account(index).address))
    expect(paid).toBeLessThanOrEqual(fee)
    // Signatures differ in size.
    expect(paid).toBeGreaterThan(fee - fee / 100n)
  })
})

describe('a transfer', () => {
  it('can be included for 64 blocks, without a tip', async () => {
    const page = await connected(3)
    await drafting(page, '2', stranger())
    await send(page)
    const [payload] = page.signed
    expect(payload).toMatchObject({
      tip: `0x${'0'.repeat(32)}`,
      version: 4,
      genesisHash: chain().genesisHash,
    })
    const era = new TypeRegistry().createType('ExtrinsicEra', hexToU8a(payload?.era))
    expect(era.asMortalEra.period.toNumber()).toBe(64)
    expect(era.asMortalEra.birth(Number(payload?.blockNumber))).toBe(Number(payload?.blockNumber))
  })

  it('has no preview beside its review, which says all that it does', async () => {
    const page = await connected(15)
    await drafting(page, '2', stranger())
    await previewSend(page.kit.hawser)
    expect(draft(page).preview).toBeUndefined()
  })

  it('is followed until its block is final', async () => {
    const page = await connected(4)
    await drafting(page, '2', stranger())
    await node('devnet_hold', [true])
    await confirm(page)
    await node('devnet_mine', [1])
    await page.kit.clock.advance(10_000)
    expect(draft(page).sent?.transaction.metadata.status).toBe('pending')
    await node('devnet_mine', [2])
    await node('devnet_hold', [false])
    expect((await ending(page))?.transaction.metadata.status).toBe('confirmed')
  })

  it('that reaches no block fails when none can include it any more, after a reload of the page too', async () => {
    const page = await connected(5)
    await drafting(page, '2', stranger())
    await node('devnet_hold', [true])
    await confirm(page)
    await node('devnet_dropPool', [])
    await node('devnet_mine', [62])
    await page.kit.clock.advance(10_000)
    expect(draft(page).sent?.transaction.metadata.status).toBe('pending')
    const next = await connected(5, { storage: page.kit.storage })
    await node('devnet_mine', [200])
    await node('devnet_hold', [false])
    await vi.waitFor(async () => {
      await next.kit.clock.advance(1_000)
      const [sent] = next.kit.hawser.activity.getState().sent
      expect(sent?.transaction.metadata.status).toBe('failed')
    })
  })

  it('that fails in its block says why', async () => {
    const page = await connected(6)
    await drafting(page, '500', stranger())
    await node('devnet_hold', [true])
    await confirm(page)
    await node('devnet_setAccount', [account(6).address, { frozen: String(900n * DOT_UNITS) }])
    await node('devnet_hold', [false])
    expect(await ending(page)).toMatchObject({
      transaction: { metadata: { status: 'failed' } },
      failure: 'Some of the balance is locked and could not be sent.',
    })
  })

  it('that the node already has is followed', async () => {
    const page = await connected(7)
    answer(page.kit, async (method, params) => {
      const result = await node(method, params)
      if (method === 'author_submitExtrinsic') throw new RpcError(1013, 'Transaction Already Imported')
      return result
    })
    await drafting(page, '2', stranger())
    expect(await send(page)).toBe('confirmed')
  })

  it('that the node refuses is not sent', async () => {
    const page = await connected(8)
    answer(page.kit, async (method, params) => {
      if (method === 'author_submitExtrinsic') throw new RpcError(1010, 'Invalid Transaction')
      return node(method, params)
    })
    await drafting(page, '2', stranger())
    expect(await confirm(page)).toBeUndefined()
    expect(draft(page).status).toBe('error')
  })

  it('goes nowhere from a page whose node is on another chain', async () => {
    const page = await connected(8)
    answer(page.kit, async (method, params) =>
      method === 'chain_getBlockHash' ? `0x${'12'.repeat(32)}` : node(method, params),
    )
    await drafting(page, '2', stranger())
    await vi.waitFor(() => expect(sendReadiness(draft(page))).toBe('gasUnavailable'))
  })
})

describe('the existential deposit', () => {
  it('stays with the sender of all there is', async () => {
    const page = await connected(9)
    await drafting(page, '', stranger())
    await vi.waitFor(() => expect(draft(page).fee?.reserve).toBe(DOT_UNITS))
    await fillMaxSendAmount(page.kit.hawser)
    expect(await send(page)).toBe('confirmed')
    const left = await balance(account(9).address)
    expect(left).toBeGreaterThanOrEqual(DOT_UNITS)
    expect(left).toBeLessThan(DOT_UNITS + DOT_UNITS / 1_000n)
  })

  it('cannot be sent', async () => {
    const page = await connected(10)
    await drafting(page, '999.5', stranger())
    await vi.waitFor(() => expect(sendReadiness(draft(page))).toBe('insufficientReserve'))
    setSendAmount(page.kit.hawser, '1000')
    expect(sendReadiness(draft(page))).toBe('insufficientGas')
    setSendAmount(page.kit.hawser, '1000.1')
    expect(sendReadiness(draft(page))).toBe('insufficientFunds')
  })

  it('is the least for a receiver that has no account', async () => {
    const page = await connected(10)
    await drafting(page, '0.9999999999', stranger())
    await vi.waitFor(() => expect(sendReadiness(draft(page))).toBe('belowMinimum'))
    setSendAmount(page.kit.hawser, '1')
    expect(sendReadiness(draft(page))).toBe('ready')
    await setReceiver(page.kit.hawser, account(11).address)
    setSendAmount(page.kit.hawser, '0.0000000001')
    await vi.waitFor(() => expect(sendReadiness(draft(page))).toBe('ready'))
  })

  it('is not all that stays where more is locked', async () => {
    await node('devnet_setAccount', [account(12).address, { frozen: String(300n * DOT_UNITS) }])
    const page = await connected(12)
    await drafting(page, '10', stranger())
    await vi.waitFor(() => expect(draft(page).fee?.reserve).toBe(300n * DOT_UNITS))
  })
})

describe('a receiver', () => {
  it('with the prefix of another network is shown as this one writes it', async () => {
    const page = await connected(13)
    const key = randomAsU8a(32)
    for (const prefix of [2, 42, 1_284]) {
      const typed = encodeAddress(key, prefix)
      await setReceiver(page.kit.hawser, typed)
      expect(draft(page)).toMatchObject({
        receiverStatus: 'valid',
        receiverAddress: encodeAddress(key, 0),
        receiverTyped: typed,
      })
    }
  })

  it.each([
    ['a wrong checksum', stranger().replace(/.$/, (last) => (last === 'a' ? 'b' : 'a')), undefined],
    ['an address of Solana', 'So11111111111111111111111111111111111111112', 'solana'],
    ['an address of an EVM chain', '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266', 'eip155'],
  ])('with %s is not one', async (_what, text, receiverKind) => {
    const page = await connected(13)
    await setReceiver(page.kit.hawser, text)
    expect(draft(page)).toMatchObject({ receiverStatus: 'invalid', receiverKind })
  })
})

it('signs in with a message that the account signed', async () => {
  const siwx = createFakeSignIn()
  const { kit } = await connected(14, { siwx })
  await vi.waitFor(() => expect(kit.hawser.signIn.getState().status).toBe('needed'))
  await signIn(kit.hawser)
  const [session] = siwx.sessions
  const { message = '', signature = '' } = session ?? {}
  expect(signatureVerify(message, signature, account(14).address).isValid).toBe(true)
})
