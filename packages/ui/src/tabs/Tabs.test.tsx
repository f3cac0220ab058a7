// @vitest-environment jsdom
import '../testing/browser.ts'
import { render, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { type ReactNode, useState } from 'react'
import { describe, expect, it, vi } from 'vitest'
import { Tabs } from './Tabs.tsx'

const tabs = ['Tokens', 'NFTs', 'Activity'].map((label) => ({
  id: label.toLowerCase(),
  label,
  panel: () => <p>{label} panel</p>,
}))

function Page() {
  const [selected, setSelected] = useState('tokens')
  return <Tabs label="Assets" tabs={tabs} selected={selected} onSelect={setSelected} />
}

const chosen = () => screen.getByRole('tab', { selected: true }).textContent

describe('tabs', () => {
  it('are a tab list whose panel is named by the chosen tab', () => {
    render(<Page />)
    expect(screen.getByRole('tablist', { name: 'Assets' })).toBeDefined()
    expect(screen.getByRole('tabpanel', { name: 'Tokens' }).textContent).toBe('Tokens panel')
  })

  it('are one stop of the Tab key, the panel is the next', async () => {
    const user = userEvent.setup()
    render(<Page />)
    await user.tab()
    expect(document.activeElement).toBe(screen.getByRole('tab', { name: 'Tokens' }))
    await user.tab()
    expect(document.activeElement).toBe(screen.getByRole('tabpanel'))
  })

  it('have a panel that is no stop when its first content is one', async () => {
    const user = userEvent.setup()
    const panel = () => <button type="button">Row</button>
    render(
      <Tabs
        label="Assets"
        tabs={[{ id: 'tokens', label: 'Tokens', panel }]}
        selected="tokens"
        onSelect={vi.fn()}
      />,
    )
    await user.tab()
    await user.tab()
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Row' }))
  })

  it('have a panel that is a stop until the row that it starts with is loaded', async () => {
    const user = userEvent.setup()
    const page = (content: ReactNode) => (
      <Tabs
        label="Assets"
        tabs={[{ id: 'tokens', label: 'Tokens', panel: () => content }]}
        selected="tokens"
        onSelect={vi.fn()}
      />
    )
    const { rerender } = render(page(<p>Loading</p>))
    await user.tab()
    await user.tab()
    const panel = screen.getByRole('tabpanel')
    expect(document.activeElement).toBe(panel)
    rerender(page(<button type="button">Row</button>))
    await waitFor(() => expect(panel.tabIndex).toBe(-1))
    expect(document.activeElement).toBe(panel)
    await user.tab()
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Row' }))
  })

  it('have a panel that is a stop when it starts with a text', async () => {
    const user = userEvent.setup()
    const panel = () => (
      <>
        <h3>Today</h3>
        <button type="button">Row</button>
      </>
    )
    render(
      <Tabs
        label="Assets"
        tabs={[{ id: 'tokens', label: 'Tokens', panel }]}
        selected="tokens"
        onSelect={vi.fn()}
      />,
    )
    await user.tab()
    await user.tab()
    expect(document.activeElement).toBe(screen.getByRole('tabpanel'))
  })

  it.each([
    ['{ArrowRight}', 'NFTs'],
    ['{ArrowLeft}', 'Activity'],
    ['{End}', 'Activity'],
    ['{End}{Home}', 'Tokens'],
    ['{ArrowRight}{ArrowRight}{ArrowRight}', 'Tokens'],
    ['{ArrowDown}', 'Tokens'],
  ])('%s goes to %s', async (keys, label) => {
    const user = userEvent.setup()
    render(<Page />)
    await user.tab()
    await user.keyboard(keys)
    expect(chosen()).toBe(label)
    expect(document.activeElement?.textContent).toBe(label)
  })

  it('follow the reading direction', async () => {
    const user = userEvent.setup()
    // jsdom computes no inherited direction.
    vi.spyOn(window, 'getComputedStyle').mockReturnValue({ direction: 'rtl' } as CSSStyleDeclaration)
    render(<Page />)
    await user.tab()
    await user.keyboard('{ArrowLeft}')
    vi.restoreAllMocks()
    expect(chosen()).toBe('NFTs')
  })
})
