import { GatewayError, messageData } from '@hawser/client'
import type { Balance } from '@hawser/client/balances'
import { adapterOf } from '../chain/adapters.ts'
import { updateAccount } from '../chain/chainState.ts'
import { selectAccount } from '../chain/selectors.ts'
import { BALANCE_CACHE_MS } from '../constants.ts'
import { toast } from '../errors/messages.ts'
import { balancesClient } from '../gateway/clients.ts'
import { isServed } from '../gateway/servedFeatures.ts'
import { importModule } from '../importModule.ts'
import type { Latest } from '../latestOnly.ts'
import { BALANCE_RETRY_WINDOW_MS } from '../limits.ts'
import { nativePlaceholder } from '../network/nativePlaceholder.ts'
import { caches } from '../storage/items.ts'
import type { TokenBalance } from '../types/account.ts'
import type { Hawser } from '../types/hawser.ts'
import type { Namespace } from '../types/network.ts'
import { type AccountOwner, activeOwner } from './owner.ts'

/** How tokens are read. */
export interface TokenBalanceOptions {
  /** CAIP-10 tokens that the gateway reads from the chain instead of its cache. */
  readonly forceUpdate?: readonly string[]
}

/** The tokens of an account. */
export interface TokenList {
  readonly tokens: readonly TokenBalance[]
  /** Whether the account holds more tokens. */
  readonly isPartial: boolean
}

/**
 * Reads the token list of the active account and shows it. A list of the last 30 seconds is shown until the gateway
 * answers; after a failure there is no request for 30 seconds.
 *
 * @returns the list that is shown then; never throws.
 */
export async function fetchTokenBalance(
  hawser: Hawser,
  { forceUpdate }: TokenBalanceOptions = {},
): Promise<readonly TokenBalance[]> {
  const owner = activeOwner(hawser)
  if (!owner) return []
  const { lastRetry, tokenBalance } = selectAccount(hawser.chain.getState())
  if (isRetryBlocked(lastRetry, hawser.clock.now())) return tokenBalance

  if (forceUpdate) hawser.latest.abandon('balance:tokens')
  await hawser.latest.share('balance:tokens', owner.caipAddress, (latest) =>
    readTokens(hawser, owner, forceUpdate, latest),
  )
  return selectAccount(hawser.chain.getState()).tokenBalance
}

/**
 * Shows balances that were pushed. A response to an earlier request is older and is dropped. A list of the wallet
 * itself takes precedence.
 */
export async function takeTokenBalance(
  hawser: Hawser,
  owner: AccountOwner,
  pushed: TokenList,
): Promise<void> {
  const latest = hawser.latest.begin('balance:tokens')
  const list = (await readFromWallet(hawser, owner)) ?? pushed
  if (latest.isCurrent()) keep(hawser, owner, list)
}

async function readTokens(
  hawser: Hawser,
  owner: AccountOwner,
  forceUpdate: readonly string[] | undefined,
  latest: Latest,
): Promise<void> {
  // The page may be on another network when the answer comes.
  const { chainNamespace } = owner.network
  const { lastRetry } = selectAccount(hawser.chain.getState())
  showCached(hawser, owner)
  updateAccount(hawser.chain, chainNamespace, { tokenBalanceLoading: true })
  try {
    const list =
      (await readFromWallet(hawser, owner)) ??
      (await readFromGateway(hawser, owner, forceUpdate, latest.signal))
    if (latest.isCurrent()) keep(hawser, owner, list)
  } catch (error) {
    if (latest.isCurrent()) reportFailure(hawser, owner, error, lastRetry)
  } finally {
    if (latest.isCurrent()) updateAccount(hawser.chain, chainNamespace, { tokenBalanceLoading: false })
  }
}

function keep(hawser: Hawser, owner: AccountOwner, list: TokenList): void {
  const { caipAddress, network } = owner
  const tokens = fungibleOnly(list.tokens)
  show(hawser, owner, { tokens, isPartial: list.isPartial })
  updateAccount(hawser.chain, network.chainNamespace, { lastRetry: undefined, tokenBalanceLoading: false })
  hawser.report({ kind: 'failureEnded', ...toast('tokenBalanceUnavailable') })
  hawser.storage.writeCached(caches.tokenBalance, caipAddress, tokens)
}

function showCached(hawser: Hawser, owner: AccountOwner): void {
  if (selectAccount(hawser.chain.getState()).tokenBalanceLoaded) return
  const cached = hawser.storage.readCached<unknown>(caches.tokenBalance, owner.caipAddress, BALANCE_CACHE_MS)
  if (Array.isArray(cached)) show(hawser, owner, { tokens: cached, isPartial: false })
}

function show(hawser: Hawser, { network }: AccountOwner, { tokens, isPartial }: TokenList): void {
  updateAccount(hawser.chain, network.chainNamespace, {
    tokenBalance: tokens,
    tokenBalanceLoaded: true,
    isTokenBalancePartial: isPartial,
  })
}

/** @param lastRetry Unix milliseconds of the last failure. */
function isRetryBlocked(lastRetry: number | undefined, now: number): boolean {
  return lastRetry !== undefined && now - lastRetry < BALANCE_RETRY_WINDOW_MS
}

/** Removes NFTs: rows with "0" decimals. */
function fungibleOnly(tokens: readonly TokenBalance[]): readonly TokenBalance[] {
  return tokens.filter(({ quantity }) => quantity.decimals !== '0')
}

/**
 * Returns a row of a balance list as it is shown and stored. The native token has no address, also where the gateway
 * names it by the placeholder of its namespace.
 */
export function readBalance(balance: Balance): TokenBalance {
  const { address, ...row } = messageData(balance)
  return {
    ...row,
    ...(address && !isNativeAddress(address) && { address }),
    quantity: { decimals: '0', numeric: '0', ...messageData(balance.quantity) },
  }
}

/** @param address CAIP-10. */
function isNativeAddress(address: string): boolean {
  const [namespace = '', , plain = ''] = address.split(':')
  return plain === nativePlaceholder(namespace as Namespace)
}

/** Namespaces that the balance service has no holdings of, and only prices. */
const vendorPriced: readonly Namespace[] = ['bip122', 'polkadot']

class NetworkNotServed extends Error {}

/** Reads the list from a wallet that discovers assets; undefined from all other wallets. */
async function readFromWallet(
  hawser: Hawser,
  { address, network }: AccountOwner,
): Promise<TokenList | undefined> {
  const session = hawser.sessions.get(network.chainNamespace)
  if (!session) return undefined
  const adapter = await adapterOf(hawser, network.chainNamespace)
  const tokens = await adapter.walletAssets?.(session, address, network)
  if (!tokens) return undefined
  if (!vendorPriced.includes(network.chainNamespace)) return { tokens, isPartial: false }
  const { withNativePrice } = await importModule(() => import('./nativePrice.ts'), 'withNativePrice')
  return { tokens: await withNativePrice(hawser, network, tokens), isPartial: false }
}

async function readFromGateway(
  hawser: Hawser,
  { address, network: { caipNetworkId } }: AccountOwner,
  forceUpdate: readonly string[] | undefined,
  signal: AbortSignal,
): Promise<TokenList> {
  if (!(await isServed(hawser, caipNetworkId))) throw new NetworkNotServed()
  const request = {
    address,
    chainId: caipNetworkId,
    currency: 'usd',
    forceUpdate: forceUpdate?.join(',') ?? '',
  }
  const { balances, more = false } = await (await balancesClient(hawser)).getBalance(request, { signal })
  return { tokens: balances.map(readBalance), isPartial: more }
}

/** Reports an outage once, however many requests fail while it lasts. */
function reportFailure(
  hawser: Hawser,
  { network }: AccountOwner,
  error: unknown,
  lastRetry: number | undefined,
): void {
  updateAccount(hawser.chain, network.chainNamespace, {
    lastRetry: hawser.clock.now(),
    tokenBalanceLoaded: true,
    ...(error instanceof NetworkNotServed && { tokenBalance: [] }),
  })
  if (error instanceof GatewayError && error.code === 'unavailable') hawser.timers.cancel('balances')
  if (lastRetry !== undefined) return
  hawser.report({ kind: 'balancesFailed', ...toast('tokenBalanceUnavailable') })
}
