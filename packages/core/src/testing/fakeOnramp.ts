import type { ConnectRouter } from '@connectrpc/connect'
import {
  type GetOptionsResponseJson,
  type ListOrdersResponseJson,
  type ListQuotesRequestJson,
  OnrampService,
  type OpenWidgetResponseJson,
  type OrderJson,
  type OrderStateJson,
  type SellerJson,
  type SellerQuoteJson,
  type SessionDataJson,
} from '@hawser/client/onramp'
import { Refusal, serve } from './connectRouter.ts'
import { DOLLAR_ADDRESS } from './tokens.ts'

/** A request for quotes, as the page sends it. */
export type QuoteBody = ListQuotesRequestJson & {
  destinationCurrencyCode: string
  chainId: string
  sourceAmount: string
  sourceCurrencyCode: string
  walletAddress: string
}

/** A request for an order, as the page sends it. */
type PurchaseBody = SessionDataJson & QuoteBody & { serviceProvider: string }

/** The answers of the on-ramp service; each may be replaced, and may throw a `Refusal`. */
export interface FakeOnramp {
  options: () => GetOptionsResponseJson | Promise<GetOptionsResponseJson>
  sellers: () => readonly SellerJson[] | Promise<readonly SellerJson[]>
  quotes: (question: QuoteBody) => readonly SellerQuoteJson[] | Promise<readonly SellerQuoteJson[]>
  widget: (purchase: PurchaseBody) => OpenWidgetResponseJson | Promise<OpenWidgetResponseJson>
  page: (cursor: string | null) => ListOrdersResponseJson | Promise<ListOrdersResponseJson>
  /** Every order by id. */
  readonly orders: Map<string, PlacedOrder>
  /** Every request for quotes. */
  readonly questions: QuoteBody[]
  /** Every purchase that was placed. */
  readonly purchases: PurchaseBody[]
}

const limits = [
  { id: 'card', min: '10.00', max: '7500.00' },
  { id: 'ach_bank_account', min: '10.00', max: '25000.00' },
]

const devnet = { name: 'devnet', display_name: 'Devnet', chain_id: '31337', caip2: 'eip155:31337' }
const ethereum = { name: 'ethereum', display_name: 'Ethereum', chain_id: '1', caip2: 'eip155:1' }
const solana = {
  name: 'solana',
  display_name: 'Solana',
  chain_id: '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
  caip2: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
}

const SOLD: GetOptionsResponseJson = {
  purchaseCurrencies: [
    {
      id: 'usdc',
      name: 'USD Coin',
      symbol: 'USDC',
      networks: [
        { ...ethereum, contract_address: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48' },
        { ...solana, contract_address: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v' },
      ],
    },
    {
      id: 'tusd',
      name: 'Test USD',
      symbol: 'tUSD',
      networks: [{ ...devnet, contract_address: DOLLAR_ADDRESS }],
    },
    { id: 'eth', name: 'Ether', symbol: 'ETH', networks: [{ ...devnet, contract_address: '' }] },
  ],
  paymentCurrencies: [
    { id: 'USD', payment_method_limits: limits },
    { id: 'EUR', payment_method_limits: [{ id: 'sepa', min: '20.00', max: '900.00' }] },
    { id: 'JPY', payment_method_limits: [{ id: 'card', min: '1500', max: '900000' }] },
  ],
}

const harbour: SellerJson = {
  name: 'Harbour Pay',
  serviceProvider: 'harbour',
  websiteUrl: '',
  namespaces: ['eip155', 'solana'],
  feePercent: { min: '1', max: '2' },
  sandbox: true,
}

export const SELLERS: readonly SellerJson[] = [
  harbour,
  { ...harbour, name: 'Quay', serviceProvider: 'quay', namespaces: ['eip155'], sandbox: false },
  {
    ...harbour,
    name: 'Solana only',
    serviceProvider: 'sol',
    namespaces: ['solana'],
    feePercent: { min: '', max: '' },
  },
]

/** Creates an on-ramp service with two providers; the second has the lower fee. */
export function createFakeOnramp(): FakeOnramp {
  const onramp: FakeOnramp = {
    orders: new Map(),
    questions: [],
    purchases: [],
    options: () => SOLD,
    sellers: () => SELLERS,
    quotes: (question) => [
      quoteOf(question, { seller: 'harbour', title: 'Harbour Pay', fee: '2.00', gets: '97.50' }),
      quoteOf(question, { seller: 'quay', title: 'Quay', fee: '1.00', gets: '98.50' }),
    ],
    widget: (purchase) => {
      const order = orderOf({
        id: `01JD${onramp.purchases.length}`,
        serviceProvider: purchase.serviceProvider,
        walletAddress: purchase.walletAddress,
        chainId: purchase.chainId,
        payment: { amount: purchase.sourceAmount, currency: purchase.sourceCurrencyCode },
        purchase: { amount: '98.5', currency: purchase.destinationCurrencyCode },
      })
      onramp.orders.set(order.id, order)
      const orderToken = `token-${order.id}`.padEnd(22, '_')
      return { widgetUrl: `https://checkout.test/${order.id}`, order, orderToken }
    },
    page: () => ({ orders: [...onramp.orders.values()].reverse() }),
  }
  return onramp
}

/** An order whose times are known. */
export type PlacedOrder = OrderJson & { id: string; updatedAt: string }

interface Offer {
  readonly seller: string
  readonly title: string
  /** Decimal text, in the currency that is paid. */
  readonly fee: string
  readonly gets: string
  readonly method?: string
  readonly expiresAt?: string
}

export function quoteOf(
  question: QuoteBody,
  { seller, title, fee, gets, method, expiresAt }: Offer,
): SellerQuoteJson {
  const currency = question.sourceCurrencyCode
  return {
    serviceProvider: seller,
    paymentMethodType: method ?? question.paymentMethodType ?? 'card',
    exact: {
      title,
      chainId: question.chainId,
      paymentTotal: { amount: question.sourceAmount, currency },
      paymentSubtotal: { amount: gets, currency },
      providerFee: { amount: fee, currency },
      networkFee: { amount: '0.50', currency },
      purchaseAmount: { amount: gets, currency: question.destinationCurrencyCode },
      expiresAt: expiresAt ?? '',
      sandbox: seller === 'harbour',
    },
  }
}

export function orderOf(order: OrderJson & { id: string }): PlacedOrder {
  return {
    serviceProvider: 'quay',
    title: 'Quay',
    state: 'ORDER_STATE_CREATED',
    reason: '',
    walletAddress: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
    chainId: 'eip155:31337',
    payment: { amount: '100', currency: 'USD' },
    purchase: { amount: '98.5', currency: 'tUSD' },
    transaction: '',
    createdAt: '2023-11-14T22:13:20Z',
    updatedAt: '2023-11-14T22:13:20Z',
    sandbox: false,
    ...order,
  }
}

/** Moves an order on, as a webhook would. */
export function moveOrder(
  onramp: FakeOnramp,
  id: string,
  state: OrderStateJson,
  change: OrderJson = {},
): void {
  const order = onramp.orders.get(id)
  if (!order) throw new Error(`There is no order ${id}`)
  const updatedAt = new Date(Date.parse(order.updatedAt) + 1_000).toISOString()
  onramp.orders.set(id, { ...order, ...change, state, updatedAt })
}

/** Serves the on-ramp service. */
export function routeOnramp(router: ConnectRouter, onramp: FakeOnramp): void {
  const { method } = OnrampService
  serve(router, method.getOptions, () => onramp.options())
  serve(router, method.listProviders, async () => ({ providers: [...(await onramp.sellers())] }))
  serve(router, method.listQuotes, async (request) => {
    onramp.questions.push(request as QuoteBody)
    return { quotes: [...(await onramp.quotes(request as QuoteBody))] }
  })
  serve(router, method.openWidget, ({ sessionData }) => {
    onramp.purchases.push(sessionData as PurchaseBody)
    return onramp.widget(sessionData as PurchaseBody)
  })
  serve(router, method.listOrders, ({ cursor }) => onramp.page(cursor ?? null))
  serve(router, method.getOrder, ({ id = '' }) => {
    const order = onramp.orders.get(id)
    if (!order) throw new Refusal(404, 'ORDER_UNKNOWN', 'Order is not found')
    return { order }
  })
}
