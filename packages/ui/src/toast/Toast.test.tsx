// @vitest-environment jsdom
import '../testing/browser.ts'
import { render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { Toast } from './Toast.tsx'

it('its live regions are there before the first toast, or it would not be announced', () => {
  render(<Toast open={false} variant="success" message="" />)
  expect(screen.getByRole('status').textContent).toBe('')
  expect(screen.getByRole('alert').textContent).toBe('')
})

it.each([
  ['loading', 'status'],
  ['success', 'status'],
  ['error', 'alert'],
] as const)('%s is announced as %s', (variant, role) => {
  render(<Toast open variant={variant} message="Address copied" />)
  expect(screen.getByRole(role).textContent).toBe('Address copied')
})
