import { createOnramp, type OnrampOptions, type Place, type Seller } from '@hawser/client/onramp'
import { requestedNetwork } from '../chain/requestedNetworks.ts'
import type { Hawser } from '../types/hawser.ts'
import type { CaipNetworkId } from '../types/network.ts'
import type { BuySeller, BuyToken, OnrampState } from '../types/onramp.ts'
import { defaultOptions } from './defaults.ts'
import { placeOf } from './place.ts'

/**
 * Asks what can be bought, with what, and who sells. Where the gateway does not say, it is the built-in list, and the
 * state tells so. Never throws.
 */
export async function loadOnramp(hawser: Hawser): Promise<void> {
  const { isCurrent, signal } = hawser.latest.begin('onramp:options')
  const place = placeOf(hawser.options.getState())
  const [options, sellers] = await Promise.allSettled([
    askOptions(hawser, place, signal),
    createOnramp(hawser.client).sellers(place, signal),
  ])
  if (!isCurrent()) return
  const told = options.status === 'fulfilled' ? options.value : undefined
  takeOptions(hawser, told)
  if (sellers.status === 'fulfilled') takeSellers(hawser, sellers.value)
}

const nothing: OnrampOptions = { purchaseCurrencies: [], paymentCurrencies: [] }

/**
 * What can be bought: nothing, without asking, on a network that the gateway does not serve. Undefined when the answer
 * lacks something.
 *
 * @throws the errors of the REST client.
 */
async function askOptions(
  hawser: Hawser,
  place: Place,
  signal: AbortSignal,
): Promise<OnrampOptions | undefined> {
  const { activeCaipNetwork: network } = hawser.chain.getState()
  if (network && !(await hawser.servedChains.has(network.caipNetworkId))) return nothing
  const options = await createOnramp(hawser.client).options(place, signal)
  return isComplete(options) ? options : undefined
}

function isComplete(options: OnrampOptions): boolean {
  return Array.isArray(options.purchaseCurrencies) && options.paymentCurrencies?.length > 0
}

/** A token of another network than the one in use is bought only by those who chose it, or named its address. */
function takeOptions(hawser: Hawser, told: OnrampOptions | undefined): void {
  const options = told ?? defaultOptions
  const { caipNetworkId } = hawser.chain.getState().activeCaipNetwork ?? {}
  const tokens = listTokens(hawser, options)
  const here = tokens.filter(({ chainId }) => chainId === caipNetworkId)
  hawser.onramp.setState((state) => ({
    isLoaded: true,
    isDefault: told === undefined,
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

/** The visitor's own choice, as long as it is still offered. */
function keptCurrency({ currency, method, wanted }: OnrampState, { paymentCurrencies }: OnrampOptions) {
  const id = wanted.currency?.toUpperCase() ?? currency?.id
  const kept = paymentCurrencies.find((one) => one.id === id) ?? paymentCurrencies[0]
  const hasMethod = kept?.payment_method_limits.some((limit) => limit.id === method)
  return { currency: kept, method: hasMethod ? method : undefined }
}

/** Each token on each network of the active namespace; those of the active network first, otherwise in the gateway's order. */
function listTokens(hawser: Hawser, { purchaseCurrencies }: OnrampOptions): readonly BuyToken[] {
  const { activeChain, activeCaipNetwork } = hawser.chain.getState()
  const tokens = purchaseCurrencies.flatMap(({ id, name, symbol, networks }) =>
    networks.map(({ caip2, chain_id, display_name, contract_address }) => {
      const chainId = caip2 || `eip155:${chain_id}`
      const network = requestedNetwork(hawser, chainId as CaipNetworkId)
      return {
        id,
        name,
        symbol,
        chainId,
        networkName: network?.name ?? display_name,
        contract: contract_address,
      }
    }),
  )
  const isHere = ({ chainId }: BuyToken) => chainId === activeCaipNetwork?.caipNetworkId
  const sold = tokens.filter(({ chainId }) => chainId.startsWith(`${activeChain}:`))
  return [...sold.filter(isHere), ...sold.filter((token) => !isHere(token))]
}

/** The token whose address a text is, plain or as CAIP-10. */
function findByAddress(tokens: readonly BuyToken[], text: string | undefined): BuyToken | undefined {
  const wanted = text?.toLowerCase()
  return tokens.find(
    ({ contract, chainId }) =>
      contract && [contract, `${chainId}:${contract}`].some((address) => address.toLowerCase() === wanted),
  )
}

/** The first token whose symbol a text is. */
function findBySymbol(tokens: readonly BuyToken[], text: string | undefined): BuyToken | undefined {
  const wanted = text?.toLowerCase()
  return tokens.find(({ symbol }) => symbol.toLowerCase() === wanted)
}

/** The same token on the same network. */
export function isSameBuyToken(a: BuyToken, b: BuyToken): boolean {
  return a.id === b.id && a.chainId === b.chainId
}

/** Who sells on the active namespace. */
function takeSellers(hawser: Hawser, sellers: readonly Seller[]): void {
  const { activeChain } = hawser.chain.getState()
  const here = sellers.filter(
    ({ namespaces = [] }) => namespaces.length === 0 || namespaces.includes(activeChain),
  )
  hawser.onramp.setState({ sellers: here.map(readSeller) })
}

function readSeller({ serviceProvider, name, feePercent, websiteUrl, sandbox }: Seller): BuySeller {
  return {
    id: serviceProvider,
    title: name,
    fee: feePercent?.max ? feePercent : undefined,
    websiteUrl,
    isSandbox: sandbox === true,
  }
}
