import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { p2pkh, p2sh, p2tr, p2wpkh, TEST_NETWORK, Transaction } from '@scure/btc-signer'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { WalletSession } from '../types/adapter.ts'
import type { CaipNetworkId } from '../types/network.ts'
import { type BitcoinReader, createBitcoinAdapter } from './bitcoinAdapter.ts'
import { createBitcoinTransfers } from './bitcoinTransfers.ts'

const caipNetworkId: CaipNetworkId = 'bip122:0f9188f13cb7b2c71f2a335e3a4fc328'
const network = { caipNetworkId, node: () => Promise.reject(new Error('There is no node')) }
const regtest = { ...TEST_NETWORK, bech32: 'bcrt' }
const receiver = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080'
const key = new Uint8Array(32).fill(7)
const publicKey = '02989c0b76cb563971fdc9bef31ec06c3560f3249d6ee9e5d83c57625596e05f6f'
const publicBytes = Uint8Array.from(publicKey.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))

let server: ChildProcess
let url: string

beforeAll(async () => {
  const root = fileURLToPath(new URL('../../../..', import.meta.url))
  server = spawn('go', ['run', '-trimpath', './services/bitcoin/bitcointest/regtest'], {
    cwd: root,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  url = await new Promise((resolve, reject) => {
    server.stdout?.once('data', (line: Buffer) => resolve(line.toString().replace('Listening on', '').trim()))
    server.once('exit', (code) => reject(new Error(`The network ended with ${code}`)))
  })
}, 120_000)

// The network exits when its standard input ends.
afterAll(() => void server.stdin?.end())

async function get(path: string): Promise<string> {
  const response = await fetch(url + path)
  if (!response.ok) throw new Error(await response.text())
  return response.text()
}

async function post(path: string, body?: string): Promise<string> {
  const response = await fetch(url + path, { method: 'POST', ...(body && { body }) })
  if (!response.ok) throw new Error(await response.text())
  return response.text()
}

/** Reads the network as the gateway's service does. */
const reader = (async () => ({
  getFeeRates: async () => ({ slow: 1_000n, normal: 5_000n, fast: 10_000n }),
  async getBalance({ address }: { address: string }) {
    const { chain_stats: chain, mempool_stats: pool } = JSON.parse(await get(`/address/${address}`))
    return {
      confirmed: chain.funded_txo_sum - chain.spent_txo_sum,
      pending: pool.funded_txo_sum - pool.spent_txo_sum,
    }
  },
  async listUnspent({ address }: { address: string }) {
    const outputs: { txid: string; vout: number; value: number; status: { block_height?: number } }[] =
      JSON.parse(await get(`/address/${address}/utxo`))
    return {
      outputs: outputs.map(({ txid, vout, value, status }) => ({
        transactionId: txid,
        index: vout,
        amount: String(value),
        height: BigInt(status.block_height ?? 0),
      })),
    }
  },
  async getTransaction({ id }: { id: string }) {
    const { block_height = 0 } = JSON.parse(await get(`/tx/${id}/status`))
    return { transaction: await get(`/tx/${id}/hex`), height: BigInt(block_height) }
  },
  sendTransaction: async ({ transaction }: { transaction: string }) => ({
    id: await post('/tx', transaction),
  }),
})) as unknown as BitcoinReader

function sessionOf(address: string): WalletSession<'bip122'> {
  return {
    accounts: [{ address, type: 'payment', publicKey }],
    caipNetworkId,
    provider: {
      connect: async () => [],
      onAccounts: () => () => undefined,
      signMessage: async () => '',
      async signPsbt(_address, psbt) {
        const transaction = Transaction.fromPSBT(psbt)
        transaction.sign(key)
        return transaction.toPSBT()
      },
    },
  }
}

describe.each([
  ['P2WPKH', p2wpkh(publicBytes, regtest)],
  ['P2SH-P2WPKH', p2sh(p2wpkh(publicBytes, regtest), regtest)],
  ['P2TR', p2tr(publicBytes.slice(1), undefined, regtest)],
  ['P2PKH', p2pkh(publicBytes, regtest)],
])('an address of %s', (_form, { address: from = '' }) => {
  const transfers = createBitcoinTransfers(reader, () => [])
  const { nativeBalance, receipt } = createBitcoinAdapter({} as never, reader, () => [])
  const balance = (address: string) => nativeBalance(network, address)

  it('pays at the least fee that nodes relay, and then all that is left', async () => {
    await post(`/dev/fund?address=${from}&satoshis=60000`)
    await post(`/dev/fund?address=${from}&satoshis=50000`)
    const before = await balance(receiver)

    const draft = { from, to: receiver, amount: 70_000n }
    const fee = await transfers.quote(network, draft, { speed: 'slow' })
    const id = await transfers.send(sessionOf(from), draft, { caipNetworkId, fee }, network)
    expect(await receipt(network, id)).toBe('pending')
    expect(await balance(from)).toBe(40_000n - fee.amount)
    await post('/dev/mine?blocks=1')
    expect(await receipt(network, id)).toBe('success')

    const rest = await transfers.quote(network, { ...draft, amount: 1n, isMax: true })
    const amount = 40_000n - fee.amount - rest.amount
    await transfers.send(sessionOf(from), { ...draft, amount }, { caipNetworkId, fee: rest }, network)
    expect(await balance(from)).toBe(0n)
    expect(await balance(receiver)).toBe(before + 70_000n + amount)
  })
})
