import type { ConnectedSession, Hawser } from '../types/hawser.ts'
import type { Network } from '../types/network.ts'
import { askWallet } from './askWallet.ts'

/** The visitor waits for their wallet's prompt meanwhile. */
const ANSWER_DEADLINE_MS = 2_000

/** A token as an amount of it was shown. */
interface ShownToken {
  readonly symbol: string
  readonly decimals: number
  /** Plain address; undefined for the native currency. */
  readonly contract: string | undefined
}

/** The gateway gave a token other decimals than it has: every amount of it was shown wrongly. */
export class DecimalsError extends Error {
  override readonly name = 'DecimalsError'
}

/**
 * Makes sure that the amounts a visitor saw are those that they sign: asks the wallet's own node for the decimals of tokens, which the
 * gateway gave the page. A wallet that answers no such question within two seconds is believed to agree.
 *
 * @throws DecimalsError
 */
export async function requireDecimals(
  hawser: Hawser,
  session: ConnectedSession,
  network: Network,
  tokens: readonly ShownToken[],
): Promise<void> {
  await Promise.all(
    tokens.map(async ({ symbol, decimals, contract }) => {
      const known = contract
        ? await askWallet(hawser, network.chainNamespace, ANSWER_DEADLINE_MS, (contracts) =>
            contracts.decimals(session, contract, network.caipNetworkId),
          )
        : network.nativeCurrency.decimals
      if (known !== undefined && known !== decimals) {
        throw new DecimalsError(`${symbol} has ${known} decimals, not ${decimals}`)
      }
    }),
  )
}
