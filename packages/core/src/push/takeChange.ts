import type { OrderChange, WatchAccountResponse } from '@hawser/client/updates'
import { fetchNativeBalance, takeNativeBalance } from '../account/nativeBalance.ts'
import type { AccountOwner } from '../account/owner.ts'
import { readBalance, type TokenList, takeTokenBalance } from '../account/tokenBalance.ts'
import { baseUnits } from '../amounts/units.ts'
import { importModule } from '../importModule.ts'
import { isNativeToken } from '../send/amount.ts'
import type { Hawser } from '../types/hawser.ts'
import { countIdentityChange } from './identityChanges.ts'

/** Shows a change of an account that the gateway pushed, or lets the views that show it read it. */
export async function takeChange(
  hawser: Hawser,
  owner: AccountOwner,
  { change }: WatchAccountResponse,
): Promise<void> {
  switch (change.case) {
    case 'balances':
      return takeBalances(hawser, owner, {
        tokens: change.value.balances.map(readBalance),
        isPartial: change.value.more ?? false,
      })
    case 'activity':
      hawser.push.setState(({ activityChanges }) => ({ activityChanges: activityChanges + 1 }))
      return
    case 'identity':
      return countIdentityChange(hawser)
    case 'orders':
      return changeOrder(hawser, change.value)
  }
}

/** Loads the code of purchases only when there is one. */
async function changeOrder(hawser: Hawser, change: OrderChange): Promise<void> {
  if (!hawser.options.getState().features.onramp) return
  try {
    const { takeOrderChange } = await importModule(
      () => import('../onramp/followOrders.ts'),
      'takeOrderChange',
    )
    await takeOrderChange(hawser, change)
  } catch {
    // The views of purchases request it.
  }
}

async function takeBalances(hawser: Hawser, owner: AccountOwner, list: TokenList): Promise<void> {
  const native = list.tokens.find(isNativeToken)
  if (native) takeNativeBalance(hawser, owner, baseUnits(native))
  else void fetchNativeBalance(hawser, { bypassCache: true })
  await takeTokenBalance(hawser, owner, list)
}
