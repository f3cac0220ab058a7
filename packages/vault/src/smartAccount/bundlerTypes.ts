import type {
  AccountChainJson,
  GetCallsRequestJson,
  GetCallsResponseJson,
  ListAccountChainsRequestJson,
  ListAccountChainsResponseJson,
  RemoveDelegationRequestJson,
  RemoveDelegationResponseJson,
  SendCallsRequestJson,
  SendCallsResponseJson,
} from '@hawser/client/bundler'
import type {
  GetContextRequestJson,
  GetContextResponseJson,
  ListSessionChainsRequestJson,
  ListSessionChainsResponseJson,
} from '@hawser/client/sessions'

/** The calls of the services of calls and of sessions: request and response in the JSON form of their messages. */
export interface CallsMethods {
  SendCalls: [SendCallsRequestJson, SendCallsResponseJson]
  GetCalls: [GetCallsRequestJson, GetCallsResponseJson]
  RemoveDelegation: [RemoveDelegationRequestJson, RemoveDelegationResponseJson]
  ListAccountChains: [ListAccountChainsRequestJson, ListAccountChainsResponseJson]
  ListSessionChains: [ListSessionChainsRequestJson, ListSessionChainsResponseJson]
  GetContext: [GetContextRequestJson, GetContextResponseJson]
}

/** What smart accounts can do on a network. */
export type AccountChain = AccountChainJson

/** The status of calls, as `wallet_getCallsStatus` answers it (EIP-5792). */
export interface CallsStatus {
  readonly version: '2.0.0'
  readonly id: string
  /** Chain id in hex. */
  readonly chainId: string
  readonly status: number
  readonly atomic: boolean
  readonly receipts: readonly object[]
}
