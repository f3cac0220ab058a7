// @vitest-environment jsdom
import '../testing/browser.ts'
import { render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { useState } from 'react'
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
