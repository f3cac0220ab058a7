// @vitest-environment jsdom
import '../testing/browser.ts'
import { render } from '@testing-library/react'
import { expect, it } from 'vitest'
import { Amount } from './Amount.tsx'

it('a short amount keeps the exact one in its title', () => {
  const { container } = render(<Amount value="1.000000000000000001" symbol="ETH" />)
  const amount = container.querySelector('.hw-amount')
  expect(amount?.textContent).toBe('1 ETH')
  expect(amount?.getAttribute('title')).toBe('1.000000000000000001 ETH')
})

it('an exact amount shows every digit', () => {
  const { container } = render(<Amount value="1.000000000000000001" precision="exact" />)
  expect(container.textContent).toBe('1.000000000000000001')
})
