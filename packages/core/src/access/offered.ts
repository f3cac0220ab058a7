import type { Namespace } from '../types/network.ts'
import type { Features } from '../types/options.ts'
import type { ServedFeatures } from '../types/servedFeatures.ts'

/** Reports whether the approvals of a namespace's accounts are shown: the site wants it, and the gateway lists them. */
export function isAccessOffered(
  namespace: Namespace,
  { access }: Pick<Features, 'access'>,
  { approvals }: ServedFeatures,
): boolean {
  return access && approvals !== false && (namespace === 'eip155' || namespace === 'solana')
}
