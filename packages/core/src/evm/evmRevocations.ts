import type { Approval } from '../types/access.ts'
import type { ContractCall, Revocations, WalletSession } from '../types/adapter.ts'
import type { CaipNetworkId } from '../types/network.ts'
import { evmAddress } from './accounts.ts'
import { chainIdIn } from './chainId.ts'
import { approveData, PERMIT2, words } from './evmCalls.ts'
import { evmContracts } from './evmContracts.ts'

/** `setApprovalForAll(address,bool)` of ERC-721 and ERC-1155. */
const APPROVE_ALL_SELECTOR = '0xa22cb465'
/** `lockdown((address,address)[])` of Permit2: sets the allowances of pairs of token and spender to 0. */
const LOCKDOWN_SELECTOR = '0xcc53287f'
/** Offset of the only argument of that call, a list. */
const LIST_OFFSET = 32n
/** The zero address, which takes back the approval of an ERC-721 token. */
const ZERO_ADDRESS = '0x0000000000000000000000000000000000000000'

/** Ends approvals of EVM accounts, in one batch where the wallet makes several calls atomically (EIP-5792). */
export const evmRevocations: Revocations<'eip155'> = {
  async divide(session, from, approvals, { caipNetworkId }) {
    const parts = partsOf(approvals)
    if (parts.length < 2) return parts
    const isBatch = await evmContracts.carriesBatches(session, from, caipNetworkId).catch(() => false)
    return isBatch ? [approvals] : parts
  },

  subject: async (_network, _from, approvals) => ({ calls: revocationCalls(approvals) }),

  async send(session, from, approvals, { caipNetworkId }, isSmart) {
    const calls = revocationCalls(approvals)
    const [call, ...others] = calls
    if (!call || others.length > 0 || (isSmart && (await isSponsored(session, from, caipNetworkId))))
      return { batch: await evmContracts.sendBatch(session, from, calls, caipNetworkId) }
    return { hash: await evmContracts.send(session, from, call, caipNetworkId), call }
  },
}

/** Reports whether a sponsor may pay the fee of a batch of a smart account, also if it is one call (ERC-7677). */
async function isSponsored(
  { provider }: WalletSession<'eip155'>,
  from: string,
  caipNetworkId: CaipNetworkId,
): Promise<boolean> {
  const chainId = chainIdIn(caipNetworkId)
  const params = [from, [chainId]]
  const answer = await provider.request({ method: 'wallet_getCapabilities', params }).catch(() => null)
  const capabilities = answer as Record<string, { paymasterService?: { supported?: unknown } }> | null
  return capabilities?.[chainId]?.paymasterService?.supported === true
}

/** Returns the calls of an account that end its approvals. Permit2 ends all of its own in one call. */
export function revocationCalls(approvals: readonly Approval[]): readonly ContractCall[] {
  return partsOf(approvals).map(callOf)
}

/** Divides approvals into those that one call ends. */
function partsOf(approvals: readonly Approval[]): readonly (readonly Approval[])[] {
  const ofPermit2 = approvals.filter(({ kind }) => kind === 'permit2')
  const others = approvals.filter(({ kind }) => kind !== 'permit2').map((approval) => [approval])
  return ofPermit2.length > 0 ? [...others, ofPermit2] : others
}

function callOf(approvals: readonly Approval[]): ContractCall {
  const [approval] = approvals
  if (!approval) throw new Error('There is no approval to end')
  const to = plainAddressOf(approval.token)
  const spender = plainAddressOf(approval.spender)
  switch (approval.kind) {
    case 'erc20':
      return { to, data: approveData(spender, 0n), value: 0n }
    case 'nft':
      return { to, data: approveData(ZERO_ADDRESS, BigInt(approval.tokenId)), value: 0n }
    case 'operator':
      return { to, data: APPROVE_ALL_SELECTOR + words(BigInt(spender), 0n), value: 0n }
    case 'permit2':
      return { to: PERMIT2, data: lockdownData(approvals), value: 0n }
    default:
      throw new Error(`Approvals of the kind ${approval.kind} are not known`)
  }
}

/**
 * Returns a plain address of a token or a spender, as the gateway named it.
 *
 * @throws Error for what is no address.
 */
function plainAddressOf({ address }: { readonly address: string }): string {
  const plain = evmAddress(address.split(':').at(-1) ?? '')
  if (!plain) throw new Error(`${address} is no address`)
  return plain
}

function lockdownData(approvals: readonly Approval[]): string {
  const pairs = approvals.flatMap(({ token, spender }) => [
    BigInt(plainAddressOf(token)),
    BigInt(plainAddressOf(spender)),
  ])
  return LOCKDOWN_SELECTOR + words(LIST_OFFSET, BigInt(approvals.length), ...pairs)
}
