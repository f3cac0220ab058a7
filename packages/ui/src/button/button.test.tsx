// @vitest-environment jsdom
import '../testing/browser.ts'
import { render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'
import { Button } from './Button.tsx'
import { CopyButton } from './CopyButton.tsx'

describe('a loading button', () => {
  it('refuses presses and keeps the focus', async () => {
    const user = userEvent.setup()
    const onClick = vi.fn()
    render(
      <Button loading onClick={onClick}>
        Send
      </Button>,
    )
    const button = screen.getByRole('button', { name: 'Send' })
    await user.click(button)
    expect(onClick).not.toHaveBeenCalled()
    expect(document.activeElement).toBe(button)
    expect(button.getAttribute('aria-busy')).toBe('true')
  })
})

describe('a copy button', () => {
  it('copies the text and confirms in place', async () => {
    const user = userEvent.setup()
    const onCopy = vi.fn()
    render(<CopyButton text="0xabc" label="Copy address" onCopy={onCopy} />)
    const button = screen.getByRole('button', { name: 'Copy address' })
    await user.click(button)
    expect(await navigator.clipboard.readText()).toBe('0xabc')
    expect(onCopy).toHaveBeenCalledWith('copied')
    expect(button.dataset.state).toBe('copied')
  })

  it('says so when the browser does not allow it', async () => {
    const user = userEvent.setup()
    vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new DOMException('', 'NotAllowedError'))
    const onCopy = vi.fn()
    render(<CopyButton text="0xabc" label="Copy address" onCopy={onCopy} />)
    await user.click(screen.getByRole('button'))
    expect(onCopy).toHaveBeenCalledWith('failed')
    expect(screen.getByRole('button').dataset.state).toBe('idle')
  })
})
