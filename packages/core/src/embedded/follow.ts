import { updateRecord } from '../chain/chainState.ts'
import { selectAccount, selectNetwork } from '../chain/selectors.ts'
import { toast } from '../errors/messages.ts'
import { errorMessage } from '../errors/walletErrors.ts'
import { reportLogin } from '../modal/loginFlows.ts'
import { items } from '../storage/items.ts'
import type { AccountState } from '../types/account.ts'
import type { Connector } from '../types/connector.ts'
import type { EmbeddedUser, EmbeddedWallet, Social } from '../types/embeddedWallet.ts'
import type { Hawser } from '../types/hawser.ts'
import { embeddedType, frameTheme, introduce } from './introduce.ts'

/**
 * Follows a connected embedded wallet until `left`: reads its user on each network, shows its approvals, and sends it
 * the theme and the language.
 */
export async function followEmbeddedWallet(
  hawser: Hawser,
  connector: Connector,
  left: AbortSignal,
): Promise<void> {
  try {
    const wallet = await connector.getEmbeddedWallet?.()
    if (!wallet || left.aborted) return
    const stops = [...followUser(hawser, connector, wallet), shareFrame(hawser, wallet)]
    for (const stop of stops) left.addEventListener('abort', stop)
    await Promise.all([introduce(hawser, wallet), readUser(hawser, connector, wallet, left)])
  } catch (error) {
    hawser.log.write('warn', 'the embedded wallet could not be read', { error: errorMessage(error) })
  }
}

/** The number of namespaces that a wallet is followed on, and functions that stop following its one frame. */
const frames = new WeakMap<EmbeddedWallet, { namespaces: number; readonly stops: readonly (() => void)[] }>()

/**
 * Follows the frame of a wallet for one more namespace. Returns a function that stops this. Stopping the last
 * namespace stops following the frame.
 */
function shareFrame(hawser: Hawser, wallet: EmbeddedWallet): () => void {
  const frame = frames.get(wallet) ?? { namespaces: 0, stops: followFrame(hawser, wallet) }
  frames.set(wallet, frame)
  frame.namespaces += 1
  return () => {
    frame.namespaces -= 1
    if (frame.namespaces > 0) return
    frames.delete(wallet)
    for (const stop of frame.stops) stop()
  }
}

/**
 * Shows the approvals of the frame, and sends it the theme and the language. Returns a function that stops
 * this.
 */
function followFrame(hawser: Hawser, wallet: EmbeddedWallet): (() => void)[] {
  const syncTheme = () => void wallet.syncTheme(frameTheme(hawser)).catch(() => undefined)
  return [
    wallet.on('approval', () => reportLogin(hawser, { kind: 'approvalNeeded' })),
    wallet.on('approvalEnd', () => reportLogin(hawser, { kind: 'approvalEnded' })),
    wallet.on('dismissed', () => wallet.rejectRequests()),
    wallet.on('notAllowed', () =>
      reportLogin(hawser, { kind: 'requestNotAllowed', ...toast('actionNotAllowed') }),
    ),
    hawser.router.subscribe((state, before) => {
      if (before.view === 'ApproveTransaction' && state.view !== before.view) wallet.rejectRequests()
    }),
    hawser.modal.subscribe(({ open }, before) => {
      if (before.open && !open && hawser.router.getState().view === 'ApproveTransaction')
        wallet.rejectRequests()
    }),
    hawser.theme.subscribe(syncTheme),
    hawser.options.subscribe(({ locale }, before) => {
      if (locale !== before.locale) syncTheme()
    }),
  ]
}

/**
 * Reads the user of a namespace again on another network, and when they return to the page. Returns a
 * function that stops this.
 */
function followUser(hawser: Hawser, connector: Connector, wallet: EmbeddedWallet): (() => void)[] {
  const ended = new AbortController()
  return [
    () => ended.abort(),
    onReturn(() => {
      // The user may have added a backup in another tab.
      const { user } = selectAccount(hawser.chain.getState(), connector.chain)
      if (user?.hasBackup === false)
        void readUser(hawser, connector, wallet, ended.signal).catch(() => undefined)
    }),
    hawser.chain.subscribe((state, before) => {
      const network = selectNetwork(state, connector.chain)?.caipNetworkId
      if (network === selectNetwork(before, connector.chain)?.caipNetworkId) return
      void readUser(hawser, connector, wallet, ended.signal).catch(() => undefined)
    }),
  ]
}

/** Calls back when the visitor returns to the page, from another tab or from a window beside it. Returns a function that stops this. */
function onReturn(callback: () => void): () => void {
  const { document: page, addEventListener, removeEventListener } = globalThis
  const listener = () => page.visibilityState === 'visible' && callback()
  page?.addEventListener('visibilitychange', listener)
  addEventListener?.('focus', listener)
  return () => {
    page?.removeEventListener('visibilitychange', listener)
    removeEventListener?.('focus', listener)
  }
}

/** Reads the user, and on which networks the account can be a smart account. */
async function readUser(
  hawser: Hawser,
  { chain: namespace }: Connector,
  wallet: EmbeddedWallet,
  left: AbortSignal,
): Promise<void> {
  const chainId = selectNetwork(hawser.chain.getState(), namespace)?.caipNetworkId
  const preferredType = embeddedType(hawser, namespace)
  const [user, smartAccountEnabledNetworks] = await Promise.all([
    wallet.getUser({ ...(chainId && { chainId }), preferredAccountType: preferredType }),
    wallet.getSmartAccountEnabledNetworks(),
  ])
  if (left.aborted || selectNetwork(hawser.chain.getState(), namespace)?.caipNetworkId !== chainId) return
  const social = hawser.storage.read<Social>(items.connectedSocial)
  const userName = user.userName ?? hawser.storage.read<string>(items.socialUserName)
  if (user.userName) hawser.storage.write(items.socialUserName, user.userName)
  updateRecord(hawser.chain, namespace, (record) => ({
    ...record,
    networkState: { ...record.networkState, smartAccountEnabledNetworks },
    accountState: {
      ...record.accountState,
      ...userFields({ ...user, ...(userName && { userName }) }, record.accountState),
      socialProvider: social,
    },
  }))
}

function userFields(user: EmbeddedUser, { allAccounts }: AccountState): Partial<AccountState> {
  const typeOf = (address: string) =>
    user.accounts.find((account) => account.address.toLowerCase() === address.toLowerCase())?.type ?? 'eoa'
  return {
    user,
    smartAccountDeployed: user.smartAccountDeployed ?? false,
    allAccounts: allAccounts.map((account) => ({ ...account, type: typeOf(account.address) })),
  }
}
