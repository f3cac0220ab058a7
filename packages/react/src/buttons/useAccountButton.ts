import { importModule } from '@hawser/core'
import { type ComponentType, useContext, useEffect, useState } from 'react'
import { HawserContext } from '../provider/context.ts'
import type { AccountButtonProps } from './accountButtonProps.ts'

export interface LoadedAccountButton {
  AccountButton: ComponentType<AccountButtonProps> | undefined
  /** Its chunk could not be loaded; loading is retried when the browser is back online. */
  isMissing: boolean
  /** Loads its chunk again. */
  retry: () => void
}

/** Loads the account button once a connection begins, so that it is no part of the first load; see `HawserProviderProps`. */
export function useAccountButton(wanted: boolean): LoadedAccountButton {
  const given = useContext(HawserContext)?.accountButton
  const [loaded, setAccountButton] = useState<ComponentType<AccountButtonProps>>()
  const AccountButton = given ?? loaded
  const [isMissing, setMissing] = useState(false)
  const retry = () => setMissing(false)

  useEffect(() => {
    if (!wanted || AccountButton || isMissing) return
    let current = true
    importModule(() => import('./AccountButton.tsx'), 'AccountButton').then(
      (module) => current && setAccountButton(() => module.AccountButton),
      (error: unknown) => {
        console.error('The account button could not be loaded', error)
        if (current) setMissing(true)
      },
    )
    return () => {
      current = false
    }
  }, [wanted, AccountButton, isMissing])

  useEffect(() => {
    if (!isMissing) return
    const onOnline = () => setMissing(false)
    window.addEventListener('online', onOnline)
    return () => window.removeEventListener('online', onOnline)
  }, [isMissing])

  return { AccountButton, isMissing, retry }
}
