import { connect, type HawserOptions } from '@hawser/core'
import { createFakeEmbeddedWallet, createKit, whenUserIsRead } from '@hawser/core/testing'
import { act } from '@testing-library/react'
import { renderPage } from './openKit.tsx'

/** Opens a page whose user is logged in by email. */
export async function openEmbedded(options: Partial<HawserOptions> = {}, { endsWithTab = false } = {}) {
  const frame = createFakeEmbeddedWallet()
  frame.frameAnswers.endsWithTab = () => endsWithTab
  frame.emailAction = 'CONNECT'
  const page = renderPage(createKit(options, frame))
  const wallet = await frame.connector.getEmbeddedWallet?.()
  await act(async () => {
    await wallet?.connectEmail('ada@example.com')
    await connect(page.hawser, { connector: frame.connector })
    await whenUserIsRead(page.hawser)
  })
  return { ...page, frame }
}
