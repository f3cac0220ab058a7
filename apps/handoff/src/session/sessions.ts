import {
  type ApprovedNamespaces,
  type Environment,
  type ProposedNamespaces,
  RelayError,
  type Session,
} from '@hawser/walletconnect'
import {
  type ClaimedHandoff,
  createWalletClient,
  type Proposal,
  type WalletClient,
  type WalletGateway,
  type WalletRequest,
} from '@hawser/walletconnect/wallet'
import type { Bridge, WalletEvent, Wanted } from '../wallets/bridge.ts'
import { isSigning } from '../wallets/bridge.ts'
import { createBridge } from '../wallets/createBridge.ts'
import { type Failure, failureCode, failureOf, isDeclined } from '../wallets/failure.ts'
import type { PageWallet } from '../wallets/pageWallet.ts'
import { type Answer, createGivenRequests } from './given.ts'
import { createRecords, type HandoffRecord, type Records, type Site } from './records.ts'

/** Codes of the Sign protocol for a proposal that gets no session. */
const proposalCode = { declined: 5000, unsupported: 5100 }

/** A session of a hand-off. */
export interface LiveSession {
  readonly record: HandoffRecord
  readonly session: Session
}

/** A request that waits for the visitor, or that the wallet is asked for. */
export interface PendingRequest {
  readonly key: string
  readonly site: Site
  readonly session: Session
  readonly chainId: string
  readonly method: string
  readonly params: unknown
  readonly isGiven: boolean
}

/** How a request ended: `lost` when the page was loaded again while the wallet was asked. */
export type Outcome = 'done' | 'refused' | 'failed' | 'lost'

/** What happens to the sessions. */
export interface SessionsListener {
  /** Sessions, their accounts or their requests changed. */
  changed(): void
  /** A site has proposed its session, and the wallet is asked for accounts. */
  asking(): void
  /** The hand-off has its session. */
  connected(): void
  /** The wallet gave no accounts. */
  refused(reason: 'declined' | 'unsupported'): void
  ended(outcome: Outcome): void
  /** The relay takes no messages of this page. */
  unreachable(): void
}

export interface SessionsOptions {
  readonly wallet: PageWallet
  readonly relayUrl: string
  /** URL of this page's origin, which sites see. */
  readonly url: string
  readonly environment: Partial<Environment> & Pick<Environment, 'storage'>
  /** Locks of the browser's tabs; undefined in a browser that has none. */
  readonly locks: Pick<LockManager, 'request'> | undefined
}

/** The sessions of this browser's wallet with sites. */
export interface Sessions {
  /** The oldest first. */
  live(): readonly LiveSession[]
  /** Requests that the visitor sees, the oldest first. */
  requests(): readonly PendingRequest[]
  records: Records
  /** Claims a hand-off. Throws what `gateway.claim` throws. */
  claim(id: string, gateway: WalletGateway): Promise<ClaimedHandoff>
  /** Gives a request to the wallet, or declines it. */
  decide(key: string, isGiven: boolean): void
  disconnect(topic: string): Promise<void>
  /** Drops what another tab has given to the wallet. */
  adopt(): void
  close(): void
}

export function createSessions(
  { wallet, relayUrl, url, environment, locks }: SessionsOptions,
  listener: SessionsListener,
): Sessions {
  const { storage } = environment
  const records = createRecords(storage)
  const given = createGivenRequests(storage, locks)
  const pending = new Map<
    string,
    PendingRequest & { readonly decide: (isGiven: boolean | undefined) => void }
  >()
  const bridges = new Map<string, Promise<Bridge | undefined>>()
  /** Updates of sessions, one after the other. */
  let syncing: Promise<void> = Promise.resolve()
  let claimed: { readonly id: string; readonly site: Site } | undefined
  // The newest hand-off's: a relay counts the clients of a project.
  let projectId = records.all()[records.all().length - 1]?.site.projectId ?? ''

  const relay = {
    url: relayUrl,
    get projectId() {
      return projectId
    },
  }
  const icons = wallet.icon ? [wallet.icon] : []
  const client: WalletClient = createWalletClient(
    { relays: [relay], metadata: { name: wallet.name, description: '', url, icons }, environment },
    {
      proposed: propose,
      requested: receive,
      added: listener.changed,
      updated: listener.changed,
      deleted({ topic }) {
        drop((request) => request.session.topic === topic)
        listener.changed()
      },
      refused: listener.unreachable,
    },
  )

  /** Returns the bridge of a namespace; undefined if the wallet has none. It is created once, and then listened to. */
  function bridgeOf(namespace: string): Promise<Bridge | undefined> {
    const connector = wallet.connectors.find(({ chain }) => chain === namespace)
    const bridge =
      bridges.get(namespace) ?? (connector ? createBridge(connector) : Promise.resolve(undefined))
    if (!bridges.has(namespace)) {
      bridges.set(namespace, bridge)
      bridge.then(
        (created) => created?.onChange((event) => void sync(namespace, event)),
        () => bridges.delete(namespace),
      )
    }
    return bridge
  }

  /** Tells the sites what the wallet offers now in a namespace, and then of an event. */
  function sync(namespace: string, event?: WalletEvent): Promise<void> {
    syncing = syncing.then(() => syncNow(namespace, event)).catch(() => undefined)
    return syncing
  }

  async function syncNow(namespace: string, event: WalletEvent | undefined): Promise<void> {
    const bridge = await bridgeOf(namespace)
    for (const { topic, namespaces } of client.sessions()) {
      const approved = namespaces[namespace]
      if (!bridge || !approved) continue
      const now = await bridge.current(approved)
      if (JSON.stringify(now) !== JSON.stringify(approved)) {
        // A site that sleeps does not answer: it reads the change when it wakes up.
        client.update(topic, { ...namespaces, [namespace]: now }).catch(() => undefined)
      }
      if (!event) continue
      const { chainId, ...told } = event
      await client.emit(topic, told, chainId).catch(() => undefined)
    }
    listener.changed()
  }

  async function propose(proposal: Proposal): Promise<void> {
    if (!claimed) return
    const { id, site } = claimed
    listener.asking()
    try {
      const namespaces = await approve(proposal)
      if (Object.keys(namespaces).length === 0) {
        await proposal.reject({ code: proposalCode.unsupported, message: 'No network of the proposal.' })
        return listener.refused('unsupported')
      }
      const { pairingTopic } = proposal
      records.add({ id, pairingTopic, site, wallet: wallet.name }, isLive)
      await proposal.approve({ namespaces })
      records.setConfirmed(id, false)
      listener.connected()
    } catch (error) {
      const { message } = failureOf(error)
      await proposal.reject({ code: proposalCode.declined, message }).catch(() => undefined)
      listener.refused('declined')
    }
  }

  /** Asks the wallet for the accounts of each namespace that is proposed and that it has. */
  async function approve({ requiredNamespaces, optionalNamespaces }: Proposal): Promise<ApprovedNamespaces> {
    const approved: ApprovedNamespaces[] = []
    for (const { chain: namespace } of wallet.connectors) {
      const wanted = wantedOf(namespace, requiredNamespaces ?? {}, optionalNamespaces ?? {})
      const bridge = wanted && (await bridgeOf(namespace))
      if (!wanted || !bridge) continue
      try {
        const given = await bridge.approve(wanted)
        if (given) approved.push({ [namespace]: given })
      } catch (error) {
        // What the visitor has allowed in another namespace is theirs to use.
        if (approved.length === 0 || !isDeclined(error)) throw error
      }
    }
    return Object.assign({}, ...approved)
  }

  function isLive({ pairingTopic }: HandoffRecord): boolean {
    return client.sessions().some((session) => session.pairingTopic === pairingTopic)
  }

  function live(): readonly LiveSession[] {
    const sessions = client.sessions()
    return records.all().flatMap((record) => {
      const session = sessions.find(({ pairingTopic }) => pairingTopic === record.pairingTopic)
      return session ? [{ record, session }] : []
    })
  }

  /** Handles a request. The relay keeps it until it is answered, for a page that is loaded again meanwhile. */
  async function receive(request: WalletRequest): Promise<void> {
    const key = `${request.session.topic} ${request.id}`
    if (given.has(key)) {
      await given.untilAsked(key)
      const answer = given.answerTo(key)
      await reply(request, answer ?? { failure: LOST })
      if (!answer) listener.ended('lost')
      return
    }
    const site = siteOf(request.session)
    if (!site) return reply(request, { failure: UNSUPPORTED })
    const isAsking = isSigning(request.method)
    if (isAsking && isFull(request.session)) return reply(request, { failure: TOO_MANY })
    const isGiven = isAsking ? await decision(key, site, request) : await untilVisible()
    if (isGiven === undefined) return forget(key)
    const answer = await given.give(key, async () =>
      isGiven ? giveToWallet(key, request) : { failure: DECLINED },
    )
    forget(key)
    if (!answer) return
    if (isAsking) listener.ended(outcomeOf(answer))
    await reply(request, answer)
  }

  /** Waits for the visitor. Undefined when the request is over without a decision. */
  function decision(key: string, site: Site, { session, chainId, method, params, expiresAt }: WalletRequest) {
    return new Promise<boolean | undefined>((resolve) => {
      pending.set(key, { key, site, session, chainId, method, params, isGiven: false, decide: resolve })
      const left = (expiresAt ?? Number.POSITIVE_INFINITY) - Date.now()
      if (left <= LONGEST_TIMER_MS) setTimeout(() => resolve(undefined), left)
      listener.changed()
    })
  }

  async function giveToWallet(
    key: string,
    { session, chainId, method, params }: WalletRequest,
  ): Promise<Answer> {
    const shown = pending.get(key)
    if (shown) pending.set(key, { ...shown, isGiven: true })
    listener.changed()
    const [namespace = ''] = chainId.split(':')
    try {
      const bridge = await bridgeOf(namespace)
      const approved = client.sessions().find(({ topic }) => topic === session.topic)?.namespaces[namespace]
      if (!bridge || !approved) return { failure: UNSUPPORTED }
      const result = await bridge.request({ chainId, method, params }, approved)
      // A site looks for a network in the session once the wallet has switched to it.
      if (method.startsWith('wallet_')) await sync(namespace)
      return { result: result ?? null }
    } catch (error) {
      return { failure: failureOf(error) }
    }
  }

  async function reply(request: WalletRequest, answer: Answer): Promise<void> {
    const { expiresAt = Date.now() + REPLY_MS } = request
    do {
      try {
        return await ('failure' in answer ? request.reject(answer.failure) : request.respond(answer.result))
      } catch (error) {
        // The session is over, or the relay refuses this page.
        if (!(error instanceof RelayError) || error.refusal) return
      }
    } while (Date.now() < expiresAt)
  }

  /** Drops requests that wait for the visitor. */
  function drop(isOver: (request: PendingRequest) => boolean): void {
    for (const request of [...pending.values()])
      if (!request.isGiven && isOver(request)) request.decide(undefined)
  }

  function forget(key: string): void {
    pending.delete(key)
    listener.changed()
  }

  function isFull({ topic }: Session): boolean {
    const ofSession = [...pending.values()].filter((request) => request.session.topic === topic).length
    return pending.size >= MOST_PENDING || ofSession >= MOST_OF_SESSION
  }

  /** Returns the site of a session as the gateway named it; undefined without a record. What the site says of itself is not shown. */
  function siteOf({ pairingTopic }: Session): Site | undefined {
    return records.all().find((each) => each.pairingTopic === pairingTopic)?.site
  }

  // What changed while the page was closed.
  for (const namespace of new Set(client.sessions().flatMap(({ namespaces }) => Object.keys(namespaces)))) {
    void sync(namespace)
  }

  return {
    live,
    requests: () => [...pending.values()],
    records,
    async claim(id, gateway) {
      const naming: WalletGateway = {
        async claim(handoff, publicKey) {
          const site = await gateway.claim(handoff, publicKey)
          projectId = site.projectId
          return site
        },
      }
      const handoff = await client.claim(id, naming)
      const { projectName: name, origin } = handoff.site
      claimed = { id, site: { projectId, name, origin } }
      return handoff
    },
    decide: (key, isGiven) => pending.get(key)?.decide(isGiven),
    async disconnect(topic) {
      const disconnected = client.disconnect(topic)
      drop((request) => request.session.topic === topic)
      listener.changed()
      await disconnected
    },
    adopt: () => drop(({ key }) => given.has(key)),
    close: client.close,
  }
}

/** Longest delay of a browser's timer. */
const LONGEST_TIMER_MS = 2 ** 31 - 1
/** How long an answer is sent again that the relay does not take, where the site names no time; in milliseconds. */
const REPLY_MS = 300_000

/** Most requests that wait for the visitor, and most of one session, which leave room for the others. */
const MOST_PENDING = 250
const MOST_OF_SESSION = 200

const DECLINED: Failure = { code: failureCode.declined, message: 'User rejected the request.' }
const UNSUPPORTED: Failure = { code: failureCode.unsupported, message: 'The wallet does not support this.' }
const TOO_MANY: Failure = { code: failureCode.limit, message: 'Too many requests wait for the visitor.' }
const LOST: Failure = {
  code: failureCode.internal,
  message: 'The page was loaded again while the wallet was asked. The request may have been carried out.',
}

function outcomeOf(answer: Answer): Outcome {
  if (!('failure' in answer)) return 'done'
  return isDeclined(answer.failure) ? 'refused' : 'failed'
}

/** Waits until the page is shown: of several tabs, the one that the visitor sees asks the wallet. */
function untilVisible(): Promise<true> {
  const { document } = globalThis as Partial<typeof globalThis>
  if (!document || document.visibilityState === 'visible') return Promise.resolve(true)
  return new Promise((resolve) => {
    const shown = () => {
      if (document.visibilityState !== 'visible') return
      document.removeEventListener('visibilitychange', shown)
      resolve(true)
    }
    document.addEventListener('visibilitychange', shown)
  })
}

/** Returns what a proposal wants of a namespace, whose keys are the namespace or its chains; undefined for nothing. */
function wantedOf(
  namespace: string,
  required: ProposedNamespaces,
  optional: ProposedNamespaces,
): Wanted | undefined {
  const of = (proposed: ProposedNamespaces) =>
    Object.entries(proposed)
      .filter(([key]) => key.split(':')[0] === namespace)
      .map(([key, wanted]) => ({ ...wanted, chains: key.includes(':') ? [key] : (wanted.chains ?? []) }))
  const all = [...of(required), ...of(optional)]
  const merge = (list: (wanted: (typeof all)[number]) => readonly string[], from = all) => [
    ...new Set(from.flatMap(list)),
  ]
  const chains = merge(({ chains }) => chains)
  if (chains.length === 0) return undefined
  return {
    chains,
    required: merge(({ chains }) => chains, of(required)),
    methods: merge(({ methods }) => methods),
    events: merge(({ events }) => events),
  }
}
