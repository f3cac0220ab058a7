import { Address, NETWORK, OutScript, p2tr, p2wpkh, TEST_NETWORK, Transaction } from '@scure/btc-signer'
import { WalletError } from '../errors/walletFailure.ts'
import { isRefused } from '../send/refusal.ts'
import type { AccountEntry } from '../types/account.ts'
import type { TransferDraft, Transfers } from '../types/adapter.ts'
import type { CaipNetworkId } from '../types/network.ts'
import type { BitcoinReader } from './bitcoinAdapter.ts'
import { type Coin, DUST, selectAll, selectCoins, sumOf, worthSpending } from './coins.ts'
import { type Holder, readCoins } from './readCoins.ts'

type BitcoinNetwork = typeof NETWORK

const REGTEST: BitcoinNetwork = { ...TEST_NETWORK, bech32: 'bcrt' }

/** Networks whose addresses are not those of the test networks, by CAIP-2 id. */
const networks: Readonly<Record<CaipNetworkId, BitcoinNetwork>> = {
  'bip122:000000000019d6689c085ae165831e93': NETWORK,
  'bip122:0f9188f13cb7b2c71f2a335e3a4fc328': REGTEST,
}

/** Virtual bytes of an input by the form of its address. Other forms cannot be spent from. */
const inputSizes: Readonly<Partial<Record<string, number>>> = { pkh: 148, wpkh: 68, sh: 91, tr: 58 }

/** The sender may send the transaction again with a higher fee (BIP-125). */
const REPLACEABLE = 0xfffffffd

/** Satoshis of outputs that may hold an inscription: usual are 330 and 546, and 10,000 at Taproot addresses. */
const USUALLY_INSCRIBED = 546n
const MOST_INSCRIBED = 10_000n

/** The gateway counts fee rates in satoshis per 1,000 virtual bytes. */
const RATE_UNIT = 1_000

/**
 * Quotes and sends transfers of bitcoin. The wallet signs (BIP-174); the gateway sends.
 *
 * @param accountsOf returns the accounts that the connected wallet shares.
 */
export function createBitcoinTransfers(
  reader: BitcoinReader,
  accountsOf: () => readonly AccountEntry[],
): Transfers<'bip122'> {
  return {
    isAddress: (text, id) =>
      (id ? [networkOf(id)] : [NETWORK, TEST_NETWORK, REGTEST]).some((network) => decode(text, network)),

    async quote({ caipNetworkId }, draft, { speed = 'normal', signal } = {}) {
      const client = await reader()
      const options = signal ? { signal } : {}
      const [rates, holding] = await Promise.all([
        client.getFeeRates({ chainId: caipNetworkId }, options),
        readCoins(client, holderOf(draft, caipNetworkId, accountsOf()), signal),
      ])
      const feeRate = Number(rates[speed]) / RATE_UNIT
      const sizes = sizesOf(draft, caipNetworkId)
      const coins = worthSpending(holding.coins, sizes.inputSize, feeRate)
      const kept = holding.total - sumOf(coins)
      // An amount that cannot be paid is quoted like the whole balance.
      const selection =
        (draft.isMax ? undefined : selectCoins(coins, draft.amount, sizes, feeRate)) ??
        selectAll(coins, sizes, feeRate)
      return {
        amount: selection.fee,
        minimum: DUST,
        terms: { namespace: 'bip122', speed, feeRate, size: selection.size },
        ...(kept > 0n && { reserve: kept }),
      }
    },

    async send({ accounts, provider }, draft, { caipNetworkId, fee }) {
      if (fee?.terms.namespace !== 'bip122') throw new Error('The transfer has no fee')
      const account = accounts.find(({ address }) => address === draft.from)
      if (account?.type !== 'payment')
        throw new WalletError('unauthorized', 'The address is not for payments')
      const client = await reader()
      const holding = await readCoins(client, holderOf(draft, caipNetworkId, accounts))
      const { feeRate } = fee.terms
      const sizes = sizesOf(draft, caipNetworkId)
      const coins = worthSpending(holding.coins, sizes.inputSize, feeRate)
      const selection = select(coins, draft, sizes, feeRate)
      if (selection.fee > fee.amount) throw new Error('The fee is higher than it was')

      const network = networkOf(caipNetworkId)
      const transaction = new Transaction()
      for (const coin of selection.coins) {
        transaction.addInput(await inputOf(coin, draft.from, account.publicKey, caipNetworkId, reader))
      }
      transaction.addOutputAddress(draft.to, draft.amount, network)
      if (selection.change > 0n) transaction.addOutputAddress(draft.from, selection.change, network)
      // Without SegWit the signature does not cover the amounts of the inputs, and what no output receives is
      // paid as the fee.
      if (transaction.fee !== selection.fee) throw new Error('The server reported a wrong amount')

      const indexes = selection.coins.map((_, index) => index)
      const signed = await provider.signPsbt(draft.from, transaction.toPSBT(), indexes, caipNetworkId)
      const { id, hex } = finish(signed, transaction)
      try {
        await client.sendTransaction({ chainId: caipNetworkId, transaction: hex })
      } catch (error) {
        // Without an answer it may have been sent. A second attempt could spend other outputs and pay twice.
        if (isRefused(error)) throw error
      }
      return id
    },
  }
}

function networkOf(caipNetworkId: CaipNetworkId): BitcoinNetwork {
  return networks[caipNetworkId] ?? TEST_NETWORK
}

function decode(text: string, network: BitcoinNetwork) {
  try {
    return Address(network).decode(text)
  } catch {
    return undefined
  }
}

interface Sizes {
  readonly inputSize: number
  readonly receiver: number
  readonly sender: number
}

/** @throws Error for addresses of other networks, and WalletError for a sender that is a script. */
function sizesOf({ from, to }: TransferDraft, caipNetworkId: CaipNetworkId): Sizes {
  const network = networkOf(caipNetworkId)
  const [sender, receiver] = [decode(from, network), decode(to, network)]
  if (!sender || !receiver) throw new Error('The address does not belong to the network')
  const inputSize = inputSizes[sender.type]
  if (!inputSize) throw new WalletError('unsupported', 'The address cannot be spent from')
  return {
    inputSize,
    receiver: OutScript.encode(receiver).length,
    sender: OutScript.encode(sender).length,
  }
}

/** @throws Error when the account cannot pay, and for an amount that nodes do not relay. */
function select(coins: readonly Coin[], { amount }: TransferDraft, sizes: Sizes, feeRate: number) {
  if (amount < DUST) throw new Error('The amount is too small to be sent')
  const selection = selectCoins(coins, amount, sizes, feeRate)
  if (!selection) throw new Error('The account cannot pay the amount and the fee')
  return selection
}

/**
 * Returns the address whose outputs are read, and up to which amount they are kept. Small outputs of a
 * Taproot address are kept, because wallets without an address for ordinals hold them there. Without such an
 * address, outputs of the usual sizes are kept at any address.
 */
function holderOf(
  { from }: TransferDraft,
  chainId: CaipNetworkId,
  accounts: readonly AccountEntry[],
): Holder {
  const isTaproot = decode(from, networkOf(chainId))?.type === 'tr'
  const hasOrdinals = accounts.some(({ type }) => type === 'ordinal')
  const elsewhere = hasOrdinals ? 0n : USUALLY_INSCRIBED
  return { chainId, address: from, mostInscribed: isTaproot ? MOST_INSCRIBED : elsewhere }
}

/** Returns an input with what a wallet needs to sign it in the form of its address. */
async function inputOf(
  { transactionId, index, amount }: Coin,
  from: string,
  publicKey: string | undefined,
  chainId: CaipNetworkId,
  reader: BitcoinReader,
) {
  const network = networkOf(chainId)
  const input = { txid: transactionId, index, sequence: REPLACEABLE }
  const decoded = Address(network).decode(from)
  if (decoded.type === 'pkh') {
    // Only the whole previous transaction proves the amount, so wallets need it.
    const { transaction } = await (await reader()).getTransaction({ chainId, id: transactionId })
    return { ...input, nonWitnessUtxo: bytesOf(transaction) }
  }
  const witnessUtxo = { script: OutScript.encode(decoded), amount }
  if (decoded.type === 'wpkh') return { ...input, witnessUtxo }
  if (!publicKey) throw new WalletError('unreadable', 'The wallet shares no public key')
  const key = bytesOf(publicKey)
  if (decoded.type === 'tr') {
    const tapInternalKey = key.length === 33 ? key.slice(1) : key
    if (p2tr(tapInternalKey, undefined, network).address !== from) throw foreignKey()
    return { ...input, witnessUtxo, tapInternalKey }
  }
  const redeemScript = p2wpkh(key, network).script
  return { ...input, witnessUtxo, redeemScript }
}

function foreignKey(): WalletError {
  return new WalletError('unreadable', 'The public key is not that of the address')
}

/** Returns the signed transaction. @throws WalletError when the wallet signed another one. */
function finish(psbt: Uint8Array, requested: Transaction): Transaction {
  const signed = Transaction.fromPSBT(psbt)
  if (hexOf(signed.unsignedTx) !== hexOf(requested.unsignedTx)) {
    throw new WalletError('unreadable', 'The wallet signed another transaction')
  }
  if (!signed.isFinal) signed.finalize()
  return signed
}

function hexOf(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

function bytesOf(hex: string): Uint8Array {
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
}
