import type { Eip1193Provider } from '../types/providers.ts'
import { evmAddresses } from './accounts.ts'

type Listener = (payload: never) => void

/** Methods whose results are lists of accounts. */
const accountMethods: readonly string[] = ['eth_accounts', 'eth_requestAccounts']

const wrapped = new WeakMap<Eip1193Provider, Eip1193Provider>()

/**
 * Returns a provider that answers as EIP-1193 says, whatever the wallet does: accounts have their checksums, a request
 * that throws at once is one that rejects, and a wallet that fails to add or remove a listener is used without its
 * events. All else is the wallet's own. The same wallet has the same one.
 */
export function walletProvider(wallet: Eip1193Provider): Eip1193Provider {
  const known = wrapped.get(wallet) ?? wrap(wallet)
  wrapped.set(wallet, known)
  return known
}

function wrap(wallet: Eip1193Provider): Eip1193Provider {
  /** What each listener of `accountsChanged` is registered as. */
  const registered = new Map<Listener, Listener>()

  function asRegistered(event: string, listener: Listener): Listener {
    if (event !== 'accountsChanged') return listener
    const known = registered.get(listener) ?? ((accounts: never) => tellAccounts(listener, accounts))
    registered.set(listener, known)
    return known
  }

  const provider: Eip1193Provider = Object.assign(Object.create(null), {
    async request(args: Parameters<Eip1193Provider['request']>[0]) {
      const answer = await wallet.request(args)
      return accountMethods.includes(args.method) ? evmAddresses(answer) : answer
    },
    on: (event: string, listener: Listener) =>
      attempt(() => wallet.on?.(event, asRegistered(event, listener))),
    removeListener: (event: string, listener: Listener) =>
      attempt(() => wallet.removeListener?.(event, asRegistered(event, listener))),
  })
  // Not with the wallet as its target: the members of a frozen object cannot be replaced.
  return new Proxy(provider, {
    get: (own, key) => Reflect.get(own, key) ?? memberOf(wallet, key),
    has: (own, key) => key in own || key in wallet,
  })
}

/** A list without an address is not a locked wallet, which reports an empty list. */
function tellAccounts(listener: Listener, accounts: unknown): void {
  const addresses = evmAddresses(accounts)
  if (addresses.length > 0 || !Array.isArray(accounts) || accounts.length === 0) listener(addresses as never)
}

function attempt(work: () => unknown): void {
  try {
    work()
  } catch {
    // What its events would tell is also read when it is next used.
  }
}

/** Returns a member of a wallet; methods are called on the wallet, which may have private fields. */
function memberOf(wallet: Eip1193Provider, key: PropertyKey): unknown {
  const member: unknown = Reflect.get(wallet, key)
  return typeof member === 'function' ? member.bind(wallet) : member
}
