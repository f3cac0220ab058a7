import { chosenName, goBackToIndex, type NameRecord, replaceView, watchOwnNames } from '@hawser/core'
import { useEffect } from 'react'
import { useAccount } from '../../hooks/useAccount.ts'
import { useHawser } from '../../hooks/useHawser.ts'
import { useHawserState } from '../../hooks/useHawserState.ts'

export interface OwnName {
  record: NameRecord
  /** The account that owns it. */
  address: string
}

/** Returns the selected name, kept up to date. Leaves its views when the account no longer owns it. */
export function useOwnName(): OwnName | undefined {
  const hawser = useHawser()
  const { address } = useAccount()
  const record = useHawserState(hawser.ownNames, chosenName)
  const isGone = useHawserState(hawser.ownNames, (state) => state.status === 'read' && !chosenName(state))
  useEffect(() => watchOwnNames(hawser), [hawser])
  useEffect(() => {
    const { view, history } = hawser.router.getState()
    if (!isGone || !view.startsWith('Name') || view === 'Names') return
    const list = history.lastIndexOf('Names')
    if (list >= 0) goBackToIndex(hawser, list)
    else replaceView(hawser, 'Names')
  }, [hawser, isGone])
  return record && address ? { record, address } : undefined
}
