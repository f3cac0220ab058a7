import { isSmartAccount } from '../account/account.ts'
import { fetchNativeBalance } from '../account/nativeBalance.ts'
import { fetchTokenBalance } from '../account/tokenBalance.ts'
import { worth } from '../amounts/units.ts'
import { selectAccount } from '../chain/selectors.ts'
import { reportTransfer } from '../modal/transferFlows.ts'
import type { TokenBalance } from '../types/account.ts'
import type { FeeSpeed } from '../types/adapter.ts'
import type { Hawser } from '../types/hawser.ts'
import type { OwnedNft } from '../types/nft.ts'
import type { SendState } from '../types/state.ts'
import { isNativeToken, isSameToken } from './amount.ts'
import { editDraft, resetSend } from './draft.ts'
import { estimateSendGas, followMaxAmount } from './gas.ts'
import { isKeptDraft, isSending } from './lock.ts'

/**
 * Opens a send; balances and gas are read then. A draft that the wallet did not send is continued, and one that it
 * has not answered yet is shown as it is.
 */
export function openSend(hawser: Hawser, { token }: { token?: TokenBalance } = {}): void {
  if (reportPendingSend(hawser)) return
  const isKept = !token && isKeptDraft(hawser.send.getState())
  if (!isKept) resetSend(hawser)
  const { activeCaipNetwork: network } = hawser.chain.getState()
  const tokenBalances = selectAccount(hawser.chain.getState()).tokenBalance
  if (isKept) hawser.send.setState({ status: 'draft', tokenBalances })
  else hawser.send.setState({ token: token ?? firstToken(tokenBalances), tokenBalances })
  hawser.events.emit({
    event: 'OPEN_SEND',
    properties: {
      network: network?.caipNetworkId ?? '',
      isSmartAccount: isSmartAccount(hawser),
    },
  })
  reportTransfer(hawser, { kind: 'sendOpened' })
  void loadSendBalances(hawser)
}

/** Opens a send of an NFT; the native balance and gas are read then. */
export function openSendNft(hawser: Hawser, nft: OwnedNft): void {
  if (reportPendingSend(hawser)) return
  if (isKeptDraft(hawser.send.getState(), nft)) {
    hawser.send.setState({ status: 'draft' })
  } else {
    resetSend(hawser)
    hawser.send.setState({ nft, sendTokenAmount: '1' })
  }
  reportTransfer(hawser, { kind: 'nftSendOpened', nft })
  void loadSendBalances(hawser)
}

/** Reports a draft that the wallet has not answered yet: no other one begins before that. False when there is none. */
function reportPendingSend(hawser: Hawser): boolean {
  const isPending = isSending(hawser.send.getState())
  if (isPending) reportTransfer(hawser, { kind: 'sendPending' })
  return isPending
}

/** Reads the sender's balances. Prices are for display; the native balance is exact, from the chain. */
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
    lastRetry: selectAccount(hawser.chain.getState()).lastRetry,
    token: refreshedToken(send, tokens),
    networkBalance: networkBalance ?? send.networkBalance,
    networkBalanceInUSD: networkBalance === undefined ? undefined : worth(networkBalance, decimals, price),
  }))
  await estimateSendGas(hawser)
}

/** Returns the native token, or else the first row, as the default token. */
function firstToken(tokens: readonly TokenBalance[]): TokenBalance | undefined {
  return tokens.find(isNativeToken) ?? tokens.find(({ hidden }) => !hidden)
}

function refreshedToken(
  { token, nft }: SendState,
  tokens: readonly TokenBalance[],
): TokenBalance | undefined {
  if (nft) return undefined
  return token ? (tokens.find((row) => isSameToken(row, token)) ?? token) : firstToken(tokens)
}

/** Selects the token; an amount that was typed for another one is cleared. */
export function selectSendToken(hawser: Hawser, token: TokenBalance): void {
  editDraft(hawser, { token, sendTokenAmount: '', isMaxAmount: false, fee: undefined })
  void estimateSendGas(hawser)
}

/** Sets the amount as typed; `sendReadiness` validates it. */
export function setSendAmount(hawser: Hawser, sendTokenAmount: string): void {
  editDraft(hawser, { sendTokenAmount: sendTokenAmount.trim(), isMaxAmount: false })
}

/** Sets how soon the transfer should be in a block, on networks where the sender chooses; the fee is read again. */
export async function setFeeSpeed(hawser: Hawser, feeSpeed: FeeSpeed): Promise<void> {
  hawser.send.setState({ feeSpeed })
  await estimateSendGas(hawser)
}

/** Sets the whole balance as the amount; for the native token less gas, at the node's price and limit. */
export async function fillMaxSendAmount(hawser: Hawser): Promise<void> {
  const { token } = hawser.send.getState()
  if (!token) return
  editDraft(hawser, { isMaxAmount: true })
  if (isNativeToken(token)) await estimateSendGas(hawser)
  followMaxAmount(hawser)
}
