import { readChainId } from './chainId.ts'
import {
  type Admitted,
  bool,
  json,
  list,
  nothing,
  nullable,
  number,
  object,
  oneOf,
  optional,
  record,
  type Schema,
  text,
} from './schema.ts'

/** Version of the protocol that a site names in the URL of the frame. Versions 3 and 4 are those of older SDKs. */
export const PROTOCOL_VERSION = 5

/** Prefix of the messages of a site. */
export const APP_PREFIX = '@w3m-app/'
/** Prefix of the messages of the frame. */
export const FRAME_PREFIX = '@w3m-frame/'
/** The first message of a site, which carries the MessagePort of everything that follows. */
export const HELLO = '@hawser/hello'

const id = text(64)
const email = text(254, /^[^\s@]+@[^\s@]+\.[^\s@]+$/)
const otp = text(16, /^\d{6}$/)
const short = text(2_048)
/** CAIP-2, or the chain id of an EVM network alone, as older SDKs send it: `readChainId` has its only form. */
const chainId: Schema<string | number> = (value): value is string | number => readChainId(value) !== undefined
const accountType = oneOf('eoa', 'smartAccount')
const account = object({ address: text(128), type: accountType })
const hex = text(undefined, /^0x[0-9a-fA-F]*$/)

/** A call of ERC-5792; `value` is hexadecimal wei. */
const call = object({ to: optional(hex), data: optional(hex), value: optional(short), capabilities: json })
const sendCalls = object({
  version: optional(short),
  id: optional(text(4_096)),
  chainId: optional(chainId),
  from: optional(hex),
  atomicRequired: optional(bool),
  calls: list(call),
  capabilities: json,
})

const rpcRequest: Schema<RpcRequest> = (value): value is RpcRequest =>
  anyRpcRequest(value) &&
  (value.method !== 'wallet_sendCalls' || (Array.isArray(value.params) && sendCalls(value.params[0])))
const anyRpcRequest = object({ method: text(128), params: json, chainId: optional(chainId) })

/** A JSON-RPC request of a site. */
export interface RpcRequest {
  readonly method: string
  readonly params?: unknown
  /** CAIP-2, or the chain id of an EVM network; the frame's current network by default. */
  readonly chainId?: string | number
}

const contact = object({ namespace: text(8), address: text(128), name: text(256) })

const user = object({
  email: optional(nullable(text(254))),
  address: text(128),
  chainId,
  accounts: optional(list(account, 8)),
  userName: optional(nullable(short)),
  smartAccountDeployed: optional(bool),
  preferredAccountType: optional(accountType),
  hasBackup: optional(bool),
})

const define = <Q, R>(request: Schema<Q>, result: Schema<R>) => ({ request, result })

/** What a site can call, by message name: the schema of the payload and that of the result. */
export const calls = {
  SWITCH_NETWORK: define(object({ chainId }), object({ chainId, address: optional(text(128)) })),
  CONNECT_EMAIL: define(
    object({ email }),
    object({ action: oneOf('VERIFY_DEVICE', 'VERIFY_OTP', 'CONNECT'), words: optional(short) }),
  ),
  CONNECT_DEVICE: define(nothing, nothing),
  CONNECT_OTP: define(object({ otp }), nothing),
  CONNECT_SOCIAL: define(object({ uri: short }), user),
  GET_SOCIAL_REDIRECT_URI: define(
    object({ provider: oneOf('google', 'github', 'apple', 'facebook', 'x', 'discord') }),
    object({ uri: short }),
  ),
  GET_FARCASTER_URI: define(nothing, object({ url: short })),
  CONNECT_FARCASTER: define(nothing, object({ userName: short })),
  GET_USER: define(
    optional(object({ chainId: optional(chainId), preferredAccountType: optional(accountType) })),
    user,
  ),
  SIGN_OUT: define(nothing, nothing),
  IS_CONNECTED: define(nothing, object({ isConnected: bool, isPersistent: optional(bool) })),
  GET_CHAIN_ID: define(nothing, object({ chainId })),
  RPC_REQUEST: define(rpcRequest, json),
  RPC_ABORT: define(nothing, nothing),
  UPDATE_EMAIL: define(
    object({ email }),
    object({ action: oneOf('VERIFY_PRIMARY_OTP', 'VERIFY_SECONDARY_OTP') }),
  ),
  UPDATE_EMAIL_PRIMARY_OTP: define(object({ otp }), nothing),
  UPDATE_EMAIL_SECONDARY_OTP: define(object({ otp }), object({ newEmail: email })),
  AWAIT_UPDATE_EMAIL: define(nothing, object({ email })),
  SYNC_THEME: define(
    object({
      themeMode: optional(oneOf('light', 'dark')),
      themeVariables: optional(record(json)),
      w3mThemeVariables: optional(record(json)),
      locale: optional(text(35)),
    }),
    nothing,
  ),
  SYNC_DAPP_DATA: define(
    object({
      metadata: optional(
        object({
          name: optional(short),
          description: optional(short),
          url: optional(short),
          icons: optional(list(text(), 16)),
        }),
      ),
      sdkVersion: optional(short),
      sdkType: optional(short),
      projectId: optional(short),
    }),
    nothing,
  ),
  GET_SMART_ACCOUNT_ENABLED_NETWORKS: define(nothing, object({ smartAccountEnabledNetworks: list(number) })),
  INIT_SMART_ACCOUNT: define(nothing, object({ address: text(128), isDeployed: bool })),
  SET_PREFERRED_ACCOUNT: define(
    object({ type: accountType }),
    object({ type: accountType, address: text(128) }),
  ),
  RELOAD: define(nothing, nothing),
  GET_CONTACTS: define(
    optional(object({ ask: optional(bool) })),
    object({ contacts: nullable(list(contact)) }),
  ),
  CHANGE_CONTACTS: define(
    object({ changes: list(object({ namespace: text(8), address: text(128), name: optional(text(256)) })) }),
    object({ contacts: list(contact) }),
  ),
}

export type CallName = keyof typeof calls
export type CallPayload<N extends CallName> = Admitted<(typeof calls)[N]['request']>
export type CallResult<N extends CallName> = Admitted<(typeof calls)[N]['result']>

/**
 * Messages of the frame that do not answer a call. READY is its first message; SIGNED_OUT: its session ended
 * outside this page; SHOW and HIDE: a call needs the user; HEIGHT: the CSS pixels that the sheet needs to be shown whole;
 * DISMISS: the user pressed Escape.
 */
const events = {
  READY: optional(object({ version: optional(short) })),
  SESSION_UPDATE: object({ token: optional(nullable(short)) }),
  SIGNED_OUT: nothing,
  SHOW: nothing,
  HIDE: nothing,
  HEIGHT: number,
  DISMISS: nothing,
}

export type EventName = keyof typeof events

/**
 * Why a call failed, in English, and for other languages by its `reason`: one of `hawser.fault.v1`, or the key of a failure of the wallet.
 * `code` is that of EIP-1193, EIP-5792 or JSON-RPC; after `retrySeconds` the call may be repeated.
 */
const failure = object({
  message: text(4_096),
  code: optional(number),
  reason: optional(text(64)),
  retrySeconds: optional(number),
})
export type Failure = Admitted<typeof failure>

/** A message of a site as it is posted; the payload is checked by `calls`. */
export interface AppMessage {
  readonly name: CallName
  /** Of the site's choice; repeated in the answer. Older SDKs may send an empty one, or none. */
  readonly id: string
  readonly payload: unknown
}

/** Parses a message of a site. Returns undefined for other data, and for a payload that its schema refuses. */
export function readAppMessage(data: unknown): AppMessage | undefined {
  if (!appEnvelope(data) || !data.type.startsWith(APP_PREFIX)) return undefined
  const name = data.type.slice(APP_PREFIX.length)
  if (!isCall(name) || !calls[name].request(data.payload)) return undefined
  return { name, id: data.id ?? '', payload: data.payload }
}

/** A message of the frame. */
export type FrameMessage =
  | { readonly kind: 'result'; readonly name: CallName; readonly id: string; readonly payload: unknown }
  | { readonly kind: 'failure'; readonly name: CallName; readonly id: string; readonly payload: Failure }
  | { readonly kind: 'event'; readonly name: EventName; readonly payload: unknown }

/** Parses a message of the frame. Returns undefined for other data, and for a payload that its schema refuses. */
export function readFrameMessage(data: unknown): FrameMessage | undefined {
  if (!appEnvelope(data) || !data.type.startsWith(FRAME_PREFIX)) return undefined
  const [, name = '', outcome] = /^(.*?)(_SUCCESS|_ERROR)?$/.exec(data.type.slice(FRAME_PREFIX.length)) ?? []
  const { payload } = data
  if (!outcome) {
    if (!Object.hasOwn(events, name) || !events[name as EventName](payload)) return undefined
    return { kind: 'event', name: name as EventName, payload }
  }
  if (!isCall(name)) return undefined
  const answers = data.id ?? ''
  if (outcome === '_ERROR')
    return failure(payload) ? { kind: 'failure', name, id: answers, payload } : undefined
  return calls[name].result(payload) ? { kind: 'result', name, id: answers, payload } : undefined
}

const appEnvelope = object({ type: text(64), id: optional(id), payload: (_value): _value is unknown => true })

function isCall(name: string): name is CallName {
  return Object.hasOwn(calls, name)
}
