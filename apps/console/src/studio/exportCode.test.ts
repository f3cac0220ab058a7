import { describe, expect, it } from 'vitest'
import { type Design, initialDesign, readDesign } from './design.ts'
import { cssCode, reactCode, type Site, scriptCode } from './exportCode.ts'

const site: Site = {
  projectId: '00000000000000000000000000000001',
  gatewayUrl: 'https://wallet.example.com',
  frameOrigin: 'https://wallet.example.net',
  chains: ['eip155:8453', 'eip155:1'],
}

const design = (change: Partial<Design>): Design => ({ ...initialDesign, ...change })

describe('the code for React', () => {
  it('names only what differs from the modal without options', () => {
    const code = reactCode(design({ mode: 'dark', locale: 'en' }), site)
    expect(code).toContain("baseUrl: 'https://wallet.example.com',")
    expect(code).toContain('networks: [base, ethereum],')
    expect(code).toContain('...darkTheme(),')
    expect(code).toContain(
      "connectors: [injected(), walletConnect(), embeddedWallet({ frameOrigin: 'https://wallet.example.net' })],",
    )
    expect(code).not.toContain('features')
    expect(code).not.toContain('locale')
  })

  it('follows the system with both palettes', () => {
    const code = reactCode(design({ dark: { accent: '#6fdcaa' }, light: { accent: '#0c7350' } }), site)
    expect(code).toContain("? lightTheme({ accent: '#0c7350', onAccent: '#ffffff' })")
    expect(code).toContain(": darkTheme({ accent: '#6fdcaa', onAccent: '#0b1118' })")
  })

  it('imports every name that it uses, once', () => {
    const code = reactCode(design({ wallets: ['solanaWallets', 'injected'] }), site)
    const imported = [...code.matchAll(/import \{ ([^}]*) \}/g)].flatMap(([, names = '']) =>
      names.split(', '),
    )
    expect(new Set(imported).size).toBe(imported.length)
    for (const name of imported) expect(code.split(new RegExp(`\\b${name}\\b`)).length).toBeGreaterThan(2)
  })

  it('turns off what is turned off', () => {
    const code = reactCode(
      design({ toggles: { ...initialDesign.toggles, swaps: false, smartSessions: true }, socials: [] }),
      site,
    )
    expect(code).toContain('swaps: false,')
    expect(code).toContain('smartSessions: true,')
    expect(code).toContain('socials: false,')
  })

  it('lists networks that the packages know where the gateway serves none of them', () => {
    expect(reactCode(initialDesign, { ...site, chains: ['eip155:987654321'] })).toContain(
      'networks: [ethereum, base],',
    )
  })

  it('has a connector when all were removed', () => {
    expect(reactCode(design({ wallets: [] }), site)).toContain('connectors: [injected()],')
  })
})

describe('the code for a script tag', () => {
  it('cannot be ended from within a text', () => {
    const code = scriptCode(design({ fontFamily: "</script><script>alert('x')</script>" }), site)
    expect(code.match(/<\/script>/g)).toHaveLength(1)
    expect(code.match(/<script/g)).toHaveLength(1)
  })

  it('is what a text says, with quotes and backslashes', () => {
    const family = `'Fira Code', "A\\B"`
    const code = reactCode(design({ fontFamily: family, mode: 'dark' }), site)
    const literal = /fontFamily: ('(?:\\.|[^'\\])*')/.exec(code)?.[1] ?? ''
    expect(new Function(`return ${literal}`)()).toBe(family)
  })

  it('imports all from one file', () => {
    expect(scriptCode(initialDesign, site).match(/from '.\/hawser\/hawser.js'/g)).toHaveLength(1)
  })
})

describe('the style sheet', () => {
  it('has both palettes for a site that follows the system', () => {
    const css = cssCode(design({ dark: { accent: '#6fdcaa' }, light: { background: '#fffdf5' } }))
    expect(css).toContain('--hw-color-accent: #6fdcaa;')
    expect(css).toContain('@media (prefers-color-scheme: light) {')
    expect(css).toContain('--hw-color-background: #fffdf5;')
  })

  it('has one palette for a site with one', () => {
    expect(cssCode(design({ mode: 'light' }))).not.toContain('@media')
  })
})

describe('a stored design', () => {
  it('is read as it was', () => {
    const stored = design({ radius: 'large', locale: 'it', dark: { accent: '#123456' } })
    expect(readDesign(JSON.stringify(stored))).toEqual(stored)
  })

  it('is replaced where it is damaged or of another version', () => {
    expect(readDesign('{')).toEqual(initialDesign)
    expect(readDesign(null)).toEqual(initialDesign)
    expect(readDesign('{"radius":3,"toggles":{"swaps":false}}')).toEqual(
      design({ toggles: { ...initialDesign.toggles, swaps: false } }),
    )
  })
})
