// @vitest-environment jsdom
import '../testing/browser.ts'
import { render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { Tooltip } from './Tooltip.tsx'

it('describes its control, shows on focus and hides on Escape', async () => {
  const user = userEvent.setup()
  render(
    <Tooltip text="Price impact reflects the change in market price">
      <button type="button">Price impact</button>
    </Tooltip>,
  )
  const control = screen.getByRole('button', { description: /market price/ })
  const tooltip = screen.getByText(/market price/)
  expect(tooltip.dataset.state).toBe('closed')
  await user.tab()
  expect(document.activeElement).toBe(control)
  expect(tooltip.dataset.state).toBe('open')
  await user.keyboard('{Escape}')
  expect(tooltip.dataset.state).toBe('closed')
})
