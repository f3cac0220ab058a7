import type { FrameRectangle } from '../types/embeddedWallet.ts'
import type { Hawser } from '../types/hawser.ts'
import { embeddedWallet } from './wallet.ts'

/**
 * Watches whether a login waits in the frame, until the returned function is called. Requests of a connected wallet have
 * a view of their own.
 */
export function watchLoginApprovals(hawser: Hawser, listener: (isWaiting: boolean) => void): () => void {
  let isLeft = false
  let stops: readonly (() => void)[] = []
  embeddedWallet(hawser).then(
    (wallet) => {
      if (isLeft) return
      stops = [
        wallet.on('approval', () => listener(true)),
        wallet.on('approvalEnd', () => listener(false)),
        wallet.on('dismissed', () => wallet.rejectRequests()),
      ]
    },
    () => undefined,
  )
  return () => {
    isLeft = true
    for (const stop of stops) stop()
  }
}

/** Reports the height that the frame needs whenever it changes, in CSS pixels, until the returned function is called. */
export function watchFrameHeight(hawser: Hawser, listener: (height: number) => void): () => void {
  let isLeft = false
  let stop: (() => void) | undefined
  embeddedWallet(hawser).then(
    (wallet) => {
      if (!isLeft) stop = wallet.on('height', listener)
    },
    () => undefined,
  )
  return () => {
    isLeft = true
    stop?.()
  }
}

/** Shows the frame over a rectangle, for a request that waits in it. */
export async function showFrame(hawser: Hawser, rectangle: FrameRectangle): Promise<void> {
  const wallet = await embeddedWallet(hawser)
  wallet.show(rectangle)
}

/** Hides the frame of the embedded wallet; a request that waits in it stays open. */
export async function hideFrame(hawser: Hawser): Promise<void> {
  const wallet = await embeddedWallet(hawser)
  wallet.hide()
}
