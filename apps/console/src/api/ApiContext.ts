import { createContext, useContext } from 'react'
import type { GetMeResponse } from '../gen/hawser/admin/v1/operators_pb.ts'
import type { Role } from '../gen/hawser/options/v1/options_pb.ts'
import type { Api } from './api.ts'
import { may } from './roles.ts'

/** What every screen of a signed-in operator uses. */
export interface Console {
  readonly api: Api
  readonly me: GetMeResponse
  /** Says something in a toast. */
  readonly tell: (message: string, variant?: 'success' | 'error') => void
  readonly signOut: () => Promise<void>
}

export const ConsoleContext = createContext<Console | undefined>(undefined)

/** Returns the console of the operator who is signed in. */
export function useConsole(): Console {
  const found = useContext(ConsoleContext)
  if (!found) throw new Error('There is no console around this component')
  return found
}

/** Reports whether the operator has a role, or one above it. */
export function useMay(role: Role): boolean {
  return may(useConsole().me.operator?.role, role)
}
