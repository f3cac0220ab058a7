import { createPrivateKey, sign } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type Connector,
  type ConnectorFactory,
  connect,
  defineNetwork,
  fetchNativeBalance,
  openSend,
  type SolanaProvider,
  sendReadiness,
  sendToken,
  setReceiver,
  setSendAmount,
  type TokenBalance,
} from '@hawser/core'
import { createKit, type Kit } from '@hawser/core/testing'
import { startSolana } from '@hawser/devnet/solana'
import { address as addressOf, generateKeyPairSigner, getBase58Encoder } from '@solana/kit'
import { afterAll, beforeAll, expect, vi } from 'vitest'

/** DER prefix of an Ed25519 private key (RFC 8410). */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex')
export const TOKEN_PROGRAM = addressOf('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA')
export const ASSOCIATED_TOKEN_PROGRAM = addressOf('ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL')
/** Lamports for a signature, and those that keep a token account of 165 bytes. */
export const FEE = 5_000n
export const RENT = 2_039_280n

const home = mkdtempSync(join(tmpdir(), 'hawser-solana-'))
let started: Awaited<ReturnType<typeof startSolana>>
export const chain = () => started.solana
export const account = (index: number) => chain().accounts[index] as (typeof started.solana.accounts)[number]

/** Starts the chain of a test file, which stops after its tests. */
export function withSolana(): void {
  beforeAll(async () => {
    started = await startSolana({ home, keep: false, port: 0, tell: () => undefined })
  }, 30_000)
  afterAll(async () => {
    await started.child.stop()
    rmSync(home, { recursive: true })
  })
}

export async function node(method: string, params: unknown): Promise<unknown> {
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

export const lamports = async (address: string) =>
  BigInt(((await node('getBalance', [address, { commitment: 'confirmed' }])) as { value: number }).value)

/** Returns the base units of a token that an owner has in all of its accounts. */
export async function held(owner: string, mint: string): Promise<bigint> {
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
export function answer({ gateway }: Kit, call: typeof node): void {
  const methods = new Proxy({}, { get: (_, method: string) => (params: unknown) => call(method, params) })
  Object.assign(gateway, { node: methods })
}

/** Opens a page whose wallet has a funded account of the chain. */
export async function connected(index = 0, options: Parameters<typeof createKit>[0] = {}): Promise<Page> {
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

export const SOL: TokenBalance = {
  chainId: '',
  name: 'Solana',
  symbol: 'SOL',
  price: 0,
  value: 0,
  iconUrl: '',
  quantity: { decimals: '9', numeric: '1000' },
}

export function tokenRow(symbol: string, numeric: string): TokenBalance {
  const { address, name, decimals } = chain().tokens.find((token) => token.symbol === symbol) ?? {
    address: '',
    name: '',
    decimals: 0,
  }
  const quantity = { decimals: String(decimals), numeric }
  return { ...SOL, name, symbol, quantity, address: `${chain().caip2}:${address}` }
}

export const mintOf = (row: TokenBalance) => row.address?.split(':').at(-1) ?? ''
export const draft = ({ kit }: Page) => kit.hawser.send.getState()

export async function drafting(page: Page, token: TokenBalance, amount: string, to: string): Promise<void> {
  const { hawser } = page.kit
  openSend(hawser, { token })
  await fetchNativeBalance(hawser)
  setSendAmount(hawser, amount)
  await setReceiver(hawser, to)
}

/** Sends a draft and returns its outcome: the state that the account's history shows. */
export async function send(page: Page): Promise<string | undefined> {
  const { hawser, clock } = page.kit
  await vi.waitFor(() => expect(sendReadiness(draft(page))).toBe('ready'))
  const signature = await sendToken(hawser)
  await vi.waitFor(async () => {
    await clock.advance(1_000)
    expect(draft(page).sent?.transaction.metadata.status).not.toBe('pending')
  })
  return signature && draft(page).sent?.transaction.metadata.status
}

export const stranger = async () => (await generateKeyPairSigner()).address
