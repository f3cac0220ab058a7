import { isSmartAccount } from '../account/account.ts'
import { fetchNativeBalance } from '../account/nativeBalance.ts'
import { fetchTokenBalance } from '../account/tokenBalance.ts'
import { worth } from '../amounts/units.ts'
import { selectAccount } from '../chain/selectors.ts'
import { openModal } from '../modal/modal.ts'
import { pushView } from '../router/navigate.ts'
import type { TokenBalance } from '../types/account.ts'
import type { Hawser } from '../types/hawser.ts'
import type { OwnedNft } from '../types/nft.ts'
import { isNativeToken, isSameToken } from './amount.ts'
import { resetSend } from './draft.ts'
import { estimateSendGas, followMaxAmount } from './gas.ts'

/** Starts a new draft and shows it; balances and gas follow. */
export function openSend(hawser: Hawser, { token }: { token?: TokenBalance } = {}): void {
  resetSend(hawser)
  const { activeCaipNetwork: network } = hawser.chain.getState()
  const tokenBalances = selectAccount(hawser.chain.getState()).tokenBalance
  hawser.send.setState({ token, tokenBalances })
  hawser.events.emit({
    event: 'OPEN_SEND',
    properties: {
      network: network?.caipNetworkId ?? '',
      isSmartAccount: isSmartAccount(hawser),
    },
  })
  if (hawser.modal.getState().open) pushView(hawser, 'WalletSend')
  else openModal(hawser, { view: 'WalletSend' })
  void loadSendBalances(hawser)
}

/** Starts a draft that sends an NFT, and shows it; the native balance and gas follow. */
export function openSendNft(hawser: Hawser, nft: OwnedNft): void {
  resetSend(hawser)
  hawser.send.setState({ nft, sendTokenAmount: '1' })
  pushView(hawser, 'WalletSendNft', { nft })
  void loadSendBalances(hawser)
}

/** Reads what the sender holds. Prices are for display; the native balance is exact, from the chain. */
export async function loadSendBalances(hawser: Hawser): Promise<void> {
  const { isCurrent } = hawser.latest.begin('send:balances')
  hawser.send.setState({ loading: true })
  const [tokens, networkBalance] = await Promise.all([fetchTokenBalance(hawser), fetchNativeBalance(hawser)])
  if (!isCurrent()) return
  const decimals = hawser.chain.getState().activeCaipNetwork?.nativeCurrency.decimals ?? 18
  const price = tokens.find(isNativeToken)?.price
  hawser.send.setState((send) => ({
    loading: false,
    tokenBalances: tokens,
    token:
      send.token && (tokens.find((token) => isSameToken(token, send.token as TokenBalance)) ?? send.token),
    networkBalance: networkBalance ?? send.networkBalance,
    networkBalanceInUSD: networkBalance === undefined ? undefined : worth(networkBalance, decimals, price),
  }))
  await estimateSendGas(hawser)
}

/** Chooses the token; the amount typed for another one is cleared. */
export function selectSendToken(hawser: Hawser, token: TokenBalance): void {
  hawser.send.setState({ token, sendTokenAmount: '', isMaxAmount: false, gasLimit: undefined })
  void estimateSendGas(hawser)
}

/** Takes what was typed as it is; `sendReadiness` judges it. */
export function setSendAmount(hawser: Hawser, sendTokenAmount: string): void {
  hawser.send.setState({ sendTokenAmount: sendTokenAmount.trim(), isMaxAmount: false })
}

/** Fills in all of the token: for the native one what is left after gas, at the price and limit the node names. */
export async function fillMaxSendAmount(hawser: Hawser): Promise<void> {
  const { token } = hawser.send.getState()
  if (!token) return
  hawser.send.setState({ isMaxAmount: true })
  if (isNativeToken(token)) await estimateSendGas(hawser)
  followMaxAmount(hawser)
}
