import type { KeyValueStorage } from '@hawser/walletconnect'
import type { Failure } from '../wallets/failure.ts'

/** What the wallet answered. */
export type Answer = { readonly result: unknown } | { readonly failure: Failure }

interface Given {
  readonly key: string
  /** Undefined while the wallet is asked, and after a page that was loaded again meanwhile. */
  readonly answer?: Answer
}

const KEY = 'given'
const KEPT = 500
/** Longest answer that is kept, and the length of all that are, in characters: browsers store five million. */
const LONGEST = 65_536
const MOST = 524_288

/** The requests that were given to the wallet, in the storage that the tabs of this browser share. Each is given once. */
export interface GivenRequests {
  has(key: string): boolean
  /** Returns the answer to a request; undefined where it is not known. */
  answerTo(key: string): Answer | undefined
  /** Asks the wallet and keeps its answer; undefined, without asking, when the request was given before, here or in another tab. */
  give(key: string, ask: () => Promise<Answer>): Promise<Answer | undefined>
  /** Waits while another tab asks the wallet, in browsers that have locks. */
  untilAsked(key: string): Promise<void>
}

/** `locks` are those of the browser's tabs, which it releases with the tab. Older browsers have none. */
export function createGivenRequests(
  storage: KeyValueStorage,
  locks?: Pick<LockManager, 'request'>,
): GivenRequests {
  const withLock = <T>(key: string, work: () => Promise<T>): Promise<T> =>
    locks ? Promise.resolve(locks.request(`hawser ${key}`, work)) : work()

  function all(): readonly Given[] {
    try {
      return JSON.parse(storage.getItem(KEY) ?? '[]') as Given[]
    } catch {
      return []
    }
  }

  /** Stores a request, and of the answers the newest ones for which there is room. */
  function put(given: Given): void {
    const others = all().filter(({ key }) => key !== given.key)
    let length = 0
    const newestFirst = [...others, given].slice(-KEPT).reverse()
    const kept = newestFirst.map((each) => {
      length += JSON.stringify(each).length
      return length > MOST ? { key: each.key } : each
    })
    storage.setItem(KEY, JSON.stringify(kept.reverse()))
  }

  const find = (key: string) => all().find((given) => given.key === key)

  return {
    has: (key) => find(key) !== undefined,
    answerTo: (key) => find(key)?.answer,
    give: (key, ask) =>
      withLock(key, async () => {
        if (find(key)) return undefined
        put({ key })
        const answer = await ask()
        put(JSON.stringify(answer).length > LONGEST ? { key } : { key, answer })
        return answer
      }),
    untilAsked: (key) => withLock(key, async () => undefined),
  }
}
