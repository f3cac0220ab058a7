import { createSignClient, type ProposedNamespaces, type SignListener } from '@hawser/walletconnect'
import { createStorage, createTestGateway, createTestRelay } from '@hawser/walletconnect/testing'
import { vi } from 'vitest'
import {
  createSessions,
  type Outcome,
  type SessionsListener,
  type SessionsOptions,
} from '../session/sessions.ts'
import { createMobileWallet, pageWalletOf } from './mobileWallet.ts'

export const proposed: ProposedNamespaces = {
  eip155: {
    chains: ['eip155:1', 'eip155:10'],
    methods: [
      'personal_sign',
      'eth_sendTransaction',
      'wallet_switchEthereumChain',
      'wallet_addEthereumChain',
      'wallet_getCapabilities',
      'eth_call',
    ],
    events: ['accountsChanged', 'chainChanged'],
  },
}

export const settle = (ms = 200) => vi.advanceTimersByTimeAsync(ms)

/** A site and a wallet's browser, with a relay and a gateway between them, on the fake clock of the test. */
export function openWorld({ wallet = createMobileWallet(), listener = {} as SignListener } = {}) {
  const relay = createTestRelay()
  const gateway = createTestGateway(() => Date.now())
  const environment = { openSocket: relay.openSocket, random: () => 1 }
  const site = createSignClient(
    {
      relays: [{ url: relay.url, projectId: '01' }],
      metadata: { name: 'Site', description: '', url: 'https://site.test', icons: [] },
      environment: { ...environment, storage: createStorage() },
    },
    listener,
  )
  /** Of the wallet's browser. */
  const storage = createStorage()
  const events: string[] = []

  /** Loads the wallet page. */
  function visit(given: Partial<SessionsListener> = {}, locks?: SessionsOptions['locks']) {
    return createSessions(
      {
        wallet: pageWalletOf(wallet),
        relayUrl: relay.url,
        url: 'https://gateway.test',
        environment: { ...environment, storage },
        locks,
      },
      {
        changed: () => undefined,
        asking: () => void events.push('asking'),
        connected: () => void events.push('connected'),
        refused: (reason) => void events.push(reason),
        ended: (outcome: Outcome) => void events.push(outcome),
        unreachable: () => void events.push('unreachable'),
        ...given,
      },
    )
  }

  return { relay, gateway, environment, site, storage, wallet, events, visit }
}

/** Returns the locks that the tabs of a browser share. */
export function createLocks(): NonNullable<SessionsOptions['locks']> {
  const held = new Map<string, Promise<unknown>>()
  return {
    request(name: string, work: () => Promise<unknown>) {
      const done = (held.get(name) ?? Promise.resolve()).then(work)
      held.set(name, done)
      return done
    },
  } as NonNullable<SessionsOptions['locks']>
}

/** Connects a site with the wallet page. */
export async function connect(
  given = openWorld(),
  optionalNamespaces = proposed,
  locks?: SessionsOptions['locks'],
) {
  const { site, gateway, visit } = given
  const pending = await site.handOff({ optionalNamespaces }, gateway)
  const sessions = visit({}, locks)
  const handoff = await sessions.claim(pending.id, gateway)
  await settle()
  handoff.confirm()
  pending.confirm()
  await settle()
  const session = await pending.approval
  const request = (method: string, params: unknown, chainId = 'eip155:1') =>
    site.request({ topic: session.topic, chainId, method, params })
  return { ...given, pending, sessions, session, request }
}

/** Settles a promise without failing the test. */
export function outcome(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    (result) => ({ result }),
    ({ code, message }: { code?: number; message: string }) => code ?? message,
  )
}
