import { accounts } from './accounts.mjs'
import { describeEns } from './ens.mjs'
import { mnemonic } from './mnemonic.mjs'
import { describeSmartAccounts } from './smartAccounts.mjs'
import { describeTreasury } from './treasury.mjs'
import { describeVenues } from './venues.mjs'

/**
 * Description of the local chains for their clients; the content of `.hawser/devnet.json`.
 * @typedef {object} Manifest
 * @property {string} mnemonic
 * @property {ChainManifest[]} chains
 * @property {import('./accounts.mjs').DevnetAccount[]} accounts funded, in derivation order
 * @property {import('./treasury.mjs').TreasuryManifest} treasury holds every priced token
 * @property {import('./svm/manifest.mjs').SolanaManifest} [solana] absent where only EVM chains were started
 * @property {import('./polkadot/start.mjs').PolkadotManifest} [polkadot] absent where only EVM chains were started
 * @property {import('./bitcoin/manifest.mjs').BitcoinManifest} [bitcoin] absent where it was not started
 */

/**
 * @typedef {object} ChainManifest
 * @property {number} chainId
 * @property {string} caip2 chain id by CAIP-2
 * @property {string} name
 * @property {string} rpcUrl
 * @property {string} wsUrl
 * @property {{ name: string, symbol: string, decimals: number }} nativeCurrency
 * @property {Record<string, `0x${string}`>} contracts every contract by name
 * @property {{ symbol: string, name: string, address: `0x${string}`, decimals: number }[]} tokens
 * @property {FeedManifest[]} feeds
 * @property {CollectionManifest[]} nfts
 * @property {`0x${string}`} [wrapped] the native currency as a token; absent where nothing is traded
 * @property {import('./venues.mjs').VenueManifest[]} [venues] where tokens are traded, the most used first
 * @property {import('./ens.mjs').EnsManifest} [ens] absent where there is no name service
 * @property {import('./smartAccounts.mjs').SmartAccountsManifest} smartAccounts
 */

/**
 * @typedef {object} FeedManifest
 * @property {string} pair such as "ETH / USD"
 * @property {`0x${string}`} address of a contract in the shape of AggregatorV3Interface
 * @property {number} decimals of the answer
 * @property {`0x${string}`} [token] the priced token; absent for the native currency
 */

/**
 * @typedef {object} CollectionManifest
 * @property {string} name
 * @property {string} symbol
 * @property {`0x${string}`} address
 * @property {'erc721' | 'erc1155'} standard
 * @property {{ tokenId: string, holder: `0x${string}`, quantity: string }[]} tokens as they were minted; numbers as decimal text
 */

/**
 * @param {ChainManifest[]} chains
 * @returns {Manifest}
 */
export function describeDevnet(chains) {
  return { mnemonic, chains, accounts, treasury: describeTreasury() }
}

/**
 * @param {import('./chains.mjs').ChainPlan} plan
 * @param {string} rpcUrl
 * @param {import('./deploy.mjs').Deployment} deployment
 * @returns {ChainManifest}
 */
export function describeChain(plan, rpcUrl, { contracts, pairCodeHash }) {
  /** @param {string} id */
  const address = (id) => {
    const found = contracts[id]
    if (!found) throw new Error(`chain ${plan.chainId} has no contract ${id}`)
    return found
  }
  const { exchanges } = plan
  return {
    chainId: plan.chainId,
    caip2: `eip155:${plan.chainId}`,
    name: plan.name,
    rpcUrl,
    wsUrl: rpcUrl.replace(/^http/, 'ws'),
    nativeCurrency: plan.nativeCurrency,
    contracts,
    tokens: [...plan.tokens, ...(exchanges ? [exchanges.wrapped, ...exchanges.tokens] : [])].map(
      ({ id, symbol, name, decimals }) => ({
        symbol,
        name,
        address: address(id),
        decimals,
      }),
    ),
    feeds: [...plan.feeds, ...(exchanges?.feeds ?? [])].map(({ id, pair, token }) => {
      const feed = { pair, address: address(id), decimals: 8 }
      return token ? { ...feed, token: address(token) } : feed
    }),
    nfts: plan.nfts.map(({ id, contract, name, symbol, mints }) => ({
      name,
      symbol,
      address: address(id),
      standard: contract === 'TestEdition' ? 'erc1155' : 'erc721',
      tokens: mints.map(({ tokenId, holder, quantity }) => ({
        tokenId: String(tokenId),
        holder,
        quantity: String(quantity),
      })),
    })),
    ...(exchanges && {
      wrapped: address(exchanges.wrapped.id),
      venues: describeVenues(exchanges.venues, address, pairCodeHash),
    }),
    ...(plan.ens && { ens: describeEns(address) }),
    smartAccounts: describeSmartAccounts(address),
  }
}
