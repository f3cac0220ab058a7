import type { Eip1193Provider } from '@hawser/core'
import type { ApprovedNamespace } from '@hawser/walletconnect'
import type { Bridge, Call, WalletEvent } from './bridge.ts'
import { failureCode } from './failure.ts'

/** Events of EIP-1193 that are passed on. */
const events = ['accountsChanged', 'chainChanged']

/** Methods that read from the wallet, on whichever network it is (EIP-5792, EIP-2255). */
const reading = /^wallet_get(Capabilities|CallsStatus|Permissions)$/

/** How long others wait for a change of the network that the visitor does not decide on, in milliseconds. */
const TURN_MS = 60_000

/** Creates the bridge to an EIP-1193 provider, which has one active network. */
export function createEvmBridge(provider: Eip1193Provider): Bridge {
  /** Ends when another request may find the network, and use it. */
  let turn: Promise<unknown> = Promise.resolve()

  /** Does what depends on the active network, or changes it, one after the other: the sites of several sessions ask at the same time. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = turn.then(work)
    turn = Promise.race([done, new Promise((resolve) => setTimeout(resolve, TURN_MS))]).catch(() => undefined)
    return done
  }

  const ask = (method: string, params: readonly unknown[] = []) => provider.request({ method, params })

  /** CAIP-2. */
  async function activeChain(): Promise<string> {
    return `eip155:${Number(await ask('eth_chainId'))}`
  }

  async function accounts(method: 'eth_accounts' | 'eth_requestAccounts'): Promise<readonly string[]> {
    const addresses = await ask(method)
    return Array.isArray(addresses) ? addresses.filter((address) => typeof address === 'string') : []
  }

  async function switchTo(chain: string): Promise<void> {
    const chainId = `0x${Number(chain.slice('eip155:'.length)).toString(16)}`
    await ask('wallet_switchEthereumChain', [{ chainId }])
  }

  /** Makes a network the active one. @throws Error 4902 for a wallet that says so and stays on another one */
  async function requireChain(chain: string): Promise<void> {
    if (chain === (await activeChain())) return
    await switchTo(chain)
    if (chain === (await activeChain())) return
    const message = 'The wallet is on another network.'
    throw Object.assign(new Error(message), { code: failureCode.unknownNetwork })
  }

  async function current(approved: ApprovedNamespace): Promise<ApprovedNamespace> {
    const [addresses, active] = await Promise.all([accounts('eth_accounts'), activeChain()])
    const chains = [...new Set([...(approved.chains ?? []), active])]
    // A locked wallet names no accounts. They are the site's until it names others.
    const shown = addresses.length > 0 ? addresses : addressesOf(approved)
    return {
      ...approved,
      chains,
      accounts: chains.flatMap((chain) => shown.map((address) => `${chain}:${address}`)),
    }
  }

  return {
    async approve({ chains, required, methods, events: wanted }) {
      const addresses = await accounts('eth_requestAccounts')
      if (addresses.length === 0) return undefined
      let active = await activeChain()
      const [preferred] = chains
      if (!chains.includes(active) && preferred) {
        // The site asks for its network again where the wallet does not know it.
        await inTurn(() => switchTo(preferred)).catch(() => undefined)
        active = await activeChain()
      }
      const approved = [active, ...required.filter((chain) => chain !== active)]
      return {
        chains: approved,
        accounts: approved.flatMap((chain) => addresses.map((address) => `${chain}:${address}`)),
        methods: methods.filter((method) => /^(personal|eth|wallet)_/.test(method)),
        events: wanted.filter((name) => events.includes(name)),
      }
    },

    current,

    async request({ chainId, method, params }: Call) {
      if ((await accounts('eth_accounts')).length === 0) await accounts('eth_requestAccounts')
      const give = () => provider.request({ method, params: params as readonly unknown[] | object })
      if (reading.test(method)) return give()
      if (/^wallet_(switch|add)EthereumChain$/.test(method)) return inTurn(give)
      // The turn ends once the wallet has the request, which it may answer much later.
      const { answer } = await inTurn(async () => {
        await requireChain(chainId)
        return { answer: give() }
      })
      return answer
    },

    onChange(listener) {
      const changed = {
        accountsChanged: (addresses: readonly string[]) => {
          if (addresses.length === 0) return
          const tell = (chainId: string) => listener({ name: 'accountsChanged', data: addresses, chainId })
          activeChain().then(tell, () => undefined)
        },
        chainChanged: (id: string | number) => {
          const event: WalletEvent = {
            name: 'chainChanged',
            data: Number(id),
            chainId: `eip155:${Number(id)}`,
          }
          listener(event)
        },
      }
      const entries = Object.entries(changed) as [string, (payload: never) => void][]
      for (const [name, handle] of entries) provider.on?.(name, handle)
      return () => {
        for (const [name, handle] of entries) provider.removeListener?.(name, handle)
      }
    },
  }
}

function addressesOf({ accounts }: ApprovedNamespace): readonly string[] {
  return [...new Set(accounts.map((account) => account.slice(account.lastIndexOf(':') + 1)))]
}
