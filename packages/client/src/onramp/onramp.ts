import type { RestClient } from '../rest/restClient.ts'
import type { OnrampOptions, Order, OrderPage, Seller, SellerQuote } from './answers.ts'

/** Where a visitor lives. */
export interface Place {
  /** ISO 3166-1 alpha-2. */
  readonly country?: string
  /** Second part of ISO 3166-2, such as `NY`. */
  readonly subdivision?: string
}

/** A purchase that somebody thinks of. */
export interface PurchaseQuestion extends Place {
  /** Symbol of the token. */
  readonly token: string
  /** Where it is wanted, CAIP-2. */
  readonly chainId: string
  /** What is paid in all: decimal text in whole units. */
  readonly amount: string
  /** ISO 4217. */
  readonly currency: string
  /** How it is paid; any way when absent. */
  readonly method?: string
  /** Plain address that the tokens go to. */
  readonly address?: string
}

/** A purchase that is wanted from one seller. */
export interface PurchaseOrder extends PurchaseQuestion {
  readonly address: string
  /** `serviceProvider` of a quote. */
  readonly seller: string
}

/** What the gateway answers to an order. */
export interface PlacedOrder {
  /** Where it is paid. */
  readonly widgetUrl: string
  readonly order: Order
  /** Secret that lists and watches require to show the order. It is returned only once; never put it in a URL. */
  readonly orderToken: string
}

export interface OrderPageOptions {
  /** Order tokens, 64 at most: only orders with one of these tokens are listed. */
  readonly tokens: readonly string[]
  /** `next` of the page before. */
  readonly cursor?: string
  readonly signal?: AbortSignal
}

/** The gateway's calls for buying tokens with money. Every method may throw the errors of the REST client. */
export interface Onramp {
  options(place: Place, signal?: AbortSignal): Promise<OnrampOptions>
  /** All who sell, in the operator's order. */
  sellers({ country }: Place, signal?: AbortSignal): Promise<readonly Seller[]>
  /** One quote of each seller that has one, the best first. */
  quotes(question: PurchaseQuestion, signal?: AbortSignal): Promise<readonly SellerQuote[]>
  /** Places an order, and answers where it is paid. */
  placeOrder(order: PurchaseOrder, signal?: AbortSignal): Promise<PlacedOrder>
  /**
   * Lists orders of an account, as far as their tokens are at hand.
   *
   * @param address plain, of any namespace.
   */
  orders(address: string, options: OrderPageOptions): Promise<OrderPage>
  order(id: string, signal?: AbortSignal): Promise<Order>
}

/** The calls for buying, over a REST client. */
export function createOnramp({ get, post }: RestClient): Onramp {
  return {
    options: ({ country, subdivision }, signal) =>
      get('/v1/onramp/options', { country, subdivision }, signal),
    sellers: ({ country }, signal) => get('/v1/onramp/providers', { countries: country }, signal),
    quotes: ({ address, ...question }, signal) =>
      post(
        '/v1/onramp/multi/quotes',
        { ...purchaseParameters(question), ...(address && { walletAddress: address }) },
        signal,
      ),
    placeOrder: ({ seller, address, ...question }, signal) =>
      post(
        '/v1/onramp/widget',
        {
          sessionData: {
            ...purchaseParameters(question),
            serviceProvider: seller,
            walletAddress: address,
          },
        },
        signal,
      ),
    orders: (address, { tokens, cursor, signal }) =>
      get('/v1/onramp/orders', { address, cursor }, signal, undefined, orderTokensHeader(tokens)),
    order: (id, signal) => get(`/v1/onramp/orders/${encodeURIComponent(id)}`, {}, signal),
  }
}

/** Purchases are shown to who has their tokens: in a header, because what is in a URL is in logs. */
function orderTokensHeader(tokens: readonly string[]): Readonly<Record<string, string>> | undefined {
  return tokens.length > 0 ? { 'Hawser-Order-Tokens': tokens.join(',') } : undefined
}

/** A purchase as the gateway's form has it; what is not said is left out. */
function purchaseParameters({
  token,
  chainId,
  amount,
  currency,
  method,
  country,
  subdivision,
}: PurchaseQuestion) {
  return {
    destinationCurrencyCode: token,
    chainId,
    sourceAmount: amount,
    sourceCurrencyCode: currency,
    ...(method && { paymentMethodType: method }),
    ...(country && { countryCode: country }),
    ...(subdivision && { subdivision }),
  }
}
