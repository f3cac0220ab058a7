import { useHawser } from '../hooks/useHawser.ts'
import { useHawserState } from '../hooks/useHawserState.ts'
import { useTexts } from '../locale/useTexts.ts'

/** Why nothing could be read: the gateway refuses the site, or does not answer. */
export function OutageText() {
  const { account } = useTexts()
  const isRefused = useHawserState(useHawser().served, (served) => served.isRefused)
  return isRefused ? account.notServedTitle : account.errorText
}
