import type { DevnetBitcoinKey } from '../config.ts'
import { DEV_WALLET_ICON } from '../devWallet.ts'
import { importSigner, isGranted, setGranted } from './permission.ts'
import type { BitcoinWalletOptions } from './standardWallet.ts'

/** Codes of sats-connect. */
const DECLINED = -32000
const ACCESS_DENIED = -32002
const METHOD_NOT_FOUND = -32601

class SatsError extends Error {
  readonly code: number

  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

type Params = Record<string, unknown>
type Method = (params: Params) => unknown

/**
 * Puts a wallet for the local Bitcoin network into `window.btc_providers`, with the methods of sats-connect. It signs for
 * real with well-known keys and approves at once.
 */
export function injectSatsWallet({
  account: { payment, ordinal },
  features: faults,
}: BitcoinWalletOptions): void {
  const listeners = new Map<string, Set<() => void>>()
  const addresses = [entryOf(payment, 'payment', 'p2wpkh'), entryOf(ordinal, 'ordinals', 'p2tr')]

  function keyOf(address: unknown): DevnetBitcoinKey {
    const key = [payment, ordinal].find((each) => each.address === address)
    if (!key || !isGranted()) throw new SatsError(ACCESS_DENIED, 'Access denied.')
    return key
  }

  const methods: Readonly<Record<string, Method>> = {
    getAccounts() {
      declineIf(faults.connectError)
      setGranted(true)
      return addresses
    },
    wallet_getAccount() {
      if (!isGranted()) throw new SatsError(ACCESS_DENIED, 'Access denied.')
      return { id: 'dev', addresses }
    },
    wallet_disconnect() {
      declineIf(faults.disconnectError)
      setGranted(false)
      for (const listener of listeners.get('disconnect') ?? []) listener()
      return null
    },
    async signMessage({ address, message }) {
      declineIf(faults.signError)
      const { signText, toBase64 } = await importSigner()
      const signature = toBase64(signText(new TextEncoder().encode(String(message)), keyOf(address)))
      return { address, signature, protocol: 'BIP322' }
    },
    async signPsbt({ psbt, signInputs: wanted }) {
      declineIf(faults.sendError)
      const { signInputs, fromBase64, toBase64 } = await importSigner()
      const inputs = Object.entries(wanted as Record<string, readonly number[]>)
      const signed = inputs.reduce(
        (signing, [address, indexes]) => signInputs(signing, keyOf(address), indexes),
        fromBase64(String(psbt)),
      )
      return { psbt: toBase64(signed) }
    },
  }

  const BitcoinProvider = {
    async request(name: string, params: Params = {}) {
      const answer = { jsonrpc: '2.0', id: crypto.randomUUID() }
      try {
        const method = methods[name]
        if (!method) throw new SatsError(METHOD_NOT_FOUND, `${name} is not supported.`)
        return { ...answer, result: await method(params) }
      } catch (error) {
        const { code = -32603, message } = error as Partial<SatsError>
        return { ...answer, error: { code, message } }
      }
    },
    addListener(event: string, listener: () => void) {
      const known = listeners.get(event) ?? new Set()
      listeners.set(event, known.add(listener))
      return () => void known.delete(listener)
    },
  }
  Object.assign(window, {
    HawserLab: { BitcoinProvider },
    btc_providers: [{ id: 'HawserLab.BitcoinProvider', name: 'Dev wallet', icon: DEV_WALLET_ICON }],
  })
}

function declineIf(isRefused: boolean | Error | undefined): void {
  if (isRefused) throw new SatsError(DECLINED, 'User rejected the request.')
}

function entryOf({ address, publicKey }: DevnetBitcoinKey, purpose: string, addressType: string) {
  return { address, publicKey, purpose, addressType, network: 'regtest', walletType: 'software' }
}
