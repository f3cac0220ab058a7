import { mostRevoked, openRevocation, selectedApprovals } from '@hawser/core'
import { Button } from '@hawser/ui'
import { useHawser } from '../../hooks/useHawser.ts'
import { useHawserState } from '../../hooks/useHawserState.ts'
import { useAccessTexts } from '../../locale/useAccessTexts.ts'

/** The button that revokes the selected approvals, in sight however long the list is. */
export function RevokeSelected() {
  const texts = useAccessTexts()
  const hawser = useHawser()
  const { approvals, selected } = useHawserState(hawser.access, (state) => state)
  const most = useHawserState(hawser.chain, ({ activeChain }) => mostRevoked(activeChain))
  const chosen = selectedApprovals(approvals, selected).slice(0, most)
  if (chosen.length === 0) return null
  return (
    <div className="hw-sticky-end">
      <Button
        wide
        variant="danger"
        data-testid="access-revoke-button"
        onClick={() => void openRevocation(hawser, chosen)}
      >
        {texts.revokeSelected(chosen.length)}
      </Button>
    </div>
  )
}
