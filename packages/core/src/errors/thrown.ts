import { thrown as shown } from '@hawser/texts/en/thrown'
import { thrownEarly } from './thrownEarly.ts'

/** Messages of the errors that core throws, word for word. */
export const thrown = {
  ...thrownEarly,
  ...shown,
  chainAdapterNotFound: 'Chain adapter not found',
  networkClientNotSet: 'NetworkController client not set',
  connectionClientNotSet: 'ConnectionController client not set',
  addressOrAuthNotFound: 'Address or auth connector not found',
  invalidChainId: 'Invalid chainId',
  gasPriceUnsupported: 'Network not supported for Gas Price',
} as const
