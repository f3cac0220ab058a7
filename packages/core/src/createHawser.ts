import { createGateway } from '@hawser/client'
import { createStore } from 'zustand/vanilla'
import { initialActivity } from './activity/initialActivity.ts'
import { initialAlert, logAlert } from './alert/alert.ts'
import { watchConfiguration } from './alert/configuration.ts'
import { initialChain } from './chain/chainState.ts'
import { systemClock } from './clock.ts'
import { initialConnection } from './connection/initialConnection.ts'
import { createSessions } from './connection/sessions.ts'
import { initialConnectors } from './connectors/connectorList.ts'
import { initialDirectory } from './directory/initialDirectory.ts'
import { thrownEarly } from './errors/thrownEarly.ts'
import { createEvents } from './events/events.ts'
import { createLatestOnly } from './latestOnly.ts'
import { createLog } from './log/log.ts'
import { follow } from './modal/flows.ts'
import { initialModal } from './modal/modal.ts'
import { createMount } from './mount.ts'
import { initialNames, initialOwnNames } from './names/draft.ts'
import { initialNfts } from './nfts/initialNfts.ts'
import { initialOnramp } from './onramp/draft.ts'
import { initialOptions } from './options/options.ts'
import { initialRouter } from './router/history.ts'
import { initialSend } from './send/draft.ts'
import { initialSignIn } from './signIn/initialSignIn.ts'
import { initialSmartSessions } from './smartSessions/initialSmartSessions.ts'
import { createHawserStorage } from './storage/hawserStorage.ts'
import { initialSwap } from './swap/initialSwap.ts'
import { createTimers } from './timers.ts'
import { initialToast } from './toast/toast.ts'
import type { Hawser } from './types/hawser.ts'
import type { HawserOptions } from './types/options.ts'

/**
 * Creates an instance. Uses neither the DOM nor the network nor storage until it is mounted, so a server may create
 * one per request.
 *
 * @throws Error "Network not found" when the default network is not among the networks; it is also logged on the
 *   console.
 */
export function createHawser(options: HawserOptions): Hawser {
  const { networks, clock = systemClock, connectionCookie, defaultNetwork = networks[0] } = options
  if (!networks.some(({ caipNetworkId }) => caipNetworkId === defaultNetwork.caipNetworkId)) {
    logAlert('networkNotFound')
    throw new Error(thrownEarly.networkNotFound)
  }
  const configuration = watchConfiguration(() => hawser, options.fetch)
  const client = createGateway({ ...options, fetch: configuration.fetch })

  const hawser: Hawser = {
    options: createStore(() => initialOptions(options)),
    theme: createStore(() => ({
      themeMode: options.themeMode ?? 'dark',
      themeVariables: options.themeVariables ?? {},
    })),
    router: createStore(() => initialRouter),
    modal: createStore(() => initialModal),
    toast: createStore(() => initialToast),
    alert: createStore(() => initialAlert),
    chain: createStore(() => {
      const initial = initialChain(networks, defaultNetwork)
      return connectionCookie?.restore(initial) ?? initial
    }),
    connection: createStore(() => initialConnection),
    connectors: createStore(() => initialConnectors),
    directory: createStore(() => initialDirectory),
    send: createStore(() => initialSend),
    swap: createStore(() => initialSwap),
    names: createStore(() => initialNames),
    ownNames: createStore(() => initialOwnNames),
    onramp: createStore(() => initialOnramp),
    push: createStore(() => ({
      isLive: false,
      activityChanges: 0,
      identityChanges: 0,
      orderTokens: 0,
    })),
    activity: createStore(() => initialActivity),
    contacts: createStore(() => ({ list: [] })),
    nfts: createStore(() => initialNfts),
    access: createStore(() => ({ approvals: [], selected: [] })),
    signIn: createStore(() => initialSignIn),
    smartSessions: createStore(() => initialSmartSessions),
    served: createStore(() => ({})),
    events: createEvents(),
    mount: () => mount(),

    report: (outcome) => follow(hawser, outcome),
    siwx: options.siwx,
    client,
    configuration,
    clock,
    storage: createHawserStorage(clock, options.storage),
    log: createLog(clock),
    adapters: new Map(),
    sessions: createSessions(() => hawser),
    connecting: { pending: undefined, pairing: undefined },
    leaving: new Set(),
    checkout: { window: undefined },
    following: { orders: undefined, sent: new Set() },
    gateway: { transport: undefined, features: undefined },
    latest: createLatestOnly(),
    timers: createTimers(clock),
  }
  const mount = createMount(hawser, options.connectors ?? [], connectionCookie)
  return hawser
}
