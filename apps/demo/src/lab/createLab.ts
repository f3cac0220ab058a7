import {
  bitcoinWallets,
  devWallet,
  embeddedWallet,
  injected,
  mock,
  polkadotWallets,
  solanaWallets,
  walletConnect,
} from '@hawser/connectors'
import {
  type CaipNetworkId,
  type ConnectorFactory,
  createHawser,
  defineNetwork,
  type Hawser,
  type Namespace,
  type Network,
  type SwapContracts,
} from '@hawser/core'
import { darkTheme, lightTheme } from '@hawser/react'
import { createSiwx, type Siwx } from '@hawser/siwe'
import { systemTheme } from '../page/systemTheme.ts'
import { readableOn } from './accents.ts'
import type { Devnet, DevnetBitcoin, DevnetPolkadot, DevnetSolana, LabConfig } from './config.ts'
import type { Flags } from './flags.ts'
import { GatewayFault } from './gatewayFault.ts'
import { offerWallets } from './offerWallets.ts'
import { WalletFault } from './walletFault.ts'

/** The objects that the lab uses. */
export interface Lab {
  hawser: Hawser
  config: LabConfig
  flags: Flags
  gatewayFault: GatewayFault
  walletFault: WalletFault
}

/** A chain id that no list of networks holds. */
const unlistedChainId = 987_654_321

/** Creates the lab as a site would, with switches for failures. */
export async function createLab(config: LabConfig, flags: Flags): Promise<Lab> {
  const gatewayFault = new GatewayFault(flags.gateway)
  const walletFault = new WalletFault(flags.walletFailures)
  if (flags.devWallet) await offerWallets(config, flags, walletFault)
  const { themeMode, themeVariables } = ((flags.theme ?? systemTheme()) === 'light' ? lightTheme : darkTheme)(
    {
      radius: flags.radius,
      ...(flags.accent && { accent: flags.accent, onAccent: readableOn(flags.accent) }),
    },
  )
  const hawser = createHawser({
    projectId: config.projectId,
    baseUrl: config.gatewayUrl,
    networks: networksOf(config, flags),
    connectors: connectorsOf(config, flags, walletFault),
    swapContracts: swapContractsOf(config.devnet),
    features: flags.features,
    locale: flags.locale,
    themeMode,
    themeVariables: themeVariables as Record<`--hw-${string}`, string>,
    enableNetworkSwitch: flags.networkSwitch,
    allowUnsupportedChain: flags.allowUnsupportedChain,
    ...(flags.country && { onrampCountry: flags.country }),
    debug: flags.debug,
    wcBasic: flags.basic,
    ...(flags.signIn !== 'off' && { siwx: signInOf(config, flags, gatewayFault) }),
    metadata: { name: 'Hawser', description: 'Wallet connection that a site hosts itself' },
    fetch: gatewayFault.fetch,
    ...(flags.legal && { termsConditionsUrl: '/terms', privacyPolicyUrl: '/privacy' }),
  })
  return { hawser, config, flags, gatewayFault, walletFault }
}

/** Returns the sign-in, which the gateway verifies. */
function signInOf({ gatewayUrl, projectId }: LabConfig, { signIn }: Flags, { fetch }: GatewayFault): Siwx {
  return createSiwx({
    url: `${gatewayUrl}/auth/v1`,
    projectId,
    statement: 'Sign in to the Hawser lab.',
    required: signIn === 'required',
    fetch,
  })
}

/** Returns the local chains, then a few public networks that the gateway serves, in the listed namespaces. */
function networksOf({ devnet, chains }: LabConfig, { namespaces }: Flags): readonly [Network, ...Network[]] {
  const local = [
    ...(devnet?.chains ?? []).map(localNetwork),
    ...(devnet?.solana ? [accountNetwork('solana', devnet.solana)] : []),
    ...(devnet?.bitcoin ? [bitcoinNetwork(devnet.bitcoin)] : []),
    ...(devnet?.polkadot ? [accountNetwork('polkadot', devnet.polkadot)] : []),
  ]
  const served = publicNetworks.filter(({ caipNetworkId }) => chains?.includes(caipNetworkId) ?? !devnet)
  const [first, ...others] = [...local, ...served].filter(({ chainNamespace }) =>
    namespaces.includes(chainNamespace),
  )
  if (!first) throw new Error('The lab has no network')
  return [first, ...others]
}

function localNetwork({ chainId, name, rpcUrl, nativeCurrency }: Devnet['chains'][number]): Network {
  return defineNetwork({
    id: chainId,
    name,
    nativeCurrency,
    rpcUrls: { default: { http: [rpcUrl] } },
    testnet: true,
  })
}

/** Returns a local chain of a namespace whose wallets have accounts but no network of their own. */
function accountNetwork(
  chainNamespace: Namespace,
  { caip2, name, rpcUrl, nativeCurrency }: DevnetSolana | DevnetPolkadot,
): Network {
  return defineNetwork({
    id: caip2.slice(caip2.indexOf(':') + 1),
    name,
    chainNamespace,
    nativeCurrency,
    rpcUrls: { default: { http: [rpcUrl] } },
    testnet: true,
  })
}

function bitcoinNetwork({ caip2, name, nativeCurrency }: DevnetBitcoin): Network {
  return defineNetwork({
    id: caip2.slice(caip2.indexOf(':') + 1),
    name,
    chainNamespace: 'bip122',
    nativeCurrency,
    testnet: true,
  })
}

/**
 * Returns the contracts that swaps may call on the local chains. They come from the deployment, not the
 * gateway.
 */
function swapContractsOf(devnet: Devnet | null): Record<CaipNetworkId, SwapContracts> {
  return Object.fromEntries(
    (devnet?.chains ?? []).flatMap(({ chainId, wrapped, venues = [] }) => {
      const routers = Object.fromEntries(venues.map(({ router, kind }) => [router, kind]))
      return wrapped ? [[`eip155:${chainId}`, { wrapped, routers }]] : []
    }),
  )
}

function connectorsOf(
  { devnet, frameOrigin, gatewayUrl, projectId }: LabConfig,
  flags: Flags,
  walletFault: WalletFault,
): ConnectorFactory[] {
  const connectors: ConnectorFactory[] = [injected()]
  if (flags.logins) connectors.push(embeddedWallet({ frameOrigin }))
  if (flags.pairing) {
    const publicRelay = { url: `${gatewayUrl.replace(/^http/, 'ws')}/v1/relay`, projectId }
    connectors.push(walletConnect(flags.publicRelay ? { publicRelay } : {}))
  }
  const account = devnet?.accounts[0]
  if (devnet && account && flags.devWallet) {
    connectors.push(
      devWallet({
        privateKey: account.privateKey,
        rpcUrls: Object.fromEntries(devnet.chains.map(({ chainId, rpcUrl }) => [chainId, rpcUrl])),
        features: walletFault.features,
        ...(flags.smart && { batchAccounts: batchAccountsOf(devnet) }),
      }),
    )
  }
  if (flags.namespaces.includes('solana')) connectors.push(solanaWallets())
  if (flags.namespaces.includes('bip122')) connectors.push(bitcoinWallets())
  if (flags.namespaces.includes('polkadot')) connectors.push(polkadotWallets())
  if (flags.mockWallet) {
    const chainId = flags.unsupportedNetwork ? unlistedChainId : (devnet?.chains[0]?.chainId ?? 1)
    const address = account?.address ?? '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
    connectors.push(mock({ accounts: [address], chainId, features: walletFault.features }))
  }
  return connectors
}

/** Returns the contracts that an account delegates to for a batch, by chain id. */
function batchAccountsOf({ chains }: Devnet): Record<number, `0x${string}`> {
  return Object.fromEntries(
    chains.flatMap(({ chainId, contracts }) =>
      contracts.BatchAccount ? [[chainId, contracts.BatchAccount] as const] : [],
    ),
  )
}

const ether = { name: 'Ether', symbol: 'ETH', decimals: 18 }

/** Some public networks for the list. The page reaches them through the gateway only. */
const publicNetworks: readonly Network[] = [
  evm(1, 'Ethereum', 'Etherscan', 'https://etherscan.io'),
  evm(8453, 'Base', 'Basescan', 'https://basescan.org'),
  evm(42161, 'Arbitrum One', 'Arbiscan', 'https://arbiscan.io'),
  evm(10, 'OP Mainnet', 'Optimism Explorer', 'https://optimistic.etherscan.io'),
  evm(11155111, 'Sepolia', 'Etherscan', 'https://sepolia.etherscan.io', true),
]

function evm(id: number, name: string, explorer: string, url: string, testnet = false): Network {
  return defineNetwork({
    id,
    name,
    testnet,
    nativeCurrency: ether,
    blockExplorers: { default: { name: explorer, url } },
  })
}
