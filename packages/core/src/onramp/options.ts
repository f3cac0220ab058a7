import { messageData } from '@hawser/client'
import type { Seller } from '@hawser/client/onramp'
import { requestedNetwork } from '../chain/requestedNetworks.ts'
import { onrampClient } from '../gateway/clients.ts'
import { isServed } from '../gateway/servedFeatures.ts'
import type { Hawser } from '../types/hawser.ts'
import type { CaipNetworkId } from '../types/network.ts'
import type { BuySeller, BuyToken, OnrampState } from '../types/onramp.ts'
import { defaultOptions, type OnrampOptions } from './defaults.ts'
import { type Region, regionOf } from './region.ts'

/**
 * Requests tokens, currencies and providers. Without a response the built-in list is used, and the state says so.
 * Never throws.
 */
export async function loadOnramp(hawser: Hawser): Promise<void> {
  const { isCurrent, signal } = hawser.latest.begin('onramp:options')
  const region = regionOf(hawser.options.getState())
  const [options, sellers] = await Promise.allSettled([
    requestOptions(hawser, region, signal),
    readSellers(hawser, region, signal),
  ])
  if (!isCurrent()) return
  const answer = options.status === 'fulfilled' ? options.value : undefined
  takeOptions(hawser, answer)
  if (sellers.status === 'fulfilled') takeSellers(hawser, sellers.value)
}

const nothing: OnrampOptions = { purchaseCurrencies: [], paymentCurrencies: [] }

/**
 * Requests tokens and currencies; none, without a request, on a network that the gateway does not serve. Undefined
 * when the response is incomplete.
 *
 * @throws what a call throws (see `createTransport`).
 */
async function requestOptions(
  hawser: Hawser,
  region: Region,
  signal: AbortSignal,
): Promise<OnrampOptions | undefined> {
  const { activeCaipNetwork: network } = hawser.chain.getState()
  if (network && !(await isServed(hawser, network.caipNetworkId))) return nothing
  const options = await (await onrampClient(hawser)).getOptions(region, { signal })
  return options.paymentCurrencies.length > 0 ? messageData(options) : undefined
}

async function readSellers(hawser: Hawser, { country = '' }: Region, signal: AbortSignal) {
  const { providers } = await (await onrampClient(hawser)).listProviders({ countries: country }, { signal })
  return providers
}

/**
 * Sets the options. A token of another network is selected only if the visitor chose it or the site named its
 * address.
 */
function takeOptions(hawser: Hawser, answer: OnrampOptions | undefined): void {
  const options = answer ?? defaultOptions
  const { caipNetworkId } = hawser.chain.getState().activeCaipNetwork ?? {}
  const tokens = listTokens(hawser, options)
  const here = tokens.filter(({ chainId }) => chainId === caipNetworkId)
  hawser.onramp.setState((state) => ({
    isLoaded: true,
    isDefault: answer === undefined,
    wanted: {},
    tokens,
    currencies: options.paymentCurrencies,
    token:
      findByAddress(tokens, state.wanted.token) ??
      findBySymbol(here, state.wanted.token) ??
      tokens.find((token) => state.token && isSameBuyToken(token, state.token)) ??
      here[0],
    ...keptCurrency(state, options),
    amount: state.wanted.amount ?? state.amount,
  }))
}

/** Returns the visitor's currency while it is offered. */
function keptCurrency({ currency, method, wanted }: OnrampState, { paymentCurrencies }: OnrampOptions) {
  const id = wanted.currency?.toUpperCase() ?? currency?.id
  const kept = paymentCurrencies.find((one) => one.id === id) ?? paymentCurrencies[0]
  const hasMethod = kept?.paymentMethodLimits.some((limit) => limit.id === method)
  return { currency: kept, method: hasMethod ? method : undefined }
}

/**
 * Lists each token on each network of the active namespace, those of the active network first, otherwise in the
 * gateway's order.
 */
function listTokens(hawser: Hawser, { purchaseCurrencies }: OnrampOptions): readonly BuyToken[] {
  const { activeChain, activeCaipNetwork } = hawser.chain.getState()
  const tokens = purchaseCurrencies.flatMap(({ id, name, symbol, networks }) =>
    networks.map(({ caip2, chainId: reference, displayName, contractAddress }) => {
      const chainId = caip2 || `eip155:${reference}`
      const network = requestedNetwork(hawser, chainId as CaipNetworkId)
      return {
        id,
        name,
        symbol,
        chainId,
        networkName: network?.name ?? displayName,
        contract: contractAddress,
      }
    }),
  )
  const isHere = ({ chainId }: BuyToken) => chainId === activeCaipNetwork?.caipNetworkId
  const sold = tokens.filter(({ chainId }) => chainId.startsWith(`${activeChain}:`))
  return [...sold.filter(isHere), ...sold.filter((token) => !isHere(token))]
}

/** Finds a token by its address, plain or CAIP-10. */
function findByAddress(tokens: readonly BuyToken[], text: string | undefined): BuyToken | undefined {
  const wanted = text?.toLowerCase()
  return tokens.find(
    ({ contract, chainId }) =>
      contract && [contract, `${chainId}:${contract}`].some((address) => address.toLowerCase() === wanted),
  )
}

/** Finds the first token with a symbol. */
function findBySymbol(tokens: readonly BuyToken[], text: string | undefined): BuyToken | undefined {
  const wanted = text?.toLowerCase()
  return tokens.find(({ symbol }) => symbol.toLowerCase() === wanted)
}

/** Reports whether two tokens are the same on the same network. */
export function isSameBuyToken(a: BuyToken, b: BuyToken): boolean {
  return a.id === b.id && a.chainId === b.chainId
}

/** Sets the providers of the active namespace. */
function takeSellers(hawser: Hawser, sellers: readonly Seller[]): void {
  const { activeChain } = hawser.chain.getState()
  const here = sellers.filter(({ namespaces }) => namespaces.length === 0 || namespaces.includes(activeChain))
  hawser.onramp.setState({ sellers: here.map(readSeller) })
}

function readSeller({ serviceProvider, name, feePercent, websiteUrl, sandbox }: Seller): BuySeller {
  return {
    id: serviceProvider,
    title: name,
    fee: feePercent?.max ? messageData(feePercent) : undefined,
    websiteUrl,
    isSandbox: sandbox,
  }
}
