import type { AccountEntry, PolkadotProvider } from '@hawser/core'
import { hexOf } from '../pageWallet/encoding.ts'
import { orDeclined } from '../pageWallet/orDeclined.ts'
import { ProviderError, providerErrorCode } from '../pageWallet/providerError.ts'

/** An extension as it is injected into the page. */
export interface InjectedExtension {
  /** Requests the permission of the visitor once; later it is answered without a prompt. */
  enable(site: string): Promise<Injected>
}

/** What an extension gives to a site that may use it. */
interface Injected {
  readonly accounts: {
    get(): Promise<readonly InjectedAccount[]>
    subscribe(listener: (accounts: readonly InjectedAccount[]) => void): () => void
  }
  readonly signer: {
    signRaw?(raw: {
      readonly address: string
      readonly data: string
      readonly type: 'bytes'
    }): Promise<{ readonly signature: string }>
    signPayload?(payload: Readonly<Record<string, unknown>>): Promise<{ readonly signature: string }>
  }
}

interface InjectedAccount {
  /** SS58. */
  readonly address: string
  readonly name?: string
  /** Kind of the key. */
  readonly type?: string
}

/** Creates the provider of an extension. */
export function createInjectedProvider(extension: InjectedExtension, site: string): PolkadotProvider {
  let injected: Injected | undefined

  function signerOf<Method extends keyof Injected['signer']>(method: Method) {
    const sign = injected?.signer[method]
    if (!sign) throw new ProviderError(providerErrorCode.unsupportedMethod, `The wallet has no ${method}.`)
    return sign
  }

  return {
    // There is no silent form: an extension shows no prompt again once the visitor has decided.
    async connect() {
      injected = await orDeclined(() => extension.enable(site))
      return entriesOf(await injected.accounts.get())
    },

    onAccounts(listener) {
      return injected?.accounts.subscribe((accounts) => listener(entriesOf(accounts))) ?? (() => undefined)
    },

    async signMessage(address, message) {
      const signRaw = signerOf('signRaw')
      const { signature } = await orDeclined(() =>
        signRaw({ address, data: `0x${hexOf(message)}`, type: 'bytes' }),
      )
      return signature
    },

    async signPayload(address, payload) {
      const signPayload = signerOf('signPayload')
      const { signature } = await orDeclined(() => signPayload({ ...payload, address }))
      return signature
    },
  }
}

/** Accounts with an Ethereum key have no SS58 address. */
function entriesOf(accounts: readonly InjectedAccount[]): readonly AccountEntry[] {
  return accounts
    .filter(({ type }) => type !== 'ethereum')
    .map(({ address, name }) => ({ address, type: 'eoa', ...(name && { label: name }) }))
}
