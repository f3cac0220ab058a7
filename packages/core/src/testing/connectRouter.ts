import {
  create,
  type DescMessage,
  type DescMethodServerStreaming,
  type DescMethodUnary,
  fromJson,
  type JsonValue,
  type MessageJsonType,
  type MessageShape,
  toJson,
} from '@bufbuild/protobuf'
import { Code, ConnectError, type ConnectRouter, createConnectRouter } from '@connectrpc/connect'
import { universalServerRequestFromFetch, universalServerResponseToFetch } from '@connectrpc/connect/protocol'
import type { MessageData } from '@hawser/client'
import { ErrorInfoSchema } from '@hawser/client/connect'

// jsdom has its own Uint8Array; the bytes of Node's TextEncoder and Response are not instances of it.
globalThis.Uint8Array = new TextEncoder().encode('').constructor as typeof Uint8Array

const codes: Readonly<Record<number, Code>> = {
  400: Code.InvalidArgument,
  401: Code.Unauthenticated,
  403: Code.PermissionDenied,
  404: Code.NotFound,
  429: Code.ResourceExhausted,
  503: Code.Unavailable,
}

/** A failure as the gateway responds with it. */
export class Refusal extends ConnectError {
  /**
   * @param status HTTP status that the gateway responds with over REST.
   * @param reason name of a `hawser.fault.v1.Reason`.
   */
  constructor(status: number, reason: string, description = reason) {
    const info = { desc: ErrorInfoSchema, value: { reason, domain: 'hawser' } }
    super(description, codes[status] ?? Code.Internal, undefined, [info])
  }
}

/** Serves a call. Request and response are JSON as the generated types have it, so that a wrong shape does not compile. */
export function serve<Input extends DescMessage, Output extends DescMessage>(
  router: ConnectRouter,
  method: DescMethodUnary<Input, Output>,
  respond: (request: MessageJsonType<Input>) => MessageJsonType<Output> | Promise<MessageJsonType<Output>>,
): void {
  router.rpc(method, async (request) => {
    const response = await respond(toJson(method.input, request) as MessageJsonType<Input>)
    return fromJson(method.output, response as JsonValue) as never
  })
}

/** Serves a call with the data of a message, as the stores hold it. */
export function serveData<Input extends DescMessage, Output extends DescMessage>(
  router: ConnectRouter,
  method: DescMethodUnary<Input, Output>,
  respond: (request: MessageJsonType<Input>) => ResponseData<Output> | Promise<ResponseData<Output>>,
): void {
  router.rpc(method, async (request) => {
    const response = await respond(toJson(method.input, request) as MessageJsonType<Input>)
    return create(method.output, response as never) as never
  })
}

type ResponseData<Output extends DescMessage> = Partial<MessageData<MessageShape<Output>>>

/** Serves a stream of JSON messages until it ends or the caller leaves. */
export function serveStream<Input extends DescMessage, Output extends DescMessage>(
  router: ConnectRouter,
  method: DescMethodServerStreaming<Input, Output>,
  open: (signal: AbortSignal) => AsyncIterable<MessageJsonType<Output>>,
): void {
  router.rpc(method, async function* (_request, { signal }) {
    for await (const message of open(signal)) yield fromJson(method.output, message as JsonValue) as never
  })
}

/**
 * Returns a `fetch` that a Connect router answers, by the Connect protocol with JSON messages.
 *
 * @param fallback answers requests for every other path.
 */
export function routerFetch(
  routes: (router: ConnectRouter) => void,
  fallback: (url: URL, init: RequestInit | undefined) => Promise<Response>,
): typeof fetch {
  const router = createConnectRouter()
  routes(router)
  const handlers = new Map(router.handlers.map((handler) => [handler.requestPath, handler]))
  return async (input, init = {}) => {
    const url = new URL(String(input))
    const handler = handlers.get(url.pathname)
    if (!handler) return fallback(url, init)
    // Node's Request does not accept signals of another realm, such as jsdom's.
    const { signal = new AbortController().signal, ...unsignalled } = init
    const request = universalServerRequestFromFetch(new Request(url, unsignalled), {})
    const response = await handler({ ...request, signal: signal as AbortSignal })
    // A browser drops a response whose request the page has aborted.
    init.signal?.throwIfAborted()
    return universalServerResponseToFetch(response)
  }
}
