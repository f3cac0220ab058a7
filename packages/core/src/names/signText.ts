import type { SignedText } from '@hawser/client/names'
import { activeOwner } from '../account/owner.ts'
import { adapterOf } from '../chain/adapters.ts'
import { thrown } from '../errors/catalogue.ts'
import type { ConnectedSession, Hawser } from '../types/hawser.ts'
import type { Network } from '../types/network.ts'

/** There is nobody to change a name, nothing ready to be changed, or something is being changed already. */
export class NameError extends Error {
  override readonly name = 'NameError'
}

/** The account in use, with the wallet that signs for it. */
export interface Signer {
  readonly address: string
  readonly network: Network
  readonly session: ConnectedSession
}

/** @throws NameError "Address or auth connector not found" while nobody is connected. */
export function activeSigner(hawser: Hawser): Signer {
  const owner = activeOwner(hawser)
  const session = owner && hawser.sessions.get(owner.network.chainNamespace)
  if (!session) throw new NameError(thrown.addressOrAuthNotFound)
  return { address: owner.address, network: owner.network, session }
}

/**
 * Has the wallet sign, by `personal_sign`, what is to be: JSON with the time in seconds as its last member.
 *
 * @param coinType of the chain that the account owns its name on (ENSIP-11).
 * @throws what the wallet throws.
 */
export async function signText(
  hawser: Hawser,
  { address, network, session }: Signer,
  coinType: number,
  wish: object,
): Promise<SignedText> {
  const message = JSON.stringify({ ...wish, timestamp: Math.floor(hawser.clock.now() / 1_000) })
  const contracts = await adapterOf(hawser, network.chainNamespace).contracts()
  const signature = await contracts.signMessage(session, address, message, network.caipNetworkId)
  return { message, signature, coinType, address }
}
