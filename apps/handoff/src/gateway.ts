import type { HandoffSite, WalletGateway } from '@hawser/walletconnect/wallet'

/** Why a hand-off cannot be claimed: another device was first, it is unknown or over, or the gateway was not reached. */
export type Refusal = 'taken' | 'expired' | 'unreached'

export class ClaimError extends Error {
  override readonly name = 'ClaimError'

  constructor(readonly refusal: Refusal) {
    super(refusal)
  }
}

const TIMEOUT_MS = 10_000

/** Refusals by the codes of Connect. */
const refusals: Readonly<Record<string, Refusal>> = {
  already_exists: 'taken',
  not_found: 'expired',
  invalid_argument: 'expired',
}

/**
 * Calls a procedure of the gateway that serves this page.
 *
 * @param projectId empty for a procedure that is open to all.
 * @throws ClaimError
 */
export async function callGateway(procedure: string, body: object, projectId = ''): Promise<unknown> {
  const response = await fetch(`/${procedure}${projectId && `?projectId=${encodeURIComponent(projectId)}`}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch(() => undefined)
  const answer: unknown = await response?.json().catch(() => undefined)
  if (response?.ok && answer !== undefined) return answer
  throw new ClaimError(refusals[String((Object(answer) as { code?: unknown }).code)] ?? 'unreached')
}

/** The gateway that serves this page. `claim` throws a ClaimError. */
export const gateway: WalletGateway = {
  async claim(id, publicKey) {
    const body = { id, publicKey: btoa(textOf(publicKey)) }
    return readSite(await callGateway('hawser.handoff.v1.HandoffService/ClaimHandoff', body))
  },
}

/** @throws ClaimError for another form */
function readSite(value: unknown): HandoffSite {
  const {
    projectId,
    projectName = '',
    origin,
    commitment,
    expiresAt,
  } = Object(value) as Record<string, unknown>
  const time = Date.parse(String(expiresAt))
  if (
    typeof projectId !== 'string' ||
    typeof origin !== 'string' ||
    typeof commitment !== 'string' ||
    !time
  ) {
    throw new ClaimError('unreached')
  }
  return {
    projectId,
    projectName: String(projectName),
    origin,
    commitment: hexOf(atob(commitment)),
    expiresAt: time,
  }
}

/** Returns the bytes of hex digits, each as a character. */
function textOf(hex: string): string {
  return hex.replace(/../g, (digits) => String.fromCharCode(Number.parseInt(digits, 16)))
}

/** Returns characters, each of a byte, as hex digits. */
function hexOf(bytes: string): string {
  return Array.from(bytes, (byte) => byte.charCodeAt(0).toString(16).padStart(2, '0')).join('')
}
