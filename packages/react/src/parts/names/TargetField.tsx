import { type NameTarget, retryNameTarget, setNameTarget, targetNetwork } from '@hawser/core'
import { useHawser } from '../../hooks/useHawser.ts'
import { ReceiverField } from '../ReceiverField.tsx'

export interface TargetFieldProps {
  label: string
  target: NameTarget
  isBusy: boolean
  /** Why a valid address cannot be used here. */
  objection?: string | undefined
}

/** The account that a change of a name is about. */
export function TargetField({ label, target, isBusy, objection }: TargetFieldProps) {
  const hawser = useHawser()
  return (
    <ReceiverField
      {...target}
      label={label}
      networkName={targetNetwork(hawser)?.name ?? ''}
      isReadOnly={isBusy}
      objection={objection}
      testId="name-target"
      onType={(text) => void setNameTarget(hawser, text)}
      onRetry={() => void retryNameTarget(hawser)}
    />
  )
}
