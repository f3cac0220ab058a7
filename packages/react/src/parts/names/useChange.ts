import {
  type ChangeReadiness,
  changeName,
  changeReadiness,
  goBack,
  isChanging,
  type NameChange,
  type NameDraft,
  showToast,
  targetDoubt,
  thrownMessage,
} from '@hawser/core'
import { type FormEvent, useEffect } from 'react'
import { useHawser } from '../../hooks/useHawser.ts'
import { useHawserState } from '../../hooks/useHawserState.ts'
import { type OwnName, useOwnName } from './useOwnName.ts'

export interface OpenChange<Kind extends NameDraft['kind']> extends OwnName {
  change: NameChange
  draft: Extract<NameDraft, { kind: Kind }>
  readiness: ChangeReadiness
  /** True while it is signed and saved, when nothing may be typed. */
  isBusy: boolean
  submit: (event: FormEvent) => void
}

/** Returns the change of a form. Leaves the form when there is none. */
export function useChange<Kind extends NameDraft['kind']>(kind: Kind): OpenChange<Kind> | undefined {
  const hawser = useHawser()
  const own = useOwnName()
  const change = useHawserState(hawser.ownNames, (state) => state.change)
  const isOpen = change?.draft.kind === kind
  useEffect(() => {
    const { view } = hawser.router.getState()
    if (!isOpen && view.startsWith('Name') && view !== 'Names' && view !== 'NameDetail') goBack(hawser)
  }, [hawser, isOpen])
  if (!own || !change || !isOpen) return undefined
  const readiness = changeReadiness(change, own.record, own.address, targetDoubt(hawser, change.draft))
  const isBusy = isChanging(change)

  /** A form that was ready may have become unready: the wallet may have been disconnected. */
  function submit(event: FormEvent) {
    event.preventDefault()
    if (readiness !== 'ready' || isBusy) return
    changeName(hawser).catch(() =>
      showToast(hawser, { ...thrownMessage('nameChangeFailed'), variant: 'error' }),
    )
  }
  return { ...own, change, draft: change.draft as OpenChange<Kind>['draft'], readiness, isBusy, submit }
}
