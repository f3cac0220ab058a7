import { expect, vi } from 'vitest'
import { fetchTokenBalance } from '../account/tokenBalance.ts'
import { openModal } from '../modal/modal.ts'
import { pushView } from '../router/navigate.ts'
import { openSend, setSendAmount } from '../send/edit.ts'
import { sendReadiness } from '../send/readiness.ts'
import { setReceiver } from '../send/receiver.ts'
import type { TokenBalance } from '../types/account.ts'
import { BOB, type WalletCall } from './fakeWallet.ts'
import { createConnectedKit, type Kit } from './kit.ts'

/** Connects a visitor, writes a draft and opens its preview. */
export async function previewing(token: TokenBalance, amount: string): Promise<Kit> {
  const kit = await createConnectedKit()
  await fetchTokenBalance(kit.hawser)
  openModal(kit.hawser, { view: 'Account' })
  openSend(kit.hawser, { token })
  setSendAmount(kit.hawser, amount)
  await setReceiver(kit.hawser, BOB)
  await vi.waitFor(() => expect(sendReadiness(kit.hawser.send.getState())).toBe('ready'))
  pushView(kit.hawser, 'WalletSendPreview')
  return kit
}

/** Returns the transactions that the wallet was requested to send. */
export function sent({ wallet }: Kit): WalletCall[] {
  return wallet.calls.filter(({ method }) => method === 'eth_sendTransaction')
}

/** Call data of an ERC-20 transfer. */
export function transferData(to: string, amount: bigint): string {
  const word = (value: bigint) => value.toString(16).padStart(64, '0')
  return `0xa9059cbb${word(BigInt(to))}${word(amount)}`
}
