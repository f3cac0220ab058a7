import type { Appearance, Approvals, PreviewOptions, Sheet } from '@hawser/frame/wallet'
import { render } from 'preact'
import type { VaultHost } from '../vaultHost.ts'
import { ApprovalSheet } from './ApprovalSheet.tsx'
import { GrantSheet } from './GrantSheet.tsx'
import { SecureSheet, UnlockSheet } from './SecretSheets.tsx'

export interface SheetContext {
  readonly approvals: Approvals
  readonly host: VaultHost
  /** How the frame calls its own origin. */
  readonly calls: PreviewOptions
}

/** Draws the sheets of a frame; the returned function draws them anew. */
export function mountSheets(context: SheetContext): (appearance: Appearance) => void {
  const root = document.getElementById('root')
  if (!root) throw new Error('page has no root')
  return (appearance) => {
    const sheet = context.approvals.current()
    render(sheet ? viewOf(sheet, context, appearance) : null, root)
  }
}

function viewOf(sheet: Sheet, { host, calls }: SheetContext, { siteName }: Appearance) {
  switch (sheet.kind) {
    case 'approval':
      return <ApprovalSheet key={keyOf(sheet)} sheet={sheet} siteName={siteName} calls={calls} />
    case 'grant':
      return <GrantSheet key={keyOf(sheet)} sheet={sheet} siteName={siteName} calls={calls} />
    case 'unlock':
      return <UnlockSheet key={keyOf(sheet)} sheet={sheet} />
    case 'secure':
      return <SecureSheet key={keyOf(sheet)} sheet={sheet} vault={host.vault} />
  }
}

const keys = new WeakMap<Sheet, number>()
let lastKey = 0

/** Each sheet has a component of its own, so that one does not inherit the guard of the one before. */
function keyOf(sheet: Sheet): number {
  const key = keys.get(sheet) ?? ++lastKey
  keys.set(sheet, key)
  return key
}
