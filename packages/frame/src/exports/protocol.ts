export { readChainId } from '../protocol/chainId.ts'
export {
  APP_PREFIX,
  type AppMessage,
  type CallName,
  type CallPayload,
  type CallResult,
  calls,
  type EventName,
  type Failure,
  FRAME_PREFIX,
  type FrameMessage,
  HELLO,
  PROTOCOL_VERSION,
  type RpcRequest,
  readAppMessage,
  readFrameMessage,
} from '../protocol/messages.ts'
export { approvalMethods, type MethodPolicy, policyOf, safeMethods } from '../protocol/methods.ts'
export { object, optional, type Schema, text } from '../protocol/schema.ts'
