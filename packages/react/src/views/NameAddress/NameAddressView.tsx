import { nameAddresses, setNameTarget } from '@hawser/core'
import { AssetIcon, Button, CopyButton } from '@hawser/ui'
import { useHawser } from '../../hooks/useHawser.ts'
import { useHawserState } from '../../hooks/useHawserState.ts'
import { useOwnNamesTexts } from '../../locale/useOwnNamesTexts.ts'
import { NetworkMark } from '../../parts/NetworkMark.tsx'
import { ChangeFoot } from '../../parts/names/ChangeFoot.tsx'
import { networkLabel } from '../../parts/names/networkLabel.ts'
import { TargetField } from '../../parts/names/TargetField.tsx'
import { useChange } from '../../parts/names/useChange.ts'

/** The form that sets the address of a name on one network. */
export function NameAddressView() {
  const texts = useOwnNamesTexts()
  const hawser = useHawser()
  const networks = useHawserState(hawser.ownNames, (state) => state.networks)
  const open = useChange('address')
  if (!open) return null
  const { record, address: own, change, draft, readiness, isBusy, submit } = open
  const place = nameAddresses(record, networks).find(({ coinType }) => coinType === draft.coinType)
  if (!place) return null
  const name = networkLabel(place, texts)
  const isOwn = [place.address, draft.target.address].some((known) => isSame(known, own))
  return (
    <form className="hw-stack" onSubmit={submit} noValidate>
      <div className="hw-place-head">
        {place.network ? (
          <NetworkMark network={place.network} size={48} />
        ) : (
          <AssetIcon name={name} size={48} />
        )}
        <p className="hw-place-name">{name}</p>
        <p className="hw-lead">{texts.address.text(record.name, name)}</p>
      </div>
      {place.address && (
        <dl className="hw-records">
          <div className="hw-record">
            <dt>{texts.address.now}</dt>
            <dd>
              <span className="hw-mono" dir="ltr">
                {place.address}
              </span>
              <CopyButton text={place.address} label={texts.copyAddressOn(name)} />
            </dd>
          </div>
        </dl>
      )}
      <TargetField
        label={texts.address.target}
        draft={draft}
        isBusy={isBusy}
        objection={readiness === 'unchanged' ? texts.address.same : undefined}
      />
      {!isOwn && !isBusy && (
        <Button
          size="small"
          wide
          data-testid="name-own-address"
          onClick={() => void setNameTarget(hawser, own)}
        >
          {texts.address.useOwn}
        </Button>
      )}
      <ChangeFoot change={change} readiness={readiness} label={texts.address.save} />
    </form>
  )
}

function isSame(address: string | undefined, other: string): boolean {
  return address?.toLowerCase() === other.toLowerCase()
}
