import { CopyButton } from '@hawser/ui'
import { useContactName } from './contacts/useContactName.ts'

export interface WholeAddressProps {
  /** Plain address. */
  address: string
  copyLabel: string
  /** Whether an attacker may want it to be copied. */
  isTrap?: boolean
}

/** A whole address, with its name if it is a contact: shortened ones can be forged to look alike. */
export function WholeAddress({ address, copyLabel, isTrap = false }: WholeAddressProps) {
  const contact = useContactName(isTrap ? undefined : address)
  const whole = <bdi className="hw-mono">{address}</bdi>
  if (isTrap) return <span className="hw-activity-address hw-activity-trap">{whole}</span>
  return (
    <>
      {contact && <bdi>{contact}</bdi>}
      <CopyButton text={address} label={copyLabel} className="hw-activity-address">
        {whole}
      </CopyButton>
    </>
  )
}
