import { expect, it } from 'vitest'
import { createApprovals } from './approvals.ts'
import type { ApprovalView } from './approvalView.ts'

const view = { site: 'https://shop.test' } as ApprovalView

it('counts the requests that came together, until none waits', async () => {
  const approvals = createApprovals()
  const answer = () => {
    const sheet = approvals.current()
    if (sheet?.kind === 'approval') sheet.approve()
  }
  expect(approvals.place()).toEqual({ at: 1, of: 0 })
  const first = approvals.approve(view)
  const others = [approvals.approve(view), approvals.approve(view)]
  expect(approvals.place()).toEqual({ at: 1, of: 3 })
  answer()
  await first
  expect(approvals.place()).toEqual({ at: 2, of: 3 })
  answer()
  answer()
  await Promise.all(others)
  void approvals.approve(view)
  expect(approvals.place()).toEqual({ at: 1, of: 1 })
})
