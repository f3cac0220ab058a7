import { closeAlert } from '@hawser/core'
import { AlertIcon, CloseIcon, IconButton } from '@hawser/ui'
import { useHawser } from '../hooks/useHawser.ts'
import { useHawserState } from '../hooks/useHawserState.ts'
import { en } from '../locale/en.ts'

/** Shows configuration errors to the developer of the site, with the option `debug`. */
export function AlertBar() {
  const hawser = useHawser()
  const debug = useHawserState(hawser.options, (options) => options.debug)
  const alert = useHawserState(hawser.alert, (state) => state)
  if (!debug || !alert.open) return null
  return (
    <div className="hw-alert" data-variant={alert.variant} role="alert">
      <AlertIcon />
      <p data-testid="wui-alertbar-text">{alert.message}</p>
      <IconButton label={en.close} onClick={() => closeAlert(hawser)}>
        <CloseIcon size={18} />
      </IconButton>
    </div>
  )
}
