import './approval.css'

interface Request {
  readonly title: string
  /** Text of the button that approves. */
  readonly action: string
  /** Names and values. */
  readonly rows: readonly (readonly [string, string])[]
  /** The message to sign. */
  readonly text?: string
}

/**
 * Shows what the visitor is asked to approve.
 *
 * @throws the error of an extension whose visitor declines.
 */
export async function approve({ title, action, rows, text }: Request): Promise<void> {
  const dialog = document.createElement('dialog')
  dialog.className = 'dev-approval'
  dialog.dataset.testid = 'dev-approval'
  dialog.setAttribute('aria-label', `Dev wallet: ${title}`)
  const list = element('dl', '')
  for (const [name, value] of rows) list.append(element('dt', name), element('dd', value))
  const decline = button('Decline', 'dev-approval-decline', () => dialog.close('declined'))
  const confirm = button(action, 'dev-approval-confirm', () => dialog.close('approved'))
  const actions = document.createElement('div')
  actions.append(decline, confirm)
  dialog.append(element('small', 'Dev wallet'), element('h2', title), list)
  if (text !== undefined) dialog.append(element('pre', text))
  dialog.append(actions)
  document.body.append(dialog)
  dialog.showModal()
  const closed = new Promise((resolve) => dialog.addEventListener('close', resolve, { once: true }))
  await closed
  dialog.remove()
  if (dialog.returnValue !== 'approved') throw new Error('Cancelled')
}

function element(tag: 'dl' | 'dt' | 'dd' | 'small' | 'h2' | 'pre', text: string): HTMLElement {
  const created = document.createElement(tag)
  created.textContent = text
  return created
}

function button(text: string, testId: string, onClick: () => void): HTMLButtonElement {
  const created = document.createElement('button')
  created.type = 'button'
  created.textContent = text
  created.dataset.testid = testId
  created.addEventListener('click', onClick)
  return created
}
