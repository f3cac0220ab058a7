import { type Namespace, selectRequestedNetworks } from '@hawser/core'
import { useHawser } from '../../hooks/useHawser.ts'
import { useHawserState } from '../../hooks/useHawserState.ts'
import { NetworkMark } from '../NetworkMark.tsx'

/** The mark of a namespace: that of the first network that the site lists there. */
export function NamespaceMark({ namespace }: { namespace: Namespace }) {
  const hawser = useHawser()
  const [network] = useHawserState(hawser.chain, (state) => selectRequestedNetworks(state, namespace))
  return network ? <NetworkMark network={network} /> : null
}
