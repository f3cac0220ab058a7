import { type Client, createClient, type Interceptor } from '@connectrpc/connect'
import { createConnectTransport } from '@connectrpc/connect-web'
import { BalancesService } from '../gen/hawser/balances/v1/balances_pb.ts'
import { ChainsService } from '../gen/hawser/chains/v1/chains_pb.ts'

/** What {@link createClients} needs to know. */
export type ConnectClientsOptions = {
  /** Base URL of the gateway, such as `https://wallet.example.org`. */
  baseUrl: string
  /** Project id: 32 hex digits. */
  projectId: string
  /** How long one call may take, in milliseconds; 10 000 by default. */
  timeoutMs?: number
  /** Replaces the global `fetch`. */
  fetch?: typeof globalThis.fetch
}

/** One typed client a service. */
export type ConnectClients = {
  balances: Client<typeof BalancesService>
  chains: Client<typeof ChainsService>
}

/**
 * Returns typed clients that speak the Connect protocol to a gateway. Failures are `ConnectError`s whose details hold a
 * `google.rpc.ErrorInfo` with a reason of `hawser.fault.v1.Reason`.
 */
export function createClients(options: ConnectClientsOptions): ConnectClients {
  const transport = createConnectTransport({
    baseUrl: options.baseUrl,
    defaultTimeoutMs: options.timeoutMs ?? 10_000,
    interceptors: [nameProject(options.projectId)],
    ...(options.fetch && { fetch: options.fetch }),
  })
  return {
    balances: createClient(BalancesService, transport),
    chains: createClient(ChainsService, transport),
  }
}

function nameProject(projectId: string): Interceptor {
  return (next) => (request) => {
    request.header.set('Hawser-Project-Id', projectId)
    return next(request)
  }
}
