import type { WalletFeatures } from '@hawser/connectors'
import type { Wallet, WalletAccount } from '@wallet-standard/base'
import type { StandardEventsListeners } from '@wallet-standard/features'
import { registerWallet } from '@wallet-standard/wallet'
import type { DevnetBitcoinAccount, DevnetBitcoinKey } from '../config.ts'
import { DEV_WALLET_ICON, refuseIf } from '../devWallet.ts'
import { importSigner, isGranted, setGranted } from './permission.ts'

export interface BitcoinWalletOptions {
  readonly account: DevnetBitcoinAccount
  /** Read at every request. */
  readonly features: WalletFeatures
}

interface BitcoinAccount extends WalletAccount {
  readonly purpose: 'payment' | 'ordinals'
}

const CHAIN = 'bitcoin:regtest'

/**
 * Registers a wallet for the local Bitcoin network (Wallet Standard) that needs no extension: it signs for real with
 * well-known keys and approves at once.
 */
export function registerBitcoinWallet({ account, features: faults }: BitcoinWalletOptions): void {
  const shared = [accountOf(account.payment, 'payment'), accountOf(account.ordinal, 'ordinals')]
  const listeners = new Set<StandardEventsListeners['change']>()

  function setAccess(granted: boolean): void {
    setGranted(granted)
    for (const listener of listeners) listener({ accounts: accounts() })
  }

  function accounts(): readonly BitcoinAccount[] {
    return isGranted() ? shared : []
  }

  function keyOf({ address }: WalletAccount): DevnetBitcoinKey {
    const key = [account.payment, account.ordinal].find((each) => each.address === address)
    if (!key || !isGranted()) throw new Error('The site may not use this account')
    return key
  }

  const features = {
    'bitcoin:connect': {
      version: '1.0.0',
      async connect() {
        refuseIf(faults.connectError)
        setAccess(true)
        return { accounts: accounts() }
      },
    },
    'bitcoin:signMessage': {
      version: '1.0.0',
      async signMessage(...inputs: readonly { account: WalletAccount; message: Uint8Array }[]) {
        refuseIf(faults.signError)
        const { signText } = await importSigner()
        return inputs.map(({ account, message }) => ({
          signedMessage: message,
          signature: signText(message, keyOf(account)),
        }))
      },
    },
    'bitcoin:signTransaction': {
      version: '1.0.0',
      async signTransaction(
        ...inputs: readonly {
          psbt: Uint8Array
          inputsToSign: readonly { account: WalletAccount; signingIndexes: readonly number[] }[]
        }[]
      ) {
        refuseIf(faults.sendError)
        const { signInputs } = await importSigner()
        return inputs.map(({ psbt, inputsToSign }) => ({
          signedPsbt: inputsToSign.reduce(
            (signed, { account, signingIndexes }) => signInputs(signed, keyOf(account), signingIndexes),
            psbt,
          ),
        }))
      },
    },
    'standard:disconnect': {
      version: '1.0.0',
      async disconnect() {
        refuseIf(faults.disconnectError)
        setAccess(false)
      },
    },
    'standard:events': {
      version: '1.0.0',
      on(_: 'change', listener: StandardEventsListeners['change']) {
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
    },
  }
  const wallet: Wallet = {
    version: '1.0.0',
    name: 'Dev wallet',
    icon: DEV_WALLET_ICON,
    chains: [CHAIN],
    features,
    get accounts() {
      return accounts()
    },
  }
  registerWallet(wallet)
}

function accountOf(
  { address, publicKey }: DevnetBitcoinKey,
  purpose: BitcoinAccount['purpose'],
): BitcoinAccount {
  return {
    address,
    publicKey: Uint8Array.from(publicKey.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16)),
    chains: [CHAIN],
    features: ['bitcoin:signMessage', 'bitcoin:signTransaction'],
    purpose,
  }
}
