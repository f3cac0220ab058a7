import type { CallResult } from '@hawser/frame/protocol'
import type { Hex } from 'viem'
import type { Addresses } from '../../keys/derive.ts'
import { caipNetworkId } from '../chainId.ts'
import { FrameError, providerErrorCode } from '../frameError.ts'
import type { Handlers, SiteContext } from './context.ts'

/** Returns the handlers of calls about the user and their accounts. */
export function userHandlers(
  context: SiteContext,
): Handlers<'GET_USER' | 'INIT_SMART_ACCOUNT' | 'SET_PREFERRED_ACCOUNT'> {
  const { site, vault, state } = context
  return {
    async GET_USER(payload) {
      const on = payload?.chainId === undefined ? state.network : caipNetworkId(payload.chainId)
      // The user is read on networks of other namespaces while the EVM account stays on its own.
      if (site.isLegacy || on.startsWith('eip155:')) state.network = on
      if (payload?.preferredAccountType && on === state.network)
        state.preferred = payload.preferredAccountType
      return userOn(context, on)
    },
    async INIT_SMART_ACCOUNT() {
      const { accounts, address, smartAccountDeployed = false } = await userOn(context)
      const smart = accounts?.find(({ type }) => type === 'smartAccount')
      return { address: smart?.address ?? address, isDeployed: smartAccountDeployed }
    },
    async SET_PREFERRED_ACCOUNT({ type }) {
      state.preferred = type
      if (!(await vault.isSignedIn())) return { type, address: '' }
      await vault.setPreferredAccount(type)
      const { address, preferredAccountType = type } = await userOn(context)
      return { type: preferredAccountType, address }
    },
  }
}

/** Returns the user on a network, by default the one in use. @throws FrameError 4100 for a user without a wallet */
export async function userOn(context: SiteContext, chainId?: string): Promise<CallResult<'GET_USER'>> {
  const { site, vault, state } = context
  const on = chainId ?? state.network
  const { addresses, email, userName: storedName, preferredAccount, hasBackup } = await vault.getUser()
  if (!addresses)
    throw new FrameError('The user has no wallet yet', providerErrorCode.unauthorized, 'WALLET_ABSENT')
  state.preferred = preferredAccount ?? state.preferred
  const plain = { address: addressOn(on, addresses), type: 'eoa' } as const
  const smart = on.startsWith('eip155:') ? await smartAccountOf(context, plain.address, on) : undefined
  const accounts = smart ? [{ address: smart.address, type: 'smartAccount' } as const, plain] : [plain]
  if (state.preferred === 'eoa') accounts.reverse()
  const [{ address, type } = plain] = accounts
  const name = state.userName || storedName
  return {
    email: email || null,
    address,
    chainId: on,
    accounts,
    smartAccountDeployed: smart?.isDeployed === true,
    preferredAccountType: type,
    ...(site.isLegacy ? {} : { hasBackup }),
    ...(name ? { userName: name } : {}),
  }
}

/** Returns the address of the smart account on a network, and whether it runs its code. */
async function smartAccountOf(
  { smartAccounts }: SiteContext,
  owner: string,
  on: string,
): Promise<{ address: string; isDeployed: boolean } | undefined> {
  const accounts = await smartAccounts()
  const [address] = await accounts.addresses(on, owner as Hex).catch(() => [])
  if (!address) return undefined
  return { address, isDeployed: await accounts.isDeployed(on, owner as Hex).catch(() => false) }
}

function addressOn(chainId: string, { eip155, solana, bitcoin }: Addresses): string {
  if (chainId.startsWith('solana:')) return solana
  return chainId.startsWith('bip122:') ? bitcoin : eip155
}
