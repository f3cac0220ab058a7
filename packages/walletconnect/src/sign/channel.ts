import { openEnvelope, sealEnvelope, type TopicKey } from '../crypto/envelope.ts'
import type { Environment } from '../environment.ts'
import {
  createIds,
  formatError,
  formatRequest,
  formatResult,
  isRequest,
  parseRpc,
  type RpcFailure,
  type RpcId,
  type RpcResponse,
} from '../jsonRpc.ts'
import type { Relays } from '../relay/relays.ts'
import { SignError, signErrorCode } from './errors.ts'
import { isMethod, type Method, type MethodSpec, methods } from './methods.ts'

const UNKNOWN_METHOD = { tag: 0, ttlSeconds: 86_400 }

/** A timer that is later than this, in milliseconds, ran in a page that was suspended. */
const LATE_MS = 2_000
/** How long such a page may take to receive the answers that came meanwhile, in milliseconds. */
const CATCH_UP_MS = 15_000

/** A request of the peer. */
export interface Incoming {
  readonly topic: string
  readonly id: RpcId
  readonly method: Method
  readonly params: unknown
  readonly relayUrl: string
}

interface RequestOptions {
  /** Unix milliseconds until which an answer is waited for; a page that was suspended then waits for 15 seconds more. */
  readonly expiresAt: number
  /** Topic of the answer, when it is another one. */
  readonly answerTopic?: string
  readonly ttlSeconds?: number
  readonly relayUrls?: readonly string[]
}

/** The key of a receiver on a topic whose own key is not shared yet. */
interface ReceiverKey {
  readonly symKey: string
  readonly senderPublicKey: string
}

/** Encrypted JSON-RPC with the peers of several topics. */
export interface Channel {
  /** Listens on a topic. */
  open(topic: string, key: TopicKey, relayUrls?: readonly string[]): void
  isOpen(topic: string): boolean
  /** Stops listening, and rejects the requests that wait for an answer there. */
  close(topic: string, reason?: Error): void
  /** Closes all topics, and rejects with `reason` what waits on them. */
  closeAll(reason: Error): void
  nextId(): number
  /** Seals a request without sending it. */
  seal(topic: string, id: number, method: Method, params: unknown): string
  sealResult(topic: string, id: RpcId, result: unknown): string
  /**
   * Sends a request and waits for the answer.
   *
   * @throws SignError with the peer's code, or 8000 after `expiresAt`; RelayError when no relay accepts it.
   */
  request(
    topic: string,
    id: number,
    method: Method,
    params: unknown,
    options: RequestOptions,
  ): Promise<unknown>
  /** Waits for the answer to a request that was sealed and is sent by the caller. */
  answerTo(id: number, topic: string, expiresAt: number): Promise<unknown>
  /** Sends a request whose answer does not matter. @throws RelayError */
  notify(topic: string, method: Method, params: unknown, relayUrls?: readonly string[]): Promise<void>
  /** Answers on the relay that the request came from. @throws RelayError */
  answer(to: Answerable, result: unknown, key?: ReceiverKey): Promise<void>
  /** Answers true; a failure to send it does not matter. */
  confirm(to: Answerable): void
  refuse(to: Answerable, failure: RpcFailure, key?: ReceiverKey): Promise<void>
  /** Handles a message that a relay delivered. Never throws. */
  receive(topic: string, message: string, relayUrl: string): Promise<void>
}

/** What is needed to answer a request later. */
export type Answerable = Pick<Incoming, 'topic' | 'id' | 'method' | 'relayUrl'>

interface Waiting {
  readonly topic: string
  readonly settle: (response: RpcResponse) => void
  readonly fail: (error: Error) => void
}

/** Creates a channel. `handle` is called for each request of a peer; what it throws is answered as an error. */
export function createChannel(
  { clock, log }: Environment,
  relays: () => Relays,
  handle: (incoming: Incoming) => void | Promise<void>,
): Channel {
  const keys = new Map<string, TopicKey>()
  const waiting = new Map<RpcId, Waiting>()
  const nextId = createIds(clock.now)

  function symKeyOf(topic: string): string {
    const key = keys.get(topic)
    if (!key || !('symKey' in key)) throw new SignError(signErrorCode.noSession, 'no session with this topic')
    return key.symKey
  }

  function answerTo(id: number, topic: string, expiresAt: number): Promise<unknown> {
    const key = String(id)
    return new Promise((resolve, reject) => {
      const release = relays().expectAnswer()
      const end = () => {
        waiting.delete(key)
        cancel()
        release()
      }
      const expire = () => {
        end()
        reject(new SignError(signErrorCode.requestExpired, 'the request has expired'))
      }
      let cancel = clock.after(Math.max(0, expiresAt - clock.now()), () => {
        if (clock.now() - expiresAt <= LATE_MS) expire()
        else cancel = clock.after(CATCH_UP_MS, expire)
      })
      waiting.set(key, {
        topic,
        settle({ result, error }) {
          end()
          if (error) reject(new SignError(error.code, error.message, error.data))
          else resolve(result)
        },
        fail(error) {
          end()
          reject(error)
        },
      })
    })
  }

  async function respond(
    { topic, method, relayUrl }: Answerable,
    text: string,
    isError: boolean,
    key?: ReceiverKey,
  ): Promise<void> {
    const spec: MethodSpec = isMethod(method) ? methods[method] : UNKNOWN_METHOD
    const tag = isError && spec.rejectTag ? spec.rejectTag : spec.tag && spec.tag + 1
    const message = sealEnvelope(text, key?.symKey ?? symKeyOf(topic), key)
    await relays().publish(topic, message, { tag, ttlSeconds: spec.ttlSeconds }, [relayUrl])
  }

  const channel: Channel = {
    nextId,
    answerTo,

    open(topic, key, relayUrls) {
      keys.set(topic, key)
      relays().subscribe(topic, relayUrls)
    },

    isOpen: (topic) => keys.has(topic),

    close(topic, reason = new SignError(signErrorCode.userDisconnected, 'disconnected')) {
      if (!keys.delete(topic)) return
      relays().unsubscribe(topic)
      for (const call of [...waiting.values()]) if (call.topic === topic) call.fail(reason)
    },

    closeAll(reason) {
      for (const topic of [...keys.keys()]) channel.close(topic, reason)
      for (const call of [...waiting.values()]) call.fail(reason)
    },

    seal: (topic, id, method, params) =>
      sealEnvelope(formatRequest(String(id), method, params), symKeyOf(topic)),

    sealResult: (topic, id, result) => sealEnvelope(formatResult(id, result), symKeyOf(topic)),

    async request(topic, id, method, params, options) {
      const { expiresAt, answerTopic = topic, relayUrls } = options
      const message = channel.seal(topic, id, method, params)
      const { ttlSeconds, tag, prompt = false }: MethodSpec = methods[method]
      const publish = { tag, prompt, ttlSeconds: options.ttlSeconds ?? ttlSeconds }
      const answer = answerTo(id, answerTopic, expiresAt)
      relays()
        .publish(topic, message, publish, relayUrls)
        .catch((error: Error) => waiting.get(String(id))?.fail(error))
      return answer
    },

    async notify(topic, method, params, relayUrls) {
      const message = channel.seal(topic, nextId(), method, params)
      const { ttlSeconds, tag, prompt = false }: MethodSpec = methods[method]
      await relays().publish(topic, message, { tag, ttlSeconds, prompt }, relayUrls)
    },

    answer: (to, result, key) => respond(to, formatResult(to.id, result), false, key),

    confirm: (to) => void channel.answer(to, true).catch(() => undefined),

    refuse: (to, failure, key) => respond(to, formatError(to.id, failure), true, key),

    async receive(topic, message, relayUrl) {
      const key = keys.get(topic)
      if (!key) return
      try {
        const payload = parseRpc(openEnvelope(message, key))
        if (!isRequest(payload)) {
          const call = waiting.get(payload.id)
          if (call?.topic === topic) call.settle(payload)
          return
        }
        await dispatch({ ...payload, topic, relayUrl })
      } catch (error) {
        // The message of the error may quote what was decrypted.
        log('warn', 'dropped a message of a peer', { error: error instanceof Error ? error.name : '' })
      }
    },
  }

  async function dispatch(request: Omit<Incoming, 'method'> & { method: string }): Promise<void> {
    const incoming = request as Incoming
    try {
      if (!isMethod(request.method)) {
        throw new SignError(signErrorCode.unknownMethod, `unsupported method: ${request.method}`)
      }
      await handle(incoming)
    } catch (error) {
      if (!(error instanceof SignError)) throw error
      log('info', 'refused a request of a peer', { method: request.method, code: error.code })
      // The message is handled: a relay that does not accept the answer must not deliver it again.
      channel.refuse(incoming, { code: error.code, message: error.message }).catch(() => undefined)
    }
  }

  return channel
}
