import { createPrivateKey, createPublicKey, sign, verify } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type Connector,
  type ConnectorFactory,
  connect,
  defineNetwork,
  disconnect,
  fetchNativeBalance,
  fillMaxSendAmount,
  openSend,
  previewSend,
  type SolanaProvider,
  selectAccount,
  sendReadiness,
  sendToken,
  setReceiver,
  setSendAmount,
  signIn,
  type TokenBalance,
} from '@hawser/core'
import { createFakeSignIn, createKit, type Kit } from '@hawser/core/testing'
import { startSolana } from '@hawser/devnet/solana'
import {
  address as addressOf,
  generateKeyPairSigner,
  getBase58Encoder,
  getProgramDerivedAddress,
} from '@solana/kit'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'

/** DER prefix of an Ed25519 private key (RFC 8410). */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex')
const TOKEN_PROGRAM = addressOf('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA')
const ASSOCIATED_TOKEN_PROGRAM = addressOf('ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL')
/** Lamports for a signature, and those that keep a token account of 165 bytes. */
const FEE = 5_000n
const RENT = 2_039_280n

const home = mkdtempSync(join(tmpdir(), 'hawser-solana-'))
let started: Awaited<ReturnType<typeof startSolana>>
const chain = () => started.solana
const account = (index: number) => chain().accounts[index] as (typeof started.solana.accounts)[number]

beforeAll(async () => {
  started = await startSolana({ home, keep: false, port: 0, tell: () => undefined })
}, 30_000)
afterAll(async () => {
  await started.child.stop()
  rmSync(home, { recursive: true })
})

async function node(method: string, params: unknown): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const response = await fetch(chain().rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  })
  const { result, error } = (await response.json()) as { result?: unknown; error?: { message: string } }
  if (error) throw new Error(error.message)
  return result
}

const lamports = async (address: string) =>
  BigInt(((await node('getBalance', [address, { commitment: 'confirmed' }])) as { value: number }).value)

/** Returns the base units of a token that an owner has in all of its accounts. */
async function held(owner: string, mint: string): Promise<bigint> {
  const config = { encoding: 'jsonParsed', commitment: 'confirmed' }
  const { value } = (await node('getTokenAccountsByOwner', [owner, { mint }, config])) as {
    value: { account: { data: { parsed: { info: { tokenAmount: { amount: string } } } } } }[]
  }
  return value.reduce((sum, { account }) => sum + BigInt(account.data.parsed.info.tokenAmount.amount), 0n)
}

/** Lists one wallet, as discovery would. */
function offerOf(connector: Connector): ConnectorFactory {
  return ({ add }) => {
    add(connector)
    return () => undefined
  }
}

interface Page {
  readonly kit: Kit
  /** What the wallet signed. */
  readonly signed: Uint8Array[]
  readonly provider: SolanaProvider
}

/** Answers the page's JSON-RPC calls. */
function answer({ gateway }: Kit, call: typeof node): void {
  const methods = new Proxy({}, { get: (_, method: string) => (params: unknown) => call(method, params) })
  Object.assign(gateway, { node: methods })
}

/** Opens a page whose wallet has a funded account of the chain. */
async function connected(index = 0, options: Parameters<typeof createKit>[0] = {}): Promise<Page> {
  const { address, secretKey } = account(index)
  const seed = Buffer.from(getBase58Encoder().encode(secretKey)).subarray(0, 32)
  const key = createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: 'der', type: 'pkcs8' })
  const signed: Uint8Array[] = []
  const provider: SolanaProvider = {
    connect: vi.fn(async () => [{ address, type: 'eoa', label: 'Test' }] as const),
    onAccounts: () => () => undefined,
    signMessage: async (_, message) => new Uint8Array(sign(null, message, key)),
    async signTransaction(_, transaction) {
      const copy = transaction.slice()
      copy.set(sign(null, transaction.subarray(65), key), 1)
      signed.push(copy)
      return copy
    },
  }
  const connector: Connector<'solana'> = {
    id: 'solana:Test',
    name: 'Test',
    type: 'ANNOUNCED',
    chain: 'solana',
    getProvider: async () => provider,
  }
  const { caip2, name, nativeCurrency } = chain()
  const network = defineNetwork({ id: caip2.slice(7), name, chainNamespace: 'solana', nativeCurrency })
  const kit = createKit({
    networks: [network],
    connectors: [offerOf(connector)],
    ...options,
  })
  kit.gateway.served = [caip2]
  kit.gateway.balances = []
  answer(kit, node)
  kit.hawser.mount()
  if (!options.storage) await connect(kit.hawser, { connector })
  return { kit, signed, provider }
}

const SOL: TokenBalance = {
  chainId: '',
  name: 'Solana',
  symbol: 'SOL',
  price: 0,
  value: 0,
  iconUrl: '',
  quantity: { decimals: '9', numeric: '1000' },
}

function tokenRow(symbol: string, numeric: string): TokenBalance {
  const { address, name, decimals } = chain().tokens.find((token) => token.symbol === symbol) ?? {
    address: '',
    name: '',
    decimals: 0,
  }
  const quantity = { decimals: String(decimals), numeric }
  return { ...SOL, name, symbol, quantity, address: `${chain().caip2}:${address}` }
}

const mintOf = (row: TokenBalance) => row.address?.split(':').at(-1) ?? ''
const draft = ({ kit }: Page) => kit.hawser.send.getState()

async function drafting(page: Page, token: TokenBalance, amount: string, to: string): Promise<void> {
  const { hawser } = page.kit
  openSend(hawser, { token })
  await fetchNativeBalance(hawser)
  setSendAmount(hawser, amount)
  await setReceiver(hawser, to)
}

/** Sends a draft and returns its outcome: the state that the account's history shows. */
async function send(page: Page): Promise<string | undefined> {
  const { hawser, clock } = page.kit
  await vi.waitFor(() => expect(sendReadiness(draft(page))).toBe('ready'))
  const signature = await sendToken(hawser)
  await vi.waitFor(async () => {
    await clock.advance(1_000)
    expect(draft(page).sent?.transaction.metadata.status).not.toBe('pending')
  })
  return signature && draft(page).sent?.transaction.metadata.status
}

const stranger = async () => (await generateKeyPairSigner()).address

describe('a Solana wallet', () => {
  it('connects, shows its exact balance and its label, and disconnects', async () => {
    const { kit } = await connected(5)
    await fetchNativeBalance(kit.hawser)
    expect(selectAccount(kit.hawser.chain.getState())).toMatchObject({
      caipAddress: `${chain().caip2}:${account(5).address}`,
      balance: '1.000000001',
      balanceSymbol: 'SOL',
      allAccounts: [{ label: 'Test' }],
      addressLabels: new Map([[account(5).address, 'Test']]),
    })
    await disconnect(kit.hawser)
    expect(selectAccount(kit.hawser.chain.getState()).address).toBeUndefined()
  })
})

describe('after a reload', () => {
  it('is connected again without a prompt', async () => {
    const { kit } = await connected(5)
    const { kit: next, provider } = await connected(5, { storage: kit.storage })
    await vi.waitFor(() =>
      expect(selectAccount(next.hawser.chain.getState())).toMatchObject({
        status: 'connected',
        address: account(5).address,
      }),
    )
    expect(vi.mocked(provider.connect).mock.calls).toEqual([
      [{ isSilent: true, caipNetworkId: chain().caip2 }],
    ])
  })
})

describe('a sign-in', () => {
  it('is a message that the account signed, in base58', async () => {
    const siwx = createFakeSignIn()
    const { kit } = await connected(5, { siwx })
    await vi.waitFor(() => expect(kit.hawser.signIn.getState().status).toBe('needed'))
    await signIn(kit.hawser)
    const [session] = siwx.sessions
    expect(session?.data).toMatchObject({ accountAddress: account(5).address, chainId: chain().caip2 })
    const bytes = (text: string) => Buffer.from(getBase58Encoder().encode(text))
    const spki = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), bytes(account(5).address)])
    const key = createPublicKey({ key: spki, format: 'der', type: 'spki' })
    const message = Buffer.from(session?.message ?? '')
    expect(verify(null, message, key, bytes(session?.signature ?? ''))).toBe(true)
  })
})

describe('SOL', () => {
  it('arrives, and costs what was shown', async () => {
    const page = await connected(6)
    const to = await stranger()
    const before = await lamports(account(6).address)
    await drafting(page, SOL, '1.25', to)
    expect(draft(page).fee).toMatchObject({ amount: FEE, reserve: 890_880n })
    expect(await send(page)).toBe('confirmed')
    expect(await lamports(to)).toBe(1_250_000_000n)
    expect(before - (await lamports(account(6).address))).toBe(1_250_000_000n + FEE)
  })

  it('Max leaves what keeps the account, and can be sent', async () => {
    const page = await connected(7)
    await drafting(page, SOL, '', await stranger())
    await vi.waitFor(() => expect(draft(page).fee).toBeDefined())
    await fillMaxSendAmount(page.kit.hawser)
    expect(draft(page).sendTokenAmount).toBe('99.99910412')
    expect(await send(page)).toBe('confirmed')
    expect(await lamports(account(7).address)).toBe(890_880n)
  })

  it('is not sent where it is too little to keep an account', async () => {
    const page = await connected(6)
    await drafting(page, SOL, '0.0001', await stranger())
    await vi.waitFor(() => expect(sendReadiness(draft(page))).toBe('gasUnavailable'))
  })

  it.each([
    ['a mint', () => mintOf(tokenRow('tUSD', '1'))],
    ['a program', () => TOKEN_PROGRAM],
    ['the system program', () => '11111111111111111111111111111111'],
  ])('is not sent to %s', async (_kind, receiver) => {
    const page = await connected(6)
    await drafting(page, SOL, '1', receiver())
    await vi.waitFor(() => expect(sendReadiness(draft(page))).toBe('gasUnavailable'))
  })

  it('pays for priority what others pay, within a bound', async () => {
    const page = await connected(6)
    const fees = [0, 1_000, 50_000, 2_000, 10 ** 15]
    answer(page.kit, async (method, params) => {
      if (method !== 'getRecentPrioritizationFees') return node(method, params)
      return fees.map((prioritizationFee, slot) => ({ slot, prioritizationFee }))
    })
    await drafting(page, SOL, '0.5', await stranger())
    expect(draft(page).fee?.terms).toMatchObject({ computeUnitPrice: 2_000n })
    page.kit.hawser.send.setState({ feeSpeed: 'fast' })
    await setReceiver(page.kit.hawser, await stranger())
    expect(draft(page).fee?.terms).toMatchObject({ computeUnitPrice: 50_000n })
    fees.fill(10 ** 15)
    await setReceiver(page.kit.hawser, await stranger())
    expect(draft(page).fee?.amount).toBeLessThanOrEqual(FEE + 1_000_000n)
    expect(await send(page)).toBe('confirmed')
  })
})

/** Returns the message of a transaction, without its blockhash. */
function withoutBlockhash(transaction: Uint8Array): Buffer {
  const message = Buffer.from(transaction.subarray(65))
  const keys = message.readUInt8(3)
  return Buffer.concat([message.subarray(0, 4 + 32 * keys), message.subarray(4 + 32 * keys + 32)])
}

describe('the preview of a transfer', () => {
  it.each([
    ['SOL', () => SOL],
    ['a token', () => tokenRow('tUSD', '1000000')],
  ])('of %s is of the transaction that the wallet will sign', async (_, token) => {
    const page = await connected()
    const requests: { chainId?: string; account?: string; transaction?: string }[] = []
    page.kit.gateway.simulate = (request) => {
      requests.push(request)
      return { outcome: 'OUTCOME_SUCCEEDS' }
    }
    await drafting(page, token(), '1.5', await stranger())
    await vi.waitFor(() => expect(sendReadiness(draft(page))).toBe('ready'))
    await previewSend(page.kit.hawser)
    expect(draft(page).preview).toMatchObject({ outcome: 'succeeds' })
    expect(await send(page)).toBe('confirmed')
    const [{ chainId, account: of, transaction = '' } = {}] = requests
    expect({ chainId, of }).toEqual({ chainId: chain().caip2, of: account(0).address })
    const signed = page.signed[0] as Uint8Array
    expect(withoutBlockhash(Buffer.from(transaction, 'base64'))).toEqual(withoutBlockhash(signed))
  })

  it('says why it would fail where the accounts show it', async () => {
    const page = await connected(6)
    await drafting(page, SOL, '1', mintOf(tokenRow('tUSD', '1')))
    await previewSend(page.kit.hawser)
    expect(draft(page).preview).toMatchObject({ outcome: 'reverts', reason: 'The receiver is not a wallet' })
  })

  it('is unavailable while the node does not answer', async () => {
    const page = await connected(6)
    await drafting(page, SOL, '1', await stranger())
    answer(page.kit, () => Promise.reject(new Error('down')))
    await previewSend(page.kit.hawser)
    expect(draft(page).preview).toBe('unavailable')
  })
})

describe('a token', () => {
  it('of the token program arrives in an account that is made for it, whose rent was shown', async () => {
    const page = await connected()
    const to = await stranger()
    const row = tokenRow('tUSD', '1000000.000001')
    const before = await lamports(account(0).address)
    await drafting(page, row, '2.5', to)
    expect(draft(page).fee).toMatchObject({ amount: FEE + RENT, rent: RENT })
    expect(await send(page)).toBe('confirmed')
    expect(await held(to, mintOf(row))).toBe(2_500_000n)
    expect(before - (await lamports(account(0).address))).toBe(FEE + RENT)
  })

  it('goes to the existing account of the receiver without rent', async () => {
    const page = await connected()
    await drafting(page, tokenRow('tUSD', '1000000'), '1', account(1).address)
    expect(draft(page).fee?.rent).toBeUndefined()
    expect(await send(page)).toBe('confirmed')
  })

  it('does not go to an account that its owner has passed on', async () => {
    const page = await connected()
    const row = tokenRow('tUSD', '1000000')
    const to = await stranger()
    const seeds = [to, TOKEN_PROGRAM, mintOf(row)].map((part) => getBase58Encoder().encode(part))
    const [associated] = await getProgramDerivedAddress({ programAddress: ASSOCIATED_TOKEN_PROGRAM, seeds })
    const data = Buffer.alloc(165)
    data.set(getBase58Encoder().encode(mintOf(row)), 0)
    data.set(getBase58Encoder().encode(await stranger()), 32)
    data[108] = 1
    await node('devnet_setAccount', [
      associated,
      { owner: TOKEN_PROGRAM, data: [data.toString('base64'), 'base64'] },
    ])
    await drafting(page, row, '1', to)
    await vi.waitFor(() => expect(sendReadiness(draft(page))).toBe('gasUnavailable'))
  })

  it('of Token-2022 carries the memo that the receiver requires', async () => {
    const page = await connected()
    const row = tokenRow('tPYUSD', '750')
    const before = await held(account(2).address, mintOf(row))
    await drafting(page, row, '1', account(2).address)
    expect(await send(page)).toBe('confirmed')
    expect((await held(account(2).address, mintOf(row))) - before).toBe(1_000_000n)
  })

  it('that withholds a part of transfers says how much', async () => {
    const page = await connected()
    const row = tokenRow('TAX', '42')
    const to = await stranger()
    await drafting(page, row, '10', to)
    expect(draft(page).fee).toMatchObject({ tokenFee: 10_000_000n })
    expect(await send(page)).toBe('confirmed')
    expect(await held(to, mintOf(row))).toBe(990_000_000n)
  })

  it.each(['5', '7'])('whose mint has 6 decimals is not sent with %s', async (decimals) => {
    const page = await connected()
    const { quantity, ...row } = tokenRow('tUSD', '1000')
    await drafting(page, { ...row, quantity: { ...quantity, decimals } }, '1', account(1).address)
    await vi.waitFor(() => expect(sendReadiness(draft(page))).toBe('gasUnavailable'))

    await drafting(page, tokenRow('tUSD', '1000'), '1', account(1).address)
    await vi.waitFor(() => expect(sendReadiness(draft(page))).toBe('ready'))
    page.kit.hawser.send.setState(({ token }) => ({
      token: token && { ...token, quantity: { ...token.quantity, decimals } },
    }))
    expect(await sendToken(page.kit.hawser)).toBeUndefined()
    expect(page.signed).toEqual([])
  })

  it('has no fee to show when the receiver is an account of another token, or frozen', async () => {
    const page = await connected()
    await drafting(page, tokenRow('tUSD', '1000000'), '1', mintOf(tokenRow('tUSD', '1')))
    await vi.waitFor(() => expect(sendReadiness(draft(page))).toBe('gasUnavailable'))
    await drafting(page, tokenRow('tJUP', '1000000'), '1', account(3).address)
    await vi.waitFor(() => expect(sendReadiness(draft(page))).toBe('gasUnavailable'))
  })
})

describe('a send that fails', () => {
  it('needs an amount and a receiver', async () => {
    const page = await connected()
    await drafting(page, SOL, '', '')
    const incomplete = 'Please enter a valid amount and receiver address'
    await expect(sendToken(page.kit.hawser)).rejects.toThrow(incomplete)
    await setReceiver(page.kit.hawser, '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266')
    expect(draft(page)).toMatchObject({ receiverStatus: 'invalid', receiverKind: 'eip155' })
    await expect(sendToken(page.kit.hawser)).rejects.toThrow(incomplete)
  })

  it('says so when the node refuses the transaction, and keeps the draft', async () => {
    const page = await connected(6)
    Object.assign(page.provider, {
      signTransaction: async (_: string, sent: Uint8Array) => sent.fill(9, 1, 65),
    })
    await drafting(page, SOL, '0.5', account(1).address)
    await vi.waitFor(() => expect(sendReadiness(draft(page))).toBe('ready'))
    expect(await sendToken(page.kit.hawser)).toBeUndefined()
    expect(draft(page)).toMatchObject({ status: 'error', sendTokenAmount: '0.5' })
    await page.kit.clock.advance(200)
    expect(page.kit.hawser.toast.getState().message).toBe('Failed to send transaction. Please try again.')
  })

  it('stays open when the wallet may have signed a newer blockhash', async () => {
    const page = await connected(6)
    Object.assign(page.provider, {
      signTransaction: undefined,
      signAndSendTransaction: async () => new Uint8Array(64).fill(5),
    })
    await drafting(page, SOL, '0.5', account(1).address)
    await vi.waitFor(() => expect(sendReadiness(draft(page))).toBe('ready'))
    await sendToken(page.kit.hawser)
    await node('devnet_advanceSlots', [200])
    for (let second = 0; second < 5; second++) await page.kit.clock.advance(1_000)
    expect(draft(page).sent?.transaction.metadata.status).toBe('pending')
  })

  it('is over once its blockhash has expired', async () => {
    const page = await connected(6)
    answer(page.kit, async (method, params) =>
      method === 'sendTransaction' ? 'lost on its way' : node(method, params),
    )
    await drafting(page, SOL, '0.5', account(1).address)
    await vi.waitFor(() => expect(sendReadiness(draft(page))).toBe('ready'))
    await sendToken(page.kit.hawser)
    await page.kit.clock.advance(3_000)
    expect(draft(page).sent?.transaction.metadata.status).toBe('pending')
    await node('devnet_advanceSlots', [200])
    await vi.waitFor(async () => {
      await page.kit.clock.advance(1_000)
      expect(draft(page).sent?.transaction.metadata.status).toBe('failed')
    })
  })

  it('is over after the page was loaded again, too', async () => {
    const before = await connected(6)
    const { storage, clock } = before.kit
    answer(before.kit, async (method, params) =>
      method === 'sendTransaction' ? 'lost on its way' : node(method, params),
    )
    await drafting(before, SOL, '0.25', account(1).address)
    await vi.waitFor(() => expect(sendReadiness(draft(before))).toBe('ready'))
    await sendToken(before.kit.hawser)

    const { hawser } = (await connected(6, { storage, clock })).kit
    const statuses = () =>
      hawser.activity.getState().sent.map(({ transaction }) => transaction.metadata.status)
    await vi.waitFor(() => expect(statuses()).toEqual(['pending']))
    await node('devnet_advanceSlots', [200])
    await vi.waitFor(async () => {
      await clock.advance(1_000)
      expect(statuses()).toEqual(['failed'])
    })
  })
})
