/**
 * A file of journeys in this folder.
 *
 * @typedef {object} JourneyFile
 * @property {number} seconds that it takes in a lane of its own: every lane gets about the same time
 * @property {RegExp} about paths of the repository whose change concerns the journeys, beside `everything`
 * @property {boolean} [hasMain] whether `make test` plays it: its tests, or of its journeys those that it defines by `mainJourney`
 * @property {boolean} [alone] whether it needs a process and a stack of its own
 * @property {boolean} [allNetworks] whether it needs networks beside EVM, whose start takes as long as that of the rest
 */

/** Paths whose change concerns all journeys. */
export const everything =
  /^packages\/(client|devnet|ui)\/|^test\/kit\/|^packages\/(core\/src\/(chain|connection|gateway|router|storage)|react\/src\/(modal|provider|styles))\/|^apps\/demo\//

const embedded =
  /^apps\/frame\/|^packages\/(frame|vault)\/|embedded|\/login|^services\/(wallet|bundler|preview)\/|^gateway\/frame/

/**
 * The files by name.
 *
 * @type {Record<string, JourneyFile>}
 */
export const journeyFiles = {
  access: { seconds: 34, about: /access(?!ib)|approv|revo[ck]/i, hasMain: true },
  accessibility: { seconds: 70, about: /^packages\/react\//, hasMain: true, allNetworks: true },
  account: { seconds: 25, about: /account|^services\/balances\//i, hasMain: true },
  activity: { seconds: 20, about: /activity/i, hasMain: true },
  appearance: { seconds: 50, about: /^packages\/react\//, hasMain: true },
  bitcoin: { seconds: 60, about: /bitcoin|bip122/i, hasMain: true, allNetworks: true },
  changed: { seconds: 12, about: /activity|send|swap|transaction/i },
  connect: { seconds: 35, about: /connect|injected/i, hasMain: true },
  console: { seconds: 60, about: /^apps\/console\/|admin\/v1|console/, hasMain: true },
  contacts: { seconds: 40, about: /contact|receiver|send|lookAlike/i, hasMain: true },
  disconnect: { seconds: 15, about: /connect/i, hasMain: true },
  docs: { seconds: 40, about: /^docs\/|^apps\/docs\/|\.md$/ },
  embedded: { seconds: 80, about: embedded, hasMain: true },
  ens: { seconds: 20, about: /^services\/names\/|ens\b/ },
  firstDay: {
    seconds: 40,
    about: /^apps\/console\/|^packages\/browser\/|first-day/,
    alone: true,
    allNetworks: true,
  },
  frame: { seconds: 60, about: embedded, hasMain: true },
  frameAccount: { seconds: 60, about: embedded },
  frameAttacks: { seconds: 40, about: embedded },
  frameContacts: { seconds: 20, about: embedded },
  frameLocale: { seconds: 60, about: embedded },
  frameSecrets: { seconds: 20, about: embedded, alone: true },
  frameSessions: { seconds: 40, about: embedded },
  frameSocial: { seconds: 40, about: embedded },
  frameWindows: { seconds: 20, about: embedded },
  handoff: { seconds: 40, about: /handoff|walletconnect|pairing/i, hasMain: true },
  handoffPage: { seconds: 40, about: /handoff|walletconnect/i, hasMain: true },
  home: { seconds: 20, about: /^apps\/demo\// },
  lab: { seconds: 25, about: /^apps\/demo\// },
  locale: { seconds: 50, about: /locale|texts/i, hasMain: true },
  logs: { seconds: 10, about: /^services\/chains\/|^gateway\/jsonrpc/ },
  'names-own': { seconds: 40, about: /names?/i },
  names: { seconds: 20, about: /names?/i, hasMain: true },
  network: { seconds: 20, about: /network/i, hasMain: true },
  motion: { seconds: 20, about: /^packages\/(react|ui)\// },
  nfts: { seconds: 20, about: /nft/i, hasMain: true },
  offline: { seconds: 60, about: /outage|gateway|balances/i, hasMain: true },
  onramp: { seconds: 50, about: /onramp|ramp|sandbox/i, hasMain: true },
  page: { seconds: 40, about: /^packages\/(react|core|client|connectors|ui)\/|^apps\/demo\// },
  pairing: { seconds: 35, about: /pairing|relay|walletconnect/i, hasMain: true },
  polkadot: { seconds: 50, about: /polkadot/i, hasMain: true, allNetworks: true },
  push: { seconds: 10, about: /push|updates|balances|activity/i, hasMain: true },
  receive: { seconds: 5, about: /receive/i, hasMain: true },
  send: { seconds: 35, about: /send/i, hasMain: true },
  siteStyles: { seconds: 30, about: /^packages\/(react|ui)\// },
  signIn: { seconds: 10, about: /signIn|siwe|^services\/auth\/|sign-in/i },
  signInModal: { seconds: 25, about: /signIn|siwe|^services\/(auth|analytics)\//i, hasMain: true },
  smartSessions: { seconds: 20, about: /session|grant/i, hasMain: true },
  solana: { seconds: 70, about: /solana|svm/i, hasMain: true, allNetworks: true },
  storage: { seconds: 130, about: /storage|connection|embedded|^packages\/(frame|vault)\// },
  swap: { seconds: 90, about: /swap|convert/i, hasMain: true },
  traces: { seconds: 5, about: /trace|observe/i },
  up: { seconds: 40, alone: true, about: /^packages\/devnet\/|^gateway\/cmd\/|^deploy\/dev/ },
  walletDirectory: { seconds: 20, about: /directory|pairing|walletconnect/i },
}
