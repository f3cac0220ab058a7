// @vitest-environment jsdom
import '../testing/browser.ts'
import { render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'
import { List } from './List.tsx'
import { ListItem } from './ListItem.tsx'

describe('a row', () => {
  it('is a button when it can be chosen', async () => {
    const user = userEvent.setup()
    const onSelect = vi.fn()
    render(
      <List label="Wallets">
        <ListItem title="Dev wallet" onSelect={onSelect} />
      </List>,
    )
    expect(screen.getByRole('list', { name: 'Wallets' })).toBeDefined()
    await user.click(screen.getByRole('button', { name: 'Dev wallet' }))
    expect(onSelect).toHaveBeenCalledOnce()
  })

  it('is a link that opens in a new tab without opener or referrer when it has an address', () => {
    render(<ListItem title="Block explorer" href="https://etherscan.io" />)
    const link = screen.getByRole('link', { name: 'Block explorer' })
    expect(link.getAttribute('target')).toBe('_blank')
    expect(link.getAttribute('rel')).toContain('noreferrer')
  })

  it('is neither when there is nothing to do', () => {
    render(<ListItem title="Dev wallet" />)
    expect(screen.queryByRole('button')).toBeNull()
    expect(screen.queryByRole('link')).toBeNull()
  })

  it('is not chosen while it is busy', async () => {
    const user = userEvent.setup()
    const onSelect = vi.fn()
    render(<ListItem title="Disconnect" busy onSelect={onSelect} />)
    await user.click(screen.getByRole('button'))
    expect(onSelect).not.toHaveBeenCalled()
  })

  it('keeps a long title whole in its tooltip', () => {
    const name = 'A token whose name was written by somebody with a lot of time'
    render(<ListItem title={name} />)
    expect(screen.getByTitle(name).textContent).toBe(name)
  })

  it('says which one is current', () => {
    render(<ListItem title="Devnet" current onSelect={() => {}} />)
    expect(screen.getByRole('button').getAttribute('aria-current')).toBe('true')
  })
})
