import { base58 } from '@scure/base'

/** A request as `hawser.preview.v1.PreviewService` takes it, without its chain, account and origin. */
export interface Simulation {
  readonly calls?: readonly SimulatedCall[]
  readonly atomic?: boolean
  readonly maxFeePerGas?: string
  readonly maxPriorityFeePerGas?: string
  readonly typedData?: string
  /** In hex. */
  readonly message?: string
  readonly transaction?: string
  readonly transactions?: readonly string[]
}

interface SimulatedCall {
  /** Empty to create a contract. */
  readonly to: string
  /** In base units, decimal. */
  readonly value: string
  /** In hex. */
  readonly data: string
  readonly gas?: number
}

type Fields = Readonly<Record<string, unknown>>

/**
 * Returns what is previewed of a request on a network (CAIP-2); undefined for a method without a preview.
 *
 * @throws Error for malformed parameters, and for those that wallets read in different ways.
 */
export function simulationOf(method: string, params: unknown, chainId: string): Simulation | undefined {
  // Some wallets read an object, too.
  if (/^(personal|eth|wallet)_/.test(method) && !Array.isArray(params)) throw new Error('no list')
  const list = Array.isArray(params) ? params : []
  const fields = Object(params) as Fields
  switch (method) {
    case 'personal_sign':
      // Some wallets sign the second parameter then.
      if (isAddress(list[0]) && !isAddress(list[1])) throw new Error('exchanged parameters')
      return { message: hexOfText(list[0]) }
    case 'eth_sign':
      return { message: hexOfText(list[1]) }
    case 'eth_signTypedData':
    case 'eth_signTypedData_v3':
    case 'eth_signTypedData_v4':
      // The first version of the method has a list of fields there, and signs that.
      if (!isAddress(list[0])) throw new Error('no account')
      return { typedData: typeof list[1] === 'string' ? list[1] : JSON.stringify(list[1]) }
    case 'eth_sendTransaction':
    case 'eth_signTransaction': {
      const transaction = Object(list[0]) as Fields
      requireNetwork(transaction, chainId)
      const { gas, gasPrice, maxFeePerGas = gasPrice, maxPriorityFeePerGas } = transaction
      return {
        calls: [{ ...callOf(transaction), ...(gas !== undefined && { gas: Number(gas) }) }],
        ...(maxFeePerGas !== undefined && { maxFeePerGas: decimalOf(maxFeePerGas) }),
        ...(maxPriorityFeePerGas !== undefined && { maxPriorityFeePerGas: decimalOf(maxPriorityFeePerGas) }),
      }
    }
    case 'wallet_sendCalls': {
      const batch = Object(list[0]) as Fields
      requireNetwork(batch, chainId)
      const { calls, atomicRequired } = batch
      // Calls of the first version of the method have a network each.
      for (const call of calls as Fields[]) requireNetwork(call, chainId)
      return { calls: (calls as Fields[]).map(callOf), atomic: atomicRequired === true }
    }
    case 'solana_signMessage':
      return { message: `0x${hexOf(base58.decode(String(fields.message)))}` }
    case 'solana_signTransaction':
    case 'solana_signAndSendTransaction':
      return { transaction: String(fields.transaction) }
    case 'solana_signAllTransactions':
      return { transactions: (fields.transactions as unknown[]).map(String) }
    default:
      return undefined
  }
}

/** Returns the text of a message that is signed; undefined when its bytes are no text. */
export function messageText(hex: string): string | undefined {
  const bytes = Uint8Array.from(hex.slice(2).match(/../g) ?? [], (digits) => Number.parseInt(digits, 16))
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/**
 * Returns the account that a request is for: that which it names, else the first one of the session.
 *
 * @throws Error for an account of EVM that the session does not have.
 */
export function signerOf(method: string, params: unknown, accounts: readonly string[]): string {
  const [first = ''] = accounts
  if (!Array.isArray(params)) {
    const { pubkey, feePayer } = Object(params) as Fields
    return accounts.find((account) => account === (pubkey ?? feePayer)) ?? first
  }
  const [head, next] = params as readonly unknown[]
  const named = method === 'personal_sign' ? next : ((Object(head) as Fields).from ?? head)
  if (typeof named !== 'string') return first
  const found = accounts.find((account) => account.toLowerCase() === named.toLowerCase())
  if (found === undefined) throw new Error('the session does not have this account')
  return found
}

function callOf(call: Fields): SimulatedCall {
  const { to, value = 0, data, input = data } = call
  // A wallet may read a list with one text as that text.
  if (!isTextOrNone(to) || !isTextOrNone(input)) throw new Error('no text')
  if (data !== undefined && data !== input) throw new Error('two inputs')
  if (call.authorizationList !== undefined) throw new Error('authorizations are not simulated')
  return {
    to: typeof to === 'string' ? to : '',
    value: decimalOf(value),
    data: typeof input === 'string' ? input : '0x',
  }
}

/** @throws Error for a request on another network than that of its session. */
function requireNetwork({ chainId }: Fields, network: string): void {
  if (chainId !== undefined && `eip155:${Number(chainId)}` !== network) throw new Error('another network')
}

function isTextOrNone(value: unknown): boolean {
  return typeof value === 'string' || value === undefined || value === null
}

function isAddress(value: unknown): boolean {
  return typeof value === 'string' && /^0x[\da-f]{40}$/i.test(value)
}

function decimalOf(quantity: unknown): string {
  return BigInt(quantity as string).toString()
}

/** Returns a message in hex; some sites send it as a text. */
function hexOfText(message: unknown): string {
  const text = String(message)
  return /^0x([\da-f]{2})*$/i.test(text) ? text : `0x${hexOf(new TextEncoder().encode(text))}`
}

function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
