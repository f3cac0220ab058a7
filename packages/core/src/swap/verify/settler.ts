import { queryWallet } from '../../account/queryWallet.ts'
import { words } from '../../evm/evmCalls.ts'
import type { Hawser } from '../../types/hawser.ts'
import type { SwapOrder } from '../order.ts'
import { settlerRegistry } from './contracts.gen.ts'
import { refuse } from './refusal.ts'

/** The visitor waits for their wallet's prompt meanwhile. */
const ANSWER_DEADLINE_MS = 5_000

/** Id in the registry of the Settlers for transactions that visitors send themselves. */
const TAKER_SUBMITTED = 2n

/** `ownerOf(uint256)`: the Settler in use; reverts while 0x has paused it. */
const OWNER_OF_SELECTOR = '0x6352211e'

/**
 * `prev(uint128)`: the previous Settler, which the API of 0x still names for some time after each release.
 */
const PREV_SELECTOR = '0xe2603dc2'

/**
 * Verifies in the registry of 0x that a contract is a current Settler. The registry is read through the
 * wallet's own node, because the gateway that named the Settler could also forge the registry's answer.
 *
 * @param settler plain address in lower case.
 * @throws VerificationError when it is not a Settler, or the wallet does not answer within five seconds.
 */
export async function requireSettler(
  hawser: Hawser,
  { session, owner }: Pick<SwapOrder, 'session' | 'owner'>,
  settler: string,
): Promise<void> {
  const { chainNamespace, caipNetworkId } = owner.network
  const wanted = `0x${words(BigInt(settler))}`
  const isInUse = await queryWallet(hawser, chainNamespace, ANSWER_DEADLINE_MS, async (contracts) => {
    const read = (selector: string) =>
      contracts.readWord(session, settlerRegistry, selector + words(TAKER_SUBMITTED), caipNetworkId)
    const current = await read(OWNER_OF_SELECTOR)
    return current !== undefined && (current === wanted || (await read(PREV_SELECTOR)) === wanted)
  })
  if (!isInUse) refuse('notInRegistry')
}
