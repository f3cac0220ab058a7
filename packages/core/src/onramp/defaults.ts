import type { MessageData } from '@hawser/client'
import type { GetOptionsResponse } from '@hawser/client/onramp'

/** The tokens and currencies of all providers. */
export type OnrampOptions = MessageData<GetOptionsResponse>

const limits = [
  { id: 'card', min: '10.00', max: '7500.00' },
  { id: 'ach_bank_account', min: '10.00', max: '25000.00' },
] as const

const ethereum = { name: 'ethereum-mainnet', displayName: 'Ethereum', chainId: '1', caip2: 'eip155:1' }
const polygon = { name: 'polygon-mainnet', displayName: 'Polygon', chainId: '137', caip2: 'eip155:137' }

/** Used when the gateway does not answer. */
export const defaultOptions: OnrampOptions = {
  purchaseCurrencies: [
    {
      id: '2b92315d-eab7-5bef-84fa-089a131333f5',
      name: 'USD Coin',
      symbol: 'USDC',
      networks: [
        { ...ethereum, contractAddress: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48' },
        { ...polygon, contractAddress: '0x2791Bca1f2de4661ED88A30C99A7a9449Aa84174' },
      ],
    },
    {
      id: 'd85dce9b-5b73-5c3c-8978-522ce1d1c1b4',
      name: 'Ether',
      symbol: 'ETH',
      networks: [{ ...ethereum, contractAddress: '' }],
    },
  ],
  paymentCurrencies: [
    { id: 'USD', paymentMethodLimits: limits },
    { id: 'EUR', paymentMethodLimits: limits },
  ],
}

/** Id of a quote without a provider. */
export const MOCKED_QUOTE_ID = 'mocked-quote-id'
