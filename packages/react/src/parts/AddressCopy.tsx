import { shortenAddress, showToast, toastMessage } from '@hawser/core'
import { CopyButton } from '@hawser/ui'
import { useHawser } from '../hooks/useHawser.ts'
import { useTexts } from '../locale/useTexts.ts'

export interface AddressCopyProps {
  address: string
  /** Shown in place of the shortened address. */
  name?: string | undefined
  'data-testid'?: string
}

/** A name or a shortened address that copies the whole address. */
export function AddressCopy({ address, name, ...rest }: AddressCopyProps) {
  const texts = useTexts()
  const hawser = useHawser()
  function onCopy(result: 'copied' | 'failed') {
    if (result === 'copied') showToast(hawser, { ...toastMessage('addressCopied'), variant: 'success' })
    else showToast(hawser, { ...toastMessage('copyFailed'), variant: 'error' })
  }
  return (
    <CopyButton {...rest} text={address} label={texts.copyAddress} onCopy={onCopy}>
      <bdi className="hw-address-text">{name ?? shortenAddress(address)}</bdi>
    </CopyButton>
  )
}
