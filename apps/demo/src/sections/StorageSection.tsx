import { Button } from '@hawser/ui'
import { Panel } from '../page/Panel.tsx'

/** Clears the storage of the page. */
export function StorageSection() {
  function reset() {
    localStorage.clear()
    sessionStorage.clear()
    location.reload()
  }
  return (
    <Panel title="Storage" hint="The session, recent wallets and cached balances live in this browser only.">
      <div className="row">
        <Button variant="danger" size="small" data-testid="reset-storage-button" onClick={reset}>
          Reset and reload
        </Button>
      </div>
    </Panel>
  )
}
