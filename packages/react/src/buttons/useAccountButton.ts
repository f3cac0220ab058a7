import { type ComponentType, useEffect, useState } from 'react'
import type { AccountButtonProps } from './AccountButton.tsx'

/** The account button, fetched once somebody is about to be connected: other visitors do not pay for it. */
export function useAccountButton(wanted: boolean): ComponentType<AccountButtonProps> | undefined {
  const [AccountButton, setAccountButton] = useState<ComponentType<AccountButtonProps>>()

  useEffect(() => {
    if (!wanted || AccountButton) return
    let current = true
    import('./AccountButton.tsx').then(
      (module) => current && setAccountButton(() => module.AccountButton),
      (error: unknown) => console.error('The account button could not be loaded', error),
    )
    return () => {
      current = false
    }
  }, [wanted, AccountButton])

  return AccountButton
}
