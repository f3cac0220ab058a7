export {
  HttpError,
  InvalidResponseError,
  NetworkError,
  type Reason,
  RpcError,
  TimeoutError,
} from '../rest/errors.ts'
export { plainText } from '../rest/plainText.ts'
export type * from '../rest/responses.ts'
export {
  type BalanceQuestion,
  createRestClient,
  type HistoryQuestion,
  type NftQuestion,
  type PriceQuestion,
  type Query,
  type RestClient,
  type RestClientOptions,
} from '../rest/restClient.ts'
