import { CopyButton } from '@hawser/ui'

export interface WholeAddressProps {
  /** Plain address. */
  address: string
  copyLabel: string
  /** Whether an attacker may want it to be copied. */
  isTrap?: boolean
}

/** A whole address: shortened ones can be forged to look alike. */
export function WholeAddress({ address, copyLabel, isTrap = false }: WholeAddressProps) {
  const whole = <bdi className="hw-mono">{address}</bdi>
  if (isTrap) return <span className="hw-activity-address hw-activity-trap">{whole}</span>
  return (
    <CopyButton text={address} label={copyLabel} className="hw-activity-address">
      {whole}
    </CopyButton>
  )
}
