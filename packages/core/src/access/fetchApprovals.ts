import { GatewayError, type MessageData, messageData } from '@hawser/client'
import type { Approval as ListedApproval } from '@hawser/client/access'
import { type AccountOwner, activeOwner } from '../account/owner.ts'
import { accessClient } from '../gateway/clients.ts'
import { isServed } from '../gateway/servedFeatures.ts'
import { APPROVALS_REFRESH_MS } from '../limits.ts'
import { refreshOnChange } from '../push/refreshOnChange.ts'
import type { AccessState, Approval } from '../types/access.ts'
import type { Hawser } from '../types/hawser.ts'

/** Reads the approvals of the active account. Never throws: a failure is in the state. */
export async function fetchApprovals(hawser: Hawser): Promise<void> {
  const owner = activeOwner(hawser)
  const { owner: before, wanted } = hawser.access.getState()
  if (before !== owner?.caipAddress)
    hawser.access.setState({ owner: owner?.caipAddress, approvals: [], selected: [], wanted }, true)
  if (owner) await read(hawser, owner)
}

async function read(hawser: Hawser, { address, network }: AccountOwner): Promise<void> {
  const { isCurrent, signal } = hawser.latest.begin('access')
  const chainId = network.caipNetworkId
  hawser.access.setState({ isReading: true })
  try {
    const served = await isServed(hawser, chainId)
    const listed = served ? await readApprovals(hawser, { address, chainId }, signal) : nothing
    if (!isCurrent()) return
    hawser.access.setState(({ selected }) => ({
      ...listed,
      isLoaded: true,
      isReading: false,
      hasFailed: false,
      selected: selected.filter((id) => listed.approvals.some((approval) => approval.id === id)),
    }))
  } catch (error) {
    if (!isCurrent()) return
    if (error instanceof GatewayError && error.code === 'unimplemented')
      hawser.served.setState({ approvals: false })
    hawser.access.setState({ isReading: false, hasFailed: true })
  }
}

type Listed = Required<
  Pick<AccessState, 'approvals' | 'delegation' | 'isBackfilling' | 'fromBlock' | 'isTruncated'>
>

const nothing: Listed = {
  approvals: [],
  delegation: undefined,
  isBackfilling: false,
  fromBlock: '',
  isTruncated: false,
}

async function readApprovals(
  hawser: Hawser,
  request: { address: string; chainId: string },
  signal: AbortSignal,
): Promise<Listed> {
  const access = await accessClient(hawser)
  const response = await access.listApprovals({ ...request, currency: 'usd' }, { signal })
  const { approvals, delegation, backfilling, fromBlock, truncated } = messageData(response)
  return {
    approvals: approvals.flatMap(approvalOf),
    delegation,
    isBackfilling: backfilling,
    fromBlock,
    isTruncated: truncated,
  }
}

/** Returns an approval with its id; nothing for one without a token or a spender. */
function approvalOf({ token, spender, ...listed }: MessageData<ListedApproval>): readonly Approval[] {
  if (!token || !spender) return []
  const id = [listed.kind, token.address, listed.tokenId, listed.tokenAccount, spender.address].join(' ')
  return [{ ...listed, id, token, spender }]
}

/** Keeps the approvals fresh, see `refreshOnChange`; every 30 seconds while nothing is pushed. */
export function watchApprovals(hawser: Hawser): () => void {
  return refreshOnChange(hawser, {
    every: APPROVALS_REFRESH_MS,
    read: () => fetchApprovals(hawser),
    isIncomplete: () => {
      const { isBackfilling, hasFailed } = hawser.access.getState()
      return Boolean(isBackfilling || hasFailed)
    },
  })
}
