import { plainAddress } from '../address/plainAddress.ts'
import type { Approval, ApprovalReference } from '../types/access.ts'
import type { Hawser } from '../types/hawser.ts'
import type { Namespace } from '../types/network.ts'

/** At most this many approvals are ended at a time: a preview has room for 50 calls, and a transaction of Solana for 20. */
const most: Readonly<Partial<Record<Namespace, number>>> = { eip155: 50, solana: 20 }

/** Returns how many approvals can be ended at a time. */
export function mostRevoked(namespace: Namespace): number {
  return most[namespace] ?? 0
}

/** Ticks an approval, or removes the tick. */
export function selectApproval(hawser: Hawser, id: string, isSelected: boolean): void {
  hawser.access.setState(({ selected }) => {
    const others = selected.filter((each) => each !== id)
    return { selected: isSelected ? [...others, id] : others }
  })
}

/** Ticks as many approvals as can be ended at a time, in their order, or removes all ticks. */
export function selectAllApprovals(hawser: Hawser, isSelected: boolean): void {
  const count = isSelected ? mostRevoked(hawser.chain.getState().activeChain) : 0
  hawser.access.setState(({ approvals }) => ({ selected: approvals.slice(0, count).map(({ id }) => id) }))
}

/** Returns the approvals that the visitor ticked, in their order. */
export function selectedApprovals(
  approvals: readonly Approval[],
  selected: readonly string[],
): readonly Approval[] {
  return approvals.filter(({ id }) => selected.includes(id))
}

/** Reports whether an approval is the one that is meant. */
export function isApprovalOf({ token, spender }: Approval, wanted: ApprovalReference): boolean {
  return isSame(token.address, wanted.token) && isSame(spender.address, wanted.spender)
}

/** Compares the address of a CAIP-10 account with a plain one. Those of Solana differ in more than their case. */
function isSame(account: string, plain: string): boolean {
  const address = plainAddress(account)
  return address === plain || (/^0x/i.test(plain) && address.toLowerCase() === plain.toLowerCase())
}
