import type { Social } from './embeddedWallet.ts'
import type { Namespace } from './network.ts'
import type { View } from './router.ts'

/**
 * An event for the site's own code. With the feature `analytics` its name is counted at the gateway; its properties are
 * sent nowhere.
 */
export type HawserEvent =
  /** Counted with the first event of a visit. */
  | { readonly event: 'INITIALIZE' }
  /** A part of the modal threw an error, which is in the console and in the log. */
  | { readonly event: 'INTERNAL_SDK_ERROR'; readonly properties: { readonly view: View } }
  | { readonly event: 'MODAL_OPEN'; readonly properties: { readonly connected: boolean } }
  | { readonly event: 'MODAL_CLOSE'; readonly properties: { readonly connected: boolean } }
  | {
      readonly event: 'SELECT_WALLET'
      readonly properties: { readonly name: string; readonly platform: 'browser' | 'mobile' | 'qrcode' }
    }
  | {
      readonly event: 'CONNECT_SUCCESS'
      readonly properties: {
        /** `email` for every login of an embedded wallet. */
        readonly method: 'browser' | 'mobile' | 'qrcode' | 'email'
        readonly name: string
      }
    }
  | { readonly event: 'CONNECT_ERROR'; readonly properties: { readonly message: string } }
  /** The link of a wallet's app could not be built from the data of the directory. */
  | { readonly event: 'CONNECT_PROXY_ERROR'; readonly properties: { readonly name: string } }
  | { readonly event: 'DISCONNECT_SUCCESS'; readonly properties: { readonly namespace: Namespace | 'all' } }
  | { readonly event: 'DISCONNECT_ERROR'; readonly properties: { readonly message: string } }
  | { readonly event: 'CLICK_WALLET_HELP' }
  | { readonly event: 'CLICK_NETWORK_HELP' }
  | { readonly event: 'CLICK_GET_WALLET' }
  | { readonly event: 'CLICK_TRANSACTIONS' | 'LOAD_MORE_TRANSACTIONS' | 'ERROR_FETCH_TRANSACTIONS' }
  | { readonly event: 'CLICK_NETWORKS' }
  | { readonly event: 'CLICK_ALL_WALLETS' }
  | {
      readonly event: 'SEARCH_WALLET'
      readonly properties: { readonly badge: 'certified' | 'none'; readonly search: string }
    }
  | { readonly event: 'SWITCH_NETWORK'; readonly properties: { readonly network: string } }
  | {
      readonly event: 'OPEN_SEND'
      readonly properties: { readonly network: string; readonly isSmartAccount: boolean }
    }
  | { readonly event: 'SEND_INITIATED'; readonly properties: SendProperties }
  | { readonly event: 'SEND_SUCCESS'; readonly properties: SendProperties & { readonly hash: string } }
  | { readonly event: 'SEND_ERROR'; readonly properties: SendProperties & { readonly message: string } }
  | {
      readonly event: 'OPEN_SWAP'
      readonly properties: { readonly network: string; readonly isSmartAccount: boolean }
    }
  | { readonly event: 'CLICK_SELECT_TOKEN_TO_SWAP' }
  | { readonly event: 'CLICK_SELECT_NETWORK_TO_SWAP' }
  | { readonly event: 'INITIATE_SWAP'; readonly properties: SwapProperties }
  | { readonly event: 'SWAP_SUCCESS'; readonly properties: SwapProperties & { readonly hash: string } }
  | { readonly event: 'SWAP_ERROR'; readonly properties: SwapProperties & { readonly message: string } }
  | {
      readonly event: 'SWAP_APPROVAL_ERROR'
      readonly properties: SwapProperties & { readonly message: string }
    }
  | {
      readonly event: 'OPEN_ENS_FLOW'
      readonly properties: { readonly network: string; readonly isSmartAccount: boolean }
    }
  | { readonly event: 'REGISTER_NAME_INITIATED'; readonly properties: NameProperties }
  | { readonly event: 'REGISTER_NAME_SUCCESS'; readonly properties: NameProperties }
  | {
      readonly event: 'REGISTER_NAME_ERROR'
      readonly properties: NameProperties & { readonly error: string }
    }
  | {
      readonly event: 'SELECT_BUY_CRYPTO'
      readonly properties: { readonly network: string; readonly isSmartAccount: boolean }
    }
  | {
      readonly event: 'SELECT_BUY_PROVIDER'
      readonly properties: { readonly provider: string; readonly isSmartAccount: boolean }
    }
  | { readonly event: 'SELECT_WHAT_IS_A_BUY' }
  | { readonly event: 'BUY_SUCCESS'; readonly properties: BuyProperties & { readonly hash: string } }
  | { readonly event: 'BUY_ERROR'; readonly properties: BuyProperties & { readonly message: string } }
  | {
      readonly event:
        | 'CLICK_SIGN_SIWX_MESSAGE'
        | 'CLICK_CANCEL_SIWX'
        | 'SIWX_AUTH_SUCCESS'
        | 'SIWX_AUTH_ERROR'
      readonly properties: { readonly network: string; readonly isSmartAccount: boolean }
    }
  | {
      readonly event:
        | 'EMAIL_LOGIN_SELECTED'
        | 'EMAIL_SUBMITTED'
        | 'EMAIL_VERIFICATION_CODE_SENT'
        | 'EMAIL_VERIFICATION_CODE_PASS'
        | 'DEVICE_REGISTERED_FOR_EMAIL'
        | 'EMAIL_EDIT'
        | 'EMAIL_UPGRADE_FROM_MODAL'
    }
  | {
      readonly event: 'EMAIL_VERIFICATION_CODE_FAIL'
      readonly properties: { readonly message: string }
    }
  | {
      readonly event:
        | 'SOCIAL_LOGIN_STARTED'
        | 'SOCIAL_LOGIN_REQUEST_USER_DATA'
        | 'SOCIAL_LOGIN_SUCCESS'
        | 'SOCIAL_LOGIN_ERROR'
        | 'SOCIAL_LOGIN_CANCELED'
      readonly properties: { readonly provider: Social }
    }
  | {
      readonly event: 'SET_PREFERRED_ACCOUNT_TYPE'
      readonly properties: { readonly accountType: string; readonly network: string }
    }

export interface SendProperties {
  readonly isSmartAccount: boolean
  readonly network: string
  readonly token: string
  /** Decimal string in whole tokens. */
  readonly amount: string
}

export interface SwapProperties {
  readonly isSmartAccount: boolean
  readonly network: string
  /** Symbols. */
  readonly swapFromToken: string
  readonly swapToToken: string
  /** Decimal strings in whole tokens. */
  readonly swapFromAmount: string
  readonly swapToAmount: string
}

export interface NameProperties {
  readonly isSmartAccount: boolean
  readonly network: string
  /** The whole name. */
  readonly ensName: string
}

export interface BuyProperties {
  readonly isSmartAccount: boolean
  /** CAIP-2 network of the tokens. */
  readonly network: string
  /** Id of the provider. */
  readonly provider: string
  /** Symbol. */
  readonly token: string
  /** Decimal string in whole tokens; empty while unknown. */
  readonly amount: string
  /** ISO 4217. */
  readonly currency: string
  /** Decimal string in whole units of the currency. */
  readonly paid: string
}

/** Called with each event. */
export type EventListener = (event: HawserEvent) => void

export interface Events {
  emit(event: HawserEvent): void
  /** Calls `listener` for every event from now on; returns a function that stops it. */
  subscribe(listener: EventListener): () => void
}
