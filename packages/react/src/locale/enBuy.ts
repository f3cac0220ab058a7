import type { BuyFailure, BuyOrderState, BuyProblem, BuyReadiness, BuyRefusal } from '@hawser/core'
import { textsOf } from './textsOf.ts'

/** The texts of the views that buy tokens, loaded with them. */
export const enBuy = {
  pay: 'You pay',
  amount: 'Amount to pay',
  get: 'You get',
  selectToken: 'Select token',
  changeToken: 'Change token',
  changeCurrency: 'Change currency',
  on: (network: string) => `on ${network}`,
  presets: 'Amounts',
  payWith: 'Pay with',
  anyMethod: 'Any method',
  methods: {
    card: 'Card',
    ach_bank_account: 'Bank account',
    sepa: 'SEPA transfer',
  },
  /** Hints below the amount. */
  hints: {
    range: (min: string, max: string) => `From ${min} to ${max}`,
    belowLimit: (min: string) => `At least ${min}`,
    aboveLimit: (max: string) => `At most ${max}`,
    /** A hint with the payment method that it is for. */
    by: (hint: string, method: string) => `${hint} by ${method.toLowerCase()}`,
  },
  waits: {
    loading: 'Loading options',
    unsupported: '',
    selectToken: 'Select a token to see the price.',
    enterAmount: 'Enter an amount to see what you get.',
    incorrectValue: 'Enter a valid amount.',
    belowLimit: 'Enter a higher amount to see what you get.',
    aboveLimit: 'Enter a lower amount to see what you get.',
    ready: '',
  } satisfies Record<BuyReadiness, string>,
  offers: 'Choose a provider',
  asking: 'Comparing offers',
  found: (count: number, best: string, title: string) =>
    `${count === 1 ? 'One offer' : `${count} offers`}. The best is ${best} from ${title}.`,
  best: 'Best',
  sandbox: 'Sandbox',
  sandboxHint: 'Test mode: pay with a test card. No money moves.',
  estimate: 'Estimate',
  fees: (amount: string) => `${amount} fees`,
  feeRange: (min: string, max: string) => (min === max ? `${max}%` : `${min}-${max}%`),
  feeRangeTitle: 'Provider’s fee',
  rows: {
    total: 'You pay',
    subtotal: 'For tokens',
    providerFee: 'Provider fee',
    networkFee: 'Network fee',
    get: 'You get',
    rate: 'Price',
    method: 'Payment method',
  },
  continueWith: (title: string) => `Continue with ${title}`,
  noOffer: 'No offers for this purchase',
  othersWithoutOffer: (count: number) =>
    `${count === 1 ? '1 more provider has' : `${count} more providers have`} no offer for this purchase`,
  problems: {
    limit: 'No provider accepts this amount.',
    unsupported:
      'No provider sells this token for this currency. Try another token, amount or payment method.',
    unavailable: 'Can’t reach the providers. Try again in a moment.',
  } satisfies Record<BuyProblem, string>,
  estimateNote: 'Estimate before fees. The final price is shown at checkout.',
  staleNote: 'Can’t refresh the offers right now. Prices may have changed.',
  /** Shown when no token of the active network can be bought. */
  notSoldHere: (network: string) =>
    `Nothing can be bought on ${network}. You can choose a token on another network.`,
  arrivesElsewhere: (symbol: string, network: string, active: string) =>
    `Your ${symbol} will arrive on ${network}, not on ${active}.`,
  defaultsNote: 'Can’t load all options right now. These are the most common ones.',
  about: (amount: string) => `≈ ${amount}`,
  of: (token: string) => `of ${token}`,
  nothing: {
    title: 'Nothing to buy here',
    text: 'No provider delivers to this network.',
  },
  disconnected: {
    title: 'Connect to buy',
    text: 'Tokens are delivered to your account.',
  },
  footer: 'Providers set their own prices and fees. Offers already include them.',
  how: 'How does it work?',
  underWay: (count: number) => (count === 1 ? '1 purchase in progress' : `${count} purchases in progress`),

  fiat: {
    search: 'Search currency',
    list: 'Currencies',
    emptyTitle: 'No currency found',
  },
  tokens: {
    search: 'Search token',
    here: (network: string) => `On ${network}`,
    elsewhere: 'On other networks',
    emptyTitle: 'No tokens found',
    noMatch: (query: string) => `Nothing matches “${query}”.`,
    more: (count: number) => `${count} more. Search to find them.`,
    native: 'Native token of this network',
  },

  progress: {
    continueIn: (title: string) => `Buy in ${title}`,
    notify: 'We’ll let you know when your purchase completes',
    preparing: 'Opening checkout',
    blocked: 'Your browser blocked the checkout window.',
    closed: 'Did you finish?',
    closedText:
      'The checkout window was closed. If you paid, there is nothing left to do: we’ll update this page.',
    elsewhere: 'Finish the payment in the window where you started it, or start again.',
    failed: 'Purchase failed',
    /** Why no checkout was opened. */
    refusals: {
      limit: 'The provider doesn’t accept this amount.',
      unsupported:
        'The provider doesn’t sell this token for this currency, in this country or by this payment method.',
      unavailable: 'Can’t reach the provider. Try again in a moment.',
      unexplained: 'The checkout couldn’t be opened. Try again, or choose another provider.',
    } satisfies Record<BuyRefusal, string>,
    openCheckout: 'Open checkout',
    toCheckout: 'Go to checkout',
    reopen: 'Reopen checkout',
    copyLink: 'Copy link',
    cancel: 'Cancel',
    startAgain: 'Start again',
    done: 'Done',
    stepsLabel: 'Progress',
    steps: {
      payment: { next: 'Payment', now: 'Waiting for payment', done: 'Payment received' },
      tokens: { next: 'Tokens sent to you', now: 'Tokens on the way', done: 'Tokens sent to you' },
    },
    checking: 'Checking payment',
    states: {
      created: 'Waiting for your payment',
      pending: 'Checking payment',
      paid: 'Payment received',
      completed: 'Tokens received',
      failed: 'Purchase failed',
      refunded: 'Your payment was refunded',
      cancelled: 'Purchase cancelled',
      expired: 'Purchase expired',
    } satisfies Record<BuyOrderState, string>,
    texts: {
      created: 'We’ll let you know when your purchase completes',
      pending: 'You can close this window. We’ll let you know when your purchase completes',
      paid: 'Your tokens are on the way. You can close this window.',
      completed: '',
      failed: 'The purchase was declined by you, your bank or the provider.',
      refunded: 'Your money is on its way back. This can take a few days.',
      cancelled: 'You were not charged.',
      expired: 'The payment wasn’t made in time. If you did pay, your tokens will still arrive.',
    } satisfies Record<BuyOrderState, string>,
    /** Why it failed. */
    failures: {
      paymentDeclined: 'The payment was declined.',
      paymentLate: 'The payment wasn’t confirmed in time.',
      paymentFailed: 'The payment didn’t go through.',
      fundsLow: 'The account you paid from doesn’t hold enough.',
      paymentUnapproved: 'Your bank didn’t approve the payment.',
      codeWrong: 'The bank’s code was wrong too many times.',
      tokensUnsent: 'The tokens couldn’t be sent.',
      unexplained: 'The provider gave no reason. Try again, or choose another provider.',
    } satisfies Record<BuyFailure, string>,
    rows: {
      paid: 'You pay',
      get: 'You get',
      got: 'You got',
      network: 'Network',
    },
  },
  activity: {
    loading: 'Loading purchases',
    bought: 'Bought',
    buying: 'Buying',
    ended: 'Purchase',
    from: (title: string) => `From ${title}`,
    tags: {
      created: 'Not paid yet',
      pending: 'Checking',
      paid: 'On the way',
      completed: 'Completed',
      failed: 'Failed',
      refunded: 'Refunded',
      cancelled: 'Cancelled',
      expired: 'Expired',
    } satisfies Record<BuyOrderState, string>,
    unknownAmount: 'Amount not set',
    emptyTitle: 'No purchases yet',
    emptyText: 'Your purchases will appear here.',
    onlyHere: 'Only purchases made in this browser are shown.',
    errorTitle: 'Purchases unavailable',
    errorText: 'Can’t reach the server.',
    loadMore: 'Load more',
  },
  what: {
    lead: 'Buy crypto in minutes',
    text: 'Choose a provider and add tokens to your account with a card or bank transfer.',
    parts: [
      {
        title: 'Compare',
        text: 'See what you get from each provider after all fees. The best offer comes first.',
      },
      { title: 'Pay', text: 'Pay in the provider’s own window. This site never sees your card.' },
      {
        title: 'Receive',
        text: 'Tokens are sent straight to your account.',
      },
    ],
    button: 'Buy',
  },
} as const

export const useBuyTexts = textsOf('buy', enBuy)
