import { renderToString } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { Amount, AssetIcon, Avatar, Button, Dialog, Qr, ThemeScope, Toast } from './exports/index.ts'

describe('on a server', () => {
  it('primitives render without a window', () => {
    expect('window' in globalThis).toBe(false)
    const html = renderToString(
      <ThemeScope mode="dark">
        <Button>Connect wallet</Button>
        <Avatar seed="0xabc" />
        <AssetIcon name="Ether" />
        <Amount value="1.5" symbol="ETH" />
        <Qr text="0xabc" label="QR code" />
        <Toast open={false} variant="success" message="" />
      </ThemeScope>,
    )
    expect(html).toContain('Connect wallet')
    expect(html).toContain('data-hw-theme="dark"')
  })

  it('a closed dialog renders nothing', () => {
    const html = renderToString(
      <Dialog open={false} labelledBy="title" onRequestClose={() => {}}>
        inside
      </Dialog>,
    )
    expect(html).toBe('')
  })
})
