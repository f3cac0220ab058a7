// @vitest-environment jsdom
import '../testing/browser.ts'
import { fireEvent, render } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { AssetIcon } from './AssetIcon.tsx'
import { Avatar } from './Avatar.tsx'
import { gradientOf } from './gradient.ts'
import { groundOf, luminance } from './monogram.ts'

const address = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'

describe('the gradient of an account', () => {
  it('is the same however the address is written', () => {
    expect(gradientOf(address)).toEqual(gradientOf(address.toLowerCase()))
  })

  it('differs between accounts', () => {
    expect(gradientOf(address)).not.toEqual(gradientOf('0x70997970C51812dc3A010C7d01b50e0d17dc79C8'))
  })
})

describe('the face of an account', () => {
  it('is its picture, and its gradient when that cannot be loaded', () => {
    const { container, rerender } = render(<Avatar seed={address} src="/missing.png" />)
    fireEvent.error(container.querySelector('img') as HTMLImageElement)
    expect(container.querySelector('img')).toBeNull()
    expect(container.querySelector('svg')).not.toBeNull()
    rerender(<Avatar seed={address} src="/other.png" />)
    expect(container.querySelector('img')?.getAttribute('src')).toBe('/other.png')
  })
})

describe('the mark of an asset', () => {
  it('is its image', () => {
    const { container } = render(<AssetIcon name="Ether" src="/ether.png" />)
    expect(container.querySelector('img')?.getAttribute('src')).toBe('/ether.png')
  })

  it('falls back to letters when the image cannot be loaded', () => {
    const { container } = render(<AssetIcon name="USDC" src="/missing.png" />)
    fireEvent.error(container.querySelector('img') as HTMLImageElement)
    expect(container.querySelector('img')).toBeNull()
    expect(container.textContent).toBe('USDC')
  })

  it.each([
    ['Arbitrum One', 40, 'AO'],
    ['tUSD', 40, 'tUSD'],
    ['tUSDT', 40, 'tUSDT'],
    ['Devnet', 40, 'DEV'],
    ['Anchors #6', 40, 'ANC'],
    ['tUSD', 20, 'T'],
    ['Arbitrum One', 20, 'A'],
    ['', 40, '?'],
  ])('of %j at %d px is %s', (name, size, letters) => {
    const { container } = render(<AssetIcon name={name} size={size} />)
    expect(container.textContent).toBe(letters)
  })

  it('has another colour for another token of the same symbol', () => {
    const ground = (seed: string) => {
      const { container } = render(<AssetIcon name="USDC" seed={seed} />)
      return container.querySelector('rect')?.getAttribute('fill')
    }
    expect(ground('eip155:1:0xa0b8')).not.toBe(ground('eip155:1:0xdead'))
    expect(ground('eip155:1:0xA0B8')).toBe(ground('eip155:1:0xa0b8'))
  })

  it('has letters of enough contrast, whatever its colour', () => {
    const contrasts = Array.from({ length: 400 }, (_, index) => {
      const [hue = 0, saturation = 0, lightness = 100] =
        groundOf(`seed ${index}`)
          .match(/[\d.]+/g)
          ?.map(Number) ?? []
      return 1.05 / (luminance(hue, saturation / 100, lightness / 100) + 0.05)
    })
    expect(Math.min(...contrasts)).toBeGreaterThanOrEqual(4.5)
  })
})
