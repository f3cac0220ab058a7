import { openRegisterName } from '@hawser/core'
import { useAccount, useHawser } from '@hawser/react'
import { Button } from '@hawser/ui'
import { Panel } from '../page/Panel.tsx'

/** Opens the account's names and the registration of one. */
export function NamesSection() {
  const hawser = useHawser()
  const { isConnected } = useAccount()
  return (
    <Panel title="Names" hint="Register a name with one signature. It costs nothing.">
      <div className="row">
        <Button
          variant="primary"
          size="small"
          disabled={!isConnected}
          data-testid="open-register-name-button"
          onClick={() => openRegisterName(hawser)}
        >
          Register a name
        </Button>
      </div>
    </Panel>
  )
}
