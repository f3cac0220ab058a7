import { policyOf } from '../protocol/methods.ts'
import type { Approvals } from './approvals.ts'
import type { ErrorDetails } from './frameChannel.ts'
import type { FrameLoader } from './frameLoader.ts'
import type { CaipNetworkId, EmbeddedWallet } from './types.ts'
import type { WalletEvents } from './walletEvents.ts'

const NOT_ALLOWED = 'Requested RPC call is not allowed'
/** Of requests that wait while another one is refused. */
const ABORTED = { message: 'Request was aborted' }
/** Of requests that the user closes, as the frame says it of those that are rejected there. */
const CLOSED = { message: 'User rejected the request', code: 4001, reason: 'declined' }

/** "Method not found" of JSON-RPC, as EIP-1193 has it for an unsupported method. */
const UNSUPPORTED_METHOD = 4200

/** Creates the JSON-RPC requests of a site. @param current the network of a request that names none */
export function createSiteRequests(
  { load, withLoaded }: FrameLoader,
  { approved }: Approvals,
  { emit }: WalletEvents,
  current: () => CaipNetworkId,
): Pick<EmbeddedWallet, 'request' | 'rejectRequests'> {
  function reject(reason: ErrorDetails): void {
    withLoaded((channel) => {
      channel.rejectAll('RPC_REQUEST', reason)
      channel.post('RPC_ABORT')
    })
  }

  function refuse(method: string): never {
    emit('notAllowed', { method })
    reject(ABORTED)
    throw Object.assign(new Error(NOT_ALLOWED), { code: UNSUPPORTED_METHOD })
  }

  return {
    async request({ method, params, chainId = current() }) {
      const policy = policyOf(method)
      if (policy === 'refused') return refuse(method)
      const request = async () => (await load()).call('RPC_REQUEST', { method, params, chainId })
      return policy === 'safe' ? request() : approved(method, request)
    },
    rejectRequests: () => reject(CLOSED),
  }
}
