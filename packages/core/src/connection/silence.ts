import { reportWallet } from '../modal/walletFlows.ts'
import type { DeepLink, WaitingRequest } from '../types/connector.ts'
import type { Hawser } from '../types/hawser.ts'
import { handoffLink } from './handoff.ts'

/** When the page of a wallet is pinged while a request waits there, in milliseconds after the request. */
const checks: readonly number[] = [4_000, 15_000, 45_000, 120_000]
/** A page that answers no ping within this time is closed, or asleep. */
const SILENCE_MS = 3_000

/** Asks the visitor to open the page of a hand-off again while it does not answer a request. */
export function watchSilence(hawser: Hawser, { answered, ping }: WaitingRequest): void {
  const link = handoffLink(hawser)
  if (!link) return
  let isOver = false
  const say = (isSilent: boolean) => {
    if (!isOver) reportSilence(hawser, isSilent ? link : undefined)
  }
  const check = () => {
    const stop = hawser.clock.after(SILENCE_MS, () => say(true))
    const answer = () => {
      stop()
      say(false)
    }
    ping().then(answer, () => undefined)
    stops.push(stop)
  }
  const stops = checks.map((ms) => hawser.clock.after(ms, check))
  const end = () => {
    for (const stop of stops) stop()
    say(false)
    isOver = true
  }
  answered.then(end, end)
}

/** Reports that the wallet is to be opened again, or no longer has to be. */
function reportSilence(hawser: Hawser, wallet: DeepLink | undefined): void {
  const isReported = hawser.connection.getState().silentWallet !== undefined
  if (isReported === (wallet !== undefined)) return
  reportWallet(hawser, wallet ? { kind: 'walletSilent', wallet } : { kind: 'walletAnswered' })
}
