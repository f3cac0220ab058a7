import type { AccountEntry, CaipNetworkId } from '@hawser/core'

/** What an address is for; wallets that keep ordinals have one for each. */
type Use = 'payment' | 'ordinal'

/** Names of addresses in wallets that give them none. */
const labels: Readonly<Record<Use, string>> = { payment: 'Payments', ordinal: 'Ordinals' }

/** Returns an address of a wallet as an account of the page. */
export function accountOf(
  address: string,
  type: Use,
  { label, publicKey }: { readonly label?: string | undefined; readonly publicKey?: string | undefined },
): AccountEntry {
  return { address, type, label: label || labels[type], ...(publicKey && { publicKey }) }
}

/** How addresses of networks start; those of other networks start as those of the test networks. */
const addressForms: Readonly<Record<CaipNetworkId, RegExp>> = {
  'bip122:000000000019d6689c085ae165831e93': /^(?:bc1|[13])/i,
  'bip122:0f9188f13cb7b2c71f2a335e3a4fc328': /^(?:bcrt1|[mn2])/i,
}
const testForm = /^(?:tb1|[mn2])/i

/** Returns the accounts whose address is of a network, or all without one. Test networks share their addresses. */
export function accountsOn<A extends Pick<AccountEntry, 'address'>>(
  accounts: readonly A[],
  network: CaipNetworkId | undefined,
): readonly A[] {
  if (!network) return accounts
  const form = addressForms[network] ?? testForm
  return accounts.filter(({ address }) => form.test(address))
}
