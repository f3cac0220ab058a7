import { activeOwner } from '../account/owner.ts'
import { adapterOf } from '../chain/adapters.ts'
import { thrown } from '../errors/thrown.ts'
import { namesClient } from '../gateway/clients.ts'
import type { Latest } from '../latestOnly.ts'
import { previewedOwner, readPreview } from '../preview/preview.ts'
import type { ConnectedSession, Hawser } from '../types/hawser.ts'
import type { SignedStatement } from '../types/names.ts'
import type { Network } from '../types/network.ts'
import { formatStatement, type NameIntent } from './statement.ts'

/** There is no account to change a name, no change that is ready, or another change is pending. */
export class NameError extends Error {
  override readonly name = 'NameError'
}

/** A signed statement, with the fields that every change of a name is requested with. */
export interface SignedText {
  /** The statement, byte for byte as signed; see `hawser.names.v1.NamesService`. */
  readonly message: string
  /** Of `personal_sign`, hex. */
  readonly signature: string
  /** Coin type of the account's chain (ENSIP-11). */
  readonly coinType: number
  /** The account that signed. */
  readonly address: string
}

/** The active account, with the wallet that signs for it. */
export interface Signer {
  readonly address: string
  readonly network: Network
  readonly session: ConnectedSession
}

/** Returns the active account with its wallet. */
export function activeSigner(hawser: Hawser): Signer {
  const owner = activeOwner(hawser)
  const session = owner && hawser.sessions.get(owner.network.chainNamespace)
  if (!session) throw new NameError(thrown.addressOrAuthNotFound)
  return { address: owner.address, network: owner.network, session }
}

export interface SigningOptions {
  /** The action that signs: its preview is not shown once it is cancelled. */
  readonly latest: Latest
  /** Shows what is about to be signed. */
  readonly onStatement: (signing: SignedStatement) => void
}

/** Validity of a signed statement, in seconds. */
const VALIDITY = 300

/**
 * Signs a statement with the wallet, by `personal_sign`, once what it says was shown.
 *
 * @param coinType of the chain that the account owns its name on (ENSIP-11).
 * @throws NameError when the gateway reports another origin; the reason of the signal when the action is cancelled before the wallet is requested; what a call or the wallet throws.
 */
export async function signText(
  hawser: Hawser,
  { address, network, session }: Signer,
  coinType: number,
  intent: NameIntent,
  { latest, onStatement }: SigningOptions,
): Promise<SignedText> {
  const issued = Math.floor(hawser.clock.now() / 1_000)
  const message = formatStatement({
    ...intent,
    installation: await installationOf(hawser),
    account: { address, coinType },
    issued,
    expires: issued + VALIDITY,
    code: randomCode(),
  })
  await previewStatement(hawser, message, latest, onStatement)
  latest.signal.throwIfAborted()
  const adapter = await adapterOf(hawser, network.chainNamespace)
  const signature = await adapter.signMessage(session, address, message, network.caipNetworkId)
  return { message, signature, coinType, address }
}

/** Reads what signing a text would do. An embedded wallet shows that itself. */
async function previewStatement(
  hawser: Hawser,
  text: string,
  { signal, isCurrent }: Latest,
  show: SigningOptions['onStatement'],
): Promise<void> {
  const owner = previewedOwner(hawser)
  if (!owner) return
  show({ text, preview: 'loading' })
  const preview = await readPreview(hawser, owner, signal, () => ({ message: text }))
  if (isCurrent()) show({ text, preview })
}

/**
 * Returns the identity of the gateway. One that reports another origin is refused, because the statement would be
 * valid there.
 *
 * @throws NameError
 */
async function installationOf(hawser: Hawser): Promise<string> {
  const { installation } = await (await namesClient(hawser)).getInstallation({})
  if (/^installation 0x[0-9a-f]{40}$/i.test(installation)) return installation
  const origin = originOf(installation)
  if (origin && origin === originOf(hawser.options.getState().baseUrl)) return installation
  throw new NameError(`The gateway says that it is ${installation}`)
}

/** Returns the origin of a URL, undefined for an invalid one. Safari before 17 has no `URL.canParse`. */
function originOf(url: string): string | undefined {
  try {
    return new URL(url).origin
  } catch {
    return undefined
  }
}

function randomCode(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
