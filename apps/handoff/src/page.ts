import type { Environment, SignError } from '@hawser/walletconnect'
import type { ClaimedHandoff, WalletGateway } from '@hawser/walletconnect/wallet'
import { ClaimError } from './gateway.ts'
import { createRecords, type Site } from './session/records.ts'
import type {
  LiveSession,
  Outcome,
  PendingRequest,
  Sessions,
  SessionsListener,
  SessionsOptions,
} from './session/sessions.ts'
import type { PageStorage } from './storage.ts'
import type { PageWallet } from './wallets/pageWallet.ts'

/** What the page shows. */
export type Screen =
  | { readonly at: 'finding' | 'noWallet' | 'opening' | 'taken' | 'expired' | 'unreached' }
  | { readonly at: 'choosing'; readonly wallets: readonly PageWallet[] }
  /** Without digits while the other screen has not shown its key. */
  | { readonly at: 'comparing'; readonly site: Site; readonly digits: string | undefined }
  | { readonly at: 'waiting' | 'asking' | 'ended'; readonly site: Site }
  | { readonly at: 'declined'; readonly reason: 'differ' | 'declined' | 'unsupported' }
  | {
      readonly at: 'connected'
      readonly session: LiveSession
      readonly others: readonly LiveSession[]
      readonly request: PendingRequest | undefined
      /** Requests that wait behind it. */
      readonly waiting: number
      readonly outcome: Outcome | undefined
      readonly isStored: boolean
      readonly connection: 'new' | 'lost' | 'resumed'
    }

/** What a visitor can do. */
export interface Actions {
  choose(wallet: PageWallet): void
  confirm(): void
  differ(): void
  tryAgain(): void
  decide(key: string, isGiven: boolean): void
  disconnect(topic: string): void
}

export interface PageDeps {
  /** Id of the hand-off; undefined if the link has no valid one. */
  readonly id: string | undefined
  readonly url: string
  readonly relayUrl: string
  readonly gateway: WalletGateway
  readonly storage: PageStorage
  readonly environment: Partial<Environment>
  readonly locks: SessionsOptions['locks']
  loadSessions(): Promise<(options: SessionsOptions, listener: SessionsListener) => Sessions>
  watchWallets(changed: (wallets: readonly PageWallet[]) => void): Promise<void>
  show(screen: Screen): void
}

export interface Page extends Actions {
  /** The socket to the relay was opened or closed. */
  connection(isOpen: boolean): void
  /** Another tab changed the storage. */
  adopt(): void
}

/** How long announcements of wallets are collected before one is used, in milliseconds. */
const COLLECT_MS = 400
/** After this time without a wallet the page says so, in milliseconds. One that comes later is used all the same. */
const PATIENCE_MS = 3_500
/** How long the site may take to propose its session once this screen is confirmed, in milliseconds. */
const PROPOSAL_MS = 300_000
/** A connection that is away for less is not worth a word, in milliseconds. */
const LOST_MS = 2_000

/** Runs the wallet page: finds the wallet, claims the hand-off, and carries requests. */
export function startPage(deps: PageDeps): Page {
  const { id, storage } = deps
  let found: readonly PageWallet[] = []
  let sessions: Sessions | undefined
  let handoff: ClaimedHandoff | undefined
  let site: Site | undefined
  let outcome: Outcome | undefined
  let connection: 'new' | 'lost' | 'resumed' = 'new'
  let losing: ReturnType<typeof setTimeout> | undefined
  /** Where the page is while there is no session. */
  let screen: Screen = { at: 'finding' }
  let isStarted = false

  function show(next: Screen): void {
    screen = next
    deps.show(next)
  }

  function own(): LiveSession | undefined {
    return sessions?.live().find(({ record }) => record.id === id)
  }

  /** Shows the session of this hand-off, or that it is over. */
  function refresh(): void {
    if (!sessions) return
    const live = sessions.live()
    const session = own()
    const [request, ...behind] = sessions.requests()
    if (session) {
      const others = live.filter(({ record }) => record.id !== id)
      const isStored = storage.isLasting
      show({
        at: 'connected',
        session,
        others,
        request,
        waiting: behind.length,
        outcome,
        isStored,
        connection,
      })
    } else if (screen.at === 'connected') {
      show({ at: 'ended', site: screen.session.record.site })
    }
  }

  async function use(wallet: PageWallet): Promise<void> {
    isStarted = true
    show({ at: 'opening' })
    try {
      const createSessions = await deps.loadSessions()
      const environment = { ...deps.environment, storage }
      const { relayUrl, url, locks } = deps
      sessions = createSessions({ wallet, relayUrl, url, environment, locks }, listener)
    } catch {
      return show({ at: 'unreached' })
    }
    if (own()) return refresh()
    const earlier = sessions.records.all().find((record) => record.id === id)
    if (earlier && !sessions.records.isConfirmed(earlier.id)) show({ at: 'ended', site: earlier.site })
    else await claim()
  }

  async function claim(): Promise<void> {
    if (!sessions || !id) return show({ at: 'expired' })
    show({ at: 'opening' })
    try {
      handoff = await sessions.claim(id, deps.gateway)
    } catch (error) {
      return show({ at: error instanceof ClaimError ? error.refusal : 'unreached' })
    }
    const { projectId, projectName: name, origin } = handoff.site
    site = { projectId, name, origin }
    show({ at: 'comparing', site, digits: undefined })
    void handoff.ended.then((error) => {
      const hasExpired = (error as SignError).code === REQUEST_EXPIRED
      if (screen.at !== 'comparing' && screen.at !== 'waiting') return
      if (id) sessions?.records.setConfirmed(id, false)
      show(hasExpired ? { at: 'expired' } : { at: 'declined', reason: 'declined' })
    })
    const digits = await handoff.digits.catch(() => undefined)
    // A wallet may load the page again after the visitor has confirmed.
    if (sessions.records.isConfirmed(id)) confirm()
    else if (digits && screen.at === 'comparing') show({ at: 'comparing', site, digits })
  }

  function confirm(): void {
    if (!id || !site || !handoff) return
    sessions?.records.setConfirmed(id, true)
    show({ at: 'waiting', site })
    handoff.confirm()
    setTimeout(() => {
      if (screen.at !== 'waiting') return
      if (id) sessions?.records.setConfirmed(id, false)
      show({ at: 'expired' })
    }, PROPOSAL_MS)
  }

  const listener: SessionsListener = {
    changed: refresh,
    asking() {
      if (site) show({ at: 'asking', site })
    },
    connected: refresh,
    refused(reason) {
      if (id) sessions?.records.setConfirmed(id, false)
      show({ at: 'declined', reason })
    },
    ended(how) {
      outcome = how
      refresh()
    },
    unreachable() {
      if (own()) setConnection('lost')
      else show({ at: 'unreached' })
    },
  }

  function setConnection(next: typeof connection): void {
    if (connection === next) return
    connection = next
    refresh()
  }

  function start(): void {
    if (isStarted || found.length === 0) return
    const [only, ...others] = found
    // The one that the session is with.
    const known = createRecords(storage)
      .all()
      .find((record) => record.id === id)
    const wallet = found.find(({ name }) => name === known?.wallet) ?? only
    if (wallet && (known || others.length === 0)) void use(wallet)
    else show({ at: 'choosing', wallets: found })
  }

  show(screen)
  const collected = new Promise<void>((resolve) => setTimeout(resolve, COLLECT_MS))
  // Both are loaded while wallets announce themselves.
  deps.loadSessions().catch(() => undefined)
  deps
    .watchWallets((wallets) => {
      found = wallets
      void collected.then(start)
    })
    .catch(() => show({ at: 'unreached' }))
  setTimeout(() => {
    if (screen.at === 'finding') show({ at: 'noWallet' })
  }, PATIENCE_MS)

  return {
    choose: (wallet) => void use(wallet),
    confirm,
    differ() {
      handoff?.decline()
      show({ at: 'declined', reason: 'differ' })
    },
    tryAgain() {
      if (sessions && !handoff) void claim()
      else location.reload()
    },
    decide(key, isGiven) {
      outcome = undefined
      sessions?.decide(key, isGiven)
    },
    disconnect: (topic) => void sessions?.disconnect(topic),
    connection(isOpen) {
      if (losing !== undefined) clearTimeout(losing)
      losing = undefined
      if (!isOpen) losing = setTimeout(() => setConnection('lost'), LOST_MS)
      else if (connection === 'lost') setConnection('resumed')
    },
    adopt() {
      sessions?.adopt()
      refresh()
    },
  }
}

/** Code of the Sign protocol. */
const REQUEST_EXPIRED = 8000
