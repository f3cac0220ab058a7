// @vitest-environment jsdom
import '../testing/browser.ts'
import { render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { useState } from 'react'
import { expect, it, vi } from 'vitest'
import { Checkbox } from './Checkbox.tsx'
import { CodeField } from './CodeField.tsx'
import { Switch } from './Switch.tsx'
import { TextField } from './TextField.tsx'

it('a field is named by its label, also when the label is hidden', () => {
  render(<TextField label="Search network" />)
  expect(screen.getByRole('textbox', { name: 'Search network' })).toBeDefined()
})

it('an error belongs to its field', () => {
  render(<TextField label="Amount" error="Too much" />)
  const field = screen.getByRole('textbox', { description: 'Too much' })
  expect(field.getAttribute('aria-invalid')).toBe('true')
})

it('a field that has no error of its own is invalid where its view says so', () => {
  render(<TextField label="Amount" aria-invalid />)
  expect(screen.getByRole('textbox').getAttribute('aria-invalid')).toBe('true')
})

it('a switch is turned by click and by key', async () => {
  const user = userEvent.setup()
  const onChange = vi.fn()
  render(<Switch label="Send" checked={false} onChange={onChange} />)
  await user.click(screen.getByRole('switch', { name: 'Send', checked: false }))
  await user.keyboard(' ')
  expect(onChange.mock.calls).toEqual([[true], [true]])
})

it('a checkbox is ticked by its sentence', async () => {
  const user = userEvent.setup()
  const onChange = vi.fn()
  render(
    <Checkbox checked={false} onChange={onChange}>
      I agree
    </Checkbox>,
  )
  await user.click(screen.getByText('I agree'))
  expect(onChange).toHaveBeenCalledWith(true)
})

it('a code takes digits alone, typed or pasted, and no more than it has boxes', async () => {
  const user = userEvent.setup()
  render(<CodePage />)
  const field = screen.getByRole<HTMLInputElement>('textbox', { name: 'Code' })
  await user.type(field, '1a2')
  expect(field.value).toBe('12')
  await user.keyboard('{Backspace}')
  expect(field.value).toBe('1')
  await user.clear(field)
  await user.paste('123 456 789')
  expect(field.value).toBe('123456')
  expect(document.querySelector('.hw-code-boxes')?.textContent).toBe('123456')
})

function CodePage() {
  const [value, setValue] = useState('')
  return <CodeField label="Code" length={6} value={value} onChange={setValue} />
}
