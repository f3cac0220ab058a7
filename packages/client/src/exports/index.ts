export {
  type Failure,
  GatewayError,
  InvalidResponseError,
  NetworkError,
  type ReasonName,
  RpcError,
  TimeoutError,
} from '../errors.ts'
export { createGateway, type Gateway, type GatewayOptions, type RestOptions } from '../gateway.ts'
export { type MessageData, messageData } from '../messageData.ts'
export { plainText } from '../plainText.ts'
