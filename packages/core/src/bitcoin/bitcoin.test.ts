import { GatewayError, NetworkError } from '@hawser/client'
import { Address, NETWORK, OutScript, p2pkh, p2sh, p2tr, p2wpkh, RawTx, Transaction } from '@scure/btc-signer'
import { describe, expect, it, vi } from 'vitest'
import { createFakeClock } from '../testing/fakeClock.ts'
import type { AccountEntry } from '../types/account.ts'
import type { WalletSession } from '../types/adapter.ts'
import type { CaipNetworkId } from '../types/network.ts'
import { type BitcoinReader, createBitcoinAdapter } from './bitcoinAdapter.ts'
import { createBitcoinTransfers } from './bitcoinTransfers.ts'
import { DUST, selectCoins } from './coins.ts'

const caipNetworkId: CaipNetworkId = 'bip122:000000000019d6689c085ae165831e93'
const regtest: CaipNetworkId = 'bip122:0f9188f13cb7b2c71f2a335e3a4fc328'
const key = new Uint8Array(32).fill(7)
const publicKey = '02989c0b76cb563971fdc9bef31ec06c3560f3249d6ee9e5d83c57625596e05f6f'
const publicBytes = Uint8Array.from(publicKey.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
const bob = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'

/** Returns the accounts of a wallet that keeps ordinals apart. */
const withOrdinals = (): readonly AccountEntry[] => [{ address: bob, type: 'ordinal' }]

const forms = {
  P2WPKH: p2wpkh(publicBytes),
  'P2SH-P2WPKH': p2sh(p2wpkh(publicBytes)),
  P2TR: p2tr(publicBytes.slice(1)),
  P2PKH: p2pkh(publicBytes),
}

/** Creates a gateway that lists outputs of an address, each from a separate transaction. */
function createGateway(
  from: string,
  amounts: readonly bigint[],
  {
    failure,
    reported = amounts,
    pending = {},
    more = false,
    balance = '5000',
  }: {
    failure?: Error
    reported?: readonly bigint[]
    /** Satoshis that the address spent in the unconfirmed transaction of an output, by the output's index. */
    pending?: Readonly<Record<number, string>>
    more?: boolean
    balance?: string
  } = {},
) {
  const previous = amounts.map((amount, index) => {
    const script = OutScript.encode(Address(NETWORK).decode(from))
    const raw = RawTx.encode({
      version: 2,
      segwitFlag: false,
      inputs: [
        {
          txid: new Uint8Array(32).fill(index + 1),
          index: 0,
          finalScriptSig: new Uint8Array([0]),
          sequence: 0,
        },
      ],
      outputs: [{ script, amount }],
      witnesses: undefined,
      lockTime: 0,
    })
    return Transaction.fromRaw(raw)
  })
  const sent: string[] = []
  const client = {
    getFeeRates: async () => ({ slow: 1_000n, normal: 2_500n, fast: 10_000n }),
    getBalance: async () => ({ confirmed: balance, pending: '-1000' }),
    listUnspent: async () => ({
      outputs: reported.map((amount, index) => ({
        transactionId: previous[index]?.id,
        index: 0,
        amount: String(amount),
        height: index in pending ? 0n : 1n,
      })),
      more,
    }),
    listTransactions: async () => ({
      transactions: previous.map(({ id }, index) => ({
        id,
        height: index in pending ? 0n : 1n,
        spent: pending[index] ?? '0',
      })),
    }),
    getTransaction: async ({ id }: { id: string }) => ({
      transaction: previous.find((transaction) => transaction.id === id)?.hex,
      height: 0n,
    }),
    sendTransaction: async ({ transaction }: { transaction: string }) => {
      sent.push(transaction)
      if (failure) throw failure
      return { id: Transaction.fromRaw(bytes(transaction), { allowUnknownOutputs: true }).id }
    },
  }
  return { sent, reader: (async () => client) as unknown as BitcoinReader }
}

function bytes(hex: string): Uint8Array {
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
}

const hex = (raw: Uint8Array) => Buffer.from(raw).toString('hex')

function createSession(
  address: string,
  { type = 'payment' as 'payment' | 'ordinal', sign = signAll, hasOrdinals = true } = {},
): WalletSession<'bip122'> {
  return {
    accounts: [{ address, type, publicKey }, ...(hasOrdinals ? withOrdinals() : [])],
    caipNetworkId,
    provider: {
      connect: async () => [],
      onAccounts: () => () => undefined,
      signMessage: async () => '',
      signPsbt: async (_address, psbt) => sign(psbt),
    },
  }
}

function signAll(psbt: Uint8Array): Uint8Array {
  const transaction = Transaction.fromPSBT(psbt)
  transaction.sign(key)
  return transaction.toPSBT()
}

const network = { caipNetworkId, node: () => Promise.reject(new Error('There is no node')) }

describe('a transfer of bitcoin', () => {
  it.each(Object.entries(forms))('from %s pays the amount, the fee and change', async (_form, payment) => {
    const from = payment.address ?? ''
    const { sent, reader } = createGateway(from, [60_000n, 50_000n])
    const transfers = createBitcoinTransfers(reader, withOrdinals)
    const draft = { from, to: bob, amount: 70_000n }
    const fee = await transfers.quote(network, draft)
    await transfers.send(createSession(from), draft, { caipNetworkId, fee }, network)

    const raw = RawTx.decode(bytes(sent[0] ?? ''))
    expect(raw.inputs).toHaveLength(2)
    expect(raw.outputs.map(({ amount }) => amount)).toEqual([70_000n, 40_000n - fee.amount])
    const change = raw.outputs[1]?.script ?? new Uint8Array()
    expect(Address(NETWORK).encode(OutScript.decode(change))).toBe(from)
    const { vsize } = Transaction.fromRaw(bytes(sent[0] ?? ''), { allowUnknownOutputs: true })
    const rate = Number(fee.amount) / vsize
    expect(rate).toBeGreaterThanOrEqual(2.5)
    expect(rate).toBeLessThan(2.75)
  })

  it('of all that there is leaves nothing', async () => {
    const from = forms.P2WPKH.address ?? ''
    const { sent, reader } = createGateway(from, [60_000n, 50_000n])
    const transfers = createBitcoinTransfers(reader, withOrdinals)
    const fee = await transfers.quote(network, { from, to: bob, amount: 1n, isMax: true }, { speed: 'fast' })
    const amount = 110_000n - fee.amount
    await transfers.send(createSession(from), { from, to: bob, amount }, { caipNetworkId, fee }, network)
    expect(RawTx.decode(bytes(sent[0] ?? '')).outputs.map((output) => output.amount)).toEqual([amount])
  })

  it.each([new NetworkError('offline'), new GatewayError({ code: 'unavailable' })])(
    'that may have been sent is followed by its id: %s',
    async (failure) => {
      const from = forms['P2SH-P2WPKH'].address ?? ''
      const { sent, reader } = createGateway(from, [60_000n], { failure })
      const transfers = createBitcoinTransfers(reader, withOrdinals)
      const draft = { from, to: bob, amount: 1_000n }
      const fee = await transfers.quote(network, draft)
      const id = await transfers.send(createSession(from), draft, { caipNetworkId, fee }, network)
      expect(id).toBe(Transaction.fromRaw(bytes(sent[0] ?? ''), { allowUnknownOutputs: true }).id)
    },
  )

  it('that the network refuses has failed', async () => {
    const from = forms.P2WPKH.address ?? ''
    const failure = new GatewayError({ code: 'failed_precondition' })
    const transfers = createBitcoinTransfers(createGateway(from, [60_000n], { failure }).reader, withOrdinals)
    const draft = { from, to: bob, amount: 1_000n }
    const fee = await transfers.quote(network, draft)
    await expect(transfers.send(createSession(from), draft, { caipNetworkId, fee }, network)).rejects.toThrow(
      failure,
    )
  })

  it('costs more the sooner it should be in a block', async () => {
    const from = forms.P2TR.address ?? ''
    const transfers = createBitcoinTransfers(createGateway(from, [60_000n]).reader, withOrdinals)
    const draft = { from, to: bob, amount: 1_000n }
    const [slow, fast] = await Promise.all(
      (['slow', 'fast'] as const).map((speed) => transfers.quote(network, draft, { speed })),
    )
    expect(fast?.amount).toBe((slow?.amount ?? 0n) * 10n)
  })

  it('leaves small outputs of a Taproot address, which may hold an inscription', async () => {
    const from = forms.P2TR.address ?? ''
    const { sent, reader } = createGateway(from, [60_000n, 10_000n, 546n])
    const transfers = createBitcoinTransfers(reader, withOrdinals)
    const fee = await transfers.quote(network, { from, to: bob, amount: 1n, isMax: true })
    expect(fee.reserve).toBe(10_546n)
    const draft = { from, to: bob, amount: 60_000n - fee.amount }
    await transfers.send(createSession(from), draft, { caipNetworkId, fee }, network)
    expect(RawTx.decode(bytes(sent[0] ?? '')).inputs).toHaveLength(1)
    const beyond = { from, to: bob, amount: 60_000n }
    await expect(
      transfers.send(createSession(from), beyond, { caipNetworkId, fee }, network),
    ).rejects.toThrow('cannot pay')
  })

  it('leaves outputs of usual sizes where the wallet has no address for ordinals', async () => {
    const from = forms.P2WPKH.address ?? ''
    const { sent, reader } = createGateway(from, [60_000n, 10_000n, 546n, 330n])
    const transfers = createBitcoinTransfers(reader, () => [])
    const fee = await transfers.quote(network, { from, to: bob, amount: 1n, isMax: true }, { speed: 'slow' })
    expect(fee.reserve).toBe(876n)
    const draft = { from, to: bob, amount: 70_000n - fee.amount }
    const session = createSession(from, { hasOrdinals: false })
    await transfers.send(session, draft, { caipNetworkId, fee }, network)
    expect(RawTx.decode(bytes(sent[0] ?? '')).inputs).toHaveLength(2)
  })

  it('leaves outputs that cost more than they hold', async () => {
    const from = forms.P2WPKH.address ?? ''
    const { sent, reader } = createGateway(from, [60_000n, 681n, 680n, 100n])
    const transfers = createBitcoinTransfers(reader, withOrdinals)
    const fee = await transfers.quote(network, { from, to: bob, amount: 1n, isMax: true }, { speed: 'fast' })
    expect(fee.reserve).toBe(780n)
    const draft = { from, to: bob, amount: 60_681n - fee.amount }
    await transfers.send(createSession(from), draft, { caipNetworkId, fee }, network)
    expect(RawTx.decode(bytes(sent[0] ?? '')).inputs).toHaveLength(2)
  })

  it('leaves outputs that are not listed', async () => {
    const from = forms.P2WPKH.address ?? ''
    const { reader } = createGateway(from, [60_000n, 50_000n], { more: true, balance: '150000' })
    const transfers = createBitcoinTransfers(reader, withOrdinals)
    const fee = await transfers.quote(network, { from, to: bob, amount: 1n, isMax: true })
    expect(fee.reserve).toBe(39_000n)
  })

  it('spends unconfirmed change, but no unconfirmed payments of other senders', async () => {
    const from = forms.P2WPKH.address ?? ''
    const { sent, reader } = createGateway(from, [60_000n, 50_000n, 40_000n], {
      pending: { 1: '0', 2: '90000' },
    })
    const transfers = createBitcoinTransfers(reader, withOrdinals)
    const fee = await transfers.quote(network, { from, to: bob, amount: 1n, isMax: true })
    expect(fee.reserve).toBe(50_000n)
    const draft = { from, to: bob, amount: 100_000n - fee.amount }
    await transfers.send(createSession(from), draft, { caipNetworkId, fee }, network)
    const spent = RawTx.decode(bytes(sent[0] ?? '')).inputs.map(({ txid }) => hex(txid))
    const { outputs } = await (await reader()).listUnspent({})
    expect(spent).toEqual([outputs[0]?.transactionId, outputs[2]?.transactionId])
  })

  it('never spends from an ordinal address', async () => {
    const from = forms.P2TR.address ?? ''
    const { sent, reader } = createGateway(from, [60_000n])
    const transfers = createBitcoinTransfers(reader, withOrdinals)
    const draft = { from, to: bob, amount: 1_000n }
    const fee = await transfers.quote(network, draft)
    const session = createSession(from, { type: 'ordinal' })
    await expect(transfers.send(session, draft, { caipNetworkId, fee }, network)).rejects.toThrow(
      'not for payments',
    )
    expect(sent).toEqual([])
  })

  it('is not sent when the wallet signed another one', async () => {
    const from = forms.P2WPKH.address ?? ''
    const { sent, reader } = createGateway(from, [60_000n])
    const transfers = createBitcoinTransfers(reader, withOrdinals)
    const draft = { from, to: bob, amount: 1_000n }
    const fee = await transfers.quote(network, draft)
    const sign = (psbt: Uint8Array) => {
      const theirs = Transaction.fromPSBT(psbt)
      theirs.updateOutput(0, { amount: 2_000n }, true)
      return signAll(theirs.toPSBT())
    }
    const sending = transfers.send(createSession(from, { sign }), draft, { caipNetworkId, fee }, network)
    await expect(sending).rejects.toThrow('another transaction')
    expect(sent).toEqual([])
  })

  it('is not signed when a server reports less than an output holds, which would be paid as fee', async () => {
    const from = forms.P2PKH.address ?? ''
    const { sent, reader } = createGateway(from, [100_000_000n], { reported: [1_000_000n] })
    const transfers = createBitcoinTransfers(reader, withOrdinals)
    const draft = { from, to: bob, amount: 900_000n }
    const fee = await transfers.quote(network, draft)
    const sign = vi.fn(signAll)
    const sending = transfers.send(createSession(from, { sign }), draft, { caipNetworkId, fee }, network)
    await expect(sending).rejects.toThrow('wrong amount')
    expect(sign).not.toHaveBeenCalled()
    expect(sent).toEqual([])
  })

  it.each([
    ['of dust', DUST - 1n],
    ['of more than there is', 60_000n],
  ])('%s has a fee, and is not sent', async (_behaviour, amount) => {
    const from = forms.P2WPKH.address ?? ''
    const { sent, reader } = createGateway(from, [60_000n])
    const transfers = createBitcoinTransfers(reader, withOrdinals)
    const draft = { from, to: bob, amount }
    const fee = await transfers.quote(network, draft)
    expect(fee).toMatchObject({ minimum: DUST, amount: expect.any(BigInt) })
    await expect(
      transfers.send(createSession(from), draft, { caipNetworkId, fee }, network),
    ).rejects.toThrow()
    expect(sent).toEqual([])
  })

  it('to an address of another network is refused', async () => {
    const from = forms.P2WPKH.address ?? ''
    const transfers = createBitcoinTransfers(createGateway(from, [60_000n]).reader, withOrdinals)
    const to = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080'
    await expect(transfers.quote(network, { from, to, amount: 1_000n })).rejects.toThrow(
      'does not belong to the network',
    )
  })

  it('accepts the addresses of every network', () => {
    const transfers = createBitcoinTransfers(vi.fn(), withOrdinals)
    const onRegtest = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080'
    expect(transfers.isAddress(onRegtest, regtest)).toBe(true)
    expect(transfers.isAddress(onRegtest, caipNetworkId)).toBe(false)
    for (const address of [
      bob,
      'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080',
      '2N3oefVeg6stiTb5Kh3ozCSkaqmx91FDbsm',
    ])
      expect(transfers.isAddress(address), address).toBe(true)
    for (const text of ['', `${bob.slice(0, -1)}5`, '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'])
      expect(transfers.isAddress(text), text).toBe(false)
  })
})

it('gives change below the dust limit to the fee', () => {
  const sizes = { inputSize: 68, receiver: 22, sender: 22 }
  const coin = { transactionId: '', index: 0, amount: 10_000n }
  expect(selectCoins([coin], 9_500n, sizes, 1)).toMatchObject({ change: 0n, fee: 500n })
  expect(selectCoins([coin], 9_000n, sizes, 1)).toMatchObject({ change: 859n, fee: 141n })
  expect(selectCoins([coin], 9_900n, sizes, 1)).toBeUndefined()
})

it('lists the balance with transactions that are in no block', async () => {
  const { reader } = createGateway(bob, [])
  const adapter = createBitcoinAdapter(createFakeClock(), reader, withOrdinals)
  expect(await adapter.nativeBalance({ ...network, caipNetworkId: regtest }, bob)).toBe(4_000n)
  const nativeCurrency = { name: 'Bitcoin', symbol: 'BTC', decimals: 8 }
  const assets = await adapter.walletAssets?.(createSession(bob), bob, {
    caipNetworkId,
    nativeCurrency,
  } as never)
  expect(assets).toMatchObject([{ symbol: 'BTC', quantity: { decimals: '8', numeric: '0.00004' } }])
})
