import { type Connector, isReachable, pushView } from '@hawser/core'
import { useHawser } from '../../hooks/useHawser.ts'
import { useHawserState } from '../../hooks/useHawserState.ts'
import { usePairingTexts } from '../../locale/usePairingTexts.ts'
import { relaysOf } from './usePairingConnector.ts'

/** At most this many wallets are named. */
const MOST_NAMES = 2

/** Says which wallets can scan a code, and what to do with the others. */
export function PairingReach({ connector }: { connector: Connector }) {
  const texts = usePairingTexts()
  const hawser = useHawser()
  const relays = relaysOf(connector)
  const recommended = useHawserState(hawser.directory, (state) => state.recommended)
  const isOwnOnly = !relays.includes('public')
  const reached = recommended.filter((wallet) => isReachable(wallet, relays))
  const names = reached.slice(0, MOST_NAMES).map(({ name }) => name)
  return (
    <div className="hw-pairing-reach" data-testid="pairing-reach">
      <p className="hw-note">
        {names.length > 0 ? texts.reach.named(names.join(', ')) : texts.reach[isOwnOnly ? 'own' : 'public']}
      </p>
      {isOwnOnly && (
        <button type="button" className="hw-link" onClick={() => pushView(hawser, 'ConnectOnPhone')}>
          {texts.usePhone}
        </button>
      )}
    </div>
  )
}
