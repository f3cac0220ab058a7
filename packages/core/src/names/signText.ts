import { GatewayError } from '@hawser/client'
import { activeOwner } from '../account/owner.ts'
import { adapterOf } from '../chain/adapters.ts'
import { thrown } from '../errors/thrown.ts'
import { namesClient } from '../gateway/clients.ts'
import type { ConnectedSession, Hawser } from '../types/hawser.ts'
import type { Network } from '../types/network.ts'
import { type NameWish, spellSentence } from './sentence.ts'

/** There is nobody to change a name, nothing ready to be changed, or something is being changed already. */
export class NameError extends Error {
  override readonly name = 'NameError'
}

/** A text that says what is to change, and who says so: the fields that every change of a name is requested with. */
export interface SignedText {
  /** A sentence, see `hawser.names.v1.NamesService`, byte for byte as it was signed. */
  readonly message: string
  /** Of `personal_sign`, hex. */
  readonly signature: string
  /** The chain that the account is on (ENSIP-11). */
  readonly coinType: number
  /** The account that signed. */
  readonly address: string
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

/** How long a signed sentence counts, in seconds: what a person needs to approve it. */
const VALIDITY = 300

/**
 * Has the wallet sign, by `personal_sign`, a sentence that says what is to be, for which gateway, and until when.
 *
 * @param coinType of the chain that the account owns its name on (ENSIP-11).
 * @throws NameError when the gateway says that it is at another address; what the gateway or the wallet throws.
 */
export async function signText(
  hawser: Hawser,
  { address, network, session }: Signer,
  coinType: number,
  wish: NameWish,
): Promise<SignedText> {
  const issued = Math.floor(hawser.clock.now() / 1_000)
  const message = spellSentence({
    ...wish,
    installation: await installationOf(hawser),
    account: { address, coinType },
    issued,
    expires: issued + VALIDITY,
    code: randomCode(),
  })
  const contracts = await adapterOf(hawser, network.chainNamespace).contracts()
  const signature = await contracts.signMessage(session, address, message, network.caipNetworkId)
  return { message, signature, coinType, address }
}

/**
 * Whose names they are, as the gateway says it. A gateway that says that it is at another address would have the visitor sign
 * for that one.
 *
 * @throws NameError
 */
async function installationOf(hawser: Hawser): Promise<string> {
  const { installation } = await (await namesClient(hawser)).getInstallation({})
  if (/^installation 0x[0-9a-f]{40}$/i.test(installation)) return installation
  const { baseUrl } = hawser.options.getState()
  if (URL.canParse(installation) && new URL(installation).origin === new URL(baseUrl).origin)
    return installation
  throw new NameError(`The gateway says that it is ${installation}`)
}

function randomCode(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Why the gateway refused, in its own words; undefined when it gave no reason, or no answer. */
export function refusalReason(error: unknown): string | undefined {
  return error instanceof GatewayError ? error.text : undefined
}
