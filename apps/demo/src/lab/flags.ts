import type { Features, LocaleName, Namespace, ThemeMode } from '@hawser/core'
import { languageTags } from '@hawser/texts/languages'

/** The query parameters of the lab, so that tests and links can start it in any state. */
export interface Flags {
  /** Undefined: the theme of the system. */
  theme: ThemeMode | undefined
  accent: string | undefined
  radius: 'none' | 'small' | 'medium' | 'large'
  direction: 'ltr' | 'rtl'
  /** The language of the modal. */
  locale: LocaleName
  features: Partial<Features>
  /** Whether the modal links to legal texts. */
  legal: boolean
  gateway: GatewayMode
  /** Lists a wallet without keys beside the Dev wallet. */
  mockWallet: boolean
  walletFailures: readonly WalletFailure[]
  /** The mock wallet starts on a network that the page does not list. */
  unsupportedNetwork: boolean
  allowUnsupportedChain: boolean
  networkSwitch: boolean
  devWallet: boolean
  /** Namespaces whose networks are listed. */
  namespaces: readonly Namespace[]
  /** Index of the development account that the Dev wallet has on Solana. */
  solanaAccount: number
  /** Index of the development account that the Dev wallet has on Bitcoin. */
  bitcoinAccount: number
  /** How the Dev wallet offers itself on Bitcoin: by wallet-standard, or in `window.btc_providers`. */
  bitcoinWallet: 'standard' | 'sats'
  /** Which of the groups of three development accounts the Dev wallet has on Polkadot. */
  polkadotAccount: number
  /** Offers wallets outside this page to pair, through the gateway's relay. */
  pairing: boolean
  /** Offers pairings on a second relay too, as a site does for stock wallets. The gateway's own stands for the public one. */
  publicRelay: boolean
  /** Offers logins by email and social accounts. */
  logins: boolean
  /** Visitors sign in with their wallet; `optional` lets them skip it. */
  signIn: 'off' | 'required' | 'optional'
  /** Offers pairings alone: the modal opens on a code. */
  basic: boolean
  /** The Dev wallet supports atomic batches, as smart accounts do. */
  smart: boolean
  /** Where visitors buy: ISO 3166-1 or, for a state, ISO 3166-2. */
  country: string | undefined
  debug: boolean
}

export type GatewayMode = 'online' | 'slow' | 'offline'
export type WalletFailure = 'connect' | 'switch' | 'sign' | 'send' | 'disconnect'

const themeModes: readonly ThemeMode[] = ['dark', 'light']
const walletFailures: readonly WalletFailure[] = ['connect', 'switch', 'sign', 'send', 'disconnect']

const namespaces: readonly Namespace[] = ['eip155', 'solana', 'bip122', 'polkadot']

/** Parses the flags, such as `?theme=light&collapse=1&gateway=offline&fail=connect,switch`. */
export function readFlags(search: string): Flags {
  const query = new URLSearchParams(search)
  const isOn = (name: string) => query.get(name) === '1'
  const isOff = (name: string) => query.get(name) === '0'
  const oneOf = <T extends string>(name: string, [first, ...others]: readonly [T, ...T[]]): T =>
    others.find((value) => value === query.get(name)) ?? first
  const failing = query.get('fail')?.split(',') ?? []

  return {
    theme: themeModes.find((mode) => mode === query.get('theme')),
    accent: query.get('accent') ?? undefined,
    radius: oneOf('radius', ['medium', 'none', 'small', 'large']),
    direction: oneOf('dir', ['ltr', 'rtl']),
    locale: oneOf<LocaleName>('lang', ['en', 'auto', ...languageTags]),
    features: {
      smartSessions: !isOff('sessions'),
      ...(isOff('access') && { access: false }),
      ...(isOff('send') && { send: false }),
      ...(isOff('onramp') && { onramp: false }),
      ...(isOff('swaps') && { swaps: false }),
      ...(isOff('receive') && { receive: false }),
      ...(isOff('email') && { email: false }),
      ...(isOff('socials') && { socials: false }),
      ...(isOff('emailShowWallets') && { emailShowWallets: false }),
      ...(isOn('collapse') && { collapseWallets: true }),
      ...(isOn('legal') && { legalCheckbox: true }),
    },
    legal: query.has('legal'),
    gateway: oneOf('gateway', ['online', 'slow', 'offline']),
    mockWallet: isOn('mock') || isOn('unsupported'),
    walletFailures: walletFailures.filter((failure) => failing.includes(failure)),
    unsupportedNetwork: isOn('unsupported'),
    allowUnsupportedChain: isOn('allowUnsupported'),
    networkSwitch: !isOff('networkSwitch'),
    devWallet: !isOff('devWallet'),
    namespaces: readNamespaces(query.get('namespaces')),
    solanaAccount: Number(query.get('solanaAccount') ?? 0),
    bitcoinAccount: Number(query.get('bitcoinAccount') ?? 0),
    bitcoinWallet: oneOf('bitcoinWallet', ['standard', 'sats']),
    polkadotAccount: Number(query.get('polkadotAccount') ?? 0),
    pairing: isOn('pairing') || isOn('basic'),
    publicRelay: isOn('publicRelay'),
    logins: !isOff('logins') && !isOn('basic'),
    basic: isOn('basic'),
    signIn: oneOf('signIn', ['off', 'required', 'optional']),
    smart: isOn('smart'),
    country: query.get('country') ?? undefined,
    debug: isOn('debug'),
  }
}

/** Parses a list such as `eip155,solana`; `all` for every namespace, EVM chains alone by default. */
function readNamespaces(text: string | null): readonly Namespace[] {
  if (text === 'all') return namespaces
  const listed = text?.split(',') ?? ['eip155']
  return namespaces.filter((namespace) => listed.includes(namespace))
}
