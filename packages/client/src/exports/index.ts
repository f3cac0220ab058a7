export {
  HttpError,
  InvalidResponseError,
  NetworkError,
  type Reason,
  RpcError,
  TimeoutError,
} from '../rest/errors.ts'
export type { Balance, Fungible, SupportedChains } from '../rest/responses.ts'
export {
  type BalanceQuestion,
  createRestClient,
  type PriceQuestion,
  type RestClient,
  type RestClientOptions,
} from '../rest/restClient.ts'
