import type { CaipNetworkId } from './network.ts'

/** What the gateway is configured with. A member that is missing is unknown, and is offered. */
export interface ServedFeatures {
  /** Networks that the gateway has nodes of. */
  readonly chains?: readonly CaipNetworkId[]
  /** Networks with exchanges. */
  readonly swapChains?: readonly CaipNetworkId[]
  /** Ids of the providers of card purchases. */
  readonly onrampProviders?: readonly string[]
  /** Whether the gateway lists approvals. */
  readonly approvals?: boolean
  /** Whether the gateway refuses the site: its project id or its origin. */
  readonly isRefused?: boolean
  /** Logins of the embedded wallet; social logins by their ids. */
  readonly logins?: { readonly email: boolean; readonly socials: readonly string[] }
}
