import type { ConnectedSession, Hawser } from '../types/hawser.ts'
import type { Network } from '../types/network.ts'
import { queryWallet } from './queryWallet.ts'

/** How long the wallet's node may take, in milliseconds: the visitor waits for the prompt meanwhile. */
const ANSWER_DEADLINE_MS = 2_000

/** A token as an amount of it was shown. */
interface ShownToken {
  readonly symbol: string
  readonly decimals: number
  /** Plain address; undefined for the native currency. */
  readonly contract: string | undefined
}

/** The decimals that the gateway reported for a token are wrong, so every amount of it was shown wrongly. */
export class DecimalsError extends Error {
  override readonly name = 'DecimalsError'
}

/**
 * Verifies with the wallet's own node the decimals that the gateway reported for tokens, so that the visitor signs
 * the amounts that were shown. A wallet that does not answer within two seconds is taken to agree.
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
        ? await queryWallet(hawser, network.chainNamespace, ANSWER_DEADLINE_MS, (contracts) =>
            contracts.decimals(session, contract, network.caipNetworkId),
          )
        : network.nativeCurrency.decimals
      if (known !== undefined && known !== decimals) {
        throw new DecimalsError(`${symbol} has ${known} decimals, not ${decimals}`)
      }
    }),
  )
}
